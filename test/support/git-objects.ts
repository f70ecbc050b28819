import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

// Reads and writes a repository without a git process, because starting git takes longer than its work. The formats are
// those of gitformat-index(5), gitrepository-layout(5) and `git help cat-file`.

/** A file in a commit. */
export interface CommittedFile {
  readonly path: string;
  readonly mode: number;
  readonly id: string;
}

const folderMode = 0o40000;
const person = 'Tess <tess@example.com>';

/** Creates an empty repository, like `git init --template= --initial-branch=main`. */
export function createRepository(gitFolder: string, { bare }: { readonly bare: boolean }): void {
  for (const each of ['hooks', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    mkdirSync(join(gitFolder, each), { recursive: true });
  }
  writeFileSync(join(gitFolder, 'HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n`;
  writeFileSync(join(gitFolder, 'config'), config);
}

/**
 * Whether `commitFolder` supports the repository. It does not support linked work trees, SHA-256, merges or packed
 * branches.
 */
export function canCommit(root: string): boolean {
  const gitFolder = join(root, '.git');
  const others = ['MERGE_HEAD', 'shallow', 'modules'];
  if (!existsSync(join(gitFolder, 'config')) || others.some((each) => existsSync(join(gitFolder, each)))) return false;
  const config = readFileSync(join(gitFolder, 'config'), 'utf8');
  return !/objectformat|worktree/i.test(config) && (headOf(gitFolder) !== undefined || !isPacked(gitFolder));
}

const isPacked = (gitFolder: string) => existsSync(join(gitFolder, 'packed-refs'));

/** The commit of HEAD. */
export function headOf(gitFolder: string): string | undefined {
  const head = readFileSync(join(gitFolder, 'HEAD'), 'utf8').trim();
  return head.startsWith('ref: ') ? commitOf(gitFolder, head.slice(5)) : head;
}

/** The commit of a reference such as refs/heads/main. Undefined if the reference is packed. */
export function commitOf(gitFolder: string, reference: string): string | undefined {
  const path = join(gitFolder, reference);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

export function setReference(gitFolder: string, reference: string, id: string): void {
  const path = join(gitFolder, reference);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${id}\n`);
}

/** Commits all files below a folder, like `git add --all` and `git commit --allow-empty`. Returns the commit. */
export function commitFolder(root: string, message: string): string {
  const gitFolder = join(root, '.git');
  const files = filesBelow(root, ignoredPaths(root)).map((path) => addFile(root, path));
  const tree = writeTree(gitFolder, files);
  const parent = headOf(gitFolder);
  const by = `${person} ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${by}`,
    `committer ${by}`,
  ];
  const id = writeObject(gitFolder, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`));
  const head = readFileSync(join(gitFolder, 'HEAD'), 'utf8').trim();
  setReference(gitFolder, head.startsWith('ref: ') ? head.slice(5) : 'HEAD', id);
  writeIndex(root, files);
  return id;
}

/** The paths below a folder, sorted as in an index. Excludes .git and ignored paths. */
function filesBelow(root: string, isIgnored: (path: string) => boolean, folder = ''): string[] {
  const paths = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path === '.git' || isIgnored(path)) return [];
    if (entry.name === '.git') throw new Error(`commitFolder does not know the repository in ${folder}`);
    return entry.isDirectory() ? filesBelow(root, isIgnored, path) : [path];
  });
  return paths.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/** Makes a test for ignored paths. It only supports complete paths in the root's .gitignore. */
function ignoredPaths(root: string): (path: string) => boolean {
  const path = join(root, '.gitignore');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const ignored = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^\/|\/$/g, ''));
  const unknown = ignored.find((line) => /[*?![\\]/.test(line));
  if (unknown !== undefined) throw new Error(`commitFolder does not know the pattern ${unknown}`);
  return (each) => ignored.includes(each) || ignored.includes(each.slice(each.lastIndexOf('/') + 1));
}

function addFile(root: string, path: string): CommittedFile {
  const full = join(root, path);
  const found = lstatSync(full);
  const body = found.isSymbolicLink() ? Buffer.from(readlinkSync(full)) : readFileSync(full);
  const mode = found.isSymbolicLink() ? 0o120000 : 0o100644 | (found.mode & 0o111);
  return { path, mode, id: writeObject(join(root, '.git'), 'blob', body) };
}

/** Writes the folders that contain these files. Returns the id of the outermost folder. */
export function writeTree(gitFolder: string, files: readonly CommittedFile[]): string {
  const own: CommittedFile[] = files.filter(({ path }) => !path.includes('/'));
  const inFolders = new Map<string, CommittedFile[]>();
  for (const file of files.filter(({ path }) => path.includes('/'))) {
    const folder = file.path.slice(0, file.path.indexOf('/'));
    inFolders.set(folder, [...(inFolders.get(folder) ?? []), file]);
  }
  for (const [path, inside] of inFolders) {
    const below = inside.map((file) => ({ ...file, path: file.path.slice(path.length + 1) }));
    own.push({ path, mode: folderMode, id: writeTree(gitFolder, below) });
  }
  const sortKey = ({ path, mode }: CommittedFile) => Buffer.from(mode === folderMode ? `${path}/` : path);
  own.sort((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
  const lines = own.flatMap(({ path, mode, id }) => [
    Buffer.from(`${mode.toString(8)} ${path}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return writeObject(gitFolder, 'tree', Buffer.concat(lines));
}

/** Writes an object, unless the repository has it. Returns its id. */
export function writeObject(gitFolder: string, type: 'blob' | 'tree' | 'commit', body: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = createHash('sha1').update(object).digest('hex');
  const path = objectPath(gitFolder, id);
  if (existsSync(path)) return id;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(object, { level: 1 }), { mode: 0o444 });
  return id;
}

const objectPath = (gitFolder: string, id: string) => join(gitFolder, 'objects', id.slice(0, 2), id.slice(2));

/** The body of an object. Undefined if it is missing or in a pack. */
export function readObject(gitFolder: string, id: string): Buffer | undefined {
  const path = objectPath(gitFolder, id);
  if (!existsSync(path)) return undefined;
  const object = inflateSync(readFileSync(path));
  return object.subarray(object.indexOf(0) + 1);
}

/** Writes an index, so that git considers these files unchanged. */
function writeIndex(root: string, files: readonly CommittedFile[]): void {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(files.length, 8);
  const index = Buffer.concat([head, ...files.map((file) => indexEntry(root, file))]);
  const checksum = createHash('sha1').update(index).digest();
  writeFileSync(join(root, '.git/index'), Buffer.concat([index, checksum]));
}

function indexEntry(root: string, { path, mode, id }: CommittedFile): Buffer {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = lstatSync(join(root, path), { bigint: true });
  const second = 1_000_000_000n;
  const numbers = [
    ctimeNs / second,
    ctimeNs % second,
    mtimeNs / second,
    mtimeNs % second,
    dev,
    ino,
    BigInt(mode),
    uid,
    gid,
    size,
  ];
  const name = Buffer.from(path);
  // Pads the entry with at least one NUL, to a multiple of eight bytes.
  const entry = Buffer.alloc((62 + name.length + 8) & ~7);
  for (const [at, number] of numbers.entries()) entry.writeUInt32BE(Number(BigInt.asUintN(32, number)), 4 * at);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}

/** The files of a commit. Undefined if one of its folders is in a pack. */
export function filesOfCommit(gitFolder: string, commit: string): CommittedFile[] | undefined {
  const tree = /^tree ([0-9a-f]{40})/.exec(readObject(gitFolder, commit)?.toString() ?? '')?.[1];
  return tree === undefined ? undefined : filesOfTree(gitFolder, tree);
}

function filesOfTree(gitFolder: string, id: string): CommittedFile[] | undefined {
  const body = readObject(gitFolder, id);
  if (body === undefined) return undefined;
  const files: CommittedFile[] = [];
  for (const entry of entriesOf(body)) {
    const inside = entry.mode === folderMode ? filesOfTree(gitFolder, entry.id) : [];
    if (inside === undefined) return undefined;
    if (entry.mode !== folderMode) files.push(entry);
    files.push(...inside.map((file) => ({ ...file, path: `${entry.path}/${file.path}` })));
  }
  return files;
}

function entriesOf(tree: Buffer): CommittedFile[] {
  const entries: CommittedFile[] = [];
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    const [mode = '', path = ''] = tree.toString('utf8', at, end).split(/ (.*)/s);
    at = end + 21;
    entries.push({ path, mode: Number.parseInt(mode, 8), id: tree.toString('hex', end + 1, at) });
  }
  return entries;
}

/** The subjects of a commit and its ancestors, oldest first. Undefined if one is a merge or in a pack. */
export function subjectsUpTo(gitFolder: string, commit: string): string[] | undefined {
  const subjects: string[] = [];
  for (let id: string | undefined = commit; id !== undefined; ) {
    const text = readObject(gitFolder, id)?.toString() ?? '';
    const [parent, second] = parentsIn(text);
    if (text === '' || second !== undefined) return undefined;
    subjects.unshift(text.slice(text.indexOf('\n\n') + 2).split('\n', 1)[0] ?? '');
    id = parent;
  }
  return subjects;
}

const parentsIn = (text: string) => [...text.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id]) => id);

/**
 * Pushes a commit to the main branch of another folder, like `git push`. Returns false unless it is a fast-forward over
 * commits without merges, because other pushes need git.
 */
export function pushCommit(from: string, to: string, commit: string): boolean {
  const last = commitOf(to, 'refs/heads/main');
  const commits: string[] = [];
  for (let id: string | undefined = commit; id !== last; ) {
    const text = id === undefined ? '' : (readObject(from, id)?.toString() ?? '');
    const [parent, second] = parentsIn(text);
    if (id === undefined || text === '' || second !== undefined) return false;
    commits.push(id);
    id = parent;
  }
  for (const id of commits) copyCommit(from, to, id);
  setReference(to, 'refs/heads/main', commit);
  return true;
}

function copyCommit(from: string, to: string, id: string): void {
  const tree = /^tree ([0-9a-f]{40})/.exec(copyObject(from, to, id)?.toString() ?? '')?.[1] ?? '';
  copyTree(from, to, tree);
}

function copyTree(from: string, to: string, id: string): void {
  const body = copyObject(from, to, id);
  for (const entry of body === undefined ? [] : entriesOf(body)) {
    if (entry.mode === folderMode) copyTree(from, to, entry.id);
    else copyObject(from, to, entry.id);
  }
}

/** Objects in a pack came from the remote, so it has them already. */
function copyObject(from: string, to: string, id: string): Buffer | undefined {
  const target = objectPath(to, id);
  if (existsSync(objectPath(from, id)) && !existsSync(target)) {
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(objectPath(from, id), target);
  }
  return readObject(from, id);
}
