import { deflateRawSync, inflateRawSync } from 'node:zlib';

// Thousands of values in little memory.

/** As much of what came before as can be referred to, in bytes: what is packed has some thousand, and comes out in one chunk. */
const windowBits = 14;
const window = 2 ** windowBits;
const options = { level: 3, windowBits, memLevel: 6, chunkSize: 4_000 } as const;

/** A shorter text is not worth a window of its own, as each that came before it has one. */
const leastReferred = 200;

/** The bytes of a text: about a fifth of it, or next to nothing where the dictionary says the same. Takes ten microseconds, as unpacking does. */
export function packText(text: string, dictionary: Buffer): string {
  return deflateRawSync(text, { ...options, dictionary }).toString('latin1');
}

export function unpackText(packed: string, dictionary: Buffer): string {
  return inflateRawSync(Buffer.from(packed, 'latin1'), { ...options, dictionary }).toString();
}

/** How a value is written as a text, and read again. */
export interface TextForm<Value> {
  readonly write: (value: Value) => string;
  readonly read: (text: string) => Value;
}

/**
 * Packs values that are like each other, such as the manifests of many clients, by what the first ones say: what makes each anew. By
 * default they are values that JSON can hold.
 */
export function packer<Value>({ write, read }: TextForm<Value> = json): (value: Value) => () => Value {
  let dictionary: Buffer = Buffer.alloc(0);
  return (value) => {
    const text = write(value);
    const known = dictionary;
    const packed = packText(text, known);
    if (known.length < window && text.length >= leastReferred) {
      dictionary = Buffer.concat([known, Buffer.from(text.slice(0, window))]).subarray(0, window);
    }
    return () => read(unpackText(packed, known));
  };
}

const json = { write: JSON.stringify, read: JSON.parse };

/**
 * Gives a new object members that are made each time they are asked for. A getter in an object literal is a function of its own for
 * each object, so that no two have the same shape: that takes half a kilobyte each. Spreading the object makes the members.
 */
export function lazily<From, Made extends object>(
  members: {
    readonly [Name in keyof Made]: (from: From) => Made[Name];
  },
): <Own extends object>(own: Own, from: From) => Own & Made {
  const source = Symbol('source');
  const making = Object.entries<(from: From) => unknown>(members).map(([name, make]): [string, PropertyDescriptor] => {
    const get = function (this: { readonly [source]: From }) {
      return make(this[source]);
    };
    return [name, { get, enumerable: true, configurable: true }];
  });
  const descriptors = Object.fromEntries(making);
  return (own, from) =>
    Object.defineProperties(Object.defineProperty(own, source, { value: from }), descriptors) as never;
}

/**
 * What was made of things, for as many of them as were asked for last; that of the others is made again. Once there are more than
 * `most`, only a few are kept, which are replaced generation by generation: things are gone through one by one then, and what dies young is
 * collected at once.
 */
export class Recent<Key, Value> {
  #most: number;
  /** What was asked for since the last change of generations; `#old` is what was asked for in the one before. */
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  readonly #onDropped: ((key: Key, value: Value) => void) | undefined;

  constructor(most: number, onDropped?: (key: Key, value: Value) => void) {
    this.#most = most;
    this.#onDropped = onDropped;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size <= this.#most) return;
    for (const [dropped, its] of this.#old) this.#onDropped?.(dropped, its);
    this.#old = this.#young;
    this.#young = new Map();
    this.#most = Math.min(this.#most, few);
  }
}

interface RemadeOptions<Value> {
  readonly most?: number;
  readonly pack?: (value: Value) => () => Value;
}

/** Values that are made again where they were not asked for lately; by default each is one that JSON can hold. */
export class Remade<Value> {
  readonly #recent: Recent<Remaking<Value>, Value>;

  constructor({ most = mostManifests, pack = packer() }: RemadeOptions<Value> = {}) {
    this.#recent = new Recent(most, (remaking, value) => {
      remaking.again ??= pack(value);
    });
  }

  /** What answers the value. Without `again` it is packed. */
  add(value: Value, again?: () => Value): () => Value {
    const remaking: Remaking<Value> = { again };
    this.#recent.set(remaking, value);
    return () => {
      const kept = this.#recent.get(remaking);
      if (kept !== undefined) return kept;
      const made = remaking.again?.();
      if (made === undefined) throw new Error('what is no longer kept is packed');
      this.#recent.set(remaking, made);
      return made;
    };
  }
}

interface Remaking<Value> {
  again: (() => Value) | undefined;
}

const few = 128;

/**
 * So many manifests and bases are kept with all that was made of them, so that nothing is made twice for a project of a thousand
 * manifests.
 */
export const mostManifests = 1_100;
