import { deflateRawSync, inflateRawSync } from 'node:zlib';

// Thousands of values in little memory.

/** A small window, as what is packed has some thousand characters. */
const options = { level: 3, windowBits: 13, memLevel: 6 } as const;

/** A text that is kept for later: about a fifth of it, in 20 microseconds, and back in as many. */
export function packText(text: string): string {
  return deflateRawSync(text, options).toString('latin1');
}

export function unpackText(packed: string): string {
  return inflateRawSync(Buffer.from(packed, 'latin1'), options).toString();
}

/** For thousands of values that JSON can hold, each of which is looked at again when its turn comes: what makes it anew. */
export function packed<Value>(value: Value): () => Value {
  const text = packText(JSON.stringify(value));
  return () => JSON.parse(unpackText(text));
}

/**
 * What was made of things, for as many of them as were asked for last; that of the others is made again. Once there are more than
 * `most`, only a few are kept: they are gone through one by one then, and what dies young is collected at once.
 */
export class Recent<Key, Value> {
  #most: number;
  readonly #values = new Map<Key, Value>();
  readonly #onDropped: ((key: Key, value: Value) => void) | undefined;

  constructor(most: number, onDropped?: (key: Key, value: Value) => void) {
    this.#most = most;
    this.#onDropped = onDropped;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    this.#most = Math.min(this.#most, few);
    for (const [oldest, dropped] of this.#values) {
      if (this.#values.size <= this.#most) return;
      this.#values.delete(oldest);
      this.#onDropped?.(oldest, dropped);
    }
  }
}

/** Values that are made again where they were not asked for lately. */
export class Remade<Value> {
  readonly #recent = new Recent<Remaking<Value>, Value>(mostManifests, (remaking, value) => {
    remaking.again ??= packed(value);
  });

  /** What answers the value. Without `again` it is one that JSON can hold, and is packed. */
  add(value: Value, again?: () => Value): () => Value {
    const remaking: Remaking<Value> = { again };
    this.#recent.set(remaking, value);
    return () => {
      const known = this.#recent.get(remaking) ?? remaking.again?.();
      if (known === undefined) throw new Error('what is no longer kept is packed');
      this.#recent.set(remaking, known);
      return known;
    };
  }
}

interface Remaking<Value> {
  again: (() => Value) | undefined;
}

const few = 256;

/**
 * So many manifests and bases are kept with all that was made of them, so that nothing is made twice for a project of a thousand
 * manifests.
 */
export const mostManifests = 1_100;
