import { afterEach, expect, test } from '@jest/globals';
import { accountFiles } from '../../support/accounts.ts';
import { type BareRemote, bareRemote, commit, pushedProject } from '../../support/git.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();
useIndependentServer();

const token = 'tok/S3cret+value=1';
const names = Array.from({ length: 12 }, (_, index) => `a${index}`);

let remote: BareRemote;
afterEach(() => remote.remove());

test('Twelve agents are rolled back in one run and one commit, which no apply of main undoes.', async () => {
  remote = await bareRemote();
  const files = accountFiles(names, { baseUrl: server.baseUrl, record: '{ store: git }' });
  const project = await pushedProject(remote, files, { AGENT_TOKEN: token });
  const apply = () => project.run('apply', '--yes', '--new', 'all', '--allow-creates', '12');
  expect(await apply()).toMatchObject({ code: 0 });
  for (const name of names) await project.edit(`agents/${name}.yaml`, 'title: T', 'title: Bad');
  await commit(project, 'Bad');
  expect(await apply()).toMatchObject({ code: 0 });
  const before = (await remote.subjects()).length;
  server.takeLog();
  const { code, stderr } = await project.run('rollback', '*', '--yes', '--reason', 'callers were cut off');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('are on hold') });
  expect(server.takeWrites()).toHaveLength(12);
  expect(titles()).toEqual(new Set(['T']));
  const subjects = await remote.subjects();
  expect(subjects.slice(before)).toEqual(['Roll back test: a0, a1, a10 and 9 more']);

  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
  expect(server.takeWrites()).toEqual([]);
  await project.edit('agents/a7.yaml', 'title: Bad', 'title: Better');
  expect(await project.run('apply', '--yes', '--new', 'all', 'a7')).toMatchObject({ code: 0 });
  expect(titles()).toEqual(new Set(['T', 'Better']));
});

function titles(): Set<unknown> {
  return new Set(names.map((name) => server.agentOf(token, name)?.settings.title));
}
