import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../errors.ts';
import { filesBelow } from '../../files/plain-file.ts';
import { gitOutput } from '../../git/command.ts';
import { headCommit, readObject } from '../../git/objects.ts';
import {
  fetchingFrom,
  fetchPatience,
  findRepository,
  type GitRepository,
  shallowSentence,
} from '../../git/repository.ts';
import { loadProject, projectAt } from '../../manifest/project/load-project.ts';
import { type Project, patternCovering } from '../../manifest/project/project.ts';
import { factsInMemory } from '../../manifest/project/trace.ts';
import { CommittedBlobs, type WorkTree } from '../../workspace/committed-blobs.ts';
import { errorAt } from '../../yaml/problem.ts';
import { baseUnreadable, blobsAt, bytesOf, type Checkout, withCheckout } from './committed-tree.ts';

/** A project as a commit contains it. */
export interface CommittedProject {
  readonly commit: string;
  /**
   * Loads the project. Returns undefined if the commit does not contain the project. Throws ProjectError like
   * `loadProject`.
   */
  load(): Promise<Project | undefined>;
  /** Returns the paths of all files in the project folder, relative to this folder. */
  paths(): Iterable<string>;
  /** The submodules that may contain manifests, but cannot be read. Includes links into such submodules. */
  readonly missing: readonly string[];
}

/** A commit of the repository around a project, with a cache of the blobs that were read. */
export interface OpenCommit {
  readonly id: string;
  readonly repository: GitRepository;
  /** The blob id of each file in the project folder. Undefined if a checkout may be needed to find the files. */
  readonly blobs: ReadonlyMap<string, string> | undefined;
  /**
   * Reads blobs, and returns them in the same order. Undefined if git fails, for example because the blobs are too
   * large.
   */
  readonly read: (blobs: readonly string[]) => Promise<readonly Buffer[] | undefined>;
}

/**
 * Opens a commit by any name that git accepts. Fetches a missing commit that is named by its full id. `known` is a
 * commit that is already open. If this is the named commit, returns `known`.
 */
export async function openCommit(root: string, name: string, known?: OpenCommit): Promise<OpenCommit> {
  if (known?.id === name && known.repository.root === root) return known;
  const repository = await repositoryOf(root);
  const id = await commitNamed(repository, name);
  return { id, repository, blobs: await blobsAt(repository, id), read: blobReader(repository.top) };
}

function blobReader(top: string): OpenCommit['read'] {
  const known = new Map<string, Buffer>();
  return async (blobs) => {
    const unknown = blobs.filter((blob) => !known.has(blob));
    const found = await bytesOf(top, unknown);
    for (const [index, bytes] of (found ?? []).entries()) known.set(unknown[index] ?? '', bytes);
    return found && blobs.flatMap((blob) => known.get(blob) ?? []);
  };
}

interface CommitReading {
  /** The work tree. Its files are read instead of equal blobs in git. If omitted, every blob is read. */
  readonly now?: WorkTree & {
    /** The paths that `work` will probably read. */
    readonly wanted: readonly string[];
  };
}

type ProjectFile = Pick<Project, 'root' | 'file'> & Partial<Pick<Project, 'facts'>>;

/**
 * Runs `work` with the project at a commit. Repeats `work` if a file was needed that was not loaded. Makes a temporary
 * checkout if the blobs are not enough, for example for links, submodules or doubtful names.
 */
export async function withProjectAt<Result>(
  project: ProjectFile,
  { id: commit, repository, blobs, read }: OpenCommit,
  work: (committedProject: CommittedProject) => Promise<Result>,
  { now }: CommitReading = {},
): Promise<Result> {
  if (blobs !== undefined) {
    const committed = new CommittedBlobs({ blobs, read, now });
    committed.want(now === undefined ? [...blobs.keys()] : [project.file, ...now.wanted]);
    const done = await workOnBlobs(committed, project, (committedFiles) => work({ commit, ...committedFiles }));
    if (done !== undefined) return done();
  }
  const { root, file } = project;
  const workOnCopy = (checkout: Checkout | undefined) => work({ commit, ...checkoutFiles(checkout, file) });
  return withCheckout(repository, commit, workOnCopy, now && root);
}

type CommittedFiles = Omit<CommittedProject, 'commit'>;

/** The maximum number of times to run `work`. Each run may need more files of the commit. */
const maxRounds = 8;

/** Runs `work` on blobs that are read from git. Returns undefined if `work` needs a checkout. */
async function workOnBlobs<Result>(
  committed: CommittedBlobs,
  project: ProjectFile,
  work: (committedFiles: CommittedFiles) => Promise<Result>,
): Promise<(() => Result) | undefined> {
  for (let round = 0; round < maxRounds; round += 1) {
    await committed.fetch();
    const load = once(() => projectIn(committed, project));
    const committedFiles = { load, paths: () => committed.paths, missing: [] };
    const done = await work(committedFiles).then(
      (result) => () => result,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (committed.isDoubtful) return undefined;
    if (!committed.lacksAny) return done;
  }
  return undefined;
}

async function projectIn(committed: CommittedBlobs, projectFile: ProjectFile): Promise<Project | undefined> {
  const { file, facts = factsInMemory() } = projectFile;
  if (!committed.has(file)) return undefined;
  const project = projectAt({ ...projectFile, facts }, committed);
  committed.isDoubtful ||= project.problems.some(({ rule }) => rule === 'manifests-unreadable');
  committed.want(project.manifests);
  await committed.fetch();
  return project;
}

function checkoutFiles(checkout: Checkout | undefined, file: string): CommittedFiles {
  if (checkout === undefined) return { load: async () => undefined, paths: () => [], missing: [] };
  const { folder, missing } = checkout;
  const path = join(folder, file);
  const isThere = existsSync(path) || missing.includes(file);
  return {
    load: once(async () => (isThere ? withMissing(await loadProject(path), missing) : undefined)),
    paths: () => filesBelow(folder),
    missing,
  };
}

/** Adds an error for each missing submodule that may contain manifests. */
function withMissing(project: Project, missing: readonly string[]): Project {
  const problems = missing.flatMap((path) => {
    const at = patternCovering(project, path)?.at;
    if (at === undefined) return [];
    return [errorAt(at, 'manifests-unreadable', `the submodule ${path} lacks the commit that this project names`)];
  });
  return { ...project, problems: [...project.problems, ...problems] };
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}

/**
 * Returns whether HEAD is this head of a pull request, or a merge commit with this head as its second parent, as on
 * GitHub.
 */
export async function isCheckoutOf(root: string, head: string): Promise<boolean> {
  const { commit, parents = [] } = (await headCommit(root)) ?? {};
  return commit === head || parents[1] === head;
}

/**
 * Returns the commit to compare a pull request with. GitHub checks out a merge whose first parent is the current base.
 * For any other checkout, returns `baseCommit`.
 */
export async function baseOfMerge(
  root: string,
  { baseCommit, head }: { readonly baseCommit: string; readonly head: string },
): Promise<string> {
  const [first, second] = (await headCommit(root))?.parents ?? [];
  return first !== undefined && second === head ? first : baseCommit;
}

async function repositoryOf(root: string): Promise<GitRepository> {
  const found = await findRepository(root);
  if (!('problem' in found)) return found;
  throw baseUnreadable(
    `the project is not in a readable git repository (${found.problem}), so there is no commit to compare with; clone the repository with git`,
  );
}

/**
 * Finds a commit id by the name of a commit or of a tag. If the name is a full id, fetches a missing commit. Throws
 * `base-unreadable` if the commit is not found.
 */
async function commitNamed(repository: GitRepository, name: string): Promise<string> {
  const find = async () => (await readObject(repository.root, `${name}^{commit}`))?.oid;
  const known = await find();
  if (known !== undefined) return known;
  if (/^[0-9a-f]{40,64}$/.test(name)) {
    await fetchCommit(repository, name);
    const fetched = await find();
    if (fetched !== undefined) return fetched;
  }
  const remedy = repository.isShallow ? shallowSentence : 'run `git fetch`, or name a different commit';
  throw baseUnreadable(`unknown commit ${JSON.stringify(name)}; ${remedy}`);
}

async function fetchCommit({ top, isShallow }: GitRepository, commit: string): Promise<void> {
  const fetching = await fetchingFrom(top);
  const depth = isShallow ? ['--depth=1'] : [];
  try {
    if (fetching === undefined) throw new Error('git has no remote');
    await gitOutput([...fetching, ...depth, commit], { cwd: top, timeout: fetchPatience, isRemote: true });
  } catch (cause) {
    throw baseUnreadable(
      `the commit ${commit} is missing from the checkout (${reasonOf(cause)}); check out with fetch-depth: 0, or let git reach the remote`,
      cause,
    );
  }
}
