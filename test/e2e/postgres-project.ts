import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { accountFiles } from '../support/accounts.ts';
import type { TestProject } from '../support/cli.ts';
import { projectOf, server, useIndependentServer } from '../support/independent-suite.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';

export const names = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'];

/** The record settings of a project with a database. */
export const usual = '{ store: postgres, url: "${secret.RECORDS_URL}" }';

export let cluster: PostgresCluster;
export let url: string;

/** Starts a service and a database server with TLS. Creates a database for each test. */
export function usePostgres(): void {
  useIndependentServer();
  beforeAll(async () => {
    cluster = await startPostgres({ tls: true });
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    url = await cluster.database();
  });
}

export function projectWith(env: Readonly<Record<string, string>>, record = usual): Promise<TestProject> {
  return projectOf(accountFiles(names, { baseUrl: server.baseUrl, record }), {
    AGENT_TOKEN: 'token-1',
    GITHUB_ACTOR: 'tess',
    ...env,
  });
}
