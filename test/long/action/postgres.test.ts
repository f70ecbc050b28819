import { expect, test } from '@jest/globals';
import { cluster, env, files, inputs, kept, useDatabases } from '../../e2e/action/databases.ts';
import { agentFile, onPullRequest, scenario } from '../../e2e/action/scenario.ts';

useDatabases();

test('A pull request of a fork has no database URL, and is planned offline.', async () => {
  const fork = { headRepository: 'mallory/agents' };
  const { code, summary } = await onPullRequest(scenario, { inputs, env: {}, files: files(kept), ...fork });
  expect(code).toBe(0);
  expect(summary).toContain('Offline');
});

test('The first pull request with a project is planned offline, because no base allows the store yet.', async () => {
  scenario.base = await scenario.repository.commit('bare', { 'README.md': 'x', 'agentform.yaml': null });
  const { code, summary } = await onPullRequest(scenario, { inputs, env, files: files(kept) });
  expect(code).toBe(0);
  expect(summary).toContain('Offline, because the base commit has no agentform.yaml');
});

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
