import { hash } from 'node:crypto';
import { isJsonObject } from '../../json/json.ts';

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

/** The key of the only unit of a manifest. No member of a fleet has it. */
export const manifestKey = '';

/** The known facts of the units that one file declares: one for a manifest, all members for a fleet. */
export interface FileFacts {
  /** The keys of the units, in order. */
  readonly keys: readonly string[];
  /** The inputs of all these facts. The table of a fleet stands for its rows. */
  readonly inputs: readonly Input[];
  /** What the file declares besides its units; undefined for a manifest. */
  readonly own?: unknown;
  /** The result for a unit; undefined if it is lost. */
  resultOf(index: number): unknown;
  /** One member of that result; undefined if it is absent or lost. */
  partOf(index: number, name: string): unknown;
  /** The inputs of the result for one unit; undefined if they are lost. */
  inputsOf(index: number): readonly Input[] | undefined;
}

/** Puts the results for the units of a file together, by key. Each value is an object; `own` is about the file itself. */
export function factsOfFile(own: Traced | undefined, units: ReadonlyMap<string, Traced>): FileFacts {
  const results = [...units.values()];
  let all: readonly Input[] | undefined;
  return {
    keys: [...units.keys()],
    get inputs() {
      all ??= allInputs([...(own === undefined ? [] : [own]), ...results]);
      return all;
    },
    own: own?.value,
    resultOf: (index) => results[index]?.value,
    partOf(index, name) {
      const value = results[index]?.value;
      return isJsonObject(value) ? value[name] : undefined;
    },
    inputsOf: (index) => results[index]?.inputs,
  };
}

function allInputs(results: readonly Traced[]): readonly Input[] {
  const found = new Map<string, Input>();
  for (const { inputs } of results) {
    for (const input of inputs) if (input[0] !== 'row') found.set(`${input[0]} ${input[1]}`, input);
  }
  return [...found.values()];
}

/** Results of one kind, by file. The caller checks whether they still hold. */
export interface FactStore {
  get(path: string): FileFacts | undefined;
  /** Replaces the facts of a file. `news` is the number of new results among them. */
  put(path: string, facts: FileFacts, news: number): void;
  /** The known facts of a file with this signature. */
  fileWith(path: string, signature: string): KnownFile | undefined;
  /** Saves the known files and the results about these paths for the next run. */
  keep(files: () => ReadonlyMap<string, KnownFile>, paths: ReadonlySet<string>): Promise<void>;
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

/**
 * Stores that last as long as the process. The stores `under` them have more entries: they stay unchanged, or the first of
 * many runs of one process takes over their results.
 */
export function factsInMemory(under?: FactStores, { takesOver = false } = {}): FactStores {
  const known = new Map<string, FactStore>();
  return (kind) => {
    const store = known.get(kind) ?? new FactMemory(under?.(kind), takesOver);
    known.set(kind, store);
    return store;
  };
}

class FactMemory implements FactStore {
  readonly #own = new Map<string, FileFacts>();
  readonly #under: FactStore | undefined;
  readonly #takesOver: boolean;

  constructor(under: FactStore | undefined, takesOver: boolean) {
    this.#under = under;
    this.#takesOver = takesOver;
  }

  get(path: string): FileFacts | undefined {
    const own = this.#own.get(path);
    if (own !== undefined) return own;
    const found = this.#under?.get(path);
    if (found !== undefined && this.#takesOver) this.#own.set(path, found);
    return found;
  }

  put(path: string, facts: FileFacts): void {
    this.#own.set(path, facts);
  }

  fileWith(path: string, signature: string): KnownFile | undefined {
    return this.#under?.fileWith(path, signature);
  }

  /** Drops all other results: the project does not have these manifests any more. */
  async keep(_files: unknown, paths: ReadonlySet<string>): Promise<void> {
    for (const path of this.#own.keys()) if (!paths.has(path)) this.#own.delete(path);
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
