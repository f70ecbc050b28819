import { AgentformError } from '../errors.ts';
import { emulator } from '../kinds/desired.ts';
import type { RecordSettings, RecordStore, StoreContext, StoreDefinition } from './store.ts';
import { defaultStore, storeDefinitions, storeNamed, storeOf } from './store-table.ts';

/** The part of a project that locates its records. */
interface RecordingProject {
  readonly root: string;
  readonly record: RecordSettings;
  readonly definitions: ReadonlyMap<string, { readonly baseUrl: string }>;
}

export interface StoreOf {
  readonly project: RecordingProject;
  readonly environment: string;
  readonly env: StoreContext['env'];
  readonly signal?: AbortSignal | undefined;
  readonly allowedSecrets?: StoreContext['allowedSecrets'];
}

/** Opens the store that keeps the records of an environment, for as long as `work` takes. */
export async function withStore<Result>(
  { project, environment, env, allowedSecrets, signal }: StoreOf,
  work: (store: RecordStore) => Promise<Result>,
): Promise<Result> {
  const { root, record } = project;
  const at = { root, record, env, allowedSecrets, signal };
  if (isOnlyHere(project, environment)) return withOpenStore(storeNamed(defaultStore()), at, work);
  const configured = storeOf(record);
  return withOpenStore(configured, at, async (store) => {
    await refuseUnmoved(root, environment, { configured, store });
    return work(store);
  });
}

/** Whether the records of an environment are somewhere else than in the project folder. */
export function isShared(project: Pick<RecordingProject, 'record' | 'definitions'>, environment: string): boolean {
  return !storeOf(project.record).isInProject && !isOnlyHere(project, environment);
}

/** Opens one of the stores for as long as `work` takes, whether the project is configured for it or not. */
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

/** The embedded emulator keeps its data in the project folder of this machine, and so are its records kept. */
export function isOnlyHere({ definitions }: Pick<RecordingProject, 'definitions'>, environment: string): boolean {
  return definitions.get(environment)?.baseUrl === emulator;
}

interface Opened {
  readonly configured: StoreDefinition;
  readonly store: RecordStore;
}

/** Throws where the store has no record of the environment and another one has some. */
async function refuseUnmoved(root: string, environment: string, { configured, store }: Opened): Promise<void> {
  if (configured.isInProject && (await configured.find(root, environment)) !== undefined) return;
  for (const other of storeDefinitions.filter((one) => one !== configured)) {
    const found = await other.find(root, environment);
    if (found === undefined) continue;
    if (!configured.isInProject && (await store.list(environment)).length > 0) return;
    const move = `\`agentform record move --to ${configured.name}\``;
    const remedy = other.hasSettings
      ? `set \`record: { store: ${other.name} }\`, and run ${move} to move them`
      : `run ${move}, or set \`record: { store: ${other.name} }\``;
    throw new AgentformError(
      'record-elsewhere',
      `the records of ${environment} are ${found.where}, but agentform.yaml sets \`store: ${configured.name}\`, so agents ` +
        `would count as new; ${remedy}${found.ifGone === undefined ? '' : `; ${found.ifGone}`}`,
    );
  }
}
