import { type Pack, type PackPlace, readPack, writePack } from '../files/pack.ts';
import { type Finding, isPromptRule, type PromptRule } from './prompt-text.ts';

/** A place by the number of its text among those of the resource. */
export type Spot = readonly [text: number, start: number, end: number];

/** What is wrong with a text of a resource, before it is known where a file has it. */
export interface PlacedFinding {
  readonly rule: PromptRule;
  readonly message: string;
  readonly at: Spot;
  readonly also?: { readonly message: string; readonly at: Spot };
  readonly isSecret?: Finding['isSecret'];
}

/** More entries are not kept; those of this run go first. */
const mostKept = 20_000;

/** Entries that are new, of a hundred: with fewer, the pack is not written again. */
const percentNew = 5;

/** What was found in the texts of resources, by a digest of all that it depends on, from one run to the next. */
export class KeptFindings {
  readonly #place: PackPlace;
  readonly #pack: Pack;
  readonly #used = new Map<string, string>();
  #news = 0;

  constructor(place: PackPlace) {
    this.#place = place;
    this.#pack = readPack(place.folder, place.name);
  }

  /** Undefined for what is not known. `texts` is how many texts the resource has. */
  get(key: string, texts: number): readonly PlacedFinding[] | undefined {
    const entry = this.#used.get(key) ?? this.#pack.get(key);
    const found = entry === undefined ? undefined : decoded(entry, texts);
    if (entry !== undefined && found !== undefined) this.#used.set(key, entry);
    return found;
  }

  /** A resource with a secret is checked in every run, so that no cached output contains the secret. */
  add(key: string, found: readonly PlacedFinding[]): void {
    if (found.some(({ rule }) => rule === 'prompt-secret')) return;
    this.#used.set(key, encoded(found));
    this.#news += 1;
  }

  /** Keeps what was used in this run and earlier ones, where enough of it is new. That it cannot be kept is nobody's trouble. */
  async keep(): Promise<void> {
    if (this.#news === 0 || this.#news * 100 < this.#used.size * percentNew) return;
    this.#news = 0;
    for (const key of this.#pack.keys()) {
      const entry = this.#used.size < mostKept && !this.#used.has(key) ? this.#pack.get(key) : undefined;
      if (entry !== undefined) this.#used.set(key, entry);
    }
    await writePack(this.#place.folder, this.#place.name, this.#used).catch(() => undefined);
  }
}

type Row = readonly [rule: string, message: string, at: Spot, ...also: [message: string, at: Spot] | []];

function encoded(found: readonly PlacedFinding[]): string {
  const rows = found.map(
    ({ rule, message, at, also }): Row => [
      rule,
      message,
      at,
      ...(also === undefined ? ([] as const) : ([also.message, also.at] as const)),
    ],
  );
  return JSON.stringify(rows);
}

/** Undefined for what is none of ours; its checksum fits, so that only another program can have written it. */
function decoded(entry: string, texts: number): readonly PlacedFinding[] | undefined {
  const rows = jsonIn(entry);
  if (!Array.isArray(rows)) return undefined;
  const found = rows.map((row: unknown) => findingIn(row, texts));
  return found.every((one) => one !== undefined) ? found : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findingIn(row: unknown, texts: number): PlacedFinding | undefined {
  const [rule, message, at, alsoMessage, alsoAt]: unknown[] = Array.isArray(row) ? row : [];
  if (typeof rule !== 'string' || !isPromptRule(rule) || typeof message !== 'string' || !isSpot(at, texts)) {
    return undefined;
  }
  if (alsoMessage === undefined) return { rule, message, at };
  if (typeof alsoMessage !== 'string' || !isSpot(alsoAt, texts)) return undefined;
  return { rule, message, at, also: { message: alsoMessage, at: alsoAt } };
}

function isSpot(value: unknown, texts: number): value is Spot {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [text]: unknown[] = value;
  return value.every((number) => Number.isSafeInteger(number) && number >= 0) && Number(text) < texts;
}
