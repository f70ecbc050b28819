import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import { commit, git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { messageOf } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { clone, expectBothCommits, project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote('a0', 'a1');

describe('several runs with the git store', () => {
  test('Two runs that create one agent create it once, and the second names both commits.', async () => {
    const other = await clone();
    // The read of a1 happens after its records were fetched and before its intents are pushed.
    server.before = async ({ method }) => {
      if (method !== 'GET') return undefined;
      server.before = undefined;
      expect(await project.run('apply', '--yes', '--new', 'all', 'a2')).toMatchObject({ code: 0 });
      return undefined;
    };
    const { code, stdout } = await other.run('apply', '--yes', '--new', 'all', 'a1', 'a2', 'a3', '--format', 'json');
    expect(code).toBe(1);
    const [a1, a2, a3] = (JSON.parse(stdout) as Ledger).entries;
    expect(a2).toMatchObject({ outcome: 'failed', sent: false });
    await expectBothCommits(messageOf(a2 ?? {}), { at: other, name: 'a2' });
    expect([a1?.outcome, a3?.outcome]).toEqual(['unchanged', 'applied']);
    expect(server.takeWrites()).toHaveLength(2);
    const records = await remote.records();
    expect(records['.agentform/records/test/Agent/a2.json']).toMatchObject({ id: server.agentOf(token, 'a2')?.id });
    expect(Object.keys(records)).toHaveLength(4);
  });

  test('Two runs that update one agent end with one error, and nothing is lost.', async () => {
    const other = await clone();
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    for (const name of ['a0', 'a1']) await other.edit(`agents/${name}.yaml`, 'Hi', 'Hey');
    server.before = async ({ method, body }) => {
      if (method === 'POST' && body?.welcomeMessage === 'Hey') {
        server.before = undefined;
        expect(await project.run('apply', '--yes', '--new', 'all', 'a0', '--overwrite', 'Agent/a0')).toMatchObject({
          code: 0,
        });
      }
      return undefined;
    };
    const { code, stdout } = await other.run(
      'apply',
      '--yes',
      '--new',
      'all',
      'a0',
      'a1',
      '--concurrency',
      '1',
      '--format',
      'json',
    );
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, unshared: ledger.unshared }).toEqual({ code: 1, unshared: expect.any(String) });
    await expectBothCommits(ledger.unshared, { at: other, name: 'a0' });
    const records = await remote.records();
    expect(JSON.stringify(records['.agentform/records/test/Agent/a0.json'])).toContain('"Hello"');
    expect(JSON.stringify(records['.agentform/records/test/Agent/a1.json'])).toContain('"Hey"');
  });
});

test('A clone of depth 1 has all records, and adds its own.', async () => {
  await project.edit('agents/a1.yaml', 'Hi', 'Hello');
  await commit(project, 'second');
  const shallow = await clone({}, ['--depth=1', '--single-branch']);
  // A checkout like that of actions/checkout.
  await git(shallow.root, 'checkout', '--quiet', '--detach');
  expect(await shallow.run('apply', '--yes', '--new', 'all', 'a0', 'a1', 'a2')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toHaveLength(2);
  expect((await shallow.run('history', 'a0')).stdout).toMatch(/created with \d+ settings/);
});
