import { deflateRawSync, inflateRawSync } from 'node:zlib';

// Thousands of values in little memory.

/** So many characters are packed together: what is like what came before takes next to nothing, and one is unpacked with few others. */
const blockLength = 64 * 1024;

/** How a value is written as a text, and read again. */
export interface TextForm<Value> {
  readonly write: (value: Value) => string;
  readonly read: (text: string) => Value;
}

/** A value that is made each time that it is asked for. */
export interface Packed<Value> {
  again(): Value;
}

/**
 * Packs values that are like each other, such as the manifests of many clients. By default they are values that JSON can hold. Each
 * call of zlib leaves memory that nobody else gets, so that a block of values is one call.
 */
export function packer<Value>(form: TextForm<Value> = json): (value: Value) => Packed<Value> {
  const unpacked = new UnpackedBlocks();
  let block = new Block(unpacked);
  return (value) => {
    const text = form.write(value);
    // Whoever asks for a small text is not to unpack a giant with it.
    const isGiant = text.length > blockLength;
    if (block.isFull) block = new Block(unpacked);
    const its = isGiant ? new Block(unpacked) : block;
    return new PackedInBlock(form, its, its.add(text));
  };
}

/** No closure: of these there are tens of thousands. */
class PackedInBlock<Value> implements Packed<Value> {
  readonly #form: TextForm<Value>;
  readonly #block: Block;
  readonly #index: number;

  constructor(form: TextForm<Value>, block: Block, index: number) {
    this.#form = form;
    this.#block = block;
    this.#index = index;
  }

  again(): Value {
    return this.#form.read(this.#block.text(this.#index));
  }
}

/** So many are kept: several resources are on their way at once, each in another block. */
const mostUnpacked = 4;

/** zlib takes no smaller chunks. */
const leastChunk = 64;

/** The blocks that were asked for last: who goes through the values unpacks each once. */
class UnpackedBlocks {
  readonly #blocks: { readonly packed: Uint8Array; readonly bytes: Buffer }[] = [];

  bytesOf(packed: Uint8Array, length: number): Buffer {
    const at = this.#blocks.findIndex((one) => one.packed === packed);
    const [known] = at < 0 ? [] : this.#blocks.splice(at, 1);
    // In one chunk, which zlib knows to be the last one by the room that is left in it.
    const block = known ?? { packed, bytes: inflateRawSync(packed, { chunkSize: Math.max(length + 1, leastChunk) }) };
    this.#blocks.unshift(block);
    if (this.#blocks.length > mostUnpacked) this.#blocks.pop();
    return block.bytes;
  }
}

/** Texts that are packed together once there are enough of them. */
class Block {
  readonly #texts: string[] = [];
  #length = 0;
  /** Where each text ends. */
  #ends: readonly number[] = [];
  #packed: Uint8Array | undefined;

  readonly #unpacked: UnpackedBlocks;

  constructor(unpacked: UnpackedBlocks) {
    this.#unpacked = unpacked;
  }

  get isFull(): boolean {
    return this.#packed !== undefined;
  }

  /** The number by which `text` answers it. */
  add(text: string): number {
    const index = this.#texts.push(text) - 1;
    this.#length += text.length + 1;
    if (this.#length >= blockLength) this.#pack();
    return index;
  }

  text(index: number): string {
    if (this.#packed === undefined) return this.#texts[index] ?? '';
    const bytes = this.#unpacked.bytesOf(this.#packed, this.#ends.at(-1) ?? 0);
    return bytes.toString('utf8', this.#ends[index - 1] ?? 0, this.#ends[index]);
  }

  #pack(): void {
    const parts = this.#texts.splice(0).map((text) => Buffer.from(text));
    let end = 0;
    this.#ends = parts.map(({ length }) => (end += length));
    // What zlib answers is a part of a larger buffer.
    this.#packed = Uint8Array.from(deflateRawSync(Buffer.concat(parts), { level: 3 }));
  }
}

const json = { write: JSON.stringify, read: JSON.parse };

/**
 * Gives a new object members that are made each time they are asked for. A getter in an object literal is a function of its own for
 * each object, so that no two have the same shape: that takes half a kilobyte each. Spreading the object makes the members.
 */
export function lazily<From, Made extends object>(
  members: Makers<From, Made>,
): <Own extends object>(own: Own, from: From) => Own & Made {
  const { source, getters } = accessorsOf(Object.keys(members));
  return (own, from) =>
    Object.defineProperties(
      Object.defineProperty(own, source, { value: { members, from }, configurable: true }),
      getters,
    ) as never;
}

type Makers<From, Made extends object> = { readonly [Name in keyof Made]: (from: From) => Made[Name] };

/** What members are made of, and how. */
interface MadeFrom {
  readonly members: Makers<unknown, Readonly<Record<string, unknown>>>;
  readonly from: unknown;
}

interface Accessors {
  /** Where an object has what its members are made of. Replaced together with the members. */
  readonly source: symbol;
  readonly getters: PropertyDescriptorMap;
}

/** By the names of members. Two getters of one name would give each object a shape of its own. */
const accessors = new Map<string, Accessors>();

function accessorsOf(names: readonly string[]): Accessors {
  const key = names.join();
  const known = accessors.get(key);
  if (known !== undefined) return known;
  const source = Symbol(`what ${key} are made of`);
  const getters = names.map((name): [string, PropertyDescriptor] => {
    const get = function (this: Readonly<Record<symbol, MadeFrom>>) {
      const made = this[source];
      if (made === undefined) throw new Error(`what ${key} are made of is gone`);
      return made.members[name]?.(made.from);
    };
    return [name, { get, enumerable: true, configurable: true }];
  });
  const made = { source, getters: Object.fromEntries(getters) };
  accessors.set(key, made);
  return made;
}

/** The object with other members. What of it is made when it is asked for still is. */
export function withMembers<Own extends object, Members extends object>(
  own: Own,
  members: Members,
): Omit<Own, keyof Members> & Members {
  const descriptors = {
    ...Object.getOwnPropertyDescriptors<object>(own),
    ...Object.getOwnPropertyDescriptors(members),
  };
  return Object.defineProperties({}, descriptors) as never;
}

/** The object without one of its members, likewise. */
export function withoutMember<Own extends object, Name extends keyof Own>(own: Own, name: Name): Omit<Own, Name> {
  const { [name]: _, ...descriptors } = Object.getOwnPropertyDescriptors(own);
  return Object.defineProperties({}, descriptors as PropertyDescriptorMap) as never;
}

/** Values that many say alike, each there once. */
export class Once<Value> {
  readonly #values = new Map<string, Value>();

  /** The first value with this key. */
  of(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const first = make();
    this.#values.set(key, first);
    return first;
  }
}

const packedMembers = Symbol('packed members');

interface WithPacked {
  readonly [packedMembers]: Readonly<Record<string, Packed<unknown>>>;
}

/** One for all objects, so that they share a shape. */
const getters = new Map<string, (this: WithPacked) => unknown>();

function getterOf(name: string): (this: WithPacked) => unknown {
  const known = getters.get(name);
  if (known !== undefined) return known;
  const get = function (this: WithPacked) {
    return this[packedMembers][name]?.again();
  };
  getters.set(name, get);
  return get;
}

/** The same object with some members packed, each in its place among the others. */
export function withPacked<Own extends object>(own: Own, packed: WithPacked[typeof packedMembers]): Own {
  const made = Object.defineProperty({}, packedMembers, { value: packed });
  for (const [name, value] of Object.entries(own)) {
    const member = Object.hasOwn(packed, name) ? { get: getterOf(name) } : { value, writable: true };
    Object.defineProperty(made, name, { ...member, enumerable: true, configurable: true });
  }
  return made as Own;
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
    if (this.#most >= mostManifests) sparing.begin?.();
    for (const [dropped, its] of this.#old) this.#onDropped?.(dropped, its);
    this.#old = this.#young;
    this.#young = new Map();
    this.#most = Math.min(this.#most, few);
  }
}

interface RemadeOptions<Value> {
  readonly most?: number;
  readonly pack?: (value: Value) => Packed<Value>;
}

/** Values that are made again where they were not asked for lately; by default each is one that JSON can hold. */
export class Remade<Value> {
  readonly #pack: (value: Value) => Packed<Value>;
  readonly #recent: Recent<OneOfMany<Value>, Value>;

  constructor({ most = mostManifests, pack = packer() }: RemadeOptions<Value> = {}) {
    this.#pack = pack;
    this.#recent = new Recent(most, (one, value) => one.drop(value, this.#pack));
  }

  /** The value, for whoever asks for it later. Without `packed` it is packed. */
  add(value: Value, packed?: Packed<Value>): Kept<Value> {
    const one = new OneOfMany(this.#recent, packed);
    this.#recent.set(one, value);
    return one;
  }
}

/** A value that is there for whoever asks. */
export interface Kept<Value> {
  readonly value: Value;
}

class OneOfMany<Value> implements Kept<Value> {
  readonly #recent: Recent<OneOfMany<Value>, Value>;
  #packed: Packed<Value> | undefined;

  constructor(recent: Recent<OneOfMany<Value>, Value>, packed: Packed<Value> | undefined) {
    this.#recent = recent;
    this.#packed = packed;
  }

  get value(): Value {
    const kept = this.#recent.get(this);
    if (kept !== undefined) return kept;
    if (this.#packed === undefined) throw new Error('what is no longer kept is packed');
    const made = this.#packed.again();
    this.#recent.set(this, made);
    return made;
  }

  drop(value: Value, pack: (value: Value) => Packed<Value>): void {
    this.#packed ??= pack(value);
  }
}

/** What a program does about the memory of its process once there are thousands. A library leaves that alone. */
export const sparing: { begin?: (() => void) | undefined } = {};

const few = 128;

/**
 * So many manifests and bases are kept with all that was made of them, so that nothing is made twice for a project of a thousand
 * manifests.
 */
export const mostManifests = 1_100;
