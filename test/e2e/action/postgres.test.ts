import { expect, test } from '@jest/globals';
import { cluster, env, inputs, useDatabases } from './databases.ts';
import { agentFile, onPullRequest, scenario } from './scenario.ts';

useDatabases();

test('A pull request is planned with the records of the base, and creates no table.', async () => {
  const changed = {
    'agents/front-desk.yaml': agentFile('Desk').replace('settings:', 'target: { agentId: agent-1 }\nsettings:'),
  };
  const { summary, outputs } = await onPullRequest(scenario, { inputs, env, files: changed });
  expect(outputs.changes).toEqual(expect.anything());
  expect(scenario.service.takeLog()).not.toEqual([]);
  expect(summary).not.toContain('Offline');
  expect(await cluster.query(env.RECORDS_URL ?? '', `select 1 from pg_namespace where nspname = 'agentform'`)).toEqual(
    [],
  );
});

test('The URL of the record database is sent to no service, whatever a pull request asks for.', async () => {
  const asking = { 'agents/front-desk.yaml': agentFile('Desk').replace('Desk', 'Desk ${secret.RECORDS_URL}') };
  const { summary } = await onPullRequest(scenario, { inputs, env, files: asking });
  expect(summary).toContain('Offline, because this change would send RECORDS\\_URL to');
  expect(summary).toContain('to the record store');
  expect(scenario.service.takeLog()).toEqual([]);
});
