import { cached } from '../../json/json.ts';
import type { FactsEntry, Unit } from '../fleet/units.ts';
import {
  type FactStore,
  type FileFacts,
  FoundFileFacts,
  type Input,
  manifestKey,
  type Traced,
} from '../project/trace.ts';

/** Answers an input's query again. Queries about a row need `unit`. */
type AnswerInput = (input: Input, unit?: Unit) => string;

/** One file: its facts from earlier runs, and its results in this run. */
interface OfFile {
  /** The kept facts, which may be out of date. */
  readonly kept: FileFacts | undefined;
  /** Whether all inputs of the kept facts are unchanged. Undefined until this is checked. */
  holds?: boolean;
  /** The keys of units with new results or with kept facts that were found to be up to date. */
  checked?: Set<string>;
  indexes?: ReadonlyMap<string, number>;
  /** The keys of the units that this run has encountered, in file order. Absent if the whole file is unchanged. */
  met?: string[];
  own?: Traced;
  /** New results by key. Absent if there are no new results, to save memory. */
  made?: Map<string, Traced>;
}

/**
 * The kept results of earlier runs, and the new results of this run. Checks the inputs of a whole file first. Checks
 * single units only if one of these inputs has changed.
 */
export class KnownResults {
  readonly #store: FactStore;
  readonly #answer: AnswerInput;
  readonly #files = new Map<string, OfFile>();
  readonly #inputs = new Map<string, Input>();
  /** The inputs of the last unchanged file. Files share the objects of their common inputs. */
  #unchanged: readonly Input[] = [];

  constructor(store: FactStore, answer: AnswerInput) {
    this.#store = store;
    this.#answer = answer;
  }

  #of(path: string): OfFile {
    return cached(this.#files, path, () => ({ kept: this.#store.get(path) }));
  }

  /** The kept facts about a file. They may be out of date. */
  kept(path: string): FileFacts | undefined {
    return this.#of(path).kept;
  }

  /**
   * Whether all kept facts about a file are still valid, ignoring queries about other units. A fleet's table is one
   * input, which covers its rows.
   */
  holds(path: string): boolean {
    const file = this.#of(path);
    const { kept } = file;
    if (kept === undefined || (kept.own === undefined && kept.keys[0] !== manifestKey)) return false;
    file.holds ??= this.#areUnchanged(kept.inputs);
    return file.holds;
  }

  #areUnchanged(inputs: readonly Input[]): boolean {
    const last = this.#unchanged;
    const areUnchanged = inputs.every((input, index) => input === last[index] || this.#isFound(input));
    if (areUnchanged) this.#unchanged = inputs;
    return areUnchanged;
  }

  /** Whether an input is unchanged. Ignores queries about other units. */
  #isFound(input: Input, unit?: Unit): boolean {
    return input[0] === 'unit' || input[0] === 'units' || this.#answer(input, unit) === input[2];
  }

  /**
   * Finds a unit in the kept facts about its file. These facts may be out of date. `probable` is the likely index of
   * the unit.
   */
  entryOf({ file: path, key }: Pick<Unit, 'file' | 'key'>, probable = 0): FactsEntry | undefined {
    const known = this.#of(path);
    const { kept: file } = known;
    if (file === undefined) return undefined;
    if (file.keys[probable] === key) return { file, index: probable };
    known.indexes ??= new Map(file.keys.map((one, index) => [one, index]));
    const index = known.indexes.get(key);
    return index === undefined ? undefined : { file, index };
  }

  /** Finds the kept facts about a unit. Undefined if no facts were kept, or if the kept facts are out of date. */
  find(unit: Unit, probable?: number): FactsEntry | undefined {
    const entry = this.entryOf(unit, probable);
    if (entry === undefined || this.holds(unit.file)) return entry;
    const inputs = entry.file.inputsOf(entry.index);
    if (!inputs?.every((input) => this.#isFound(input, unit))) return undefined;
    const known = this.#of(unit.file);
    known.checked ??= new Set();
    known.checked.add(unit.key);
    return entry;
  }

  /** Notes that this run encountered a unit. Must be called in file order. */
  meet({ file, key }: Unit): void {
    const known = this.#of(file);
    known.met ??= [];
    known.met.push(key);
  }

  /** Adds a result. Because units have most inputs in common, equal inputs share one object. */
  put(unit: Unit, { inputs, value }: Traced): void {
    const shared = inputs.map((input) => {
      const question = `${input[0]} ${input[1]}`;
      const known = this.#inputs.get(question);
      if (known?.[2] === input[2]) return known;
      this.#inputs.set(question, input);
      return input;
    });
    const known = this.#of(unit.file);
    known.made ??= new Map();
    known.made.set(unit.key, { inputs: shared, value });
    known.checked ??= new Set();
    known.checked.add(unit.key);
  }

  putOwn(file: string, result: Traced): void {
    this.#of(file).own = result;
  }

  /**
   * Passes new results to the store, with the kept results of the file's other units. Leaves out results whose inputs
   * `mayKeep` rejects.
   */
  settle(mayKeep: (inputs: readonly Input[]) => boolean, isComplete: boolean): void {
    for (const [path, { own, made }] of this.#files) {
      if (own === undefined && made === undefined) continue;
      const facts = this.#settled(path, mayKeep, isComplete);
      const news = own === undefined ? made?.size : facts.keys.length;
      if (facts.keys.length > 0 || facts.own !== undefined) this.#store.put(path, facts, news ?? 0);
    }
    this.#files.clear();
  }

  /**
   * Combines the kept and new results of a file. Leaves out the result about the file itself unless a complete run
   * checked all results. If this result is left out, later runs check each unit.
   */
  #settled(path: string, mayKeep: (inputs: readonly Input[]) => boolean, isComplete: boolean): FileFacts {
    const file = this.#of(path);
    const { kept, holds, checked, own } = file;
    const results = new Map<string, Traced>();
    for (const key of settledKeys(file, isComplete)) {
      const result = this.#resultOf(path, key);
      if (result !== undefined && mayKeep(result.inputs)) results.set(key, result);
    }
    const isChecked = isComplete && (holds || [...results.keys()].every((key) => checked?.has(key)));
    let whole = own;
    if (kept?.own !== undefined) whole ??= { inputs: kept.inputs, value: kept.own };
    return new FoundFileFacts(isChecked && whole && mayKeep(whole.inputs) ? whole : undefined, results);
  }

  /** The new result of a unit, or its kept result if this run has made no new result. */
  #resultOf(file: string, key: string): Traced | undefined {
    const made = this.#of(file).made?.get(key);
    if (made !== undefined) return made;
    const entry = this.entryOf({ file, key });
    const inputs = entry?.file.inputsOf(entry.index);
    return inputs && entry && { inputs, value: entry.file.resultOf(entry.index) };
  }
}

/** The keys of the units in a file. Only a complete run knows which units no longer exist. */
function settledKeys({ kept, met = [], made = new Map() }: OfFile, isComplete: boolean): Iterable<string> {
  return isComplete && met.length > 0 ? met : [...met, ...(kept?.keys ?? []), ...made.keys()];
}
