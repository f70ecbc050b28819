import { gitReason, runGit } from '../../git/command.ts';
import { type GitRepository, isOutsideGit } from '../../git/repository.ts';
import type { Source } from '../../plan/verdicts/guards.ts';
import { hasContentOf } from '../records/merged-content.ts';
import { repositoryAround } from './repository.ts';

const patience = 120_000;

/**
 * How each commit stands to the one that is checked out. History that a shallow clone lacks is fetched as far as it is
 * needed. Outside git there is nothing to say.
 */
export async function sourcesInHistory(
  root: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Source>> {
  const wanted = [...new Set(commits)].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  if (wanted.length === 0) return new Map();
  if (isOutsideGit(root)) return new Map();
  const repository = await repositoryAround(root);
  // A guard that cannot be checked is not passed.
  if (repository === undefined) return new Map(wanted.map((commit) => [commit, { commit, relation: 'unanswered' }]));
  if (repository.head === undefined) return new Map();
  const { head } = repository;
  const history: History = { repository, head, signal, problem: undefined };
  const others = wanted.filter((commit) => commit !== head);
  const open = await fetchHistory(history, others);
  const sources = new Map(wanted.map((commit): [string, Source] => [commit, { commit, relation: 'ancestor' }]));
  for (const commit of open) sources.set(commit, await sourceAside(history, commit));
  return sources;
}

interface History {
  readonly repository: GitRepository;
  readonly head: string;
  readonly signal: AbortSignal | undefined;
  /** Why a fetch failed. */
  problem: string | undefined;
}

/** Fetches until it is clear how the commits stand to HEAD; answers with those that are not in its history. */
async function fetchHistory(history: History, commits: readonly string[]): Promise<readonly string[]> {
  let open = await notInHistory(history, commits);
  const remote = open.length === 0 ? undefined : await projectRemote(history);
  if (remote === undefined) return open;
  const deepen = async (depth: string) => {
    if (open.length === 0 || !history.repository.isShallow) return;
    await fetchFrom(history, [depth, remote, history.head]);
    open = await notInHistory(history, open);
  };
  await deepen('--deepen=100');
  for (const commit of await missing(history, open)) await fetchFrom(history, [remote, commit]);
  const descends = await Promise.all(open.map((commit) => isAncestor(history, history.head, commit)));
  if (descends.every(Boolean)) return open;
  await deepen('--deepen=1000');
  await deepen('--unshallow');
  return open;
}

async function sourceAside(history: History, commit: string): Promise<Source> {
  const doubt = history.problem === undefined ? {} : { problem: history.problem };
  if ((await missing(history, [commit])).length > 0) return { commit, relation: 'unknown', ...doubt };
  if (await hasContentOf(history.repository, history.head, commit)) return { commit, relation: 'merged' };
  if (await isAncestor(history, history.head, commit)) return { commit, relation: 'descendant' };
  return { commit, relation: 'diverged', ...doubt };
}

/** Two processes, however many commits there are. */
async function notInHistory(history: History, commits: readonly string[]): Promise<string[]> {
  const absent = new Set(await missing(history, commits));
  const known = commits.filter((commit) => !absent.has(commit));
  if (known.length === 0) return [...commits];
  const input = [...known, `^${history.head}`, ''].join('\n');
  const { stdout } = await runGit(['rev-list', '--stdin'], { cwd: history.repository.root, input });
  const beyond = new Set(stdout.toString('utf8').split('\n'));
  return commits.filter((commit) => absent.has(commit) || beyond.has(commit));
}

async function missing({ repository }: History, commits: readonly string[]): Promise<string[]> {
  const input = commits.map((commit) => `${commit}^{commit}\n`).join('');
  const { stdout } = await runGit(['cat-file', '--batch-check'], { cwd: repository.root, input });
  const lines = stdout.toString('utf8').split('\n');
  return commits.filter((_, index) => !/ commit \d+$/.test(lines[index] ?? ''));
}

async function isAncestor({ repository }: History, one: string, other: string): Promise<boolean> {
  return (await runGit(['merge-base', '--is-ancestor', one, other], { cwd: repository.root })).code === 0;
}

/** Where the project comes from: origin, or the only remote there is. */
async function projectRemote({ repository }: History): Promise<string | undefined> {
  const { stdout } = await runGit(['remote'], { cwd: repository.root });
  const remotes = stdout
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');
  return remotes.includes('origin') ? 'origin' : remotes[0];
}

async function fetchFrom(history: History, what: readonly string[]): Promise<void> {
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap='];
  const { repository, signal } = history;
  const { code, stderr } = await runGit(['fetch', ...options, ...what], {
    cwd: repository.root,
    timeout: patience,
    isRemote: true,
    signal,
  });
  if (code !== 0 && !/not our ref|remote ref|unadvertised object|complete repository/i.test(stderr)) {
    history.problem ??= gitReason(stderr);
  }
}
