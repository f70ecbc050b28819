import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { AgentformError } from '../../../src/errors.ts';
import { PostgresStore } from '../../../src/record/postgres/store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { gitEnv } from '../../support/git.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';

export const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

export let cluster: PostgresCluster;
/** The address of the current test's database. */
export let url: string;
/** The stores that are closed after the current test. */
export let stores: RecordStore[];
/** Counts the users of the cluster. */
export let users = 0;

/** Makes an empty database for every test of the suite that calls this function. */
export function useDatabase(): void {
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    stores = [];
    url = await cluster.database();
  });
  afterEach(() => Promise.all(stores.map((store) => store.close())));
}

export function open(at = url, schema?: string): RecordStore {
  const record = { store: 'postgres', url: '${secret.RECORDS_URL}', ...(schema && { schema }) } as const;
  const store = new PostgresStore({ root: tmpdir(), record, env: { ...gitEnv, RECORDS_URL: at } });
  stores.push(store);
  return store;
}

/** Returns the URL for a user who has only these rights in the database. */
export async function userWith(...grants: string[]): Promise<string> {
  users += 1;
  const name = `user${users}`;
  await cluster.query(url, `create role ${name} login password 'its-pw'`);
  for (const grant of grants) await cluster.query(url, `grant ${grant} to ${name}`);
  return url.replace(/\/\/[^@]*@/, `//${name}:its-pw@`);
}

/** Returns the error that another run gets when it requests the lock. */
export async function refusal(store: RecordStore) {
  const { code, message, facts } = await store.lock('test').then(
    () => Promise.reject(new Error('it got the lock')),
    (error: AgentformError) => error,
  );
  expect(code).toBe('record-locked');
  return { message, facts };
}
