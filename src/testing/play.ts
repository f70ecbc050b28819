import { createContext, Script } from 'node:vm';
import { errorCodeOf } from '../errors.ts';
import { cached, canonicalJson, type Json, withoutUndefined } from '../json/json.ts';
import type { CaseDoubt } from '../schemas/notices-types.ts';
import { counted, shorten } from '../text/wording.ts';
import { late, withinLimit } from '../yaml/values.ts';
import { type AgentSettings, CaseError } from './agent-settings.ts';

// This file derives agent behaviour from the settings table of the specification. If the table does not determine an
// outcome, the result of the case is an error.

/** The result of a case, with the same property names as `expect`. Durations are strings such as `52s`. */
export type Got = Readonly<Record<string, Json>>;

export interface Playing {
  readonly agent: AgentSettings;
  readonly regexes: Regexes;
}

export interface CaseOutcome {
  readonly got: Got;
  /** Assumptions on which the outcome depends, but which the specification does not state. */
  readonly assumed: readonly string[];
}

/**
 * The outcome of an inbound voice call. A rejection takes precedence over a transfer, and both happen before the agent
 * answers.
 */
export function incomingCall(
  { callerName }: { readonly callerName?: string | undefined },
  { agent, regexes }: Playing,
): CaseOutcome {
  if (matchesRule('cnamAutoRejectRegex', callerName, { agent, regexes })) {
    return decided({ reject: integer('cnamAutoRejectCode', agent) });
  }
  if (matchesRule('cnamAutoTransferRegex', callerName, { agent, regexes })) {
    const destination = agent.named('cnamAutoTransferDestination') ?? '';
    if (typeof destination !== 'string' || destination === '') throw new CaseError({ why: 'destination-missing' });
    return decided({ transfer: destination });
  }
  return decided({ answer: true });
}

function matchesRule(name: string, callerName: string | undefined, { agent, regexes }: Playing): boolean {
  const regex = agent.named(name) ?? null;
  if (regex === null) return false;
  if (callerName === undefined || callerName === '') throw new CaseError({ why: 'caller-unnamed', setting: name });
  return matchesSetting(name, { regex, text: callerName }, regexes);
}

/**
 * The outcome if the caller stays silent. After each timeout, the agent asks again. When the limit is reached, the
 * agent hangs up.
 */
export function silentCaller(agent: AgentSettings): CaseOutcome {
  const timeout = integer('callerResponseTimeout', agent);
  const asks = integer('callerResponseTimeoutHangupCounter', agent);
  if (timeout <= 0) throw undocumented('callerResponseTimeout', timeout);
  if (asks < 0) throw undocumented('callerResponseTimeoutHangupCounter', asks);
  return {
    got: { asks, hangUpAfter: `${(asks + 1) * timeout}s` },
    assumed: ['the agent waits another callerResponseTimeout after the last question, then hangs up'],
  };
}

interface Interruption {
  /** The number of words that the caller speaks. */
  readonly words: number;
  /** The time for which the agent has been speaking, in milliseconds. */
  readonly speakingFor: number;
}

/** Whether the caller's words interrupt the agent. */
export function interruption({ words, speakingFor }: Interruption, agent: AgentSettings): CaseOutcome {
  const isLongEnough = words >= integer('interruptionWordCount', agent);
  const interrupts = isLongEnough && speakingFor >= 1000 * integer('interruptionMinimumSpeakingTime', agent);
  return decided({ interrupts });
}

/** Determines how long speech processing is delayed after the given number of recent interruptions. */
export function delayAfter(interruptions: number, agent: AgentSettings): CaseOutcome {
  const shortest = integer('speechProcessingDelay', agent);
  const step = integer('speechProcessingDelayInterruptionStep', agent);
  const counted = Math.min(interruptions, integer('speechProcessingDelayMaxMultiplier', agent));
  return decided({ delay: `${shortest + step * counted}ms` });
}

interface TransferAttempt {
  readonly answered: boolean;
  readonly says?: string | undefined;
  /** The key that the answering person presses. */
  readonly presses?: string | undefined;
  /** The time from answering until the person speaks or presses the key, in milliseconds. */
  readonly after: number;
}

/**
 * The outcome of a transfer attempt. `attendedTransfers` overrides `confirmTransfers`, and both options have a maximum
 * wait.
 */
export function transferAttempt(attempt: TransferAttempt, { agent, regexes }: Playing): CaseOutcome {
  if (!attempt.answered) return decided({ bridged: false });
  if (isOn('attendedTransfers', agent)) {
    return decided({ bridged: isTriggered(attempt, { agent, regexes }) && isInTime(attempt, agent) });
  }
  if (isOn('confirmTransfers', agent)) {
    return decided({ bridged: attempt.presses === '1' && isInTime(attempt, agent) });
  }
  return decided({ bridged: true });
}

/**
 * Whether the words of the answering person connect the call. If the trigger is null, the person must say Yes. If the
 * trigger is `any`, any words connect the call.
 */
function isTriggered(attempt: TransferAttempt, { agent, regexes }: Playing): boolean {
  const trigger = agent.named('attendedTransferBridgeTrigger') ?? null;
  const { says = '' } = attempt;
  const said = says.trim();
  if (said === '') return false;
  if (trigger === 'any') return true;
  if (trigger !== null) {
    return matchesSetting('attendedTransferBridgeTrigger', { regex: trigger, text: says }, regexes);
  }
  if (/^yes[.!]?$/i.test(said)) return true;
  // A late answer never connects the call, regardless of the person's words.
  if (/\byes\b/i.test(said) && isInTime(attempt, agent)) throw new CaseError({ why: 'more-than-yes' });
  return false;
}

function isInTime({ after }: TransferAttempt, agent: AgentSettings): boolean {
  return after <= 1000 * integer('transferConfirmTimeout', agent);
}

function isOn(name: string, agent: AgentSettings): boolean {
  return agent.named(name) === true;
}

function integer(name: string, agent: AgentSettings): number {
  const value = agent.named(name);
  if (typeof value !== 'number') throw undocumented(name, value ?? null);
  return value;
}

/**
 * Matches a text against the regex in a setting. Rejects an empty regex, because the specification does not say whether
 * it matches every text.
 */
function matchesSetting(name: string, { regex, text }: { regex: Json; text: string }, regexes: Regexes): boolean {
  if (typeof regex !== 'string' || regex === '') throw undocumented(name, regex);
  try {
    return regexes.matches(regex, text);
  } catch (error) {
    if (error instanceof RegexError) throw new CaseError({ ...error.doubt, setting: name });
    throw error;
  }
}

/** The requirements for the content of a text. */
interface TextExpectation {
  readonly contains?: string | readonly string[] | undefined;
  readonly notContains?: string | readonly string[] | undefined;
  /** A JavaScript regex. If it begins with `(?i)`, case is ignored. */
  readonly matches?: string | undefined;
  readonly words?: { readonly atLeast?: number | undefined; readonly atMost?: number | undefined } | undefined;
}

/**
 * The actual results for a text, in the form of `expect`. If the text meets an expectation, the result is the
 * expectation itself.
 */
export function textContent(
  text: Json | undefined,
  { contains, notContains, matches: regex, words }: TextExpectation,
  regexes: Regexes,
): CaseOutcome {
  if (typeof text !== 'string') {
    throw new CaseError({ why: text === undefined ? 'text-missing' : 'not-text' });
  }
  return decided({
    ...(contains !== undefined && { contains: foundIn(text, contains) }),
    ...(notContains !== undefined && { notContains: withoutFound(text, notContains) }),
    ...(regex !== undefined && {
      matches: matchesText(regex, text, regexes) ? regex : `nothing in ${counted(text.length, 'character')}`,
    }),
    ...(words !== undefined && { words: wordCount(text, words) }),
  });
}

/**
 * Returns the expected texts if the text contains all of them, and otherwise only the expected texts that it contains.
 */
function foundIn(text: string, contains: string | readonly string[]): Json {
  const wanted = [contains].flat();
  const found = wanted.filter((one) => text.includes(one));
  return found.length === wanted.length && typeof contains === 'string' ? contains : found;
}

/**
 * Returns the unwanted texts if the text contains none of them, and otherwise a sentence that lists the unwanted texts
 * that it contains.
 */
function withoutFound(text: string, notContains: string | readonly string[]): Json {
  const found = [notContains].flat().filter((one) => text.includes(one));
  if (found.length > 0) return `the text contains ${found.map((one) => canonicalJson(one)).join(', ')}`;
  return typeof notContains === 'string' ? notContains : [...notContains];
}

/** Returns the expected limits if the word count is within them, and otherwise the word count. */
function wordCount(text: string, { atLeast, atMost }: NonNullable<TextExpectation['words']>): Json {
  const count = text.split(/\s+/).filter((word) => word !== '').length;
  const isWithin = count >= (atLeast ?? 0) && count <= (atMost ?? Number.POSITIVE_INFINITY);
  return isWithin ? withoutUndefined({ atLeast, atMost }) : count;
}

function matchesText(regex: string, text: string, regexes: Regexes): boolean {
  const isCaseFree = regex.startsWith('(?i)');
  try {
    return regexes.matches(isCaseFree ? regex.slice('(?i)'.length) : regex, text, isCaseFree ? 'i' : '');
  } catch (error) {
    if (error instanceof RegexError) throw new CaseError(error.doubt);
    throw error;
  }
}

function decided(got: Got): CaseOutcome {
  return { got, assumed: [] };
}

function undocumented(setting: string, value: Json): CaseError {
  return new CaseError({ why: 'value-undocumented', setting, value: canonicalJson(value) });
}

/** The rules and timing settings that decide an outcome. */
export const decidingSettings = [
  'cnamAutoRejectRegex',
  'cnamAutoRejectCode',
  'cnamAutoTransferRegex',
  'cnamAutoTransferDestination',
  'callerResponseTimeout',
  'callerResponseTimeoutHangupCounter',
  'interruptionWordCount',
  'interruptionMinimumSpeakingTime',
  'speechProcessingDelay',
  'speechProcessingDelayInterruptionStep',
  'speechProcessingDelayMaxMultiplier',
  'confirmTransfers',
  'attendedTransfers',
  'attendedTransferBridgeTrigger',
  'transferConfirmTimeout',
] as const;

/** The maximum processor time of one match, in milliseconds. */
const matchLimit = 1_000;

/** The maximum processor time of all matches in a run, in milliseconds. */
const runLimit = 20_000;

/** The error for a regex that cannot be run. */
class RegexError extends Error {
  readonly doubt: CaseDoubt;

  constructor(why: CaseDoubt['why'], source: string) {
    super(why);
    this.doubt = { why, regex: shorten(source, 60) };
  }
}

const sandbox = createContext(Object.create(null));
const script = new Script('new RegExp(source, flags).test(text)');

/**
 * Runs JavaScript regexes unchanged. The engine's timeout stops slow regexes, and the processor time decides whether a
 * regex took too long. Caches the results, because the cases of a fleet use the same regexes and texts for many
 * members.
 */
export class Regexes {
  readonly #known = new Map<string, Map<string, boolean | RegexError>>();
  #left: number;

  constructor(milliseconds = runLimit) {
    this.#left = milliseconds;
  }

  /** Whether the regex matches anywhere in the text. Throws a RegexError. */
  matches(source: string, text: string, flags = ''): boolean {
    const regex = `${flags}/${source}`;
    const results = cached(this.#known, regex, () => new Map<string, boolean | RegexError>());
    // Cache a timeout as well, so that the regex is not run again on the same text. Otherwise, one regex in a fleet
    // would use up the time for all other regexes.
    const result = cached(results, text, () => this.#run(source, text, flags));
    if (result instanceof RegexError) throw result;
    return result;
  }

  #run(source: string, text: string, flags: string): boolean | RegexError {
    if (this.#left < 1) return new RegexError('regex-not-run', source);
    Object.assign(sandbox, { source, text, flags });
    const limit = Math.min(matchLimit, Math.ceil(this.#left));
    const { result, spent } = withinLimit(limit, tested);
    // Clocks are not exact, so a match that timed out counts as having used the whole limit.
    this.#left -= result === late ? limit : spent;
    if (result === late) return new RegexError('regex-slow', source);
    return result ?? new RegexError('regex-invalid', source);
  }
}

/** Whether the regex matches. Returns undefined for an invalid regex. */
function tested(timeout: number): boolean | undefined | typeof late {
  try {
    return script.runInContext(sandbox, { timeout }) === true;
  } catch (error) {
    return errorCodeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late : undefined;
  }
}
