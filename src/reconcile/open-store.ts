import { AgentformError } from '../errors.ts';
import type { Project } from '../manifest/index.ts';
import { createFileStore } from '../record/file-store.ts';
import { createGitStore } from '../record/git-store.ts';
import type { RecordStore } from '../record/store.ts';
import type { Host } from './host.ts';

/** The remote of records where agentform.yaml names none. */
export const usualRemote = 'origin';

export interface StoreOf {
  readonly project: Project;
  readonly environment: string;
  readonly env: Host['env'];
}

/** Opens the store that keeps the records of an environment, for as long as `work` takes. */
export async function withStore<Result>(of: StoreOf, work: (store: RecordStore) => Promise<Result>): Promise<Result> {
  const store = await openStore(of);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openStore({ project, environment, env }: StoreOf): Promise<RecordStore> {
  const files = createFileStore(project.root);
  if (!isShared(project, environment)) return files;
  const store = await gitStoreOf(project, env);
  const [left] = await files.list(environment);
  if (left === undefined || (await store.list(environment)).length > 0) return store;
  await store.close();
  throw new AgentformError(
    'record-elsewhere',
    `the records of ${environment} are in files and agentform.yaml says \`store: git\`, so agents would count as new; ` +
      'run `agentform record move --to git`, or say `record: { store: file }`',
  );
}

/** The embedded emulator keeps its data in the project folder of this machine, and so are its records kept. */
export function isShared(project: Project, environment: string): boolean {
  return project.record.store === 'git' && project.definitions.get(environment)?.baseUrl !== 'emulator';
}

export function gitStoreOf({ root, record }: Project, env: Host['env']): Promise<RecordStore> {
  const { branch = 'agentform-records', remote = usualRemote } = record;
  return createGitStore({ root, branch, remote, env });
}
