import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { errorCodeOf } from '../errors.ts';
import { decodeText } from '../text/encoding.ts';

export interface PlainFile {
  readonly text: string;
  /** The time of the last write by the file system's clock, in milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * Flags for opening a file. With `O_NOFOLLOW`, opening a link fails. With `O_NONBLOCK`, a pipe without a writer does
 * not block. Windows supports neither flag.
 */
const noFollow = constants.O_NOFOLLOW ?? 0;
const readFlags = constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0);
export const appendFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow;

const mebibyte = 1024 * 1024;

/**
 * Reads a regular file of at most `maxBytes`. Returns undefined if there is no file. Throws for a link, a device or a
 * larger file, because anyone who can commit may have added the link or file. The error message completes a sentence.
 * The function is synchronous, because reading a thousand small files in the thread pool takes several times as long.
 */
export function readPlainFile(path: string, maxBytes: number): PlainFile | undefined {
  const { bytes, modified } = readPlainBytes(path, maxBytes) ?? {};
  return bytes === undefined || modified === undefined ? undefined : { text: decodeText(bytes), modified };
}

/** Works like `readPlainFile`, but the file need not contain text. */
export function readPlainBytes(
  path: string,
  maxBytes: number,
): { readonly bytes: Buffer; readonly modified: number } | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    const { size, mtimeMs } = stats;
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read)
      read = readSync(file, bytes, length, size - length, null);
    return { bytes: bytes.subarray(0, length), modified: mtimeMs };
  } finally {
    closeSync(file);
  }
}

/**
 * Throws if a folder on the way from the root to `folder` is a link, because files would be written outside the root.
 * The error message completes a sentence. Missing folders are allowed.
 */
export function requireNoLinks(root: string, folder: string): void {
  const steps = relative(root, folder).split(sep);
  let path = root;
  for (const step of steps.filter((name) => name !== '')) {
    path = join(path, step);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink())
      throw new Error(`${path} is a symbolic link, which is not followed; replace it with a folder`);
    if (!found.isDirectory()) return;
  }
}

/**
 * Lists all files and links below a folder, as paths relative to it with `/`. Links are not followed. With the option
 * `recursive`, Node.js would follow links, depending on its version.
 */
export function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const path of folders) {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const found = entry.isDirectory() ? folders : files;
      found.push(posix.join(path, entry.name));
    }
  }
  return files;
}

/**
 * Throws if links lead from a path outside the root to a path inside the root, or from a path inside to a path outside.
 * The error message completes a sentence.
 */
export function requireNoCrossing(root: string, path: string): void {
  const isNamedInside = isInside(root, resolve(path)) || isInside(realpathSync(root), resolve(path));
  const isReally = isInside(realpathSync(root), realPathOf(path));
  if (isNamedInside === isReally) return;
  throw new Error(
    `a symbolic link in its path leads ${isNamedInside ? 'out of' : 'into'} the project folder, and is not followed; use a path without this link`,
  );
}

/** Resolves links in a path, even if the file does not exist yet. Throws for a dangling link. */
export function realPathOf(path: string): string {
  const missing: string[] = [];
  let existing = resolve(path);
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined && dirname(existing) !== existing) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  try {
    return join(realpathSync(existing), ...missing);
  } catch (cause) {
    if (errorCodeOf(cause) !== 'ENOENT') throw cause;
    throw new Error(`the symbolic link ${existing} points to a file that does not exist`, { cause });
  }
}

/**
 * Returns whether a path is the folder or is below the folder. Compares the paths as given, without resolving links.
 */
export function isInside(folder: string, path: string): boolean {
  const fromFolder = relative(resolve(folder), path);
  return fromFolder.split(sep)[0] !== '..' && !isAbsolute(fromFolder);
}

/** Returns the path from a folder to a file or folder, with forward slashes. */
export function pathUnder(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

export function tooLarge(size: number, maxBytes: number): Error {
  return new Error(`it is ${(size / mebibyte).toFixed(1)} MiB, but the limit is ${maxBytes / mebibyte} MiB`);
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, readFlags);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT') return undefined;
    // Opening a socket fails with ENXIO.
    if (code === 'ENXIO') throw new Error('it is not a regular file', { cause: error });
    if (code === 'ELOOP' || code === 'EMLINK')
      throw new Error('it is a symbolic link, which is not followed; replace it with a regular file', { cause: error });
    throw error;
  }
}
