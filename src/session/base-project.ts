import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { gitOutput, runGit } from '../git/command.ts';
import { findRepository, type GitRepository } from '../git/repository.ts';

const patience = 120_000;

/** A commit, and the project folder as it was then: undefined where the commit has none. */
export interface BaseProject {
  readonly commit: string;
  readonly folder: string | undefined;
}

/**
 * Gives the work the project folder as it was at a commit; it is gone once the work is done. A commit that a shallow clone
 * does not have is fetched. The work tree and the index of the repository stay as they are.
 */
export async function withProjectAt<Result>(
  root: string,
  name: string,
  work: (base: BaseProject) => Promise<Result>,
): Promise<Result> {
  const repository = await repositoryOf(root);
  const commit = await commitNamed(repository, name);
  const tree = `${commit}:${repository.prefix.replace(/\/$/, '')}`;
  const type = await runGit(['cat-file', '-t', tree], { cwd: repository.top });
  if (type.stdout.toString('utf8').trim() !== 'tree') return work({ commit, folder: undefined });
  const temporary = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  try {
    const folder = join(temporary, 'project');
    await mkdir(folder);
    await writeTree(tree, { repository, folder, index: join(temporary, 'index') });
    return await work({ commit, folder });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * What the head of a pull request is to be compared with. GitHub checks out a merge of the head into its base, whose
 * first parent is the base as it is now; where something else is checked out, it is the base that the event names.
 */
export async function baseOfMerge(
  root: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string> {
  const { stdout } = await runGit(['cat-file', 'commit', 'HEAD'], { cwd: root });
  const header = stdout.toString('utf8').split('\n\n', 1)[0] ?? '';
  const [first, second] = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent);
  return first !== undefined && second === head ? first : base;
}

async function repositoryOf(root: string): Promise<GitRepository> {
  const found = await findRepository(root);
  if (!('problem' in found)) return found;
  throw unreadable(`the project is not in a readable git repository: ${found.problem}`);
}

/** The commit that a name stands for; one that is given whole and is not there is fetched. */
async function commitNamed(repository: GitRepository, name: string): Promise<string> {
  const known = await resolved(repository, name);
  if (known !== undefined) return known;
  if (/^[0-9a-f]{40,64}$/.test(name)) await fetchCommit(repository, name);
  const found = await resolved(repository, name);
  if (found !== undefined) return found;
  throw unreadable(`unknown commit ${JSON.stringify(name)}; fetch it, or name a different one`);
}

async function resolved({ top }: GitRepository, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await runGit(args, { cwd: top });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

async function fetchCommit({ top, isShallow }: GitRepository, commit: string): Promise<void> {
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap='];
  const depth = isShallow ? ['--depth=1'] : [];
  try {
    await gitOutput(['fetch', ...options, ...depth, 'origin', commit], { cwd: top, timeout: patience });
  } catch (cause) {
    throw unreadable(
      `the commit ${commit} is missing from the checkout (${reasonOf(cause)}); check out with fetch-depth: 0`,
      cause,
    );
  }
}

/**
 * As a checkout into another folder, over an index of its own. The folder is the work tree, so that attributes are those
 * of the commit: the ones that are checked out could have its files converted on the way.
 */
async function writeTree(
  tree: string,
  {
    repository,
    folder,
    index,
  }: { readonly repository: GitRepository; readonly folder: string; readonly index: string },
): Promise<void> {
  const env = { GIT_DIR: repository.own, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  await gitOutput(['read-tree', tree], { cwd: folder, env });
  await gitOutput(['checkout-index', '--all', '--force'], { cwd: folder, env });
}

function unreadable(message: string, cause?: unknown): AgentformError {
  return new AgentformError('base-unreadable', message, { cause });
}
