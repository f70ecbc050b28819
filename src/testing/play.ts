import { canonicalJson, type Json } from '../json/json.ts';
import { counted } from '../text/wording.ts';
import { type AgentSettings, CaseError } from './agent-settings.ts';
import { RegexError, type Regexes } from './regexes.ts';

// The behaviour of an agent, by the settings table of the specification. If the table leaves an outcome open, the case
// is an error.

/** The result of a case, in the words of `expect`. Durations are texts such as `52s`. */
export type Got = Readonly<Record<string, Json>>;

/** The input for an outcome. */
export interface Playing {
  readonly agent: AgentSettings;
  readonly regexes: Regexes;
}

export interface Outcome {
  readonly got: Got;
  /** Assumptions of the outcome beyond the specification. */
  readonly assumed: readonly string[];
}

/** An inbound voice call that comes in. Reject wins over transfer, and both come before the agent answers. */
export function incomingCall(
  { callerName }: { readonly callerName?: string | undefined },
  { agent, regexes }: Playing,
): Outcome {
  if (matchesRule('cnamAutoRejectRegex', callerName, { agent, regexes })) {
    return decided({ reject: integer('cnamAutoRejectCode', agent) });
  }
  if (matchesRule('cnamAutoTransferRegex', callerName, { agent, regexes })) {
    const destination = agent.named('cnamAutoTransferDestination') ?? '';
    if (typeof destination !== 'string' || destination === '')
      throw undocumented('what a transfer without a destination does');
    return decided({ transfer: destination });
  }
  return decided({ answer: true });
}

function matchesRule(name: string, callerName: string | undefined, { agent, regexes }: Playing): boolean {
  const regex = agent.named(name) ?? null;
  if (regex === null) return false;
  if (callerName === undefined || callerName === '') {
    throw undocumented(`what ${name} does to a caller without a name`);
  }
  return matchesSetting(name, { regex, text: callerName }, regexes);
}

/** A silent caller is asked after each timeout, up to the limit, and then the agent hangs up. */
export function silentCaller(agent: AgentSettings): Outcome {
  const timeout = integer('callerResponseTimeout', agent);
  const asks = integer('callerResponseTimeoutHangupCounter', agent);
  if (timeout <= 0 || asks < 0)
    throw undocumented(`what ${timeout <= 0 ? 'a timeout' : 'a counter'} of less than one does`);
  return {
    got: { asks, hangUpAfter: `${(asks + 1) * timeout}s` },
    assumed: ['the call is hung up one more callerResponseTimeout after the last question'],
  };
}

export interface Interruption {
  /** Words that the caller speaks. */
  readonly words: number;
  /** How long the agent has been speaking, in milliseconds. */
  readonly speakingFor: number;
}

/** A caller who interrupts the agent. */
export function interruption({ words, speakingFor }: Interruption, agent: AgentSettings): Outcome {
  const isLongEnough = words >= integer('interruptionWordCount', agent);
  const interrupts = isLongEnough && speakingFor >= 1000 * integer('interruptionMinimumSpeakingTime', agent);
  return decided({ interrupts });
}

/** The delay of processed speech after this number of recent interruptions. */
export function delayAfter(interruptions: number, agent: AgentSettings): Outcome {
  const shortest = integer('speechProcessingDelay', agent);
  const step = integer('speechProcessingDelayInterruptionStep', agent);
  const counted = Math.min(interruptions, integer('speechProcessingDelayMaxMultiplier', agent));
  return decided({ delay: `${shortest + step * counted}ms` });
}

export interface TransferAttempt {
  readonly answered: boolean;
  readonly says?: string | undefined;
  /** One key. */
  readonly presses?: string | undefined;
  /** Milliseconds from the answer to the words or the key. */
  readonly after: number;
}

/** A transfer with or without an answer: attended overrides confirmed, and both wait so long and no longer. */
export function transferAttempt(attempt: TransferAttempt, { agent, regexes }: Playing): Outcome {
  if (!attempt.answered) return decided({ bridged: false });
  if (isOn('attendedTransfers', agent)) {
    return decided({ bridged: isTriggered(attempt, { agent, regexes }) && isInTime(attempt, agent) });
  }
  if (isOn('confirmTransfers', agent)) {
    return decided({ bridged: attempt.presses === '1' && isInTime(attempt, agent) });
  }
  return decided({ bridged: true });
}

/** Null means that the person who answers must say Yes, and `any` means any words. */
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
  // A late reaction bridges nothing.
  if (/\byes\b/i.test(said) && isInTime(attempt, agent))
    throw undocumented('whether an answer that has more than "Yes" in it bridges the call');
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
  if (typeof value !== 'number') throw undocumented(`what ${name} of ${canonicalJson(value ?? null)} does`);
  return value;
}

/** A regex that matches everything is hardly the meaning of an empty text, and it is not documented. */
function matchesSetting(name: string, { regex, text }: { regex: Json; text: string }, regexes: Regexes): boolean {
  if (typeof regex !== 'string' || regex === '') throw undocumented(`what ${name} of ${canonicalJson(regex)} does`);
  try {
    return regexes.matches(regex, text);
  } catch (error) {
    if (error instanceof RegexError) throw new CaseError(`${name}: ${error.message}`);
    throw error;
  }
}

/** The required content of a text. */
export interface TextExpectation {
  readonly contains?: string | readonly string[] | undefined;
  readonly notContains?: string | readonly string[] | undefined;
  /** A JavaScript regex; `(?i)` at its beginning means that case does not matter. */
  readonly matches?: string | undefined;
  readonly words?: { readonly atLeast?: number | undefined; readonly atMost?: number | undefined } | undefined;
}

/** The actual text results: equal to the expected ones if the text is as expected. */
export function textContent(
  text: Json | undefined,
  { contains, notContains, matches: regex, words }: TextExpectation,
  regexes: Regexes,
): Outcome {
  if (typeof text !== 'string') {
    throw new CaseError(text === undefined ? 'the agent has no such text' : 'the setting is not a text');
  }
  return decided({
    ...(contains !== undefined && { contains: foundIn(text, contains) }),
    ...(notContains !== undefined && { notContains: withoutFound(text, notContains) }),
    ...(regex !== undefined && {
      matches: matchesText(regex, text, regexes) ? regex : `nothing in ${counted(text.length, 'character')}`,
    }),
    ...(words !== undefined && { words: lengthOf(text, words) }),
  });
}

/** The expected texts if all are present, otherwise those that are. */
function foundIn(text: string, contains: string | readonly string[]): Json {
  const wanted = [contains].flat();
  const found = wanted.filter((one) => text.includes(one));
  return found.length === wanted.length && typeof contains === 'string' ? contains : found;
}

/** The expected texts if all are absent, otherwise those that are present, in words. */
function withoutFound(text: string, notContains: string | readonly string[]): Json {
  const found = [notContains].flat().filter((one) => text.includes(one));
  if (found.length > 0) return `the text has ${found.map((one) => canonicalJson(one)).join(', ')}`;
  return typeof notContains === 'string' ? notContains : [...notContains];
}

/** The expected length if the text is within it, otherwise the number of words. */
function lengthOf(text: string, { atLeast, atMost }: NonNullable<TextExpectation['words']>): Json {
  const count = text.split(/\s+/).filter((word) => word !== '').length;
  const isWithin = count >= (atLeast ?? 0) && count <= (atMost ?? Number.POSITIVE_INFINITY);
  return isWithin ? { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) } : count;
}

function matchesText(regex: string, text: string, regexes: Regexes): boolean {
  const isCaseFree = regex.startsWith('(?i)');
  try {
    return regexes.matches(isCaseFree ? regex.slice('(?i)'.length) : regex, text, isCaseFree ? 'i' : '');
  } catch (error) {
    if (error instanceof RegexError) throw new CaseError(error.message);
    throw error;
  }
}

function decided(got: Got): Outcome {
  return { got, assumed: [] };
}

function undocumented(what: string): CaseError {
  return new CaseError(`not documented: ${what}`);
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
