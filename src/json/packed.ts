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
  readonly #onForget: ((key: Key, value: Value) => void) | undefined;
  readonly #values = new Map<Key, Value>();

  constructor(most: number, onForget?: (key: Key, value: Value) => void) {
    this.#most = most;
    this.#onForget = onForget;
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
    for (const [oldest, forgotten] of this.#values) {
      if (this.#values.size <= this.#most) return;
      this.#values.delete(oldest);
      this.#onForget?.(oldest, forgotten);
    }
  }
}

const few = 64;

/** So many manifests are kept with all that was made of them: what a project with no more needs is never made twice. */
export const mostManifests = 1_000;
