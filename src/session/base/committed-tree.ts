import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentformError } from '../../errors.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import { isCutOff, readObjects } from '../../git/objects.ts';
import { findRepository, type GitRepository } from '../../git/repository.ts';
import { withLineEndingsOf } from '../../workspace/committed-blobs.ts';

// Reads the project folder at a commit, either as the ids of its blobs or as a copy in a temporary folder.

/**
 * Maps the path of each file in the project folder to its blob id. Returns undefined if the commit does not contain the
 * folder, or if the folder has links, submodules or invalid paths.
 */
export async function blobsAt(
  repository: GitRepository,
  commit: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const listed = await runGit(['ls-tree', ...listing, treeName(commit, repository)], { cwd: repository.top });
  const entries = listed.code === 0 ? entriesIn(listed.stdout.toString('utf8')) : [];
  if (listed.code !== 0 || !entries.every(({ mode, path }) => mode.startsWith('100') && isHonest(path)))
    return undefined;
  return new Map(entries.map(({ path, oid }) => [path, oid]));
}

const listing = ['-r', '-z', '--full-tree'];

interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  /** The id of the blob, or of a submodule's commit. */
  readonly oid: string;
  /** The size of the blob in bytes, if the size was listed. */
  readonly size: number;
  readonly path: string;
}

function entriesIn(listed: string): TreeEntry[] {
  return listed.split('\0').flatMap((line) => {
    if (line === '') return [];
    const tab = line.indexOf('\t');
    const [mode = '', type = '', oid = '', size = ''] = line.slice(0, tab).split(/ +/);
    return [{ mode, type, oid, size: Number(size), path: line.slice(tab + 1) }];
  });
}

/**
 * Reads blobs. Returns undefined if git fails or the blobs are too large together. Throws `base-unreadable` if git
 * cannot find one of the blobs.
 */
export async function bytesOf(top: string, blobs: readonly string[]): Promise<readonly Buffer[] | undefined> {
  const objects = await readObjects(top, blobs, 2 * maxBatchBytes);
  if (objects === undefined || objects.some((object) => object !== undefined && isCutOff(object))) return undefined;
  return blobs.map((blob, index) => {
    const object = objects[index];
    if (object?.oid !== blob || object.type !== 'blob') throw baseUnreadable(`git cannot read ${blob}`);
    return object.bytes;
  });
}

/** A temporary copy of the project folder at a commit. */
export interface Checkout {
  readonly folder: string;
  /** The paths of submodules whose commit is unknown, and of links that lead nowhere because of these submodules. */
  readonly missing: readonly string[];
}

/**
 * Runs `work` with a temporary copy of the project folder at a commit. `work` receives undefined if the commit does not
 * contain the folder. Does not change the work tree or index. If `workTree` is given, files have CRLF line endings where
 * that folder has them. Decisions about trust must not depend on the work tree.
 */
export async function withCheckout<Result>(
  repository: GitRepository,
  commit: string,
  work: (checkout: Checkout | undefined) => Promise<Result>,
  workTree?: string,
): Promise<Result> {
  const tree = await filesAt(repository, commit);
  if (tree === undefined) return work(undefined);
  const temporary = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  try {
    const folder = join(temporary, 'project');
    await mkdir(folder);
    await writeTree(tree.repositories, folder, workTree);
    const links = tree.missing.length === 0 ? [] : tree.repositories.flatMap(({ files }) => files.filter(isLink));
    const dead = links.filter(({ path }) => !existsSync(join(folder, path))).map(({ path }) => path);
    return await work({ folder, missing: [...tree.missing, ...dead] });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Lists the files of the project folder. If that fails because the commit does not contain the folder, returns
 * undefined.
 */
async function filesAt(repository: GitRepository, commit: string): Promise<ProjectTree | undefined> {
  const { root, top } = repository;
  const tree = treeName(commit, repository);
  return filesIn(tree, { root, top, prefix: '' }).catch(async (error: unknown) => {
    const type = await runGit(['cat-file', '-t', tree], { cwd: top });
    if (type.stdout.toString('utf8').trim() === 'tree') throw error;
    return undefined;
  });
}

function treeName(commit: string, { prefix }: GitRepository): string {
  return `${commit}:${prefix.replace(/\/$/, '')}`;
}

/**
 * The maximum size of a blob to read, in bytes. No project file may be that large, so the content of larger blobs is
 * not needed.
 */
const maxBlobBytes = 8 * 1024 * 1024;
const maxBatchBytes = 64 * 1024 * 1024;

/** The project files in one repository: the project's own repository or a submodule. */
interface RepositoryFiles {
  readonly top: string;
  readonly files: readonly TreeEntry[];
}

/**
 * Writes the files of a tree as git stores them, apart from the line endings of `workTree`. Does not run a checkout,
 * because filters such as Git LFS would run programs and use the network. Writes links last, so that no file is written
 * through a link.
 */
async function writeTree(
  repositories: readonly RepositoryFiles[],
  folder: string,
  workTree: string | undefined,
): Promise<void> {
  for (const { top: at, files } of repositories) {
    const texts = files.filter((file) => !isLink(file));
    for (const { path, size } of texts) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      if (size > maxBlobBytes) await writeFile(join(folder, path), '').then(() => truncate(join(folder, path), size));
    }
    for (const batch of batches(texts.filter(({ size }) => size <= maxBlobBytes))) {
      for (const [{ path }, bytes] of await blobsOf(at, batch)) {
        const current = workTree && (await readFile(join(workTree, path)).catch(() => undefined));
        await writeFile(join(folder, path), withLineEndingsOf(current, bytes));
      }
    }
  }
  for (const { top: at, files } of repositories) {
    for (const [{ path }, target] of await blobsOf(at, files.filter(isLink))) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await symlink(target.toString('utf8'), join(folder, path));
    }
  }
}

interface ProjectTree {
  readonly repositories: readonly RepositoryFiles[];
  /** The paths of the submodules that were left out. */
  readonly missing: readonly string[];
}

interface ListedFolder {
  /** The folder in the work tree that corresponds to the tree. */
  readonly root: string;
  readonly top: string;
  /** The path of the tree relative to the project folder. */
  readonly prefix: string;
}

/**
 * Lists the files of a tree, and of its checked-out submodules at the commits that the tree names. Does not fetch.
 * Leaves out a submodule that does not have its commit.
 */
async function filesIn(tree: string, { root, top, prefix }: ListedFolder): Promise<ProjectTree> {
  const listed = await gitOutput(['ls-tree', '-l', ...listing, tree], { cwd: top });
  const entries = entriesIn(listed).filter(({ path }) => isHonest(path));
  const blobs = entries.filter(({ type }) => type === 'blob');
  const files = blobs.map((file) => ({ ...file, path: prefix + file.path }));
  const repositories: RepositoryFiles[] = [{ top, files }];
  const missing: string[] = [];
  for (const { oid: commit, path } of entries.filter(({ type }) => type === 'commit')) {
    const folder = join(root, path);
    const repository = existsSync(folder) ? await findRepository(folder) : undefined;
    const below = repository && (await submoduleAt(repository, commit));
    if (below === undefined) missing.push(prefix + path);
    else {
      const found = await filesIn(commit, { root: folder, top: below, prefix: `${prefix}${path}/` });
      repositories.push(...found.repositories);
      missing.push(...found.missing);
    }
  }
  return { repositories, missing };
}

/** Returns the folder of a submodule's repository. Undefined if the repository lacks the commit. */
async function submoduleAt(
  repository: Awaited<ReturnType<typeof findRepository>>,
  commit: string,
): Promise<string | undefined> {
  // If a submodule is not checked out, git finds the outer repository.
  if ('problem' in repository || repository.prefix !== '') return undefined;
  const { code } = await runGit(['cat-file', '-e', `${commit}^{tree}`], { cwd: repository.top });
  return code === 0 ? repository.top : undefined;
}

function isHonest(path: string): boolean {
  return path !== '' && path.split('/').every((step) => !['', '.', '..'].includes(step));
}

function isLink({ mode }: TreeEntry): boolean {
  return mode === '120000';
}

function batches(files: readonly TreeEntry[]): TreeEntry[][] {
  const found: TreeEntry[][] = [];
  let remaining = 0;
  for (const file of files) {
    remaining -= file.size;
    if (remaining < 0) {
      found.push([]);
      remaining = maxBatchBytes - file.size;
    }
    found.at(-1)?.push(file);
  }
  return found;
}

async function blobsOf(top: string, files: readonly TreeEntry[]): Promise<[TreeEntry, Buffer][]> {
  const found = await bytesOf(
    top,
    files.map(({ oid }) => oid),
  );
  if (found === undefined) throw baseUnreadable(`git cannot read ${files[0]?.path}`);
  return files.map((file, index) => [file, found[index] ?? Buffer.alloc(0)]);
}

export function baseUnreadable(message: string, cause?: unknown): AgentformError {
  return new AgentformError('base-unreadable', message, { cause });
}

/**
 * Returns the files and submodules of the project folder that differ between a commit and the index, or exist in only
 * one of the two. Returns undefined if git cannot compare them.
 */
export async function filesChangedSince(root: string, commit: string): Promise<ReadonlySet<string> | undefined> {
  // By default, .gitmodules can hide changes to a submodule.
  const shown = ['--name-only', '--relative', '--ignore-submodules=none', '-z'];
  const args = ['diff-index', '--cached', ...shown, '--end-of-options', commit];
  const { code, stdout } = await runGit(args, { cwd: root });
  return code === 0 ? new Set(stdout.toString('utf8').split('\0')) : undefined;
}
