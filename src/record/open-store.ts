import { join } from 'node:path';
import { AgentformError } from '../errors.ts';
import { runGit } from '../git/command.ts';
import { findRepository } from '../git/repository.ts';
import { emulator } from '../kinds/desired.ts';
import { createFileStore, recordPaths } from './file-store.ts';
import { createGitStore } from './git/store.ts';
import { recordsFolder } from './record-text.ts';
import type { RecordStore } from './store.ts';

/** What agentform.yaml says about records. */
export interface RecordSettings {
  readonly store: 'file' | 'git';
  readonly branch?: string;
  readonly remote?: string;
}

/** As much of a project as says where its records are. */
interface RecordingProject {
  readonly root: string;
  readonly record: RecordSettings;
  readonly definitions: ReadonlyMap<string, { readonly baseUrl: string }>;
}

/** Where git keeps records if agentform.yaml does not say; those in files are kept nowhere else either. */
const usual = { remote: 'origin', branch: 'agentform-records' } as const;

/** The remote and the branch that are asked for records. */
export function recordsAt(record: RecordSettings | undefined): { readonly remote: string; readonly branch: string } {
  const { remote = usual.remote, branch = usual.branch } = record?.store === 'git' ? record : {};
  return { remote, branch };
}

/** Throws `run-refused` where the records would be committed to one of the branches that people work on. */
export function requireRecordsBranch(record: RecordSettings, branches: ReadonlySet<string>): void {
  const { remote, branch } = recordsAt(record);
  if (remote !== usual.remote || !branches.has(branch)) return;
  throw new AgentformError(
    'run-refused',
    `record.branch is ${branch}, a branch of the project itself; use a separate branch such as ${usual.branch}`,
  );
}

type Env = Readonly<Record<string, string | undefined>>;

export interface StoreOf {
  readonly project: RecordingProject;
  readonly environment: string;
  readonly env: Env;
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
  if (project.definitions.get(environment)?.baseUrl === emulator) return files;
  if (project.record.store === 'file') {
    await refuseUnmoved(project.root, environment);
    return files;
  }
  const store = await gitStoreOf(project, env);
  const [left] = await files.list(environment);
  if (left === undefined || (await store.list(environment)).length > 0) return store;
  await store.close();
  throw new AgentformError(
    'record-elsewhere',
    `the records of ${environment} are in files, but agentform.yaml sets \`store: git\`, so agents would count as new; ` +
      'run `agentform record move --to git`, or set `record: { store: file }`',
  );
}

/**
 * Throws where no file has a record of the environment and the usual branch has some, as far as this clone knows it:
 * nothing is fetched for what is in files.
 */
async function refuseUnmoved(root: string, environment: string): Promise<void> {
  const folder = `${recordsFolder}/${environment}`;
  if ((await recordPaths(root, join(root, folder))).length > 0) return;
  const { remote, branch } = usual;
  const known = await findRepository(root);
  if ('problem' in known) return;
  const args = ['ls-tree', '-r', '--name-only', '--full-tree', `refs/remotes/${remote}/${branch}`, '--'];
  const { code, stdout } = await runGit([...args, `${known.prefix}${folder}/`], { cwd: root });
  if (code !== 0 || stdout.length === 0) return;
  throw new AgentformError(
    'record-elsewhere',
    `the records of ${environment} are on the branch ${branch} of ${remote} and agentform.yaml says \`store: file\`, so ` +
      'agents would count as new; say `record: { store: git }`, and run `agentform record move --to file` to have them in ' +
      `files; if the branch has none any more, run \`git fetch --prune ${remote}\``,
  );
}

/** The embedded emulator keeps its data in the project folder of this machine, and so are its records kept. */
export function isShared(project: RecordingProject, environment: string): boolean {
  return project.record.store === 'git' && project.definitions.get(environment)?.baseUrl !== emulator;
}

export async function gitStoreOf(
  { root, record }: Pick<RecordingProject, 'root' | 'record'>,
  env: Env,
): Promise<RecordStore> {
  const { remote, branch } = recordsAt(record);
  if (branch !== usual.branch) requireRecordsBranch(record, await workBranches(root));
  return createGitStore({ root, branch, remote, env });
}

/** The branch that is checked out, and the default branch of the remote, as far as the clone knows them. */
async function workBranches(root: string): Promise<ReadonlySet<string>> {
  const names = ['HEAD', `refs/remotes/${usual.remote}/HEAD`];
  const found = await Promise.all(names.map((name) => runGit(['symbolic-ref', '--quiet', name], { cwd: root })));
  const refs = found.map(({ stdout }) => stdout.toString('utf8').trim());
  return new Set(refs.map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, '')));
}
