import type { Diagnostics } from 'recheck';
import type { TextForm } from '../schemas/fields.ts';
import { nearest } from '../text/suggest.ts';
import { quote, shorten } from '../text/wording.ts';
import type { MeantValue } from './fix.ts';
import type { Rule } from './rules.ts';

/** The problem of a text, as the end of a sentence that begins "X is 'text': ...". */
export interface ValueProblem extends MeantValue {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /** It does not repeat the text, which may be a secret. */
  readonly message: string;
  /** The end of the message; omitted if the text is a secret, as is what is meant. */
  readonly detail?: string;
}

export type ValueCheck = (text: string) => ValueProblem | undefined | Promise<ValueProblem | undefined>;

/** Checks of the forms that the schema gives texts; each text is checked once in a run. */
export type ValueChecks = Readonly<Record<TextForm, ValueCheck>>;

export function createValueChecks(): ValueChecks {
  const regex = once(regexCheck());
  return {
    'any-or-regex': (text) => (text === 'any' ? undefined : regex(text)),
    destination: once(checkDestination),
    email: once(checkEmail),
    'http-url': once(checkHttpUrl),
    person: once(checkPerson),
    'phone-number': once(checkPhoneNumber),
    regex,
    'time-zone': once(checkTimeZone),
  };
}

function once(check: ValueCheck): ValueCheck {
  const known = new Map<string, ReturnType<ValueCheck>>();
  return (text) => {
    if (!known.has(text)) known.set(copyOf(text), check(text));
    return known.get(text);
  };
}

/** A text that was cut out of a file keeps all of the file in memory; its copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The form that JSON Schema's `email` has in practice: an unquoted local part and a domain of two labels or more. */
const pattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether a text is an email address, and nothing around it. */
function checkEmail(text: string): ValueProblem | undefined {
  if (isEmail(text)) return undefined;
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '').trim();
  const form = bare !== text && isEmail(bare) ? { form: bare } : {};
  return { severity: 'error', rule: 'email', message: 'expected an email address, such as jo@example.com', ...form };
}

/** The longest address that mail can be sent to has 254 characters; longer texts are not matched at all. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && pattern.test(text);
}

/** Whether a text is an absolute HTTP(S) URL. */
function checkHttpUrl(text: string): ValueProblem | undefined {
  if (parseHttpUrl(text) !== undefined) return undefined;
  return { severity: 'error', rule: 'url', message: 'expected an HTTP(S) URL, such as https://www.example.com/hours' };
}

/** Stricter than URL alone, which forgives white space, missing slashes and empty parts of a host. */
export function parseHttpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s/?#]\S*$/i.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^\.|\.\./.test(url.hostname) ? undefined : url;
}

/** Whether a text is an IANA time zone, in its own spelling. */
export function checkTimeZone(text: string): ValueProblem | undefined {
  // The list costs a tenth of a format; most texts are in it.
  const listed = Intl.supportedValuesOf('timeZone');
  if (listed.includes(text)) return undefined;
  const known = /^[+-]/.test(text) ? undefined : knownSpelling(text);
  if (known === text) return undefined;
  const meant = nearest(text, known === undefined ? listed : [known]);
  const message = "expected an IANA time zone, such as 'Europe/Berlin'";
  return { severity: 'error', rule: 'time-zone', message, ...(meant !== undefined && { meant }) };
}

/** Node accepts time zones in any case and knows more names than it lists; for an alias it returns only the target. */
function knownSpelling(text: string): string | undefined {
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    return name.toLowerCase() === text.toLowerCase() ? name : text;
  } catch {
    return undefined;
  }
}

/** Whether a text is a phone number in E.164 form. */
async function checkPhoneNumber(text: string): Promise<ValueProblem | undefined> {
  if (await isE164(text)) return undefined;
  const message = 'expected an E.164 number such as +14155550100';
  return { severity: 'error', rule: 'phone-number', message, ...(await e164Form(text)) };
}

/** Whether a text names a person: what looks like a phone number is in E.164 form, anything else is a user name. */
async function checkPerson(text: string): Promise<ValueProblem | undefined> {
  if (text.trim() === '') {
    return { severity: 'error', rule: 'person', message: 'expected a phone number or a user name' };
  }
  return looksLikeNumber(text) ? checkPhoneNumber(text) : undefined;
}

async function isE164(text: string): Promise<boolean> {
  return (await loadPhoneNumbers()).isE164(text);
}

async function e164Form(text: string): Promise<Pick<ValueProblem, 'form'>> {
  const form = (await loadPhoneNumbers()).meantBy(text);
  return form === undefined ? {} : { form };
}

/** A few digits may be a user name; the shortest subscriber numbers have seven. */
function looksLikeNumber(text: string): boolean {
  const dialled = text.trimStart();
  const isDialled = /^\+?[\d\s()./-]+$/.test(dialled);
  return isDialled && (dialled.startsWith('+') || text.replace(/\D/g, '').length >= 7);
}

/** Whether a text is an E.164 number, `ext:<number>` or `pbx:<number>`. */
async function checkDestination(text: string): Promise<ValueProblem | undefined> {
  if (/^(ext|pbx):\d+$/.test(text) || (await isE164(text))) return undefined;
  const message = 'expected an E.164 number such as +14155550100, ext:<number> or pbx:<number>';
  const extension = /^(ext|pbx)\s*(?:[:.]\s*)?(\d+)$/i.exec(text);
  const form = extension && { form: `${extension[1]?.toLowerCase()}:${extension[2]}` };
  return { severity: 'error', rule: 'destination', message, ...(form ?? (await e164Form(text))) };
}

/** How long one regex may be examined, and all of a run together, in milliseconds of the processor. */
const timeout = 1000;
const timeoutOfAll = 6000;

/** A longer or deeper text than any real one is not analysed: the analysis is recursive. */
const maxLength = 5000;
const maxDepth = 50;

/** A check whether a text is a JavaScript regex that no input can keep busy for long; its texts share their time. */
function regexCheck(): ValueCheck {
  const spent = { milliseconds: 0 };
  return (text) => checkRegex(text, spent);
}

interface Spent {
  milliseconds: number;
}

async function checkRegex(text: string, spent: Spent): Promise<ValueProblem | undefined> {
  const problem = compileProblem(text);
  if (problem !== undefined)
    return { severity: 'error', rule: 'regex', message: `expected a JavaScript regex (${problem})` };
  if (/^\/.*\/[a-z]*$/s.test(text)) {
    const message = 'the slashes are part of the regex and are matched literally; write the regex without them';
    return { severity: 'warning', rule: 'regex-slashes', message };
  }
  if (isEvidentlySafe(text)) return undefined;
  const isTooMuch = text.length > maxLength || depthOf(text) > maxDepth || spent.milliseconds >= timeoutOfAll;
  const diagnostics = isTooMuch ? undefined : await examine(text, spent);
  return diagnostics === undefined ? unproven : problemOfRegex(diagnostics);
}

function compileProblem(text: string): string | undefined {
  try {
    new RegExp(text);
    return undefined;
  } catch (error) {
    const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
    return (message.split(': ').at(-1) ?? message).toLowerCase();
  }
}

/**
 * Without groups, and with few repetitions, little can be tried twice from each place of a text. recheck takes longer
 * to load than all the rest.
 */
function isEvidentlySafe(text: string): boolean {
  const plain = text.replace(/\\./gs, 'x').replace(/\[[^\][]*\]/g, 'x');
  if (/[*+(]/.test(plain)) return false;
  let splits = 2 ** (plain.split('?').length - 1);
  for (const behind of plain.split('{').slice(1)) {
    const [least, most = least] = (behind.split('}')[0] ?? '')
      .split(',')
      .map((bound) => (bound === '' ? Number.NaN : Number(bound)));
    if (least === undefined || most === undefined || !(most <= mostRepetitions)) return false;
    splits *= most - least + 1;
  }
  return splits <= mostSplits;
}

const mostRepetitions = 100;
const mostSplits = 100;

/**
 * The build for browsers is recheck in pure JavaScript: the one for Node starts Java or a binary where it finds one. It
 * is large, and only loaded if there is a regex. The clock ends it; on a busy machine it has a second try.
 */
async function examine(text: string, spent: Spent): Promise<Diagnostics | undefined> {
  const { default: recheck } = await import('recheck/lib/browser.js');
  const limited = withinLimit(Math.min(timeout, timeoutOfAll - spent.milliseconds), (milliseconds) => {
    try {
      const diagnostics = recheck.checkSync(text, '', { timeout: milliseconds });
      return diagnostics.status === 'unknown' && diagnostics.error.kind === 'timeout' ? late : diagnostics;
    } catch {
      // It overflows the stack on some regexes within the other limits.
      return undefined;
    }
  });
  spent.milliseconds += limited.spent;
  return limited.result === late ? undefined : limited.result;
}

/** The maximum number of open groups, counting every bracket as a group's. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const unproven: ValueProblem = {
  severity: 'warning',
  rule: 'regex-unproven',
  message: 'the check could not rule out catastrophic backtracking in this regex',
};

/** Quadratic time is slow only on long texts, which caller names are not; anything worse is an error. */
function problemOfRegex(diagnostics: Diagnostics): ValueProblem | undefined {
  if (diagnostics.status === 'safe') return undefined;
  if (diagnostics.status !== 'vulnerable') return unproven;
  const { complexity, attack } = diagnostics;
  // The attack is made of the characters of the regex.
  const detail = `; it is slow on texts such as ${quote(shorten(attack.string, 24))}`;
  if (complexity.type === 'polynomial' && complexity.degree <= 2) {
    return { severity: 'warning', rule: 'regex-slow', message: 'it may take quadratic time', detail };
  }
  const message = `it backtracks catastrophically (${complexity.summary}); avoid nested or adjacent repetitions of the same text`;
  return { severity: 'error', rule: 'regex-catastrophic', message, detail };
}

/** The known facts about the numbers of all countries. */
interface PhoneNumbers {
  /** Whether a text is a phone number in E.164 form. */
  readonly isE164: (text: string) => boolean;
  /** The E.164 number of a text that shows its country; undefined for one in that form. */
  readonly meantBy: (text: string) => string | undefined;
}

/** The library is only loaded where there are numbers. */
export async function loadPhoneNumbers(): Promise<PhoneNumbers> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const e164Of = (text: string) => {
    const number = parsePhoneNumberFromString(text);
    // Possible, not assigned: which ranges are assigned changes faster than any list.
    return number?.isPossible() === true ? number.number : undefined;
  };
  const isE164 = (text: string) => e164Of(text) === text;
  const meantBy = (text: string) => {
    const international = internationalNumber(text);
    const number = international === undefined ? undefined : e164Of(international);
    return number === text ? undefined : number;
  };
  return { isE164, meantBy };
}

const longest = 60;

/**
 * The digits after a plus sign, or after the 00 that means it in most countries. Without either, the first digits may
 * be an area code, and the number a different one. Spreadsheets keep a number as text by `'+1...` or `="+1..."`.
 */
function internationalNumber(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = text
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '');
  const compact = bare.replace(/\(0\)|[\s().-]/g, '').replace(/^00/, '+');
  return /^\+\d+$/.test(compact) ? compact : undefined;
}

/**
 * Milliseconds that this process has computed. Costs are measured so: on a busy machine a process waits for its turn,
 * which says nothing of what it does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What an attempt answers that its clock has ended. */
export const late = Symbol('late');

interface Limited<Result> {
  readonly result: Result | typeof late;
  /** Milliseconds that were computed, by the attempt that counts and up to the limit. */
  readonly spent: number;
}

/** How many times the limit a second attempt may take by the clock, at most. */
const patience = 100;

/** The part of a limit that must have been computed for the limit to have been reached: clocks are not exact. */
const nearly = 0.9;

/**
 * Computes something that only a clock can end, for `limit` milliseconds. Where the clock ended it and the process had
 * computed for less, the machine was busy. Then there is a second attempt: it has twice the limit, of as large a part of the
 * processor as the first one had.
 */
export function withinLimit<Result>(
  limit: number,
  attempt: (milliseconds: number) => Result | typeof late,
): Limited<Result> {
  const start = processorTime();
  const first = attempt(limit);
  const computed = processorTime() - start;
  if (first !== late || computed >= nearly * limit) return { result: first, spent: computed };
  const again = processorTime();
  const second = attempt(Math.ceil(limit * Math.min(patience, (2 * limit) / Math.max(computed, 1))));
  const needed = processorTime() - again;
  return { result: needed > 2 * limit ? late : second, spent: Math.min(needed, limit) };
}
