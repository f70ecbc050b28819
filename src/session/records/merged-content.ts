import { runGit } from '../../git/command.ts';
import type { GitRepository } from '../../git/repository.ts';
import { recordsFolder } from '../../record/record-text.ts';

/** Milliseconds for each question to git. */
const patience = 15_000;

/** So many commits of HEAD's history are looked through for one that was applied. */
const mostCommits = 1000;

/** So many contents of paths in commits are looked up. */
const mostLookups = 20_000;

const mostBytes = 16 * 1024 * 1024;

/**
 * Whether HEAD has what a commit changed in the project folder although it does not have the commit, as after a squash
 * merge or a rebase.
 *
 * - What counts is what changed since the two lines parted. An older commit that happens to hold the same is no merge.
 * - All changed files must have been as in that commit at once, at HEAD or at a commit before it. What changed since is newer.
 * - Records are left out: they are committed after the apply.
 *
 * What cannot be found out within the limits counts as not there.
 */
export async function hasContentOf(repository: GitRepository, head: string, commit: string): Promise<boolean> {
  const base = await answer(repository, ['merge-base', commit, head]);
  if (base === undefined) return false;
  const parted = base.trim();
  const changed = await changesBetween(repository, parted, commit);
  if (changed === undefined) return false;
  if (changed.length === 0) return true;
  const most = Math.min(mostCommits, Math.floor(mostLookups / changed.length));
  const range = ['rev-list', `--max-count=${most}`, head, `^${commit}`, '--', ...projectPaths];
  const candidates = (await answer(repository, range))?.split('\n').filter((line) => line !== '') ?? [];
  return holdsAll(repository, candidates, changed);
}

/** The project folder, in which git runs. */
const projectPaths = ['.', `:(exclude)${recordsFolder}`];

/** A path from the top of the work tree, and the blob that is there; undefined if the file was deleted. */
interface ChangedPath {
  readonly path: string;
  readonly blob: string | undefined;
}

/** Undefined if there is no telling: cat-file takes no path with a line feed. */
async function changesBetween(
  repository: GitRepository,
  one: string,
  other: string,
): Promise<ChangedPath[] | undefined> {
  const options = ['-r', '--raw', '--no-abbrev', '--no-renames', '-z'];
  const found = await answer(repository, ['diff-tree', ...options, one, other, '--', ...projectPaths]);
  if (found === undefined || found.includes('\n')) return undefined;
  const words = found.split('\0');
  return words.flatMap((word, index) => {
    const path = words[index + 1];
    if (index % 2 !== 0 || path === undefined) return [];
    const [, , , blob = '', status] = word.split(' ');
    return [{ path, blob: status === 'D' ? undefined : blob }];
  });
}

/** One process, which tells of each path in each commit what is there. */
async function holdsAll(
  repository: GitRepository,
  commits: readonly string[],
  changed: readonly ChangedPath[],
): Promise<boolean> {
  if (commits.length === 0) return false;
  const input = commits.flatMap((commit) => changed.map(({ path }) => `${commit}:${path}\n`)).join('');
  const found = await answer(repository, ['cat-file', '--batch-check=%(objectname)'], input);
  const lines = found?.split('\n') ?? [];
  return commits.some((_, at) =>
    changed.every(({ blob }, index) => {
      const line = lines[at * changed.length + index];
      return blob === undefined ? line?.endsWith(' missing') : line === blob;
    }),
  );
}

/** What git says; undefined if it fails, or takes too long or says too much. */
async function answer(
  { root: cwd }: GitRepository,
  args: readonly string[],
  input?: string,
): Promise<string | undefined> {
  const options = { cwd, timeout: patience, maxOutput: mostBytes, ...(input !== undefined && { input }) };
  const { code, stdout } = await runGit(args, options);
  return code === 0 ? stdout.toString('utf8') : undefined;
}
