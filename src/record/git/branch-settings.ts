import { AgentformError } from '../../errors.ts';
import { runGit } from '../../git/command.ts';
import { readObject } from '../../git/objects.ts';
import { repositoryAround } from '../../git/repository.ts';
import { recordDefaults } from '../../schemas/record-settings.ts';
import { keyOnBranch, recordsFolder } from '../record-text.ts';
import type { FoundRecords, RecordSettings, RecordStore, StoreContext } from '../store.ts';
import { createGitStore } from './store.ts';

/** Returns the remote and branch of the records, or the defaults if the project does not use the git store. */
export function recordsAt(record: RecordSettings | undefined): { readonly remote: string; readonly branch: string } {
  const { remote = recordDefaults.remote, branch = recordDefaults.branch } = record?.store === 'git' ? record : {};
  return { remote, branch };
}

/** Throws `run-refused` if the record branch on the default remote is one of the given work branches. */
export function requireRecordsBranch(record: RecordSettings, branches: ReadonlySet<string>): void {
  const { remote, branch } = recordsAt(record);
  if (remote !== recordDefaults.remote || !branches.has(branch)) return;
  throw new AgentformError(
    'run-refused',
    `record.branch is ${branch}, a branch of the project itself; use a separate branch such as ${recordDefaults.branch}`,
  );
}

/** Opens the git store that agentform.yaml configures. */
export async function openGitStore({
  root,
  record,
  folder,
  env,
  signal,
  localAfter,
}: StoreContext): Promise<RecordStore> {
  const { remote, branch } = recordsAt(record);
  if (branch !== recordDefaults.branch) requireRecordsBranch(record, await workBranches(root));
  return createGitStore({ root, branch, remote, folder, env, signal, localAfter });
}

/** Finds records on the default record branch, as of the last fetch. */
export async function findOnBranch(root: string, environment: string): Promise<FoundRecords | undefined> {
  const { remote, branch } = recordDefaults;
  const ref = `refs/remotes/${remote}/${branch}`;
  const known = await repositoryAround(root);
  if (known === undefined || (await readObject(root, ref)) === undefined) return undefined;
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', ref, '--'];
  const { code, stdout } = await runGit([...args, `${known.prefix}${recordsFolder}/${environment}/`], { cwd: root });
  const paths = code === 0 ? stdout.toString('utf8').split('\0') : [];
  if (!paths.some((path) => keyOnBranch(path.slice(known.prefix.length)) !== undefined)) return undefined;
  return {
    where: `on the branch ${branch} of ${remote}`,
    ifGone: `If the branch no longer has records, run \`git fetch --prune ${remote}\``,
  };
}

/** Returns the checked-out branch and the remote's default branch, as of the last fetch. */
async function workBranches(root: string): Promise<ReadonlySet<string>> {
  const names = ['HEAD', `refs/remotes/${recordDefaults.remote}/HEAD`];
  const found = await Promise.all(names.map((name) => runGit(['symbolic-ref', '--quiet', name], { cwd: root })));
  const refs = found.map(({ stdout }) => stdout.toString('utf8').trim());
  return new Set(refs.map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, '')));
}
