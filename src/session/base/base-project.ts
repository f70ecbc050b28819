import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import { findRepository, type GitRepository } from '../../git/repository.ts';

const patience = 120_000;

/** A commit, with the project folder at that time: undefined if the commit has none. */
export interface BaseProject {
  readonly commit: string;
  readonly folder: string | undefined;
}

/**
 * Runs the work with the project folder as of a commit, which is removed afterwards. A commit that a shallow clone does
 * not have is fetched. The work tree and the index of the repository do not change.
 */
export async function withProjectAt<Result>(
  root: string,
  name: string,
  work: (baseProject: BaseProject) => Promise<Result>,
  options: WrittenTreeOptions = {},
): Promise<Result> {
  const repository = await repositoryOf(root);
  const commit = await commitNamed(repository, name);
  const files = await filesAt(repository, commit);
  if (files === undefined) return work({ commit, folder: undefined });
  const temporary = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  try {
    const folder = join(temporary, 'project');
    await mkdir(folder);
    await writeTree(files, repository, { ...options, folder });
    return await work({ commit, folder });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Undefined where the commit has no project folder; that is asked only of a folder that cannot be listed. */
async function filesAt(repository: GitRepository, commit: string): Promise<RepositoryFiles[] | undefined> {
  const { root, top, prefix } = repository;
  const tree = treeOf(commit, repository);
  return filesIn(tree, { root, top, above: prefix, prefix: '' }).catch(async (error: unknown) => {
    const type = await runGit(['cat-file', '-t', tree], { cwd: top });
    if (type.stdout.toString('utf8').trim() === 'tree') throw error;
    return undefined;
  });
}

function treeOf(commit: string, { prefix }: GitRepository): string {
  return `${commit}:${prefix.replace(/\/$/, '')}`;
}

/** A commit, and what the project folder had in it. */
export interface CommittedTree {
  readonly commit: string;
  /** The id of each file's blob by its path; undefined where there is more than plain files, or no folder. */
  readonly blobs: ReadonlyMap<string, string> | undefined;
  /** The bytes of blobs, in their order; undefined where they are too many. */
  readonly read: (blobs: readonly string[]) => Promise<readonly Buffer[] | undefined>;
}

/** The content of the project folder in a commit. A commit that a shallow clone does not have is fetched. */
export async function treeAt(root: string, name: string): Promise<CommittedTree> {
  const repository = await repositoryOf(root);
  const commit = await commitNamed(repository, name);
  const { top } = repository;
  const listing = await runGit(['ls-tree', '-r', '-z', '--full-tree', treeOf(commit, repository)], { cwd: top });
  const blobs = listing.code === 0 ? plainFiles(listing.stdout.toString('utf8')) : undefined;
  return { commit, blobs, read: (ids) => bytesOf(top, ids) };
}

/** Links and submodules make a folder more than its files. */
function plainFiles(listing: string): ReadonlyMap<string, string> | undefined {
  const blobs = new Map<string, string>();
  for (const line of listing.split('\0')) {
    if (line === '') continue;
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (!line.startsWith('100') || !isHonest(path)) return undefined;
    blobs.set(path, line.slice(line.lastIndexOf(' ', tab) + 1, tab));
  }
  return blobs;
}

/** The output of `cat-file --batch`: a line that ends with the size, the bytes, a line break. */
async function bytesOf(top: string, blobs: readonly string[]): Promise<readonly Buffer[] | undefined> {
  if (blobs.length === 0) return [];
  const input = blobs.map((blob) => `${blob}\n`).join('');
  const { code, stdout } = await runGit(['cat-file', '--batch'], { cwd: top, input, maxOutput: 2 * mostBatchBytes });
  if (code !== 0) return undefined;
  let offset = 0;
  return blobs.map((blob) => {
    const start = stdout.indexOf(10, offset) + 1;
    const [id, type, size] = stdout.subarray(offset, start).toString('utf8').trim().split(' ');
    if (start === 0 || id !== blob || type !== 'blob') throw unreadable(`git cannot read ${blob}`);
    offset = start + Number(size) + 1;
    return stdout.subarray(start, offset - 1);
  });
}

/**
 * What the head of a pull request is compared with. GitHub checks out a merge of the head into its base, whose first
 * parent is the present base. For any other checkout, it is the base in the event.
 */
export async function baseOfMerge(
  root: string,
  { baseCommit, head }: { readonly baseCommit: string; readonly head: string },
): Promise<string> {
  const { stdout } = await runGit(['cat-file', 'commit', 'HEAD'], { cwd: root });
  const header = stdout.toString('utf8').split('\n\n', 1)[0] ?? '';
  const [first, second] = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent);
  return first !== undefined && second === head ? first : baseCommit;
}

async function repositoryOf(root: string): Promise<GitRepository> {
  const found = await findRepository(root);
  if (!('problem' in found)) return found;
  throw unreadable(
    `the project is not in a readable git repository (${found.problem}), so there is no commit to compare with; clone it with git`,
  );
}

/** The commit that a name stands for; one that is given whole and is not there is fetched. */
async function commitNamed(repository: GitRepository, name: string): Promise<string> {
  const known = await resolved(repository, name);
  if (known !== undefined) return known;
  if (/^[0-9a-f]{40,64}$/.test(name)) await fetchCommit(repository, name);
  const found = await resolved(repository, name);
  if (found !== undefined) return found;
  const remedy = repository.isShallow
    ? 'this clone is shallow: run `git fetch --unshallow`, or check out with fetch-depth: 0'
    : 'run `git fetch`, or name a different one';
  throw unreadable(`unknown commit ${JSON.stringify(name)}; ${remedy}`);
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
    await gitOutput(['fetch', ...options, ...depth, 'origin', commit], { cwd: top, timeout: patience, isRemote: true });
  } catch (cause) {
    throw unreadable(
      `the commit ${commit} is missing from the checkout (${reasonOf(cause)}); check out with fetch-depth: 0, or let git reach the remote`,
      cause,
    );
  }
}

/** More than any project file may have; a longer file is reported as too long without its text. */
const mostBlobBytes = 8 * 1024 * 1024;
/** Read at a time. */
const mostBatchBytes = 64 * 1024 * 1024;

/** A file of a tree. */
interface TreeFile {
  readonly mode: string;
  readonly blob: string;
  readonly size: number;
  /** From the project folder. */
  readonly path: string;
  /** From the top of the repository that has it. */
  readonly place: string;
}

/** The files that one repository has of a project: that of the project itself, or a submodule of it. */
interface RepositoryFiles {
  readonly top: string;
  readonly files: readonly TreeFile[];
}

/**
 * Writes the committed files of a tree. They are read as blobs and not checked out: a configured filter, such as that
 * of Git LFS, would run a program and use the network. Links come last, so that nothing is written through one.
 */
async function writeTree(
  repositories: readonly RepositoryFiles[],
  { root }: GitRepository,
  { folder, hasLineEndsOfNow = false }: WrittenTreeOptions & { readonly folder: string },
): Promise<void> {
  for (const { top: at, files } of repositories) {
    const texts = files.filter((file) => !isLink(file));
    for (const { path, size } of texts) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      if (size > mostBlobBytes) await writeFile(join(folder, path), '').then(() => truncate(join(folder, path), size));
    }
    for (const batch of batches(texts.filter(({ size }) => size <= mostBlobBytes))) {
      const read = await blobsOf(at, batch);
      const written = hasLineEndsOfNow ? await withLineEndsOfNow(root, { top: at, files: read }) : read;
      for (const [{ path }, bytes] of written) await writeFile(join(folder, path), bytes);
    }
  }
  for (const { top: at, files } of repositories) {
    for (const [{ path }, target] of await blobsOf(at, files.filter(isLink))) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await symlink(target.toString('utf8'), join(folder, path));
    }
  }
}

interface WrittenTreeOptions {
  /**
   * Whether a file with Windows line ends in the work tree would also have them in a checkout of the commit. The
   * attributes are those of the work tree, so that this is nothing for who decides what to trust.
   */
  readonly hasLineEndsOfNow?: boolean;
}

interface ListedFolder {
  /** The folder of the tree in the work tree. */
  readonly root: string;
  readonly top: string;
  /** The path of the tree from the top: empty, or with a slash at its end. */
  readonly above: string;
  /** The same from the project folder. */
  readonly prefix: string;
}

/**
 * The files of a tree, and those of its submodules at their commits, if they are checked out and have them: nothing is
 * fetched, and a submodule without its commit is left out.
 */
async function filesIn(tree: string, { root, top, above, prefix }: ListedFolder): Promise<RepositoryFiles[]> {
  const listing = await gitOutput(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], { cwd: top });
  const lines = listing.split('\0');
  const files = lines.flatMap((line) => {
    const file = treeFile(line);
    return file === undefined ? [] : [{ ...file, path: prefix + file.path, place: above + file.path }];
  });
  const found: RepositoryFiles[] = [{ top, files }];
  for (const { commit, path } of lines.flatMap((line) => submodule(line) ?? [])) {
    const folder = join(root, path);
    const repository = existsSync(folder) ? await findRepository(folder) : undefined;
    // Git finds the repository around it where a submodule is not checked out.
    if (repository === undefined || 'problem' in repository || repository.prefix !== '') continue;
    const { code } = await runGit(['cat-file', '-e', `${commit}^{tree}`], { cwd: repository.top });
    if (code !== 0) continue;
    const below = { root: folder, top: repository.top, above: '', prefix: `${prefix}${path}/` };
    found.push(...(await filesIn(commit, below)));
  }
  return found;
}

function submodule(line: string): { readonly commit: string; readonly path: string } | undefined {
  const [, commit = '', path = ''] = /^160000 commit ([0-9a-f]+) +-\t([\s\S]+)$/.exec(line) ?? [];
  return isHonest(path) ? { commit, path } : undefined;
}

/** Undefined for a submodule, and for a path that no honest commit has. */
function treeFile(line: string): Omit<TreeFile, 'place'> | undefined {
  const [, mode = '', blob = '', size = '', path = ''] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line) ?? [];
  return isHonest(path) ? { mode, blob, size: Number(size), path } : undefined;
}

function isHonest(path: string): boolean {
  return path !== '' && path.split('/').every((step) => !['', '.', '..'].includes(step));
}

function isLink({ mode }: TreeFile): boolean {
  return mode === '120000';
}

function batches(files: readonly TreeFile[]): TreeFile[][] {
  const found: TreeFile[][] = [];
  let remaining = 0;
  for (const file of files) {
    remaining -= file.size;
    if (remaining < 0) {
      found.push([]);
      remaining = mostBatchBytes - file.size;
    }
    found.at(-1)?.push(file);
  }
  return found;
}

/**
 * The same files, with Windows line ends if they have them in the work tree and would have them in a checkout, by git's
 * attributes and settings. Programs that these name are not run: their result for a file stays unknown.
 */
async function withLineEndsOfNow(
  root: string,
  { top, files }: { readonly top: string; readonly files: readonly [TreeFile, Buffer][] },
): Promise<[TreeFile, Buffer][]> {
  const candidates = new Map<TreeFile, Buffer>();
  for (const [file, bytes] of files) {
    if (bytes.includes('\r') || !bytes.includes('\n') || file.place.includes('\n')) continue;
    const now = await readFile(join(root, file.path)).catch(() => undefined);
    if (now?.includes('\r\n'))
      candidates.set(file, Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'));
  }
  if (candidates.size === 0) return [...files];
  const input = [...candidates.keys()].map(({ blob, place }) => `${blob} ${place}\n`).join('');
  const filters = await withoutPrograms(top);
  const { stdout } = await runGit([...filters, 'cat-file', '--batch', '--filters'], {
    cwd: top,
    input,
    maxOutput: 3 * mostBatchBytes,
  });
  let offset = 0;
  return files.map(([file, bytes]) => {
    const converted = candidates.get(file);
    if (converted === undefined) return [file, bytes];
    // The line before the content has the size of the blob, not that of what follows.
    const start = stdout.indexOf('\n', offset) + 1;
    const isConverted = stdout.subarray(start, start + converted.length).equals(converted);
    offset = start + (isConverted ? converted : bytes).length + 1;
    return [file, isConverted ? converted : bytes];
  });
}

/** Disables all configured filters of git. */
async function withoutPrograms(top: string): Promise<string[]> {
  const { stdout } = await runGit(['config', '--name-only', '-z', '--get-regexp', '^filter\\.'], { cwd: top });
  const drivers = new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))),
  );
  drivers.delete('');
  return [...drivers].flatMap((driver) =>
    ['smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${driver}.${setting}`]),
  );
}

async function blobsOf(top: string, files: readonly TreeFile[]): Promise<[TreeFile, Buffer][]> {
  const found = await bytesOf(
    top,
    files.map(({ blob }) => blob),
  );
  if (found === undefined) throw unreadable(`git cannot read ${files[0]?.path}`);
  return files.map((file, index) => [file, found[index] ?? Buffer.alloc(0)]);
}

function unreadable(message: string, cause?: unknown): AgentformError {
  return new AgentformError('base-unreadable', message, { cause });
}
