import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Blob,
  type Blobs,
  indexOf,
  readCommit,
  readObject,
  readTree,
  writeCommit,
  writeObject,
  writeTrees,
} from './git-objects.ts';

// These functions replace `git init`, `git add --all`, `git commit` and `git log`, and also `git push` and `git clone`
// if the remote is a bare repository on this disk. Starting git would take longer than these tasks. Each function
// returns false or undefined if only git can do the task, for example with packed objects or hooks.

const branch = 'refs/heads/main';
const tracking = 'refs/remotes/origin';

/** Creates an empty repository with the usual settings and the given additional settings. */
export function initOnDisk(root: string, more: string): void {
  initialize(join(root, '.git'), `\tbare = false\n\tlogallrefupdates = true\n${more}`);
}

/** Creates an empty bare repository. */
export function initBareOnDisk(gitFolder: string): void {
  initialize(gitFolder, '\tbare = true');
}

function initialize(gitFolder: string, settings: string): void {
  for (const folder of ['objects', 'refs', 'hooks']) mkdirSync(join(gitFolder, folder), { recursive: true });
  write(join(gitFolder, 'HEAD'), `ref: ${branch}`);
  write(join(gitFolder, 'config'), `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n${settings}`);
}

/** Commits all files of a checkout. If no file changed, commits only if `allowEmpty` is true. Returns the commit. */
export function commitOnDisk(root: string, message: string, allowEmpty: boolean): string | undefined {
  const own = join(root, '.git');
  if (!isPlain(own)) return undefined;
  const paths = filesBelow(root, '.git');
  if (paths.some((path) => /(?:^|\/)\.git|\uFFFD/.test(path))) return undefined;
  const headText = textOf(join(own, 'HEAD')) ?? '';
  const ref = headText.startsWith('ref: ') ? headText.slice(5) : 'HEAD';
  const head = textOf(join(own, ref));
  if (head === undefined && existsSync(join(own, 'packed-refs'))) return undefined;
  const blobs = new Map(paths.map((path): [string, Blob] => [path, blobAt(own, join(root, path))]));
  const tree = writeTrees(own, blobs);
  if (!allowEmpty && head !== undefined && [tree, undefined].includes(treeOf(own, head))) return undefined;
  const commit = writeCommit(own, { tree, parents: head === undefined ? [] : [head] }, message);
  writeFileSync(join(own, 'index'), indexOf(blobs));
  write(join(own, ref), commit);
  return commit;
}

/** Returns whether no setting, hook, ignored file or unfinished merge changes what a commit contains. */
function isPlain(gitFolder: string): boolean {
  if (statSync(gitFolder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const config = textOf(join(gitFolder, 'config')) ?? '';
  if (/^\[(?!core\]|remote |branch )|autocrlf|hooksPath|excludesFile|sparse|worktree/im.test(config)) return false;
  const special = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'info/exclude', 'info/sparse-checkout'];
  return !hasHooks(gitFolder) && !special.some((name) => existsSync(join(gitFolder, name)));
}

function blobAt(gitFolder: string, path: string): Blob {
  const stat = lstatSync(path);
  const isLink = stat.isSymbolicLink();
  const content = isLink ? Buffer.from(readlinkSync(path)) : readFileSync(path);
  const mode = isLink ? '120000' : (stat.mode & 0o100) === 0 ? '100644' : '100755';
  return { mode, id: writeObject(gitFolder, 'blob', content) };
}

/** Returns the tree of a commit. Returns undefined if the commit is packed. */
function treeOf(gitFolder: string, commit: string): string | undefined {
  try {
    return readCommit(gitFolder, commit).tree;
  } catch {
    return undefined;
  }
}

/** Pushes a commit to the main branch of a remote, by default of the remote in the settings of the repository. */
export function pushOnDisk(root: string, head: string, remote = remoteOf(join(root, '.git'))): boolean {
  const own = join(root, '.git');
  if (remote === undefined || hasHooks(remote) || existsSync(join(remote, 'packed-refs'))) return false;
  const before = textOf(join(remote, branch));
  if (before !== undefined && !isWithin(own, before, head)) return false;
  linkObjects(own, remote);
  write(join(remote, branch), head);
  write(join(own, tracking, 'main'), head);
  return true;
}

/** Clones a remote into an empty folder. */
export function cloneOnDisk(remote: string, root: string): boolean {
  const own = join(root, '.git');
  const head = textOf(join(remote, branch));
  if (head === undefined || existsSync(join(remote, 'packed-refs')) || hasPacks(remote)) return false;
  const origin = `[remote "origin"]\n\turl = file://${remote}\n\tfetch = +refs/heads/*:${tracking}/*`;
  initOnDisk(root, `${origin}\n[branch "main"]\n\tremote = origin\n\tmerge = ${branch}`);
  linkObjects(remote, own);
  const heads = join(remote, 'refs/heads');
  for (const path of filesBelow(heads)) write(join(own, tracking, path), textOf(join(heads, path)) ?? '');
  write(join(own, tracking, 'HEAD'), `ref: ${tracking}/main`);
  write(join(own, branch), head);
  checkOutOnDisk(root, readTree(own, readCommit(own, head).tree));
  return true;
}

/** Writes the files of a commit, and the index. The objects of the files must not be packed. */
export function checkOutOnDisk(root: string, blobs: Blobs): void {
  const own = join(root, '.git');
  writeFileSync(join(own, 'index'), indexOf(blobs));
  for (const [name, { mode, id }] of blobs) {
    const [file, content] = [join(root, name), readObject(own, id)];
    mkdirSync(dirname(file), { recursive: true });
    if (mode === '120000') symlinkSync(content.toString('utf8'), file);
    else writeFileSync(file, content, { mode: mode === '100755' ? 0o755 : 0o644 });
  }
}

/** A symbolic link to a path. */
interface Link {
  readonly link: string;
}

/** A submodule at a commit. */
interface Submodule {
  readonly submodule: string;
}

/** The contents of files, by path. Null removes a file or a folder. */
export type Files = Readonly<Record<string, string | Buffer | Link | Submodule | null>>;

/** Returns the tree of a commit after these changes. */
export function changedTree(gitFolder: string, changed: Files, from: string | undefined): string {
  const blobs = from === undefined ? new Map<string, Blob>() : readTree(gitFolder, readCommit(gitFolder, from).tree);
  for (const [path, content] of Object.entries(changed)) {
    for (const old of blobs.keys()) if (old === path || old.startsWith(`${path}/`)) blobs.delete(old);
    if (content !== null) blobs.set(path, entryOf(gitFolder, content));
  }
  return writeTrees(gitFolder, blobs);
}

function entryOf(gitFolder: string, content: NonNullable<Files[string]>): Blob {
  if (typeof content === 'object' && 'submodule' in content) return { mode: '160000', id: content.submodule };
  const isLink = typeof content === 'object' && 'link' in content;
  const text = isLink ? content.link : content;
  return { mode: isLink ? '120000' : '100644', id: writeObject(gitFolder, 'blob', Buffer.from(text)) };
}

/** Commits files on a branch of a bare repository, which is created if it does not exist. Returns the commit. */
export function commitOnBranch(gitFolder: string, name: string, changed: Files): string {
  const ref = join(gitFolder, 'refs/heads', name);
  const tip = textOf(ref);
  const parents = tip === undefined ? [] : [tip];
  const commit = writeCommit(gitFolder, { tree: changedTree(gitFolder, changed, tip), parents }, 'by hand');
  write(ref, commit);
  return commit;
}

interface PastCommit {
  readonly tree: string;
  readonly subject: string;
}

/** Returns the commits of a branch, newest first. The list is empty if the branch does not exist. */
export function historyOnDisk(gitFolder: string, name: string): readonly PastCommit[] | undefined {
  if (existsSync(join(gitFolder, 'packed-refs')) || hasPacks(gitFolder)) return undefined;
  const commits: PastCommit[] = [];
  let at = textOf(join(gitFolder, 'refs/heads', name));
  while (at !== undefined) {
    const { tree, parents } = readCommit(gitFolder, at);
    if (parents.length > 1) return undefined;
    const [, message = ''] = readObject(gitFolder, at).toString('utf8').split('\n\n');
    commits.push({ tree, subject: message.trimEnd() });
    at = parents[0];
  }
  return commits;
}

function remoteOf(gitFolder: string): string | undefined {
  const text = textOf(join(gitFolder, 'config')) ?? '';
  const [, section = ''] = /^\[remote "origin"\]\n((?:\t.*(?:\n|$))*)/m.exec(text) ?? [];
  return /^\turl = (?:file:\/\/)?(\/.*)$/m.exec(section)?.[1];
}

function hasHooks(remote: string): boolean {
  const hooks = join(remote, 'hooks');
  return existsSync(hooks) && readdirSync(hooks).length > 0;
}

function hasPacks(gitFolder: string): boolean {
  const packs = join(gitFolder, 'objects/pack');
  return existsSync(packs) && readdirSync(packs).length > 0;
}

/** Returns whether a commit is in the history of another commit. Returns false if the history cannot be read here. */
function isWithin(gitFolder: string, base: string, head: string): boolean {
  let at: string | undefined = head;
  while (at !== undefined && at !== base) {
    try {
      at = readCommit(gitFolder, at).parents[0];
    } catch {
      return false;
    }
  }
  return at === base;
}

function linkObjects(from: string, to: string): void {
  for (const path of filesBelow(join(from, 'objects'))) {
    const target = join(to, 'objects', path);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    linkSync(join(from, 'objects', path), target);
  }
}

/** Returns the files and links below a folder, except those in the subfolder `leftOut`. */
function filesBelow(folder: string, leftOut?: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === leftOut) return [];
    if (!entry.isDirectory()) return [entry.name];
    return filesBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`);
  });
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : undefined;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}
