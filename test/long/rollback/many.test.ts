import { afterEach, expect, test } from '@jest/globals';
import { accountFiles } from '../../support/accounts.ts';
import { type BareRemote, bareRemote, commit, pushedProject } from '../../support/git.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();
useIndependentServer();

const token = 'tok/S3cret+value=1';

let remote: BareRemote;
afterEach(() => remote.remove());

test('A repeated rollback completes an interrupted one, and keeps what was already restored.', async () => {
  remote = await bareRemote();
  const files = accountFiles(['a0', 'a1'], { baseUrl: server.baseUrl, record: '{ store: git }' });
  const project = await pushedProject(remote, files, { AGENT_TOKEN: token });
  for (const [from, to] of [
    ['title: T', 'title: Older'],
    ['title: Older', 'title: Good'],
    ['title: Good', 'title: Bad'],
  ] as const) {
    for (const name of ['a0', 'a1']) await project.edit(`agents/${name}.yaml`, from, to);
    await commit(project, to);
    expect(await project.run('apply', '--yes', '--new', 'all', '--allow-creates', '2')).toMatchObject({ code: 0 });
  }
  const running = project.start('rollback', '*', '--yes', '--concurrency', '1');
  server.after = ({ method }) => {
    if (method === 'POST') running.kill('SIGINT');
    return undefined;
  };
  await running.done;
  server.after = undefined;
  const title = (name: string) => server.agentOf(token, name)?.settings.title;
  const restored = ['a0', 'a1'].filter((name) => title(name) === 'Good');
  expect(restored).toHaveLength(1);

  server.takeLog();
  const { code, stdout, stderr } = await project.run('rollback', '*', '--yes');
  expect({ code, titles: ['a0', 'a1'].map(title) }).toEqual({ code: 0, titles: ['Good', 'Good'] });
  expect(server.takeWrites()).toHaveLength(1);
  expect(stderr).toContain(`Agent/${restored} already has the values of that version.`);
  expect(stdout).not.toContain('refused');

  expect(await project.run('rollback', '*', '--yes')).toMatchObject({ code: 0 });
  expect(['a0', 'a1'].map(title)).toEqual(['Good', 'Good']);
});

const names = Array.from({ length: 12 }, (_, index) => `a${index}`);

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
