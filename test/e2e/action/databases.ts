import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { agentFile, agentToken, scenario, useScenario } from './scenario.ts';

export let cluster: PostgresCluster;
/** The token, and the URLs of two empty databases. */
export let env: Record<string, string>;

export const inputs = { secrets: 'AGENT_TOKEN RECORDS_URL OTHER_URL' };
export const kept = '{ store: postgres, url: "${secret.RECORDS_URL}" }';

/** Begins each test of the suite with a base commit that keeps its records in a database. */
export function useDatabases(): void {
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.stop());
  useScenario();
  beforeEach(async () => {
    env = { AGENT_TOKEN: agentToken, RECORDS_URL: await cluster.database(), OTHER_URL: await cluster.database() };
    scenario.base = await scenario.repository.commit('main', files(kept), scenario.base);
  });
}

export function files(record: string): Record<string, string> {
  const environment = `{ baseUrl: "${scenario.service.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  return {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nrecord: ${record}\nenvironments:\n  production: ${environment}\n`,
    'agents/front-desk.yaml': agentFile('Front desk').replace('settings:', 'target: { agentId: agent-1 }\nsettings:'),
  };
}
