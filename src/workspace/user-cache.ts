import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside, readPlainBytes, realPathOf } from '../files/plain-file.ts';
import { makeFolder, replaceFile } from '../files/whole-file.ts';
import { repositoryTopOf } from '../git/repository.ts';
import { columnReader, columnsOf, type ReadColumns } from '../json/columns.ts';
import { areTexts, cached, isJsonObject, jsonIn } from '../json/json.ts';
import type { FactCache } from '../manifest/project/load-project.ts';
import {
  type FactStore,
  type FactStores,
  type FileFacts,
  FoundFileFacts,
  type Input,
  type KnownFile,
  keysOfManifest,
  manifestKey,
  type Traced,
} from '../manifest/project/trace.ts';

/** The minimum share of new results, in percent, at which a pack is written again. */
const minNew = 1;

/** The user's cache folder. It stores facts for later runs. If stored facts are lost, a run computes them again. */
export class UserCache implements FactCache {
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The digest of the program's build. A different build may compute different facts from the same files. */
  readonly build: string;
  readonly #stores = new Map<string, FactStore>();

  constructor(folder: string, build: string) {
    this.folder = folder;
    this.build = build;
  }

  /**
   * Returns the stores for a project. Returns undefined if the cache is inside the project's repository, where a pull
   * request could change the cache.
   */
  factsOf({ root, file }: { readonly root: string; readonly file: string }): FactStores | undefined {
    if (isInRepository(root, this.folder)) return undefined;
    const basis = [this.build, JSON.stringify(process.versions), realpathSync(root), file];
    return (kind) => {
      const name = hashOf([...basis, kind]).slice(0, 32);
      return cached(this.#stores, name, () => new PackedFacts(this.folder, name));
    };
  }
}

/**
 * Returns whether the folder is inside the repository, directly or through links. Also returns true if this cannot be
 * determined.
 */
export function isInRepository(root: string, folder: string): boolean {
  const repository = repositoryTopOf(root) ?? root;
  try {
    return isInside(repository, folder) || isInside(realpathSync(repository), realPathOf(folder));
  } catch {
    return true;
  }
}

export function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The key of the file table. The key differs from all paths of files, because a path is never empty. */
const tableKey = '';

/** The facts in one pack of the cache. The pack is read on first use. */
class PackedFacts implements FactStore {
  readonly #folder: string;
  readonly #name: string;
  #pack: Pack | undefined;
  #table: FileTable | undefined;
  #sheets: readonly Sheet[] | undefined;
  /** The facts about manifests that are on sheets, by path. */
  #onSheets: ReadonlyMap<string, SheetFacts> = new Map();
  /** New facts about manifests by path, as JSON texts, which take less memory than objects. */
  readonly #texts = new Map<string, string>();
  /** The facts about the fleets that this run uses, as JSON texts, by path. */
  readonly #fleets = new Map<string, KeptTexts>();
  /** Parsed facts, cached because several environments use them. */
  readonly #known = new Map<string, FileFacts>();
  readonly #asked = new Set<string>();
  #news = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get(path: string): FileFacts | undefined {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const text = this.#texts.get(path);
    const facts = text === undefined ? this.#kept(path) : factsOfManifest(tracedIn(text));
    if (facts !== undefined && !(facts instanceof SheetFacts)) this.#known.set(path, facts);
    return facts;
  }

  #kept(path: string): FileFacts | undefined {
    const pack = this.#opened();
    const fleet = this.#fleets.get(path)?.pack;
    const onSheet = fleet === undefined ? this.#onSheets.get(path) : undefined;
    if (onSheet !== undefined) return onSheet;
    const found = readFleet(path, fleet ?? pack);
    if (found === undefined) return undefined;
    const { facts, keys } = found;
    this.#fleets.set(path, { pack: fleet ?? pack, keys, count: facts.keys.length });
    return facts;
  }

  put(path: string, facts: FileFacts, news: number): void {
    this.#known.delete(path);
    this.#news += news;
    this.#texts.delete(path);
    this.#fleets.delete(path);
    if (facts.keys[0] === manifestKey) {
      this.#texts.set(path, JSON.stringify({ inputs: facts.inputsOf(0) ?? [], value: facts.resultOf(0) }));
      return;
    }
    const texts = new Map(textsOfFleet(path, facts));
    this.#fleets.set(path, { pack: texts, keys: [...texts.keys()], count: facts.keys.length });
  }

  fileWith(path: string, signature: string): KnownFile | undefined {
    this.#table ??= new FileTable(jsonIn(this.#opened().get(tableKey) ?? ''));
    const file = this.#table.get(path);
    if (file?.signature !== signature) return undefined;
    this.#asked.add(path);
    return file;
  }

  async keep(filesNow: () => ReadonlyMap<string, KnownFile>, paths: ReadonlySet<string>): Promise<void> {
    for (const path of this.#fleets.keys()) if (!paths.has(path)) this.#fleets.delete(path);
    const files = filesNow();
    const moved = [...files].filter(([path, file]) => this.#table?.get(path)?.signature !== file.signature);
    const news = this.#news + moved.length;
    const fleets = [...this.#fleets.values()];
    const units = fleets.reduce((sum, { count }) => sum + count, paths.size);
    if (news === 0 || news * 100 < units * minNew) return;
    this.#news = 0;
    const asked = [...this.#asked].flatMap((path) => {
      const file = this.#table?.get(path);
      return file === undefined ? [] : [[path, file] as const];
    });
    const table = tableOf(new Map([...asked, ...files]));
    this.#table = new FileTable(table);
    const texts = [
      ...this.#sheetsOf(paths).map((text, number): KeyedText => [sheetKey(number), text]),
      ...fleets.flatMap(({ pack, keys }) => keys.flatMap((key) => keyedText(key, pack))),
    ];
    if (texts.length === 0) return;
    // Ignore a failed write, because it only makes the next run slower.
    await writePack(this.#folder, this.#name, [[tableKey, JSON.stringify(table)], ...texts]).catch(() => undefined);
  }

  /**
   * Returns the sheets to write. Unchanged sheets stay as they are. All manifests that are not on these sheets move to
   * new sheets.
   */
  #sheetsOf(paths: ReadonlySet<string>): string[] {
    const pack = this.#opened();
    const isSame = (path: string) => paths.has(path) && !this.#texts.has(path) && !this.#fleets.has(path);
    const whole = (this.#sheets ?? []).filter((sheet) => sheet.paths.every(isSame));
    const onWhole = new Set(whole.flatMap((sheet) => sheet.paths));
    const rows: [string, Traced][] = [];
    for (const [path, facts] of this.#onSheets)
      if (isSame(path) && !onWhole.has(path)) rows.push([path, { inputs: facts.inputs, value: facts.resultOf() }]);
    for (const [path, text] of this.#texts) {
      const traced = paths.has(path) ? tracedIn(text) : undefined;
      if (traced !== undefined) rows.push([path, traced]);
    }
    rows.sort(([one], [other]) => (one < other ? -1 : 1));
    const texts = whole.flatMap(({ key }) => pack.get(key) ?? []);
    for (let start = 0; start < rows.length; start += maxOnSheet)
      texts.push(textOfSheet(rows.slice(start, start + maxOnSheet)));
    return texts;
  }

  release(): void {
    this.#table ??= new FileTable(jsonIn(this.#opened().get(tableKey) ?? ''));
    this.#pack = { get: () => undefined };
    [this.#sheets, this.#onSheets] = [[], new Map()];
    this.#texts.clear();
    this.#fleets.clear();
    this.#known.clear();
  }

  #opened(): Pack {
    if (this.#pack !== undefined) return this.#pack;
    const pack = readPack(this.#folder, this.#name);
    this.#pack = pack;
    this.#sheets = sheetsIn(pack);
    this.#onSheets = new Map(
      this.#sheets.flatMap((sheet) => sheet.paths.map((path, index) => [path, new SheetFacts(sheet, index)] as const)),
    );
    return pack;
  }
}

/**
 * The maximum number of manifests on a sheet. If a manifest is edited, at most this number of manifests move to new
 * sheets.
 */
const maxOnSheet = 1000;

/** Returns the key of a sheet. It begins with NUL, which no path contains. */
function sheetKey(number: number): string {
  return `\0${number}`;
}

/**
 * The facts about many manifests in one text. The text compresses well, because most of the facts are equal, or differ
 * only in names and digests.
 */
interface Sheet {
  readonly paths: readonly string[];
  readonly names: readonly string[];
  /** The key of the sheet's text in the pack. */
  readonly key: string;
  part(index: number, name: string): unknown;
}

function textOfSheet(rows: readonly (readonly [path: string, Traced])[]): string {
  const values = rows.map(([, { value }]) => (isJsonObject(value) ? value : {}));
  const names = [...new Set(values.flatMap(Object.keys))];
  const columns = [
    ...names.map((name) => [name, columnsOf(values.map((value) => value[name]))] as const),
    [inputsName, columnsOf(rows.map(([, { inputs }]) => inputs))] as const,
  ];
  return JSON.stringify({ paths: rows.map(([path]) => path), columns: Object.fromEntries(columns) });
}

function sheetsIn(pack: Pack): Sheet[] {
  const sheets: Sheet[] = [];
  for (let text = pack.get(sheetKey(0)); text !== undefined; text = pack.get(sheetKey(sheets.length))) {
    const key = sheetKey(sheets.length);
    const found = jsonIn(text);
    if (!isJsonObject(found) || !areTexts(found.paths) || !isJsonObject(found.columns)) return sheets;
    const { paths, columns } = found;
    const readers = new Map(
      Object.entries(columns).map(([name, column]) => [name, readOnce(columnReader(column))] as const),
    );
    const names = [...readers.keys()].filter((name) => name !== inputsName);
    sheets.push({ paths, names, key, part: (index, name) => readers.get(name)?.(index) ?? undefined });
  }
  return sheets;
}

/** Caches each value that is read, because a run with `--changed-since` resolves the project several times. */
function readOnce(read: ReadColumns | undefined): ReadColumns {
  const known: unknown[] = [];
  return (index) => {
    known[index] ??= read?.(index);
    return known[index];
  };
}

/** The facts about a manifest on a sheet. Objects are created only on request. */
class SheetFacts implements FileFacts {
  readonly keys = keysOfManifest;
  readonly #sheet: Sheet;
  readonly #index: number;
  #inputs: readonly Input[] | undefined;

  constructor(sheet: Sheet, index: number) {
    this.#sheet = sheet;
    this.#index = index;
  }

  get inputs(): readonly Input[] {
    return this.inputsOf() ?? [];
  }

  resultOf(): unknown {
    const parts = this.#sheet.names.map((name) => [name, this.partOf(0, name)] as const);
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
  }

  partOf(_unit: number, name: string): unknown {
    return this.#sheet.part(this.#index, name);
  }

  inputsOf(): readonly Input[] | undefined {
    if (this.#inputs !== undefined) return this.#inputs;
    const found = this.#sheet.part(this.#index, inputsName);
    this.#inputs = areInputs(found) ? found : undefined;
    return this.#inputs;
  }
}

function factsOfManifest(traced: Traced | undefined): FileFacts | undefined {
  return traced && new FoundFileFacts(undefined, new Map([[manifestKey, traced]]));
}

function tracedIn(text: string): Traced | undefined {
  const found = jsonIn(text);
  return isJsonObject(found) && areInputs(found.inputs) ? { inputs: found.inputs, value: found.value } : undefined;
}

const inputsName = 'inputs';

type KeyedText = readonly [key: string, text: string];

/** Converts a fleet's facts to texts, one for each property of the results, because few runs need all properties. */
function textsOfFleet(path: string, facts: FileFacts): KeyedText[] {
  const { keys, inputs, own } = facts;
  const results = keys.map((_, index) => facts.resultOf(index));
  const names = [...new Set(results.flatMap((result) => (isJsonObject(result) ? Object.keys(result) : [])))];
  const columns = names.map((name) => [name, columnsOf(keys.map((_, index) => facts.partOf(index, name)))] as const);
  const ofInputs = [inputsName, columnsOf(keys.map((_, index) => facts.inputsOf(index)))] as const;
  // The id distinguishes the texts of different runs.
  const id = randomUUID();
  const parts = [...columns, ofInputs].map(([name, of]): KeyedText => [partKey(path, id, name), JSON.stringify(of)]);
  return [[path, JSON.stringify({ keys, inputs, own, id, names: [...names, inputsName] })], ...parts];
}

function partKey(path: string, id: string, name: string): string {
  return `${path}\n${id}\n${name}`;
}

/** The keys of the texts about a file in a pack, and the number of units in the file. */
interface KeptTexts {
  readonly pack: Pack;
  readonly keys: readonly string[];
  readonly count: number;
}

function keyedText(key: string, pack: Pack): KeyedText[] {
  const text = pack.get(key);
  return text === undefined ? [] : [[key, text]];
}

/**
 * Reads the facts about a fleet, and the keys of their texts. Returns undefined if the facts are missing or damaged.
 */
function readFleet(
  path: string,
  pack: Pack,
): { readonly facts: FileFacts; readonly keys: readonly string[] } | undefined {
  const found = jsonIn(pack.get(path) ?? '');
  if (!isJsonObject(found) || !areInputs(found.inputs) || !areTexts(found.keys)) return undefined;
  const { keys, inputs, own, id, names } = found;
  if (typeof id !== 'string' || !areTexts(names)) return undefined;
  const facts = factsIn({ keys, inputs, own }, names, (name) => jsonIn(pack.get(partKey(path, id, name)) ?? ''));
  return { facts, keys: [path, ...names.map((name) => partKey(path, id, name))] };
}

type Common = Pick<FileFacts, 'keys' | 'inputs' | 'own'>;

/** Makes facts whose properties are parsed on first use. */
function factsIn(common: Common, names: readonly string[], columnsNamed: (name: string) => unknown): FileFacts {
  const readers = new Map<string, ReadColumns>();
  const partOf = (index: number, name: string): unknown => {
    const known = cached(readers, name, () => columnReader(columnsNamed(name)) ?? (() => undefined));
    return known(index) ?? undefined;
  };
  return {
    ...common,
    partOf,
    resultOf: (index) =>
      Object.fromEntries(names.flatMap((name) => (name === inputsName ? [] : [[name, partOf(index, name)]]))),
    inputsOf(index) {
      const inputs = partOf(index, inputsName);
      return areInputs(inputs) ? inputs : undefined;
    },
  };
}

function areInputs(value: unknown): value is readonly Input[] {
  return Array.isArray(value) && value.every(isInput);
}

function isInput(row: unknown): row is Input {
  if (!Array.isArray(row) || row.length !== 3) return false;
  return typeof row[0] === 'string' && typeof row[1] === 'string' && typeof row[2] === 'string';
}

/** The known files, stored in columns: path, digest, blob id and signature. */
class FileTable {
  readonly #columns: readonly (readonly string[])[];
  readonly #rows: ReadonlyMap<string, number>;

  constructor(columns: unknown) {
    this.#columns = Array.isArray(columns) && columns.length === 4 && columns.every(areTexts) ? columns : [];
    this.#rows = new Map((this.#columns[0] ?? []).map((path, row) => [path, row]));
  }

  get(path: string): KnownFile | undefined {
    const row = this.#rows.get(path);
    if (row === undefined) return undefined;
    const [, digests, blobs, signatures] = this.#columns;
    const [digest, blob, signature] = [digests?.[row], blobs?.[row], signatures?.[row]];
    return digest === undefined || blob === undefined || signature === undefined
      ? undefined
      : { digest, blob, signature };
  }
}

function tableOf(files: ReadonlyMap<string, KnownFile>): string[][] {
  const all = [...files.values()];
  return [
    [...files.keys()],
    all.map(({ digest }) => digest),
    all.map(({ blob }) => blob),
    all.map(({ signature }) => signature),
  ];
}

/**
 * The maximum size of a file in bytes, the maximum number of files in a pack, and the maximum size of the folder in
 * bytes.
 */
const limits = { file: 64 * 2 ** 20, files: 16, folder: 2 ** 30 } as const;

const format = 'agentform-pack-1';
const ending = '.pack';

/** Many small texts in a few files, found by key. Reading separate files would take ten times as long. */
interface Pack {
  /** Returns the text for a key, or undefined if the text is missing or damaged. */
  get(key: string): string | undefined;
}

/**
 * Reads a pack and ignores unusable parts. The folder must be a real folder that only its owner can write to, and its
 * files must not be links. The checksum of each text covers its key, so a damaged, truncated or swapped text counts as
 * missing.
 */
export function readPack(folder: string, name: string): Pack {
  const packed = new Map<string, PackedText>();
  let number = 0;
  while (number < limits.files && addTexts(packed, { folder, name, number })) number += 1;
  return {
    get(key) {
      const { bytes, sum } = packed.get(key) ?? {};
      return bytes !== undefined && sumOf(name, key, bytes) === sum ? bytes.toString('utf8') : undefined;
    },
  };
}

/** A text that is decoded only on request, because few runs need a whole pack. */
interface PackedText {
  readonly bytes: Buffer;
  readonly sum: string;
}

interface PackFile {
  readonly folder: string;
  readonly name: string;
  readonly number: number;
}

function pathOf({ folder, name, number }: PackFile): string {
  return join(folder, `${name}${number === 0 ? '' : `-${number}`}${ending}`);
}

/** Adds the texts in one file. Returns false if no further files need to be read. */
function addTexts(packed: Map<string, PackedText>, packFile: PackFile): boolean {
  try {
    if (!isOwnFolder(lstatSync(packFile.folder))) return false;
    const { bytes: file } = readPlainBytes(pathOf(packFile), limits.file) ?? {};
    if (file === undefined) return false;
    const head = file.indexOf('\n') + 1;
    const [version, ...rows]: unknown[] = JSON.parse(file.toString('utf8', 0, head));
    if (version !== format) return true;
    let start = head;
    for (const row of rows) {
      const [key, length, sum]: unknown[] = Array.isArray(row) ? row : [];
      if (typeof key !== 'string' || typeof length !== 'number' || typeof sum !== 'string') return true;
      packed.set(key, { bytes: file.subarray(start, start + length), sum });
      start += length;
    }
    return true;
  } catch {
    return true;
  }
}

/**
 * Computes a checksum that covers the pack's name, so that a pack is valid only for its project, environment and
 * program.
 */
function sumOf(name: string, key: string, bytes: Buffer): string {
  return createHash('sha256').update(`${name}\n${key}\n`).update(bytes).digest('hex').slice(0, 32);
}

/**
 * Replaces a pack with files that only the owner can read. Removes the oldest packs if the folder is too large, and
 * drops texts beyond the limits. Throws if the folder cannot be used.
 */
export async function writePack(
  folder: string,
  name: string,
  texts: Iterable<readonly [string, string]>,
): Promise<void> {
  await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (!isOwnFolder(await lstat(folder))) throw error;
  });
  let number = 0;
  for (const content of contentsOf(name, texts)) {
    await replaceFile(pathOf({ folder, name, number }), content, { mode: 0o600, flush: false });
    number += 1;
  }
  // Remove the remaining files of an earlier pack with this name.
  for (; number < limits.files; number += 1) await rm(pathOf({ folder, name, number }), { force: true });
  await removeOld(folder);
}

/** Divides texts among files, and yields the content of each file. */
function* contentsOf(name: string, texts: Iterable<readonly [string, string]>): Iterable<Buffer> {
  let [rows, kept, size, files]: [(readonly [string, number, string])[], Buffer[], number, number] = [[], [], 0, 0];
  const content = () => Buffer.concat([Buffer.from(`${JSON.stringify([format, ...rows])}\n`), ...kept]);
  for (const [key, text] of texts) {
    const bytes = Buffer.from(text);
    const added = bytes.length + key.length + 64;
    if (added > limits.file / 2) continue;
    if (size + added > limits.file / 2) {
      yield content();
      files += 1;
      if (files === limits.files) return;
      [rows, kept, size] = [[], [], 0];
    }
    size += added;
    rows.push([key, bytes.length, sumOf(name, key, bytes)]);
    kept.push(bytes);
  }
  yield content();
}

interface FolderStats {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** Returns whether only the owner can write to the folder. Otherwise, others could forge facts about manifests. */
function isOwnFolder(stats: FolderStats): boolean {
  const own = process.getuid?.() ?? stats.uid;
  return stats.isDirectory() && stats.uid === own && (stats.mode & 0o022) === 0;
}

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await lstat(join(folder, name)) })));
  let remaining: number = limits.folder;
  for (const { name, stats } of found.sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs)) {
    remaining -= stats.size;
    if (remaining < 0) await rm(join(folder, name), { force: true });
  }
}
