import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AgentformError } from '../../errors.ts';
import { type GitResult, gitMessage, gitReason, runGit, withoutCredentials } from '../../git/command.ts';
import { missingCommits, readObject } from '../../git/objects.ts';
import { fetchPatience, type GitRepository, gitSettings, quietFetch, remotesOf } from '../../git/repository.ts';
import { shellWord } from '../../text/wording.ts';

export interface RemoteBranch {
  readonly repository: GitRepository;
  /** The remote as an argument for git: a name, a URL, or an absolute path. */
  readonly remote: string;
  readonly branch: string;
}

export interface Rejection {
  readonly reason: string;
  /** Whether another run pushed first or is pushing now. */
  readonly isRace: boolean;
}

const pauses = [500, 2000];

/**
 * Converts `record.remote` to an argument for git. Paths are relative to the project folder. Throws for a path in the
 * work tree, where a commit could contain a repository with hooks. Also throws for an unknown remote name, because git
 * would treat the name as a path.
 */
export async function remoteOf(repository: GitRepository, remote: string): Promise<string> {
  if (remote.startsWith('-')) throw unusable(remote, 'it starts with a dash');
  if (/^file:/i.test(remote)) return outside(repository, { remote, path: pathOfUrl(remote) });
  // Matches `https:` and `git@host:`, but not `./a:b`.
  if (/^[^/]+:/.test(remote) && !remote.startsWith('.')) return remote;
  if (remote.includes('/') || /^\.\.?$/.test(remote)) return outside(repository, { remote, path: remote });
  if ((await remotesOf(repository.root)).includes(remote)) return remote;
  throw noSuchRemote(remote);
}

function outside({ root, top }: GitRepository, { remote, path }: { readonly remote: string; readonly path: string }) {
  const found = real(resolve(root, path));
  const below = relative(real(top), found);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return found;
  throw unusable(remote, 'it is inside the work tree');
}

function pathOfUrl(remote: string): string {
  try {
    return fileURLToPath(remote);
  } catch {
    throw unusable(remote, 'it is not a file on this machine');
  }
}

interface Fetch {
  readonly signal: AbortSignal | undefined;
  /** Whether to fetch only the last commit if the clone is shallow. */
  readonly tipOnly?: boolean;
}

/** Fetches the branch to `ref`. Returns its commit, or undefined if there is no such branch. */
export async function fetchBranch(at: RemoteBranch, ref: string, fetch: Fetch): Promise<string | undefined> {
  const fetched = await fetchToRef(at, ref, fetch);
  if (fetched === 'read-only') return tipWithoutFetch(at, fetch.signal);
  return fetched === 'found' ? (await readObject(at.repository.root, ref))?.oid : undefined;
}

/** Whether the remote has a branch. If git cannot write to the clone, use `tipWithoutFetch`. */
type Fetched = 'found' | 'absent' | 'read-only';

/** Fetches the branch to `ref`. */
export async function fetchToRef(at: RemoteBranch, ref: string, { signal, tipOnly = false }: Fetch): Promise<Fetched> {
  const { remote, branch, repository } = at;
  const depth = tipOnly && repository.isShallow ? ['--depth=1'] : [];
  const refspec = `+refs/heads/${branch}:${ref}`;
  const fetched = await persistently(() => onRemote(at, [...fetching, ...depth, remote, refspec], signal), {
    isAnswer: (result) => isAbsent(result) || isReadOnly(result),
    signal,
  });
  if (isAbsent(fetched)) return 'absent';
  if (fetched.code === 0) return 'found';
  if (isReadOnly(fetched)) return 'read-only';
  throw unreachable(at, 'cannot be fetched', fetched);
}

/**
 * Returns the branch's commit without writing to the clone. Throws if the clone lacks this commit. Used in a read-only
 * clone, such as a folder that is mounted read-only in a container.
 */
export async function tipWithoutFetch(at: RemoteBranch, signal: AbortSignal | undefined): Promise<string | undefined> {
  const { remote, branch, repository } = at;
  const args = ['ls-remote', remote, `refs/heads/${branch}`];
  const listed = await persistently(() => onRemote(at, args, signal), { isAnswer: isAbsent, signal });
  if (listed.code !== 0) throw unreachable(at, 'cannot be read', listed);
  const [tip] = /^[0-9a-f]+/.exec(listed.stdout.toString('utf8')) ?? [];
  if (tip === undefined || (await missingCommits(repository.root, [tip])).length === 0) return tip;
  const fetch = `git fetch ${shownRemote(at)} ${shellWord(branch)}`;
  throw new AgentformError(
    'record-unreachable',
    `${describeBranch(at)} has newer records, but ${repository.shared} is read-only; run \`${fetch}\` where this folder is writable`,
    { facts: { branch } },
  );
}

const fetching = [...quietFetch, '--no-filter'];

/**
 * Fetches all missing objects of the paths at the commits together. In a partial clone, git would fetch each object
 * separately when it is read. Ignores a failure, because git then tries again to fetch the objects.
 */
export async function fetchMissing(
  { remote, repository: { root: cwd } }: RemoteBranch,
  { commits, paths }: { readonly commits: readonly string[]; readonly paths: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await gitSettings(cwd)).get(`remote.${remote}.promisor`) !== 'true') return;
  const listing = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--no-walk', ...commits];
  const pathspecs = paths.map((path) => `:(top,literal)${path}`);
  const listed = await runGit([...listing, '--', ...pathspecs], { cwd, throughFile: true, signal });
  const missing = listed.stdout.toString('utf8').match(/(?<=^\?)[0-9a-f]+$/gm) ?? [];
  if (missing.length === 0) return;
  const args = ['-c', 'fetch.negotiationAlgorithm=noop', ...fetching, '--stdin', remote];
  await runGit(args, { cwd, input: `${missing.join('\n')}\n`, timeout: fetchPatience, isRemote: true, signal });
}

interface Push {
  /** Tests the push without changing the remote. */
  readonly dry?: boolean;
  /**
   * The commit that the push replaces. An empty text means that the branch must not exist. If omitted, the push must be
   * a fast-forward.
   */
  readonly expected?: string;
  readonly signal: AbortSignal | undefined;
}

/** Moves the remote branch to a commit. Returns the rejection, for example if the branch changed in the meantime. */
export async function pushCommit(
  at: RemoteBranch,
  commit: string,
  { dry = false, expected, signal }: Push,
): Promise<Rejection | undefined> {
  const options = ['--porcelain', '--no-recurse-submodules', '--no-follow-tags', '--no-signed', '--no-verify'];
  const lease = expected === undefined ? [] : [`--force-with-lease=refs/heads/${at.branch}:${expected}`];
  const args = [
    'push',
    ...options,
    ...lease,
    ...(dry ? ['--dry-run'] : []),
    at.remote,
    `${commit}:refs/heads/${at.branch}`,
  ];
  const pushed = await persistently(() => onRemote(at, args, signal), {
    isAnswer: isFinalRejection,
    signal,
  });
  if (pushed.code === 0) return undefined;
  const rejection = rejectionIn(pushed);
  if (rejection !== undefined) return rejection;
  throw unreachable(at, 'cannot be pushed to', pushed);
}

/** Returns the name of the branch as messages show it. */
export function describeBranch({ remote, branch }: Pick<RemoteBranch, 'remote' | 'branch'>): string {
  return `the branch ${branch} of ${withoutCredentials(remote)}`;
}

/** Returns the remote as a word of a command to paste. */
export function shownRemote({ remote }: Pick<RemoteBranch, 'remote'>): string {
  return shellWord(withoutCredentials(remote));
}

function onRemote(
  { repository }: RemoteBranch,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<GitResult> {
  return runGit(args, { cwd: repository.root, timeout: fetchPatience, isRemote: true, signal });
}

/** Runs git, and retries if a failure may be temporary. */
async function persistently(
  run: () => Promise<GitResult>,
  { isAnswer, signal }: { readonly isAnswer: (result: GitResult) => boolean; readonly signal: AbortSignal | undefined },
): Promise<GitResult> {
  for (const pause of pauses) {
    const result = await run();
    if (result.code === 0 || isAnswer(result) || isLasting(result)) return result;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  return run();
}

/**
 * Returns whether a failure is final. Ignores quoted names and addresses in git's message, because these may contain
 * any words.
 */
function isLasting({ code, stderr }: GitResult): boolean {
  const lasting =
    /denied|authenticat|authoriz|could not read (username|password)|not found|not appear to be|40[134]|not a git repository|dubious ownership|not allowed|prompts disabled/i;
  return code === -1 || lasting.test(stderr.replace(/'[^'\n]*'/g, ''));
}

/** Returns whether git rejected a push for a reason other than a lock. Another process may hold a lock for a moment. */
function isFinalRejection(result: GitResult): boolean {
  const rejection = rejectionIn(result);
  return rejection !== undefined && !/\.lock['"]?: File exists/.test(rejection.reason);
}

/** Returns whether git cannot write to the clone. Excludes a lock that another process holds for a moment. */
function isReadOnly({ code, stderr }: GitResult): boolean {
  if (code === 0 || /\.lock['"]?: File exists/.test(stderr)) return false;
  return /^error: (?:cannot lock ref|insufficient permission)|read-only file system/im.test(stderr);
}

function isAbsent({ stderr }: GitResult): boolean {
  return /couldn't find remote ref/i.test(stderr);
}

/** Finds the rejection of a push, in a line such as `!<tab>FROM:TO<tab>[rejected] (why)`. */
export function rejectionIn({ stdout, stderr }: Pick<GitResult, 'stdout' | 'stderr'>): Rejection | undefined {
  const summary = /^!\t[^\t]*\t(.*)/m.exec(stdout.toString('utf8'))?.[1];
  if (summary === undefined) return undefined;
  const isRace =
    /fetch first|non-fast-forward|stale info|(cannot|failed to) lock|\.lock|failed to update ref|incorrect old value|reference already exists/i.test(
      summary,
    );
  const isSummary = (line: string) => line.startsWith('error: failed to push some refs');
  const lines = stderr.split('\n').filter((line) => !isSummary(line));
  const said = gitMessage(lines.join('\n'));
  // The reason of `[rejected] (fetch first)` is `fetch first`.
  const why = /^\[[^\]]*\] \((.*)\)$/.exec(summary)?.[1] ?? summary;
  return { reason: said === undefined ? why : `${why}: ${said}`, isRace };
}

function unreachable(at: RemoteBranch, what: string, { stderr }: GitResult): AgentformError {
  return new AgentformError('record-unreachable', `${describeBranch(at)} ${what}: ${gitReason(stderr)}`, {
    facts: { branch: at.branch },
  });
}

function noSuchRemote(remote: string): AgentformError {
  const shown = withoutCredentials(remote);
  return new AgentformError(
    'record-unreachable',
    `records are pushed to ${shown}, but this repository has no remote with that name; run \`git remote add ${shellWord(shown)} URL\`, ` +
      'or set `record: { store: file }` in agentform.yaml',
  );
}

function unusable(remote: string, why: string): AgentformError {
  const shown = withoutCredentials(remote);
  return new AgentformError(
    'record-unreachable',
    `record.remote in agentform.yaml is ${shown}, but ${why}; use a remote such as origin, a URL, or a path outside the work tree`,
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path ? path : join(real(parent), relative(parent, path));
  }
}
