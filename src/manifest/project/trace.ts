import { hash } from 'node:crypto';

/**
 * A query of a function to its surroundings:
 *
 * - `text`: the text of a file, within a size limit
 * - `exists`, `manifest`: whether a file exists, and whether it is under `manifests`
 * - `row`: the row of a member, or its whole table
 * - `variable`, `variables`: a process variable, and the names of all
 * - `unit`, `units`: another manifest by its address, and the names of all
 * - `basis`: agentform.yaml, and the rules of the run for all manifests
 */
export type InputKind = 'basis' | 'text' | 'exists' | 'manifest' | 'row' | 'variable' | 'variables' | 'unit' | 'units';

/** One query with a digest of its answer. */
export type Input = readonly [kind: InputKind, name: string, found: string];

/**
 * The inputs of a result, noted by the code that answers each query. A result holds while every answer is the same: a
 * verifying trace, as in "Build systems à la carte".
 */
export class Trace {
  readonly #found = new Map<string, Input>();
  readonly #included: (readonly Input[])[] = [];
  readonly #parent: Trace | undefined;

  /** A part of the parent's result has a separate trace; the parent gets its inputs too. */
  constructor(parent?: Trace) {
    this.#parent = parent;
  }

  note(...input: Input): void {
    this.#found.set(`${input[0]} ${input[1]}`, input);
    this.#parent?.note(...input);
  }

  /** Adds the inputs of a part that was made elsewhere. */
  include(inputs: readonly Input[]): void {
    this.#included.push(inputs);
    this.#parent?.include(inputs);
  }

  get inputs(): readonly Input[] {
    const included = this.#included.flat().filter(([kind, name]) => !this.#found.has(`${kind} ${name}`));
    return [...included, ...this.#found.values()];
  }
}

/** A result with its inputs. */
export interface Traced {
  readonly inputs: readonly Input[];
  readonly value: unknown;
}

/** Results of one kind, by their subject. The caller checks whether a result still holds. */
export interface FactStore {
  get(key: string): Traced | undefined;
  put(key: string, result: Traced): void;
  /** The known facts of a file with this signature. */
  fileWith(path: string, signature: string): KnownFile | undefined;
  /** Saves the known files and the results of these keys for the next run. */
  keep(files: () => ReadonlyMap<string, KnownFile>, keys: ReadonlySet<string>): Promise<void>;
  /** Frees the results that another store has taken over, and keeps the known files. */
  release(): void;
}

/** A file at the time of its read. The same signature means the same file. */
export interface KnownFile {
  readonly digest: string;
  /** The id of a git blob with its text. */
  readonly blob: string;
  readonly signature: string;
}

/** The stores of a project, by the kind of their results. */
export type FactStores = (kind: string) => FactStore;

/** Stores that last as long as the process. The stores `under` them have more entries and stay unchanged. */
export function factsInMemory(under?: FactStores): FactStores {
  return storesOf((kind) => new FactMemory(under?.(kind)));
}

/** The same for many runs of one process. The first run takes over the results of the stores `under` them. */
export function factsTakenOver(under?: FactStores): FactStores {
  return storesOf((kind) => new FactMemory(under?.(kind), true));
}

function storesOf(make: (kind: string) => FactStore): FactStores {
  const known = new Map<string, FactStore>();
  return (kind) => {
    const store = known.get(kind) ?? make(kind);
    known.set(kind, store);
    return store;
  };
}

class FactMemory implements FactStore {
  readonly #own = new Map<string, Traced>();
  readonly #under: FactStore | undefined;
  readonly #takesOver: boolean;

  constructor(under: FactStore | undefined, takesOver = false) {
    this.#under = under;
    this.#takesOver = takesOver;
  }

  get(key: string): Traced | undefined {
    const own = this.#own.get(key);
    if (own !== undefined) return own;
    const found = this.#under?.get(key);
    if (found !== undefined && this.#takesOver) this.#own.set(key, found);
    return found;
  }

  put(key: string, result: Traced): void {
    this.#own.set(key, result);
  }

  fileWith(path: string, signature: string): KnownFile | undefined {
    return this.#under?.fileWith(path, signature);
  }

  /** Drops all other results: the project does not have these manifests any more. */
  async keep(_files: unknown, keys: ReadonlySet<string>): Promise<void> {
    for (const key of this.#own.keys()) if (!keys.has(key)) this.#own.delete(key);
    if (this.#takesOver) this.#under?.release();
  }

  release(): void {
    this.#own.clear();
  }
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The id of a git blob with this text. */
export function blobIdOf(text: string): string {
  return hash('sha1', `blob ${Buffer.byteLength(text)}\0${text}`);
}
