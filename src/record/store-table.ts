import type { RecordSettings, StoreDefinition, StoreName } from './store.ts';

/** Where a store is registered. Each is loaded when it is opened. */
const stores: Readonly<Record<StoreName, StoreDefinition>> = {
  file: {
    name: 'file',
    label: 'Files in the project',
    hint: 'committed with it',
    isInProject: true,
    hasSettings: false,
    needsRemote: false,
    starter: '{ store: file }',
    place: async () => 'files',
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
    starter: '{ store: git, branch: agentform-records }',
    place: async (record) => `the branch ${(await import('./git/place.ts')).recordsAt(record).branch}`,
    open: async (at) => (await import('./git/place.ts')).openGitStore(at),
    find: async (root, environment) => (await import('./git/place.ts')).findOnBranch(root, environment),
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

/** Where to keep records, unless somebody says: in files, but for jobs, with which files end. */
export function usualStore({ forJobs = false } = {}): StoreName {
  return forJobs ? 'git' : 'file';
}
