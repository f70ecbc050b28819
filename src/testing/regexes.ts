import { createContext, Script } from 'node:vm';
import { errorCodeOf } from '../errors.ts';
import { quote, shorten } from '../text/wording.ts';
import { late, withinLimit } from '../yaml/values.ts';

/** The maximum processor milliseconds of one match. */
const ofOne = 1_000;

/** The same for all matches of a run together. */
const ofAll = 20_000;

/** A regex that cannot be run, as the end of a sentence that names it. */
export class RegexError extends Error {}

const context = createContext(Object.create(null));
const script = new Script('new RegExp(source, flags).test(text)');

/**
 * Runs JavaScript regexes unchanged. The clock of the engine ends what no check has proven safe; whether it took too
 * long is judged by the time of the processor. Members of a fleet have the same rules and meet the same callers: what
 * was asked before is known.
 */
export class Regexes {
  readonly #known = new Map<string, Map<string, boolean | RegexError>>();
  #left: number;

  constructor(milliseconds = ofAll) {
    this.#left = milliseconds;
  }

  /** Whether the regex matches anywhere in the text. Throws a RegexError. */
  matches(source: string, text: string, flags = ''): boolean {
    const regex = `${flags}/${source}`;
    const results = this.#known.get(regex) ?? new Map<string, boolean | RegexError>();
    this.#known.set(regex, results);
    const result = results.get(text) ?? this.#run(source, text, flags);
    // A timed-out regex is not run again, or one rule of a fleet would use up the time of all others.
    results.set(text, result);
    if (result instanceof RegexError) throw result;
    return result;
  }

  #run(source: string, text: string, flags: string): boolean | RegexError {
    const shown = quote(shorten(source, 60));
    if (this.#left < 1) return new RegexError(`${shown} was not run, because the regexes took too long together`);
    Object.assign(context, { source, text, flags });
    const limit = Math.min(ofOne, Math.ceil(this.#left));
    const { result, spent } = withinLimit(limit, tested);
    // Clocks are not exact: what is late has used up its limit.
    this.#left -= result === late ? limit : spent;
    if (result === late) return new RegexError(`${shown} took too long`);
    return result ?? new RegexError(`${shown} is not a JavaScript regex`);
  }
}

/** Undefined for what is not a regex. */
function tested(timeout: number): boolean | undefined | typeof late {
  try {
    return script.runInContext(context, { timeout }) === true;
  } catch (error) {
    return errorCodeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late : undefined;
  }
}
