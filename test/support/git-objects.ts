import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

// Reads and writes the objects of a repository without git, because starting git takes longer than these tasks. The
// objects must be loose, not packed. Git stores loose objects after a small push.

/** A file or a link in a commit, with the id of the object that stores its content, or a submodule with its commit. */
export interface Blob {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  readonly id: string;
}

export type Blobs = ReadonlyMap<string, Blob>;

type ObjectType = 'blob' | 'tree' | 'commit';

/** Returns the path at which a repository stores an object. */
export function objectPath(gitFolder: string, id: string): string {
  return join(gitFolder, 'objects', id.slice(0, 2), id.slice(2));
}

export function writeObject(gitFolder: string, type: ObjectType, content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(bytes).digest('hex');
  const path = objectPath(gitFolder, id);
  if (existsSync(path)) return id;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(bytes, { level: 1 }));
  return id;
}

export function readObject(gitFolder: string, id: string): Buffer {
  const bytes = inflateSync(readFileSync(objectPath(gitFolder, id)));
  return bytes.subarray(bytes.indexOf(0) + 1);
}

/** Writes the trees of these files. Returns the id of the root. */
export function writeTrees(gitFolder: string, blobs: Blobs): string {
  const entries = new Map<string, { readonly mode: string; readonly id: string }>();
  const folders = new Map<string, Map<string, Blob>>();
  for (const [path, blob] of blobs) {
    const [folder = '', ...rest] = path.split('/');
    if (rest.length === 0) entries.set(folder, blob);
    else folders.set(folder, (folders.get(folder) ?? new Map()).set(rest.join('/'), blob));
  }
  for (const [folder, own] of folders) entries.set(folder, { mode: '40000', id: writeTrees(gitFolder, own) });
  // Git sorts a folder as if its name ended with a slash.
  const placeOf = (name: string) => Buffer.from(folders.has(name) ? `${name}/` : name);
  const names = [...entries.keys()].sort((one, other) => Buffer.compare(placeOf(one), placeOf(other)));
  const lines = names.flatMap((name) => {
    const { mode, id } = entries.get(name) ?? { mode: '', id: '' };
    return [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')];
  });
  return writeObject(gitFolder, 'tree', Buffer.concat(lines));
}

/** Returns all files of a tree, by path. */
export function readTree(gitFolder: string, tree: string, prefix = ''): Map<string, Blob> {
  const bytes = readObject(gitFolder, tree);
  const blobs = new Map<string, Blob>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    const [mode = '', ...words] = bytes.toString('utf8', at, end).split(' ');
    const path = `${prefix}${words.join(' ')}`;
    const id = bytes.toString('hex', end + 1, end + 21);
    at = end + 21;
    if (mode === '100644' || mode === '100755' || mode === '120000' || mode === '160000') blobs.set(path, { mode, id });
    else for (const [name, blob] of readTree(gitFolder, id, `${path}/`)) blobs.set(name, blob);
  }
  return blobs;
}

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
}

export function readCommit(gitFolder: string, id: string): Commit {
  const [head = ''] = readObject(gitFolder, id).toString('utf8').split('\n\n');
  const idsOf = (name: string) =>
    [...head.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, found]) => found ?? '');
  const [tree = ''] = idsOf('tree');
  return { tree, parents: idsOf('parent') };
}

export function writeCommit(gitFolder: string, { tree, parents }: Commit, message: string): string {
  const by = `Tess <tess@example.com> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((id) => `parent ${id}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    message,
  ];
  return writeObject(gitFolder, 'commit', Buffer.from(`${lines.join('\n')}\n`));
}

/**
 * Returns the index of a checkout with these files. The index contains no file times, so git compares the contents of
 * the files.
 */
export function indexOf(blobs: Blobs): Buffer {
  const paths = [...blobs.keys()].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const entries = paths.map((path) => {
    const { mode, id } = blobs.get(path) ?? { mode: '100644', id: '' };
    const name = Buffer.from(path);
    const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    entry.writeUInt32BE(Number.parseInt(mode, 8), 24);
    entry.write(id, 40, 'hex');
    entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
    name.copy(entry, 62);
    return entry;
  });
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  const bytes = Buffer.concat([head, ...entries]);
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}
