import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { agentFile, agentToken, onPullRequest, scenario, useScenario } from '../../e2e/action/scenario.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';

let cluster: PostgresCluster;
let env: Record<string, string>;

const inputs = { secrets: 'AGENT_TOKEN RECORDS_URL OTHER_URL' };
const kept = '{ store: postgres, url: "${secret.RECORDS_URL}" }';

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());
useScenario();
beforeEach(async () => {
  env = { AGENT_TOKEN: agentToken, RECORDS_URL: await cluster.database(), OTHER_URL: await cluster.database() };
  scenario.base = await scenario.repository.commit('main', files(kept), scenario.base);
});

function files(record: string): Record<string, string> {
  const environment = `{ baseUrl: "${scenario.service.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  return {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nrecord: ${record}\nenvironments:\n  production: ${environment}\n`,
    'agents/front-desk.yaml': agentFile('Front desk').replace('settings:', 'target: { agentId: agent-1 }\nsettings:'),
  };
}

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
