import { hash } from 'node:crypto';

/** Part of the table that is filled before it grows. */
const fullest = 0.6;

/**
 * Which texts have been seen, in about 16 bytes a text: a hash table of 52 bits of SHA-1 with open addressing. Of a
 * million texts two are taken for one with a probability of one in ten thousand.
 */
export class FingerprintSet {
  /** Zero is an empty place. */
  #table = new Float64Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the text; false if it was there. */
  add(text: string): boolean {
    return this.#insert(fingerprintOf(text));
  }

  /** What is needed to make it anew: base64 of the fingerprints as little-endian doubles. */
  toText(): string {
    return Buffer.from(this.#table.filter((fingerprint) => fingerprint !== 0).buffer).toString('base64');
  }

  static fromText(text: string): FingerprintSet {
    const bytes = Buffer.from(text, 'base64');
    const set = new FingerprintSet();
    for (let at = 0; at + 8 <= bytes.length; at += 8) set.#insert(bytes.readDoubleLE(at));
    return set;
  }

  #insert(fingerprint: number): boolean {
    const place = placeOf(this.#table, fingerprint);
    if (this.#table[place] !== 0) return false;
    this.#table[place] = fingerprint;
    this.#size += 1;
    if (this.#size > this.#table.length * fullest) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new Float64Array(this.#table.length * 2);
    for (const fingerprint of this.#table) if (fingerprint !== 0) larger[placeOf(larger, fingerprint)] = fingerprint;
    this.#table = larger;
  }
}

/** Where the fingerprint is or would be. The length of the table is a power of two. */
function placeOf(table: Float64Array, fingerprint: number): number {
  const last = table.length - 1;
  let place = fingerprint % table.length;
  while (table[place] !== 0 && table[place] !== fingerprint) place = (place + 1) & last;
  return place;
}

function fingerprintOf(text: string): number {
  const digest = hash('sha1', text, 'hex');
  return Number.parseInt(digest.slice(0, 13), 16) || 1;
}
