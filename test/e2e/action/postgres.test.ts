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

test.each([
  ['url', '{ store: postgres, url: "${secret.OTHER_URL}" }', '${secret.OTHER_URL}', '${secret.RECORDS_URL}'],
  ['url', '{ store: postgres, url: "${secret.AGENT_TOKEN}" }', '${secret.AGENT_TOKEN}', '${secret.RECORDS_URL}'],
  ['schema', kept.replace('}"', '}", schema: south'), 'south', 'agentform'],
  ['store', '{ store: git }', 'git', 'the schema agentform of the database'],
  ['store', '{ store: file }', 'file', 'the schema agentform of the database'],
])(
  'A pull request cannot redirect where records are read: record.%s becomes %s.',
  async (name, record, wanted, trusted) => {
    const { outputs, log } = await onPullRequest(scenario, { inputs, env, files: files(record) });
    expect(outputs['failure-reason']).toBe('refused');
    expect(scenario.service.takeLog()).toEqual([]);
    expect(log).toContain(
      `this change sets record.${name} to ${wanted}, but until it is merged, records are read only from ${trusted}; merge`,
    );
  },
);

test('The URL of the record database is sent to no service, whatever a pull request asks for.', async () => {
  const asking = { 'agents/front-desk.yaml': agentFile('Desk').replace('Desk', 'Desk ${secret.RECORDS_URL}') };
  const { summary } = await onPullRequest(scenario, { inputs, env, files: asking });
  expect(summary).toContain('Offline, because this change would send RECORDS\\_URL to');
  expect(summary).toContain('to the record store');
  expect(scenario.service.takeLog()).toEqual([]);
});

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
