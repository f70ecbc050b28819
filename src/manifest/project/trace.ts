import { hash } from 'node:crypto';
import { isJsonObject } from '../../json/json.ts';

/**
 * The kind of a query that a computation makes:
 *
 * - `text`: the text of a file, within a size limit
 * - `exists`, `manifest`: whether a file exists, or whether it is under `manifests`
 * - `row`: the row of a member, or the whole table that contains the row
 * - `variable`, `variables`: a process variable for manifests, or the names of all such variables
 * - `unit`, `units`: another manifest by its address, or the addresses of all manifests
 * - `basis`: agentform.yaml, and the settings of the run that affect all manifests
 */
export type InputKind = 'basis' | 'text' | 'exists' | 'manifest' | 'row' | 'variable' | 'variables' | 'unit' | 'units';

/** A query with the digest of its answer. */
export type Input = readonly [kind: InputKind, name: string, found: string];

/**
 * Notes the inputs of a result. The code that answers a query also notes the query in the trace. A kept result is valid
 * as long as all answers stay the same (a verifying trace, as in "Build systems à la carte").
 */
export class Trace {
  readonly #found = new Map<string, Input>();
  readonly #included: (readonly Input[])[] = [];
  readonly #parent: Trace | undefined;

  /** If `parent` is given, the trace notes the inputs of a partial result and passes them to the parent. */
  constructor(parent?: Trace) {
    this.#parent = parent;
  }

  note(...input: Input): void {
    this.#found.set(`${input[0]} ${input[1]}`, input);
    this.#parent?.note(...input);
  }

  /** Adds the inputs of a partial result that was computed elsewhere. */
  include(inputs: readonly Input[]): void {
    this.#included.push(inputs);
    this.#parent?.include(inputs);
  }

  get inputs(): readonly Input[] {
    const included = this.#included.flat().filter(([kind, name]) => !this.#found.has(`${kind} ${name}`));
    return [...included, ...this.#found.values()];
  }
}

export interface Traced {
  readonly inputs: readonly Input[];
  readonly value: unknown;
}

/** The key of the only unit in a manifest. Fleet members have other keys. */
export const manifestKey = '';

export const keysOfManifest: readonly string[] = [manifestKey];

/** The kept facts about all units in one file. A manifest is a single unit, and each member of a fleet is a unit. */
export interface FileFacts {
  /** The keys of the units, in order. */
  readonly keys: readonly string[];
  /** The inputs of all these facts. Omits rows, because the table that contains them is an input. */
  readonly inputs: readonly Input[];
  /**
   * Facts about the file itself, such as those about a fleet. Undefined for a manifest, and for facts that were not
   * kept.
   */
  readonly own?: unknown;
  /** The facts about one unit. Undefined if the facts were lost. */
  resultOf(index: number): unknown;
  /** One member of a unit's facts. Undefined if the member is absent or was lost. */
  partOf(index: number, name: string): unknown;
  /** The inputs of one unit's facts. Undefined if the inputs were lost. */
  inputsOf(index: number): readonly Input[] | undefined;
}

/**
 * The facts that this run found about a file's units. `own` contains the facts about the file. This is a class, because
 * objects with a closure for each query would take three times as much memory as the results.
 */
export class FoundFileFacts implements FileFacts {
  readonly keys: readonly string[];
  readonly #own: Traced | undefined;
  readonly #results: readonly Traced[];
  #inputs: readonly Input[] | undefined;

  constructor(own: Traced | undefined, units: ReadonlyMap<string, Traced>) {
    this.keys = [...units.keys()];
    this.#own = own;
    this.#results = [...units.values()];
  }

  get inputs(): readonly Input[] {
    this.#inputs ??= allInputs([...(this.#own === undefined ? [] : [this.#own]), ...this.#results]);
    return this.#inputs;
  }

  get own(): unknown {
    return this.#own?.value;
  }

  resultOf(index: number): unknown {
    return this.#results[index]?.value;
  }

  partOf(index: number, name: string): unknown {
    const value = this.resultOf(index);
    return isJsonObject(value) ? value[name] : undefined;
  }

  inputsOf(index: number): readonly Input[] | undefined {
    return this.#results[index]?.inputs;
  }
}

function allInputs(results: readonly Traced[]): readonly Input[] {
  const found = new Map<string, Input>();
  for (const { inputs } of results) {
    for (const input of inputs) if (input[0] !== 'row') found.set(`${input[0]} ${input[1]}`, input);
  }
  return [...found.values()];
}

/** Stores kept facts by file. Callers must check whether the facts are still valid. */
export interface FactStore {
  get(path: string): FileFacts | undefined;
  /** Replaces the facts about a file. `news` is the number of new results among them. */
  put(path: string, facts: FileFacts, news: number): void;
  /** The known file at a path. Undefined if its signature is different. */
  fileWith(path: string, signature: string): KnownFile | undefined;
  /** Saves the known files and the facts for these paths, for the next run. */
  keep(files: () => ReadonlyMap<string, KnownFile>, paths: ReadonlySet<string>): Promise<void>;
  /** Frees facts that another store has taken over, but keeps the known files. */
  release(): void;
}

/** A file as it was read. If its signature is unchanged, so is its content. */
export interface KnownFile {
  readonly digest: string;
  /** The id of a git blob with the same text. */
  readonly blob: string;
  readonly signature: string;
}

/** Opens the store for one kind of facts. */
export type FactStores = (kind: string) => FactStore;

/**
 * Stores facts in memory while the process runs. If a fact is missing, the stores look it up in `under`. With
 * `takesOver`, the stores keep the facts that they find in `under`, and `keep` frees all other facts in `under`.
 */
export function factsInMemory(under?: FactStores, { takesOver = false } = {}): FactStores {
  const stores = new Map<string, FactStore>();
  return (kind) => {
    const known = stores.get(kind);
    if (known !== undefined) return known;
    const [own, lower] = [new Map<string, FileFacts>(), under?.(kind)];
    const store: FactStore = {
      get(path) {
        const found = own.get(path) ?? lower?.get(path);
        if (found !== undefined && takesOver) own.set(path, found);
        return found;
      },
      put: (path, facts) => void own.set(path, facts),
      fileWith: (path, signature) => lower?.fileWith(path, signature),
      /** Drops the facts about unlisted paths, because the project no longer contains those manifests. */
      async keep(_files, paths) {
        for (const path of own.keys()) if (!paths.has(path)) own.delete(path);
        if (takesOver) lower?.release();
      },
      release: () => own.clear(),
    };
    stores.set(kind, store);
    return store;
  };
}

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The id of a git blob with this text. */
export function blobIdOf(text: string): string {
  return hash('sha1', `blob ${Buffer.byteLength(text)}\0${text}`);
}
