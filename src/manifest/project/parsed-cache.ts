import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { type Pack, readPack, writePack } from '../../files/pack.ts';
import { repositoryOf } from '../../git/repository.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { type MapNode, type Member, mapNode, type Node } from '../syntax/tree.ts';

/** Where a run may keep what came of manifests, for the next one. */
export interface CacheFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Tells the program that made an entry from any other: another one may make something else of the same text. */
  readonly build: string;
  /** Another folder whose entries are used, and left as they are: those of the project that this one is a former state of. */
  readonly of?: string;
}

/** A pack in the folder of the cache. */
export interface PackPlace {
  readonly folder: string;
  readonly name: string;
}

/** What came of the text of a manifest or base, where nothing was wrong with it. */
export interface SoundFile {
  readonly root: MapNode;
  readonly kind: KindName;
  readonly values: number;
}

/** Values that a file may have to be kept: aliases can make a small file stand for many. */
const mostValues = 5_000;

/** Files that are not in the cache yet, of a hundred: with fewer, it is not written again. */
const percentNew = 5;

/**
 * The trees of manifests without problems, by the SHA-256 of their texts. A text that has a problem, or a stretch that is
 * masked because it may be a credential, is never kept: a manifest without is free of secrets.
 */
export class ParsedCache {
  readonly #folder: string;
  readonly #name: string;
  readonly #isKept: boolean;
  readonly #used = new Map<string, string>();
  #pack: Pack | undefined;
  #news = 0;

  /** Undefined where it would lie in the project's repository: a pull request could write to it. */
  static for(
    { folder, build, of }: CacheFolder,
    { root: own, environments }: { readonly root: string; readonly environments: readonly string[] },
  ): ParsedCache | undefined {
    const root = of ?? own;
    if (isWithin(repositoryOf(root) ?? root, folder)) return undefined;
    const name = hashOf(JSON.stringify([build, realpathSync(root), environments])).slice(0, 32);
    return new ParsedCache({ folder, name, isKept: of === undefined });
  }

  private constructor({ folder, name, isKept }: { folder: string; name: string; isKept: boolean }) {
    this.#folder = folder;
    this.#name = name;
    this.#isKept = isKept;
  }

  /** Where the outlines of one environment may be kept; undefined for a former state of the project, which is only looked at once. */
  outlinesOf(environment: string): PackPlace | undefined {
    if (!this.#isKept) return undefined;
    return { folder: this.#folder, name: `${this.#name}-${hashOf(environment).slice(0, 16)}` };
  }

  get({ path, text }: SourceFile): SoundFile | undefined {
    this.#pack ??= readPack(this.#folder, this.#name);
    const key = hashOf(text);
    const entry = this.#pack.get(key);
    const found = entry === undefined ? undefined : decoded(entry, path);
    if (entry !== undefined && found !== undefined) this.#used.set(key, entry);
    return found;
  }

  add({ text, isMasked }: SourceFile, file: SoundFile): void {
    const entry = isMasked || file.values > mostValues ? undefined : encoded(file);
    if (entry === undefined) return;
    this.#used.set(hashOf(text), entry);
    this.#news += 1;
  }

  /** Keeps what was used in this run, where enough of it is new. That it cannot be kept is nobody's trouble. */
  async keep(): Promise<void> {
    if (!this.#isKept || this.#news === 0 || this.#news * 100 < this.#used.size * percentNew) return;
    this.#news = 0;
    await writePack(this.#folder, this.#name, this.#used).catch(() => undefined);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(realpathSync(folder), realOf(path));
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

type Item = string | number | boolean | null;

/** Of a list or a map a mark and how many there are; of every node its place. A flat list is read back fastest. */
function encoded({ root, kind, values }: SoundFile): string | undefined {
  const items: Item[] = [kind, values];
  return append(items, root) ? JSON.stringify(items) : undefined;
}

/** Whether the node is one that JSON can hold, as the parser makes it and nothing merged or put in. */
function append(items: Item[], node: Node): boolean {
  const { at, over } = node;
  if (over !== undefined) return false;
  const place = [at.line, at.column, at.offset, at.end];
  if (node.type === 'scalar') {
    const { value, source = null, from, raw, sensitive, opaque } = node;
    items.push('s', ...place, value, source);
    const isPlain = from === undefined && raw === undefined && sensitive === undefined && opaque === undefined;
    return isPlain && (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0)));
  }
  if (node.type === 'list') {
    items.push('l', ...place, node.items.length);
    return node.items.every((item) => append(items, item));
  }
  items.push('m', ...place, node.members.size);
  return [...node.members].every(([name, { key, value }]) => {
    items.push(name, key.line, key.column, key.offset, key.end);
    return append(items, value);
  });
}

/** Undefined for what is none of ours; its checksum fits, so that only another program can have written it. */
function decoded(entry: string, path: string): SoundFile | undefined {
  try {
    const items: Item[] = JSON.parse(entry);
    const [kind, values] = items;
    const root = new Reader(items, path).node();
    if (typeof kind !== 'string' || !isKindName(kind) || typeof values !== 'number' || root.type !== 'map')
      return undefined;
    return { root, kind, values };
  } catch {
    return undefined;
  }
}

/** Goes through the items of an entry. Throws a TypeError at the first that is not what it has to be. */
class Reader {
  readonly #items: readonly Item[];
  readonly #path: string;
  #next = 2;

  constructor(items: readonly Item[], path: string) {
    this.#items = items;
    this.#path = path;
  }

  node(): Node {
    const mark = this.#items[this.#next];
    this.#next += 1;
    const at = this.#span();
    if (mark === 's') {
      const value = this.#items[this.#next] ?? null;
      const source = this.#items[this.#next + 1];
      this.#next += 2;
      return typeof source === 'string' ? { type: 'scalar', at, value, source } : { type: 'scalar', at, value };
    }
    const count = this.#number();
    if (mark === 'l') return { type: 'list', at, items: Array.from({ length: count }, () => this.node()) };
    if (mark !== 'm') throw new TypeError('no node');
    const members = Array.from({ length: count }, (): readonly [string, Member] => {
      const name = this.#items[this.#next];
      this.#next += 1;
      if (typeof name !== 'string') throw new TypeError('no name');
      return [name, { key: this.#span(), value: this.node() }];
    });
    return mapNode(at, members);
  }

  #span() {
    return {
      file: this.#path,
      line: this.#number(),
      column: this.#number(),
      offset: this.#number(),
      end: this.#number(),
    };
  }

  #number(): number {
    const item = this.#items[this.#next];
    this.#next += 1;
    if (typeof item !== 'number') throw new TypeError('no number');
    return item;
  }
}
