import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Pack, type PackPlace, readPack, writePack } from '../../files/pack.ts';
import { isInside, realPlaceOf } from '../../files/plain-file.ts';
import { repositoryOf } from '../../git/repository.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { KindName } from '../../schemas/fields.ts';
import { packTree, unpackTree } from '../../yaml/packed-tree.ts';
import type { SourceFile } from '../../yaml/source-file.ts';
import type { MapNode } from '../../yaml/tree.ts';

/** Where a run may keep what came of manifests, for the next one. */
export interface CacheFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Tells the program that made an entry from any other: another one may make something else of the same text. */
  readonly build: string;
  /** Another folder whose entries are used, and left as they are: those of the project that this one is a former state of. */
  readonly of?: string;
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

  /** Where what was found in texts may be kept. */
  get findings(): PackPlace | undefined {
    return this.#isKept ? { folder: this.#folder, name: `${this.#name}-texts` } : undefined;
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

/** By its name or through links; also a folder of which that cannot be told. */
function isWithin(folder: string, path: string): boolean {
  try {
    return isInside(folder, path) || isInside(realpathSync(folder), realPlaceOf(path));
  } catch {
    return true;
  }
}

/** The kind and the number of values, and in the next line the tree. */
function encoded({ root, kind, values }: SoundFile): string | undefined {
  const tree = packTree(root);
  return tree && `${JSON.stringify([kind, values])}\n${tree}`;
}

/** Undefined for what is none of ours; its checksum fits, so that only another program can have written it. */
function decoded(entry: string, path: string): SoundFile | undefined {
  try {
    const end = entry.indexOf('\n');
    const [kind, values] = JSON.parse(entry.slice(0, end));
    if (typeof kind !== 'string' || !isKindName(kind) || typeof values !== 'number') return undefined;
    return { root: unpackTree(entry.slice(end + 1), path), kind, values };
  } catch {
    return undefined;
  }
}
