import type { Place, Unit } from '../fleet/units.ts';
import { type FactStore, type FileFacts, factsOfFile, type Input, manifestKey, type Traced } from '../project/trace.ts';

/** Answers the query of an input as of now. `unit` is only needed for queries about a row. */
export type Answer = (input: Input, unit?: Unit) => string;

/** The kept facts of a file from earlier runs. */
interface Stored {
  readonly file: FileFacts;
  /** Whether all inputs are unchanged. Undefined until checked. */
  holds?: boolean;
  /** Keys of single units whose inputs are unchanged. */
  readonly checked: Set<string>;
  places?: ReadonlyMap<string, number>;
}

/** The results of this run for one file. */
interface Fresh {
  own?: Traced;
  readonly units: Map<string, Traced>;
}

/**
 * Kept results of earlier runs, and new ones. The inputs of a whole file are checked first. Only if one of them changed
 * are units checked one by one.
 */
export class KnownResults {
  readonly #store: FactStore;
  readonly #answer: Answer;
  readonly #stored = new Map<string, Stored | null>();
  readonly #fresh = new Map<string, Fresh>();
  readonly #inputs = new Map<string, Input>();
  /** By file, the keys of the units met in this run. */
  readonly #keys = new Map<string, Set<string>>();

  constructor(store: FactStore, answer: Answer) {
    this.#store = store;
    this.#answer = answer;
  }

  /** The kept facts of a file. They may be outdated. */
  file(path: string): FileFacts | undefined {
    return this.#storedOf(path)?.file;
  }

  /** Whether all kept facts of a file are still valid. A fleet's table is one input, which covers its rows. */
  holds(path: string): boolean {
    const stored = this.#storedOf(path);
    if (stored === undefined || (stored.file.own === undefined && stored.file.keys[0] !== manifestKey)) return false;
    stored.holds ??= areFound(stored.file.inputs, (input) => this.#answer(input));
    return stored.holds;
  }

  /** Finds a unit in the kept facts of its file, which may be outdated. `probable` is its likely index. */
  placeOf({ file: path, key }: Pick<Unit, 'file' | 'key'>, probable = 0): Place | undefined {
    const stored = this.#storedOf(path);
    if (stored === undefined) return undefined;
    if (stored.file.keys[probable] === key) return { file: stored.file, index: probable };
    stored.places ??= new Map(stored.file.keys.map((one, index) => [one, index]));
    const index = stored.places.get(key);
    return index === undefined ? undefined : { file: stored.file, index };
  }

  /** Finds the kept facts of a unit. Undefined if they are outdated. */
  find(unit: Unit, probable?: number): Place | undefined {
    const place = this.placeOf(unit, probable);
    if (place === undefined || this.holds(unit.file)) return place;
    const inputs = place.file.inputsOf(place.index);
    if (inputs === undefined || !areFound(inputs, (input) => this.#answer(input, unit))) return undefined;
    this.#storedOf(unit.file)?.checked.add(unit.key);
    return place;
  }

  /** Notes that this run met a unit. Must be called in the order of the file. */
  meet({ file, key }: Unit): void {
    const known = this.#keys.get(file);
    if (known === undefined) this.#keys.set(file, new Set([key]));
    else known.add(key);
  }

  put({ file, key }: Unit, { inputs, value }: Traced): void {
    this.#freshOf(file).units.set(key, { inputs: inputs.map((input) => this.#shared(input)), value });
  }

  /** Returns one shared object for equal inputs, because units have most inputs in common. */
  #shared(input: Input): Input {
    const [kind, name, found] = input;
    const question = `${kind} ${name}`;
    const known = this.#inputs.get(question);
    if (known?.[2] === found) return known;
    this.#inputs.set(question, input);
    return input;
  }

  /** Adds a result about a file itself. */
  putOwn(file: string, result: Traced): void {
    this.#freshOf(file).own = result;
  }

  /**
   * Passes new results to the store, with the kept results of other units in the same file. The file's own result is
   * left out if a kept result was not checked, as in an interrupted run; later runs then check each unit.
   */
  settle(mayKeep: (inputs: readonly Input[]) => boolean, isComplete: boolean): void {
    for (const [path, { own, units }] of this.#fresh) {
      const results = new Map<string, Traced>();
      let isChecked = isComplete;
      for (const key of this.#keysOf(path, isComplete)) {
        const result = units.get(key) ?? this.#resultOf(path, key);
        if (result === undefined || !mayKeep(result.inputs)) continue;
        results.set(key, result);
        isChecked &&= units.has(key) || this.#isChecked(path, key);
      }
      const ofFile = own ?? this.#ownOf(path);
      const facts = factsOfFile(isChecked && ofFile && mayKeep(ofFile.inputs) ? ofFile : undefined, results);
      if (results.size > 0 || facts.own !== undefined)
        this.#store.put(path, facts, own === undefined ? units.size : results.size);
    }
    this.#fresh.clear();
    this.#stored.clear();
  }

  /** The keys of a file's units. Only a complete run knows which units are gone. */
  #keysOf(path: string, isComplete: boolean): ReadonlySet<string> {
    const met = this.#keys.get(path);
    return met !== undefined && isComplete ? met : new Set([...(met ?? []), ...(this.file(path)?.keys ?? [])]);
  }

  /** The kept result about a file itself. */
  #ownOf(path: string): Traced | undefined {
    const file = this.file(path);
    return file?.own === undefined ? undefined : { inputs: file.inputs, value: file.own };
  }

  /** Whether this run confirmed a kept result. */
  #isChecked(path: string, key: string): boolean {
    const stored = this.#storedOf(path);
    return stored?.holds === true || stored?.checked.has(key) === true;
  }

  #resultOf(file: string, key: string): Traced | undefined {
    const place = this.placeOf({ file, key });
    const inputs = place?.file.inputsOf(place.index);
    return place === undefined || inputs === undefined
      ? undefined
      : { inputs, value: place.file.resultOf(place.index) };
  }

  #storedOf(path: string): Stored | undefined {
    const known = this.#stored.get(path);
    if (known !== undefined) return known ?? undefined;
    const file = this.#store.get(path);
    const stored = file && { file, checked: new Set<string>() };
    this.#stored.set(path, stored ?? null);
    return stored;
  }

  #freshOf(path: string): Fresh {
    const fresh = this.#fresh.get(path) ?? { units: new Map<string, Traced>() };
    this.#fresh.set(path, fresh);
    return fresh;
  }
}

export function isOfUnits([kind]: Input): boolean {
  return kind === 'unit' || kind === 'units';
}

/** Whether every input is unchanged, ignoring queries about other units. */
function areFound(inputs: readonly Input[], answer: (input: Input) => string): boolean {
  return inputs.every((input) => isOfUnits(input) || answer(input) === input[2]);
}
