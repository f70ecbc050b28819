import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../files/plain-file.ts';
import { gitReason, runGit } from './command.ts';

export interface GitRepository {
  /** The project folder. Git runs here. */
  readonly root: string;
  /** The top of the work tree. */
  readonly top: string;
  /** The path from the top to the project folder: empty, or ending with a slash. */
  readonly prefix: string;
  /** The git folder of this work tree, which contains its index. */
  readonly own: string;
  /** The git folder that all work trees share. */
  readonly shared: string;
  /** Whether the clone's history is incomplete, as in a clone with depth 1. */
  readonly isShallow: boolean;
  /** The checked-out commit. Undefined before the first commit. */
  readonly head: string | undefined;
  /** The checked-out branch. Undefined before the first commit, and if no branch is checked out. */
  readonly branch: string | undefined;
}

/**
 * Finds the nearest folder that contains `.git`, from this folder upwards. In linked work trees and submodules, `.git`
 * is a file.
 */
export function repositoryTopOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryTopOf(parent);
}

/**
 * Returns whether neither the folder nor any folder above it contains `.git`. Does not run git, which would slow down
 * short runs.
 */
export function isOutsideGit(root: string): boolean {
  return repositoryTopOf(realpathSync(root)) === undefined;
}

interface NoRepository {
  readonly problem: string;
  /** True if there is no repository. Omitted if a repository was found but cannot be used. */
  readonly isMissing?: true;
}

/** Finds the repository around the project folder, or the reason why there is no usable repository. */
export async function findRepository(root: string): Promise<GitRepository | NoRepository> {
  if (isOutsideGit(root)) return { problem: 'not a git repository', isMissing: true };
  return knownRepository(root);
}

/**
 * Returns the repository that contains the project folder. Returns undefined if there is no usable repository, or git
 * is not installed.
 */
export async function repositoryAround(root: string): Promise<GitRepository | undefined> {
  const repository = await findRepository(root).catch(() => undefined);
  return repository === undefined || 'problem' in repository ? undefined : repository;
}

const knownRepository = memoizedByGitState(askGit, (found) => !('problem' in found));

/**
 * Caches the last result of a git command for each folder until the state of its repository changes, if `isKept` accepts
 * the result. Without a cache, every lookup would start a process.
 */
export function memoizedByGitState<Answer>(
  ask: (root: string) => Promise<Answer>,
  isKept: (answer: Answer) => boolean,
): (root: string) => Promise<Answer> {
  const kept = new Map<string, { readonly state: string; readonly answer: Answer }>();
  return async (root) => {
    const state = gitState(root);
    const last = kept.get(root);
    if (state !== undefined && state === last?.state) return last.answer;
    const answer = await ask(root);
    if (state !== undefined && isKept(answer) && state === gitState(root)) kept.set(root, { state, answer });
    return answer;
  };
}

/**
 * Describes the repository, its checkout and git's configuration without running git. A cached result of git is valid
 * while this state is unchanged. Returns undefined outside a repository, and if the refs are in a reftable.
 */
export function gitState(root: string): string | undefined {
  const real = realpathSync(root);
  const top = repositoryTopOf(real);
  if (top === undefined) return undefined;
  const own = gitFolderOf(top);
  // Linked work trees share the git folder that `commondir` names.
  const shared = resolve(own, textIfAny(join(own, 'commondir'))?.trim() ?? '');
  if (existsSync(join(shared, 'reftable'))) return undefined;
  const head = textIfAny(join(own, 'HEAD'));
  const ref = /^ref: (refs\/[^\n]*)\n$/.exec(head ?? '')?.[1];
  const texts = ref === undefined ? [] : [own, shared].map((folder) => textIfAny(join(folder, ref)));
  const paths = [
    join(own, 'config.worktree'),
    ...['config', 'packed-refs'].map((name) => join(shared, name)),
    join(homedir(), '.gitconfig'),
  ];
  const isShallow = existsSync(join(shared, 'shallow'));
  const variables = Object.entries(process.env).filter(([name]) => /^(GIT_|PATH$|HOME$|XDG_CONFIG_HOME$)/.test(name));
  return JSON.stringify([root, real, own, head, texts, paths.map(versionOf), isShallow, variables]);
}

/**
 * Returns the git folder. In a linked work tree or a submodule, `.git` is a file that contains the path of this folder.
 */
function gitFolderOf(top: string): string {
  const path = join(top, '.git');
  if (statSync(path).isDirectory()) return path;
  return resolve(top, /^gitdir: (.+?)\n*$/.exec(textIfAny(path) ?? '')?.[1] ?? '.git');
}

function textIfAny(path: string): string | undefined {
  return ifThere(() => readFileSync(path, 'utf8'));
}

function versionOf(path: string): string | undefined {
  return ifThere(() => {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  });
}

function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function askGit(root: string): Promise<GitRepository | NoRepository> {
  const asked = [
    '--show-toplevel',
    '--absolute-git-dir',
    '--git-common-dir',
    '--is-shallow-repository',
    '--show-prefix',
  ];
  const head = ['--revs-only', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD'];
  const found = await runGit(['rev-parse', ...asked, ...head], { cwd: root });
  if (found.code !== 0) {
    const problem = gitReason(found.stderr);
    // Git also prints this message if a `.git` folder does not contain a repository.
    return /not a git repository/i.test(found.stderr) ? { problem, isMissing: true } : { problem };
  }
  const [top = '', own = '', shared = '', shallow, prefix = '', commit = '', ref = ''] = found.stdout
    .toString('utf8')
    .split('\n');
  // Git before 2.38 does not know safe.bareRepository, so it would use a repository that was committed to the project.
  if (isInside(own, realpathSync(root)))
    return { problem: `${own} is in the work tree and only looks like a repository` };
  return {
    root,
    top,
    prefix,
    own,
    shared: resolve(root, shared),
    isShallow: shallow === 'true',
    head: commit || undefined,
    branch: /^refs\/heads\/(.+)$/.exec(ref)?.[1],
  };
}

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The author if git has no configured user, as on a new machine. */
const agentform: GitAuthor = { name: 'agentform', email: 'agentform@localhost' };

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the author of a commit that agentform makes. */
export async function authorIn(cwd: string, env: Env): Promise<GitAuthor> {
  const { name, email } = await personIn(cwd, env);
  return { name: name || agentform.name, email: email || agentform.email };
}

/**
 * Returns the person who started the GitHub workflow or the GitLab job. Outside these pipelines, returns the git
 * author. An unknown name or email is returned as an empty string.
 */
export async function personIn(cwd: string, env: Env): Promise<GitAuthor> {
  const { GITHUB_ACTOR: actor, GITLAB_USER_LOGIN: login, GITLAB_USER_EMAIL: email } = env;
  if (actor) return { name: actor, email: `${actor}@users.noreply.github.com` };
  if (login) return { name: login, email: email ?? '' };
  const given = { name: env.GIT_AUTHOR_NAME, email: env.GIT_AUTHOR_EMAIL };
  const isWhole = given.name !== undefined && given.email !== undefined;
  const known = isWhole ? { name: '', email: '' } : await configuredUser(cwd);
  return { name: given.name ?? known.name, email: given.email ?? known.email };
}

async function configuredUser(cwd: string): Promise<GitAuthor> {
  const settings = await gitSettings(cwd);
  const configured = (name: string) => settings.get(name)?.trim() ?? '';
  return { name: configured('user.name'), email: configured('user.email') };
}

/**
 * Git's settings for a folder, by name. In a name such as `remote.origin.url`, the section and the key are lower-case.
 * If a setting has several values, the last value counts. The result is empty if git cannot read the settings.
 */
export const gitSettings: (root: string) => Promise<ReadonlyMap<string, string>> = memoizedByGitState(
  async (root) => {
    const { stdout } = await runGit(['config', '-z', '--list'], { cwd: root });
    // Each entry is a name, a line feed and a value. A setting without a value is only a name.
    const entries = stdout.toString('utf8').split('\0');
    return new Map(
      entries.map((entry) => {
        const [name = ''] = entry.split('\n', 1);
        return [name, entry.slice(name.length + 1)] as const;
      }),
    );
  },
  ({ size }) => size > 1,
);

/** Returns the names of the remotes that have a URL. */
export async function remotesOf(root: string): Promise<readonly string[]> {
  const names = [...(await gitSettings(root)).keys()];
  return names.flatMap((name) => /^remote\.(.+)\.url$/s.exec(name)?.[1] ?? []);
}

/**
 * Returns the arguments that fetch commits from the project's remote without changing a ref: `origin` if it exists,
 * otherwise the first remote. Returns undefined if there is no remote.
 */
export async function fetchingFrom(root: string): Promise<readonly string[] | undefined> {
  const [first, ...others] = await remotesOf(root);
  if (first === undefined) return undefined;
  return [...quietFetch, others.includes('origin') ? 'origin' : first];
}

/** The arguments of a fetch that changes nothing except the refs that later arguments name. */
export const quietFetch: readonly string[] = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-prune',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--refmap=',
];

/** The time limit of a fetch or push, in milliseconds. */
export const fetchPatience = 120_000;

/** Says that a commit may be missing only from this clone, and what to do. */
export const shallowSentence =
  'this clone is shallow, so earlier history is missing; run `git fetch --unshallow`, or check out with fetch-depth: 0';
