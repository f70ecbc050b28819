import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPlainFile } from './plain-file.ts';
import { isTemporaryName, replaceFile } from './whole-file.ts';

// Many small texts in one file of a cache: read at once, which takes a tenth of the time of as many files.

/** More is not read, and not kept. */
const most = { pack: 64 * 2 ** 20, folder: 256 * 2 ** 20 } as const;

/** What a kill left of a write may go after so many milliseconds. */
const leftAfter = 24 * 3_600_000;

const format = 'agentform-pack-1';
const ending = '.pack';

/** A pack in a cache folder. */
export interface PackPlace {
  readonly folder: string;
  readonly name: string;
}

/** The texts of a pack by their keys. */
export interface Pack {
  readonly size: number;
  /** Undefined for what is not there, or no longer as it was put there. */
  get(key: string): string | undefined;
  keys(): Iterable<string>;
}

const emptyPack: Pack = { size: 0, get: () => undefined, keys: () => [] };

/**
 * Reads a pack; an empty one where there is none that can be used. The folder has to be a real one that nobody else may
 * write to, and the file no link. Each text has a checksum that its key is part of: what was cut off, damaged or swapped is
 * as if it were not there.
 */
export function readPack(folder: string, name: string): Pack {
  try {
    if (!isOwnFolder(lstatSync(folder))) return emptyPack;
    return packIn(readPlainFile(join(folder, `${name}${ending}`), most.pack)?.text ?? '');
  } catch {
    return emptyPack;
  }
}

function packIn(text: string): Pack {
  const end = text.indexOf('\n');
  const [version, ...rows]: unknown[] = end < 0 ? [] : JSON.parse(text.slice(0, end));
  if (version !== format) return emptyPack;
  const places = new Map<string, { readonly start: number; readonly end: number; readonly sum: string }>();
  let start = end + 1;
  for (const row of rows) {
    const [key, length, sum]: unknown[] = Array.isArray(row) ? row : [];
    if (typeof key !== 'string' || typeof length !== 'number' || typeof sum !== 'string') return emptyPack;
    places.set(key, { start, end: start + length, sum });
    start += length;
  }
  return {
    size: places.size,
    keys: () => places.keys(),
    get(key) {
      const place = places.get(key);
      const found = place && text.slice(place.start, place.end);
      return found !== undefined && sumOf(key, found) === place?.sum ? found : undefined;
    },
  };
}

function sumOf(key: string, text: string): string {
  return createHash('sha256').update(`${key}\n${text}`).digest('hex').slice(0, 32);
}

/**
 * Writes a pack in the place of the one of that name, for its owner alone, and removes the oldest others where they are too
 * many. A text that finds no room is left out. Throws where the folder cannot be used.
 */
export async function writePack(
  folder: string,
  name: string,
  texts: Iterable<readonly [string, string]>,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!isOwnFolder(await lstat(folder))) throw error;
  });
  const rows: (readonly [string, number, string])[] = [];
  const kept: string[] = [];
  let room = most.pack / 2;
  for (const [key, text] of texts) {
    room -= Buffer.byteLength(text) + key.length + 64;
    if (room < 0) break;
    rows.push([key, text.length, sumOf(key, text)]);
    kept.push(text);
  }
  const content = `${JSON.stringify([format, ...rows])}\n${kept.join('')}`;
  await replaceFile(join(folder, `${name}${ending}`), content, { mode: 0o600, flush: false });
  await removeOld(folder);
}

interface FolderStats {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** Whoever else may write to it could say what manifests hold. */
function isOwnFolder(stats: FolderStats): boolean {
  const own = process.getuid?.() ?? stats.uid;
  return stats.isDirectory() && stats.uid === own && (stats.mode & 0o022) === 0;
}

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending) || isTemporaryName(name));
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await lstat(join(folder, name)) })));
  let room: number = most.folder;
  for (const { name, stats } of found.sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs)) {
    room -= stats.size;
    const isLeft = isTemporaryName(name) && Date.now() - stats.mtimeMs > leftAfter;
    if (isLeft || (room < 0 && !isTemporaryName(name))) await rm(join(folder, name), { force: true });
  }
}
