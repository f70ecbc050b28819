import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { agentFile, agentToken, onPullRequest, scenario, useScenario } from './scenario.ts';

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
