import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    await writeTree(tree, repository, folder);
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
    await gitOutput(['fetch', ...options, ...depth, 'origin', commit], { cwd: top, timeout: patience });
  } catch (cause) {
    throw unreadable(
      `the commit ${commit} is missing from the checkout (${reasonOf(cause)}); check out with fetch-depth: 0, or let git reach the remote`,
      cause,
    );
  }
}

/** More than any file of a project may have; what is longer is told as too long without its text. */
const mostBlobBytes = 8 * 1024 * 1024;
/** Read at a time. */
const mostBatchBytes = 64 * 1024 * 1024;

/** A file of a tree. */
interface TreeFile {
  readonly mode: string;
  readonly blob: string;
  readonly size: number;
  readonly path: string;
}

/**
 * Writes the files of a tree as they are committed. They are read as blobs and not checked out: a filter that the
 * repository or the runner configures, such as that of Git LFS, would run a program and ask the network. Links come last,
 * so that nothing is written through one.
 */
async function writeTree(tree: string, { top }: GitRepository, folder: string): Promise<void> {
  const listing = await gitOutput(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], { cwd: top });
  const files = listing.split('\0').flatMap((line) => treeFile(line) ?? []);
  const [links, texts] = [files.filter(isLink), files.filter((file) => !isLink(file))];
  const readable = texts.filter(({ size }) => size <= mostBlobBytes);
  for (const { path, size } of texts) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    if (size > mostBlobBytes) await writeFile(join(folder, path), '').then(() => truncate(join(folder, path), size));
  }
  for (const batch of batches(readable)) {
    for (const [{ path }, bytes] of await blobsOf(top, batch)) await writeFile(join(folder, path), bytes);
  }
  for (const [{ path }, target] of await blobsOf(top, links)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await symlink(target.toString('utf8'), join(folder, path));
  }
}

/** Undefined for a submodule, and for a path that no honest commit has. */
function treeFile(line: string): TreeFile | undefined {
  const [, mode = '', blob = '', size = '', path = ''] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line) ?? [];
  const isHonest = path !== '' && path.split('/').every((step) => !['', '.', '..'].includes(step));
  return isHonest ? { mode, blob, size: Number(size), path } : undefined;
}

function isLink({ mode }: TreeFile): boolean {
  return mode === '120000';
}

function batches(files: readonly TreeFile[]): TreeFile[][] {
  const found: TreeFile[][] = [];
  let room = 0;
  for (const file of files) {
    room -= file.size;
    if (room < 0) {
      found.push([]);
      room = mostBatchBytes - file.size;
    }
    found.at(-1)?.push(file);
  }
  return found;
}

/** What `cat-file --batch` answers: a line that ends in the size, the bytes, a line break. */
async function blobsOf(top: string, files: readonly TreeFile[]): Promise<[TreeFile, Buffer][]> {
  if (files.length === 0) return [];
  const input = files.map(({ blob }) => `${blob}\n`).join('');
  const { stdout } = await runGit(['cat-file', '--batch'], { cwd: top, input });
  let offset = 0;
  return files.map((file) => {
    const start = stdout.indexOf(10, offset) + 1;
    const header = stdout.subarray(offset, start).toString('utf8').trim();
    if (start === 0 || header !== `${file.blob} blob ${file.size}`) throw unreadable(`git cannot read ${file.path}`);
    offset = start + file.size + 1;
    return [file, stdout.subarray(start, start + file.size)];
  });
}

function unreadable(message: string, cause?: unknown): AgentformError {
  return new AgentformError('base-unreadable', message, { cause });
}
