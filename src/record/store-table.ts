import { AgentformError } from '../errors.ts';
import { commandIn, emulator } from '../kinds/desired.ts';
import { recordDefaults } from '../schemas/record-settings.ts';
import { referredSecret } from '../secrets/secret.ts';
import { databaseSettings } from './postgres/address.ts';
import type { MoveMark, RecordSettings, RecordStore, StoreContext, StoreDefinition, StoreName } from './store.ts';

/** All stores, the default first. The code of a store is loaded only when needed. */
export const storeDefinitions: Readonly<Record<StoreName, StoreDefinition>> = {
  file: {
    name: 'file',
    label: 'Files in the project',
    hint: 'committed with the manifests',
    isInProject: true,
    hasSettings: false,
    needsRemote: false,
    whereabouts: async () => ({}),
    secretName: () => undefined,
    starter: { store: 'file' },
    location: async () => 'files',
    open: async ({ root, signal }) => new (await import('./file-store.ts')).FileStore(root, signal),
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
    starter: { store: 'git', branch: recordDefaults.branch },
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
    starter: { store: 'postgres', url: '${secret.RECORDS_URL}', schema: recordDefaults.schema },
    location: async (record) => `the schema ${databaseSettings(record).schema} of the database`,
    open: async (at) => new (await import('./postgres/store.ts')).PostgresStore(at),
    find: async () => undefined,
  },
};

export const storeNames: readonly StoreName[] = Object.values(storeDefinitions).map(({ name }) => name);

/** Formats the record settings as agentform.yaml contains them, such as `{ store: git, branch: agentform-records }`. */
export function settingsYaml(record: RecordSettings): string {
  const yamlText = (value: string) => (/^[A-Za-z_][\w./-]*$/.test(value) ? value : JSON.stringify(value));
  const members = Object.entries(record).map(([name, value]) => `${name}: ${yamlText(value)}`);
  return `{ ${members.join(', ')} }`;
}

/**
 * Returns the default store of a new project: `file`. A project with CI jobs uses a branch of the remote instead,
 * because a job loses its files.
 */
export function defaultStore({ forJobs = false } = {}): StoreName {
  return forJobs ? 'git' : 'file';
}

interface RecordingProject {
  readonly root: string;
  readonly record: RecordSettings;
  readonly definitions: ReadonlyMap<string, { readonly baseUrl: string }>;
}

interface StoreOf {
  readonly project: RecordingProject;
  readonly environment: string;
  readonly env: StoreContext['env'];
  readonly signal?: AbortSignal | undefined;
  readonly localAfter?: StoreContext['localAfter'];
  readonly allowedSecrets?: StoreContext['allowedSecrets'];
}

/**
 * Runs work with the project's open record store. The records of an environment on the embedded emulator are always
 * files. Throws `record-elsewhere` if the records are in another store.
 */
export async function withStore<Result>(
  { project, environment, env, allowedSecrets, signal, localAfter }: StoreOf,
  work: (store: RecordStore) => Promise<Result>,
): Promise<Result> {
  const { root, record } = project;
  const at = { root, record, env, allowedSecrets, signal, localAfter };
  if (isOnEmulator(project, environment)) return withOpenStore(storeDefinitions[defaultStore()], at, work);
  const configured = storeDefinitions[record.store];
  return withOpenStore(configured, at, async (store) => {
    // Without this check, every agent would count as new after the records were moved to another store.
    const mark = await store.movedTo();
    if (mark !== undefined) throw movedElsewhere(mark, configured.name);
    await refuseUnmoved(root, environment, { configured, store });
    return work(store);
  });
}

/** Returns whether the records of an environment are outside the project folder. */
export function isShared(project: Pick<RecordingProject, 'record' | 'definitions'>, environment: string): boolean {
  return !storeDefinitions[project.record.store].isInProject && !isOnEmulator(project, environment);
}

/** Runs work with any open store, even one that the project does not configure. */
export async function withOpenStore<Result>(
  definition: StoreDefinition,
  at: StoreContext,
  work: (store: RecordStore) => Promise<Result>,
): Promise<Result> {
  const store = await definition.open(at);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Returns whether an environment uses the embedded emulator. The emulator's data and records stay on this machine, in
 * the project folder.
 */
export function isOnEmulator({ definitions }: Pick<RecordingProject, 'definitions'>, environment: string): boolean {
  return definitions.get(environment)?.baseUrl === emulator;
}

interface Opened {
  readonly configured: StoreDefinition;
  readonly store: RecordStore;
}

/** Returns the error for a checkout that still configures the store that was used before a move. */
export function movedElsewhere({ to, at, by }: MoveMark, name: StoreName): AgentformError {
  const when = at === '' ? '' : ` on ${at.slice(0, 10)}`;
  return new AgentformError(
    'record-elsewhere',
    `the records were moved to ${to}${when}${by === '' ? '' : ` (by ${by})`}, but agentform.yaml in this checkout sets ` +
      `\`store: ${name}\`, so agents would count as new. Update this checkout with \`git pull\`, or set the new store in ` +
      `agentform.yaml. To move the records back, run ${commandIn(undefined, `record move --to ${name}`)}`,
    { facts: { to, at } },
  );
}

/** Throws if another store has records of the environment, but the configured store has none. */
async function refuseUnmoved(root: string, environment: string, { configured, store }: Opened): Promise<void> {
  if (configured.isInProject && (await configured.find(root, environment)) !== undefined) return;
  for (const other of Object.values(storeDefinitions).filter((one) => one !== configured)) {
    const found = await other.find(root, environment);
    if (found === undefined) continue;
    if (!configured.isInProject && (await store.list(environment)).length > 0) return;
    const move = commandIn(undefined, `record move --to ${configured.name}`);
    const remedy = `run ${move}, or set \`record: { store: ${other.name} }\``;
    throw new AgentformError(
      'record-elsewhere',
      `the records of ${environment} are ${found.where}, but agentform.yaml sets \`store: ${configured.name}\`, so agents ` +
        `would count as new; ${remedy}${found.ifGone === undefined ? '' : `. ${found.ifGone}`}`,
    );
  }
}
