import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Pack, readPack, writePack } from '../files/pack.ts';
import { isInside, realPlaceOf } from '../files/plain-file.ts';
import { repositoryOf } from '../git/repository.ts';
import { isJsonObject } from '../json/json.ts';
import type { FactCache } from '../manifest/project/load-project.ts';
import type { FactStore, FactStores, KnownFile, Traced } from '../manifest/project/trace.ts';

/** Results that are new, in percent: with fewer, the file of a cache is not written again. */
const leastNew = 1;

/** The folder in which a user's programs keep what the next run need not work out again. All of it may be lost. */
export class UserCache implements FactCache {
  /** Absolute path. */
  readonly folder: string;
  /** Digest of the program's build: another program may make something else of the same input. */
  readonly build: string;
  readonly #stores = new Map<string, FactStore>();

  constructor(folder: string, build: string) {
    this.folder = folder;
    this.build = build;
  }

  /** Undefined where the cache would be in the project's repository: a pull request could write to it. */
  factsOf({ root, file }: { readonly root: string; readonly file: string }): FactStores | undefined {
    if (isInRepository(root, this.folder)) return undefined;
    const basis = [this.build, JSON.stringify(process.versions), realpathSync(root), file];
    return (kind) => {
      const name = hashOf([...basis, kind]).slice(0, 32);
      const store = this.#stores.get(name) ?? new PackedFacts(this.folder, name);
      this.#stores.set(name, store);
      return store;
    };
  }
}

/** By its name or through links; also where that is unknown. */
export function isInRepository(root: string, folder: string): boolean {
  const repository = repositoryOf(root) ?? root;
  try {
    return isInside(repository, folder) || isInside(realpathSync(repository), realPlaceOf(folder));
  } catch {
    return true;
  }
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The key of the table of files, which is the key of no unit. */
const tableKey = '';

/** Results in one file of the cache, which is read when the first is asked for. */
class PackedFacts implements FactStore {
  readonly #folder: string;
  readonly #name: string;
  #pack: Pack | undefined;
  #table: ReadonlyMap<string, KnownFile> | undefined;
  /** By key, the results of this run; as texts those that it found. */
  readonly #used = new Map<string, Traced | string>();
  readonly #found = new Map<string, Traced>();
  readonly #asked = new Map<string, KnownFile>();
  #news = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get(key: string): Traced | undefined {
    const used = this.#used.get(key);
    if (used !== undefined) return typeof used === 'string' ? this.#found.get(key) : used;
    const text = this.#opened().get(key);
    const found = text === undefined ? undefined : tracedIn(text);
    if (text === undefined || found === undefined) return undefined;
    this.#used.set(key, text);
    this.#found.set(key, found);
    return found;
  }

  put(key: string, result: Traced): void {
    this.#used.set(key, result);
    this.#found.delete(key);
    this.#news += 1;
  }

  fileWith(path: string, signature: string): KnownFile | undefined {
    this.#table ??= filesIn(this.#opened().get(tableKey) ?? '');
    const file = this.#table.get(path);
    if (file?.signature !== signature) return undefined;
    this.#asked.set(path, file);
    return file;
  }

  async keep(files: ReadonlyMap<string, KnownFile>): Promise<void> {
    const moved = [...files].filter(([path, file]) => this.#table?.get(path)?.signature !== file.signature);
    const news = this.#news + moved.length;
    if (news === 0 || news * 100 < this.#used.size * leastNew) return;
    this.#news = 0;
    const table = new Map([...this.#asked, ...files]);
    this.#table = table;
    const texts = [...this.#used].map(([key, one]) => [key, typeof one === 'string' ? one : textOf(one)] as const);
    const rows = JSON.stringify(
      [...table].map(([path, { digest, blob, signature }]) => [path, digest, blob, signature]),
    );
    // Without them the next run takes longer, and nothing else.
    await writePack(this.#folder, this.#name, [[tableKey, rows], ...texts]).catch(() => undefined);
  }

  #opened(): Pack {
    this.#pack ??= readPack(this.#folder, this.#name);
    return this.#pack;
  }
}

function textOf({ inputs, value }: Traced): string {
  return JSON.stringify({ inputs, value });
}

/** A text of this program, whose checksum fits; undefined for any other. */
function tracedIn(text: string): Traced | undefined {
  const found = jsonIn(text);
  if (!isJsonObject(found) || !Array.isArray(found.inputs) || !found.inputs.every(isInput)) return undefined;
  return { inputs: found.inputs, value: found.value };
}

function isInput(row: unknown): row is Traced['inputs'][number] {
  return isTexts(row, 3);
}

function filesIn(text: string): ReadonlyMap<string, KnownFile> {
  const rows = jsonIn(text);
  const files = (Array.isArray(rows) ? rows : []).filter((row) => isTexts(row, 4));
  return new Map(
    files.map(([path = '', digest = '', blob = '', signature = '']) => [path, { digest, blob, signature }]),
  );
}

function isTexts(row: unknown, length: number): row is readonly string[] {
  return Array.isArray(row) && row.length === length && row.every((part) => typeof part === 'string');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
