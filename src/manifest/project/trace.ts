import { createHash } from 'node:crypto';

/**
 * What a function asks its surroundings for: the text of a `file` within a size limit, whether a path `exists` or is a
 * `manifest`, the `row` of a member, a process `variable`, all their `variables`, another `unit` by its address, the names of all
 * `units`, and the `basis`: agentform.yaml and what else a run decides for all manifests.
 */
export type InputKind = 'basis' | 'file' | 'exists' | 'manifest' | 'row' | 'variable' | 'variables' | 'unit' | 'units';

/** One question with a digest of its answer. */
export type Input = readonly [kind: InputKind, name: string, found: string];

/**
 * The inputs of a result, noted by those who answer the questions. A result holds while every input is still found so:
 * these are the verifying traces of "Build systems à la carte".
 */
export class Trace {
  readonly #found = new Map<string, Input>();
  readonly #parent: Trace | undefined;

  /** What is noted here is an input of the parent's result too. */
  constructor(parent?: Trace) {
    this.#parent = parent;
  }

  note(...input: Input): void {
    this.#found.set(`${input[0]} ${input[1]}`, input);
    this.#parent?.note(...input);
  }

  /** Takes a result over that was made elsewhere. */
  include(inputs: Iterable<Input>): void {
    for (const input of inputs) this.note(...input);
  }

  get inputs(): readonly Input[] {
    return [...this.#found.values()];
  }
}

/** A result with its inputs. */
export interface Traced {
  readonly inputs: readonly Input[];
  readonly value: unknown;
}

/** Results of one kind by what they are about. Whether one still holds is for those who ask. */
export interface FactStore {
  get(key: string): Traced | undefined;
  put(key: string, result: Traced): void;
  /** The digest of a file's text while the file has this signature. */
  fileWith(path: string, signature: string): string | undefined;
  /** Keeps for the next run what this one used. */
  keep(files: ReadonlyMap<string, KnownFile>): Promise<void>;
}

/** A file as it was when it was read: with the same signature it is the same file. */
export interface KnownFile {
  readonly digest: string;
  readonly signature: string;
}

/** The stores of a project, by the kind of their results. */
export type FactStores = (kind: string) => FactStore;

/** Stores that last as long as the process; those `under` them have more, and stay as they are. */
export function factsInMemory(under?: FactStores): FactStores {
  const known = new Map<string, FactStore>();
  return (kind) => {
    const store = known.get(kind) ?? new FactMemory(under?.(kind));
    known.set(kind, store);
    return store;
  };
}

class FactMemory implements FactStore {
  readonly #own = new Map<string, Traced>();
  readonly #under: FactStore | undefined;

  constructor(under: FactStore | undefined) {
    this.#under = under;
  }

  get(key: string): Traced | undefined {
    return this.#own.get(key) ?? this.#under?.get(key);
  }

  put(key: string, result: Traced): void {
    this.#own.set(key, result);
  }

  fileWith(path: string, signature: string): string | undefined {
    return this.#under?.fileWith(path, signature);
  }

  async keep(): Promise<void> {}
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
