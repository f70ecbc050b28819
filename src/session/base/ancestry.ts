import { gitReason, runGit } from '../../git/command.ts';
import { missingCommits } from '../../git/objects.ts';
import {
  fetchingFrom,
  fetchPatience,
  type GitRepository,
  isOutsideGit,
  repositoryAround,
} from '../../git/repository.ts';
import type { FromCommit } from '../../plan/verdicts/guards.ts';
import { recordsFolder } from '../../record/record-text.ts';

/** The maximum number of fetches of a single commit. Several commits are first fetched together. */
const maxFetches = 20;

/**
 * The maximum number of commits outside HEAD's history to compare with HEAD. Each comparison takes up to five git
 * processes.
 */
const maxCompared = 100;

/**
 * Determines how each commit relates to HEAD. Fetches commits and history that the clone lacks. Ignores names that are
 * not full commit ids. Returns no relations outside git or without a HEAD commit.
 */
export async function sourcesInHistory(
  root: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FromCommit>> {
  const wanted = [...new Set(commits)].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  if (wanted.length === 0 || isOutsideGit(root)) return new Map();
  const repository = await repositoryAround(root);
  // A guard that cannot check the commits must refuse.
  if (repository === undefined) return new Map(wanted.map((commit) => [commit, { commit, relation: 'unanswered' }]));
  if (repository.head === undefined) return new Map();
  const { head } = repository;
  const history: History = { repository, head, signal, problem: undefined };
  const others = wanted.filter((commit) => commit !== head);
  const open = await fetchHistory(history, others);
  const sources = new Map(wanted.map((commit): [string, FromCommit] => [commit, { commit, relation: 'ancestor' }]));
  for (const source of await sourcesAside(history, open)) sources.set(source.commit, source);
  return sources;
}

interface History {
  readonly repository: GitRepository;
  readonly head: string;
  readonly signal: AbortSignal | undefined;
  problem: string | undefined;
}

/**
 * Fetches the missing commits and history that are needed to relate all commits to HEAD, as far as possible. Returns
 * the commits that are not in HEAD's history.
 */
async function fetchHistory(history: History, commits: readonly string[]): Promise<readonly string[]> {
  let open = await notInHistory(history, commits);
  const fetching = open.length === 0 ? undefined : await fetchingFrom(history.repository.root);
  if (fetching === undefined) return open;
  const deepen = async (depth: string) => {
    if (open.length === 0 || !history.repository.isShallow) return;
    await fetchMore(history, [...fetching, depth, history.head]);
    open = await notInHistory(history, open);
  };
  await deepen('--deepen=100');
  if (open.length === 0) return open;
  const wanted = open.slice(0, maxCompared);
  const absent = await missingCommits(history.repository.root, wanted);
  if (absent.length > 1) await fetchMore(history, [...fetching, ...absent]);
  // Git fetches nothing if the remote lacks one of the commits.
  const left = await missingCommits(history.repository.root, absent);
  for (const commit of left.slice(0, maxFetches)) await fetchMore(history, [...fetching, commit]);
  if (await isBeforeAll(history, wanted)) return open;
  await deepen('--deepen=1000');
  await deepen('--unshallow');
  return open;
}

/** Determines how commits outside HEAD's history relate to HEAD. */
async function sourcesAside(history: History, commits: readonly string[]): Promise<readonly FromCommit[]> {
  const doubt = history.problem === undefined ? {} : { problem: history.problem };
  const absent = new Set(await missingCommits(history.repository.root, commits));
  const present = commits.filter((commit) => !absent.has(commit));
  const sources: FromCommit[] = [...absent].map((commit) => ({ commit, relation: 'unknown', ...doubt }));
  for (const commit of present.slice(0, maxCompared)) {
    if (await hasContentOf(history.repository, history.head, commit)) sources.push({ commit, relation: 'merged' });
    else if (await isBeforeAll(history, [commit])) sources.push({ commit, relation: 'descendant' });
    else sources.push({ commit, relation: 'diverged', ...doubt });
  }
  const problem = `agentform compares at most ${maxCompared} commits outside the history`;
  for (const commit of present.slice(maxCompared)) sources.push({ commit, relation: 'unanswered', problem });
  return sources;
}

/** Finds the commits that are not in HEAD's history. Needs one git process, or more if a commit is missing. */
async function notInHistory(history: History, commits: readonly string[]): Promise<readonly string[]> {
  const found = await beyondHead(history, commits);
  if (found !== undefined) return found;
  const absent = new Set(await missingCommits(history.repository.root, commits));
  const known = commits.filter((commit) => !absent.has(commit));
  const beyond = new Set((await beyondHead(history, known)) ?? known);
  return commits.filter((commit) => absent.has(commit) || beyond.has(commit));
}

/** Works like `notInHistory`, but returns undefined if a commit is missing. */
async function beyondHead(history: History, commits: readonly string[]): Promise<string[] | undefined> {
  if (commits.length === 0) return [];
  const input = [...commits.map((commit) => `${commit}^{commit}`), `^${history.head}`, ''].join('\n');
  const { code, stdout } = await runGit(['rev-list', '--stdin'], { cwd: history.repository.root, input });
  if (code !== 0) return undefined;
  const beyond = new Set(stdout.toString('utf8').split('\n'));
  return commits.filter((commit) => beyond.has(commit));
}

async function isBeforeAll({ repository, head }: History, commits: readonly string[]): Promise<boolean> {
  return (await answer(repository, ['merge-base', '--octopus', head, ...commits]))?.trim() === head;
}

/** Fetches, unless an earlier fetch failed for a reason other than a missing commit, such as a network failure. */
async function fetchMore(history: History, args: readonly string[]): Promise<void> {
  if (history.problem !== undefined) return;
  const { repository, signal } = history;
  const options = { cwd: repository.root, timeout: fetchPatience, isRemote: true, signal } as const;
  const { code, stderr } = await runGit(args, options);
  if (code !== 0 && !/not our ref|remote ref|unadvertised object|complete repository/i.test(stderr)) {
    history.problem = `could not fetch more history: ${gitReason(stderr)}`;
  }
}

/** The time limit of a git command that compares contents, in milliseconds. */
const patience = 15_000;

/** The maximum number of commits in HEAD's history to search for an applied commit's changes. */
const maxCommits = 1000;

/** The maximum number of file lookups. Each looks for one path in one commit. */
const maxLookups = 20_000;

const maxBytes = 16 * 1024 * 1024;

/**
 * Returns whether HEAD has a commit's changes in the project folder, but not the commit itself, for example after a
 * squash merge or a rebase.
 *
 * - Only changes since the merge base count. An older commit with the same content is not a merge.
 * - At least one commit since the merge base must contain all changed files exactly as `commit` does. Later changes do
 *   not matter.
 * - Records are left out, because they are committed after the apply.
 *
 * Changes that are not found within the limits count as missing. A commit without changes counts as merged.
 */
async function hasContentOf(repository: GitRepository, head: string, commit: string): Promise<boolean> {
  const mergeBase = await answer(repository, ['merge-base', commit, head]);
  if (mergeBase === undefined) return false;
  const parted = mergeBase.trim();
  const changed = await changesBetween(repository, parted, commit);
  if (changed === undefined) return false;
  if (changed.length === 0) return true;
  const max = Math.min(maxCommits, Math.floor(maxLookups / changed.length));
  const range = ['rev-list', `--max-count=${max}`, head, `^${commit}`, '--', ...projectPaths];
  const candidates = (await answer(repository, range))?.split('\n').filter((line) => line !== '') ?? [];
  return holdsAll(repository, candidates, changed);
}

/** Git paths that select the project folder without its records. */
const projectPaths = ['.', `:(exclude)${recordsFolder}`];

/** A changed path, relative to the top of the work tree, and its blob. A deleted file has no blob. */
interface ChangedPath {
  readonly path: string;
  readonly blob: string | undefined;
}

/**
 * Returns the paths that differ between two commits. Returns undefined if git fails, or if a path contains a line feed,
 * which `cat-file` does not accept.
 */
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

/** Returns whether one of the commits contains all the changed files. Runs one git process. */
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

/** Runs git. Returns undefined if git fails or exceeds its limits. */
async function answer(
  { root: cwd }: GitRepository,
  args: readonly string[],
  input?: string,
): Promise<string | undefined> {
  const options = { cwd, timeout: patience, maxOutput: maxBytes, ...(input !== undefined && { input }) };
  const { code, stdout } = await runGit(args, options);
  return code === 0 ? stdout.toString('utf8') : undefined;
}
