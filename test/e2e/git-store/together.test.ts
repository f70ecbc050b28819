import { expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import { server } from '../../support/independent-suite.ts';
import { messageOf } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { clone, expectBothCommits, project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote('a0', 'a1');

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
