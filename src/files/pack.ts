import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPlainFile } from './plain-file.ts';
import { isTemporaryName, replaceFile } from './whole-file.ts';

// Many small texts in one file of a cache: read at once, which takes a tenth of the time of as many files.

/** Limits in bytes, for reading and for keeping. */
const most = { pack: 64 * 2 ** 20, folder: 256 * 2 ** 20 } as const;

/** The age in milliseconds after which an unfinished write of a killed process is removed. */
const leftAfter = 24 * 3_600_000;

const format = 'agentform-pack-1';
const ending = '.pack';

/** The texts of a pack by their keys. */
export interface Pack {
  /** Undefined if the pack does not have the key, or the text is damaged. */
  get(key: string): string | undefined;
}

const emptyPack: Pack = { get: () => undefined };

/**
 * Reads a pack, or an empty one if there is no usable file. The folder must be a real one that only its owner can write to,
 * and the file must not be a link. Each text has a checksum that covers its key. A text that was cut off, damaged or swapped
 * counts as missing.
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
 * Replaces the pack of that name, readable only by its owner, and removes the oldest others if the folder is too large. Texts
 * beyond the limit are left out. Throws if the folder cannot be used.
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
  let remaining = most.pack / 2;
  for (const [key, text] of texts) {
    remaining -= Buffer.byteLength(text) + key.length + 64;
    if (remaining < 0) break;
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

/** Another writer could forge the contents of manifests. */
function isOwnFolder(stats: FolderStats): boolean {
  const own = process.getuid?.() ?? stats.uid;
  return stats.isDirectory() && stats.uid === own && (stats.mode & 0o022) === 0;
}

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending) || isTemporaryName(name));
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await lstat(join(folder, name)) })));
  let remaining: number = most.folder;
  for (const { name, stats } of found.sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs)) {
    remaining -= stats.size;
    const isLeft = isTemporaryName(name) && Date.now() - stats.mtimeMs > leftAfter;
    if (isLeft || (remaining < 0 && !isTemporaryName(name))) await rm(join(folder, name), { force: true });
  }
}
