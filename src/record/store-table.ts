import { referredSecret } from '../secrets/reference.ts';
import { databaseSettings } from './postgres/address.ts';
import type { RecordSettings, StoreDefinition, StoreName } from './store.ts';

/** The registration of stores. Each is loaded when it is opened. */
const stores: Readonly<Record<StoreName, StoreDefinition>> = {
  file: {
    name: 'file',
    label: 'Files in the project',
    hint: 'committed with it',
    isInProject: true,
    hasSettings: false,
    needsRemote: false,
    whereabouts: async () => ({}),
    secretName: () => undefined,
    starter: '{ store: file }',
    location: async () => 'files',
    open: async ({ root, signal }) => (await import('./file-store.ts')).createFileStore(root, signal),
    find: async (root, environment) => (await import('./file-store.ts')).findInFiles(root, environment),
  },
  git: {
    name: 'git',
    label: 'A separate branch',
    hint: 'required by workflows that apply',
    isInProject: false,
    hasSettings: true,
    needsRemote: true,
    whereabouts: async (record) => ({ ...(await import('./git/branch-settings.ts')).recordsAt(record) }),
    secretName: () => undefined,
    starter: '{ store: git, branch: agentform-records }',
    location: async (record) => `the branch ${(await import('./git/branch-settings.ts')).recordsAt(record).branch}`,
    open: async (at) => (await import('./git/branch-settings.ts')).openGitStore(at),
    find: async (root, environment) => (await import('./git/branch-settings.ts')).findOnBranch(root, environment),
  },
  postgres: {
    name: 'postgres',
    label: 'A PostgreSQL database',
    hint: 'for thousands of agents and many machines',
    isInProject: false,
    hasSettings: true,
    needsRemote: false,
    whereabouts: async (record) => (record === undefined ? {} : { ...databaseSettings(record) }),
    secretName: (record) => referredSecret(databaseSettings(record).url),
    starter: '{ store: postgres, url: "${secret.RECORDS_URL}", schema: agentform }',
    location: async (record) => `the schema ${databaseSettings(record).schema} of the database`,
    open: async (at) => (await import('./postgres/store.ts')).openPostgresStore(at),
    find: async () => undefined,
  },
};

/** Every store, the usual one first. */
export const storeDefinitions: readonly StoreDefinition[] = Object.values(stores);
export const storeNames: readonly StoreName[] = storeDefinitions.map(({ name }) => name);

/** The store that agentform.yaml configures. */
export function storeOf(record: RecordSettings): StoreDefinition {
  return stores[record.store];
}

export function storeNamed(name: StoreName): StoreDefinition {
  return stores[name];
}

/** The store of a new project: files, or a branch of the remote for jobs, because a job loses its files. */
export function defaultStore({ forJobs = false } = {}): StoreName {
  return forJobs ? 'git' : 'file';
}
