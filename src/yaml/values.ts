import type { Diagnostics } from 'recheck';
import type { TextForm } from '../schemas/fields.ts';
import { nearest } from '../text/suggest.ts';
import { quote, shorten } from '../text/wording.ts';
import type { MeantValue } from './fix.ts';
import type { Rule } from './rules.ts';

/** A problem with a value, for a sentence such as "X is 'text': ...". */
export interface ValueProblem extends MeantValue {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /** The message. It does not quote the value, because the value may be a secret. */
  readonly message: string;
  /** The end of the message. If the value is a secret, neither the detail nor the suggestion is shown. */
  readonly detail?: string;
}

type ValueCheck = (text: string) => ValueProblem | undefined | Promise<ValueProblem | undefined>;

/** A check for each text form in the schema. Each text is checked only once. */
export type ValueChecks = Readonly<Record<TextForm, ValueCheck>>;

export function createValueChecks(): ValueChecks {
  // The processor time that the regex analyses of a run have used.
  const spent = { milliseconds: 0 };
  const regex = memoized((text) => checkRegex(text, spent));
  return {
    'any-or-regex': (text) => (text === 'any' ? undefined : regex(text)),
    destination: memoized(checkDestination),
    email: memoized(emailError),
    'http-url': memoized(checkHttpUrl),
    'not-blank': checkNotBlank,
    person: memoized(checkPerson),
    'phone-number': memoized(checkPhoneNumber),
    regex,
    slug: checkSlug,
    'time-zone': memoized(checkTimeZone),
  };
}

function memoized(check: ValueCheck): ValueCheck {
  const known = new Map<string, ReturnType<ValueCheck>>();
  return (text) => {
    if (!known.has(text)) known.set(text, check(text));
    return known.get(text);
  };
}

/** Matches the usual form of an email address: an unquoted local part and a domain with at least two labels. */
const pattern =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

function emailError(text: string): ValueProblem | undefined {
  if (isEmail(text)) return undefined;
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '').trim();
  const corrected = bare !== text && isEmail(bare) ? { corrected: bare } : {};
  return {
    severity: 'error',
    rule: 'email',
    message: 'expected an email address, such as jo@example.com',
    ...corrected,
  };
}

/**
 * Whether a string is an email address. Valid addresses have at most 254 characters, with at most 64 before the `@`, so
 * longer strings are not matched.
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && pattern.test(text);
}

function checkNotBlank(text: string): ValueProblem | undefined {
  if (text.trim() !== '') return undefined;
  return { severity: 'error', rule: 'blank', message: 'expected a text that is not blank' };
}

/** Checks that a string can be one segment of a web address. */
function checkSlug(text: string): ValueProblem | undefined {
  if (/^(?!\.{1,2}$)[^\s\p{C}/\\?#%]+$/u.test(text)) return undefined;
  return { severity: 'error', rule: 'slug', message: 'expected the end of a web address, such as elm-street' };
}

function checkHttpUrl(text: string): ValueProblem | undefined {
  if (parseHttpUrl(text) !== undefined) return undefined;
  return { severity: 'error', rule: 'url', message: 'expected an HTTP(S) URL, such as https://www.example.com/hours' };
}

/**
 * Parses an HTTP(S) URL more strictly than `URL`, which accepts white space, invisible characters, missing slashes and
 * empty host labels.
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^\s\p{C}/?#][^\s\p{C}]*$/iu.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^\.|\.\./.test(url.hostname) ? undefined : url;
}

/**
 * Checks that a string is an IANA time zone, or an alias of one, in its official spelling. Most services look zones up
 * in a case-sensitive file system.
 */
export function checkTimeZone(text: string): ValueProblem | undefined {
  // The list usually contains the text, and searching it is ten times faster than formatting a date.
  const listed = Intl.supportedValuesOf('timeZone');
  if (listed.includes(text)) return undefined;
  const known = /^[+-]/.test(text) || onlyInNode.test(text) ? undefined : knownSpelling(text);
  if (known === text) return undefined;
  const meant =
    known ??
    zoneNamed(text.trim(), listed) ??
    nearest(text, [...listed, ...aliases.filter((name) => name.includes('/'))]);
  const message = "expected an IANA time zone, such as 'Europe/Berlin'";
  return { severity: 'error', rule: 'time-zone', message, ...(meant !== undefined && { meant }) };
}

/** Matches names that Node accepts although they are not IANA time zones, such as the ambiguous `IST`. */
const onlyInNode = /^(?:SystemV\/.*|(?:AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T)$/i;

const american: Readonly<Record<string, string>> = {
  e: 'America/New_York',
  c: 'America/Chicago',
  m: 'America/Denver',
  p: 'America/Los_Angeles',
};

/** The time zone that a city or an American name means, such as `New York`, `PST` or `Pacific Time`. */
function zoneNamed(name: string, zones: readonly string[]): string | undefined {
  const isAmerican = /^(?:[cemp][ds]?t|(?:eastern|central|mountain|pacific)(?: (?:standard |daylight )?time)?)$/i;
  if (isAmerican.test(name)) return american[name.charAt(0).toLowerCase()];
  const end = `/${name.replaceAll(' ', '_').toLowerCase()}`;
  return zones.find((zone) => zone.toLowerCase().endsWith(end));
}

/**
 * The official spelling of a time zone. Undefined for an unknown zone. Node accepts any case, and replaces an alias
 * with its target, so the spelling of an alias comes from the table below.
 */
function knownSpelling(text: string): string | undefined {
  const isSame = (name: string) => name.toLowerCase() === text.toLowerCase();
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    return isSame(name) ? name : (aliases.find(isSame) ?? text);
  } catch {
    return undefined;
  }
}

/** The aliases in the IANA database that `Intl.supportedValuesOf` leaves out, by region. */
const aliasesByRegion = {
  Africa: 'Asmara,Timbuktu',
  America:
    'Argentina/Buenos_Aires,Argentina/Catamarca,Argentina/ComodRivadavia,Argentina/Cordoba,Argentina/Jujuy,Argentina/Mendoza,Atikokan,Atka,Ensenada,Fort_Wayne,Indiana/Indianapolis,Kentucky/Louisville,Knox_IN,Montreal,Nipigon,Nuuk,Pangnirtung,Porto_Acre,Rainy_River,Rosario,Santa_Isabel,Shiprock,Thunder_Bay,Virgin,Yellowknife',
  Antarctica: 'South_Pole',
  Asia: 'Ashkhabad,Choibalsan,Chongqing,Chungking,Dacca,Harbin,Ho_Chi_Minh,Istanbul,Kashgar,Kathmandu,Kolkata,Macao,Tel_Aviv,Thimbu,Ujung_Pandang,Ulan_Bator,Yangon',
  Atlantic: 'Faroe,Jan_Mayen',
  Australia: 'ACT,Canberra,Currie,LHI,NSW,North,Queensland,South,Tasmania,Victoria,West,Yancowinna',
  Brazil: 'Acre,DeNoronha,East,West',
  '': 'CET,CST6CDT,Cuba,EET,EST,EST5EDT,Egypt,Eire,GB,GB-Eire,GMT,GMT+0,GMT-0,GMT0,Greenwich,HST,Hongkong,Iceland,Iran,Israel,Jamaica,Japan,Kwajalein,Libya,MET,MST,MST7MDT,NZ,NZ-CHAT,Navajo,PRC,PST8PDT,Poland,Portugal,ROC,ROK,Singapore,Turkey,UCT,Universal,W-SU,WET,Zulu',
  Canada: 'Atlantic,Central,Eastern,Mountain,Newfoundland,Pacific,Saskatchewan,Yukon',
  Chile: 'Continental,EasterIsland',
  Etc: 'GMT,GMT+0,GMT-0,GMT0,Greenwich,UCT,UTC,Universal,Zulu',
  Europe: 'Belfast,Kyiv,Nicosia,Tiraspol,Uzhgorod,Zaporozhye',
  Mexico: 'BajaNorte,BajaSur,General',
  Pacific: 'Chuuk,Johnston,Kanton,Pohnpei,Samoa,Yap',
  US: 'Alaska,Aleutian,Arizona,Central,East-Indiana,Eastern,Hawaii,Indiana-Starke,Michigan,Mountain,Pacific,Samoa',
};

const aliases = Object.entries(aliasesByRegion).flatMap(([region, names]) =>
  names.split(',').map((name) => (region === '' ? name : `${region}/${name}`)),
);

async function checkPhoneNumber(text: string): Promise<ValueProblem | undefined> {
  if (await isE164(text)) return undefined;
  const message = 'expected an E.164 number such as +14155550100';
  return { severity: 'error', rule: 'phone-number', message, ...(await inE164(text)) };
}

/**
 * Checks a string that identifies a person. A phone number must be in E.164 form. The specification also allows user
 * names, but not other names of people, so a string with white space is neither.
 */
async function checkPerson(text: string): Promise<ValueProblem | undefined> {
  if (mayBePhoneNumber(text)) return checkPhoneNumber(text);
  if (text !== '' && !/\s/.test(text)) return undefined;
  const message = 'expected a phone number, such as +14155550100, or a user name without white space';
  return { severity: 'error', rule: 'person', message };
}

async function isE164(text: string): Promise<boolean> {
  return (await loadPhoneNumbers()).isE164(text);
}

async function inE164(text: string): Promise<Pick<ValueProblem, 'corrected'>> {
  const corrected = (await loadPhoneNumbers()).meantBy(text);
  return corrected === undefined ? {} : { corrected };
}

/**
 * Whether a string looks like a phone number. A string of fewer than seven digits without a leading `+` may be a user
 * name.
 */
function mayBePhoneNumber(text: string): boolean {
  const dialled = text.trimStart();
  const isDialled = /^\+?[\d\s()./-]+$/.test(dialled);
  return isDialled && (dialled.startsWith('+') || text.replace(/\D/g, '').length >= 7);
}

async function checkDestination(text: string): Promise<ValueProblem | undefined> {
  if (/^(ext|pbx):\d+$/.test(text) || (await isE164(text))) return undefined;
  const message = 'expected ext:<number>, pbx:<number> or an E.164 number such as +14155550100';
  const extension = /^(ext|pbx)\s*(?:[:.]\s*)?(\d+)$/i.exec(text);
  const corrected = extension && { corrected: `${extension[1]?.toLowerCase()}:${extension[2]}` };
  return { severity: 'error', rule: 'destination', message, ...(corrected ?? (await inE164(text))) };
}

/**
 * The limits for analysing a single regex and for analysing all regexes of a run, in milliseconds of processor time.
 */
const timeout = 1000;
const timeoutOfAll = 6000;

/** Longer or deeper regexes are not analysed, because the analysis is recursive. */
const maxLength = 5000;
const maxDepth = 50;

interface Spent {
  milliseconds: number;
}

async function checkRegex(text: string, spent: Spent): Promise<ValueProblem | undefined> {
  const problem = compileProblem(text);
  if (problem !== undefined) {
    const message = `expected a JavaScript regex (${problem})`;
    return { severity: 'error', rule: 'regex', message, ...insteadOfGroup(text) };
  }
  const slow = await slowness(text, spent);
  return slow?.severity === 'error' ? slow : (slashes(text) ?? foreignSyntax(text) ?? slow);
}

/** Suggests a replacement for groups from other regex languages that JavaScript refuses. */
function insteadOfGroup(text: string): Pick<ValueProblem, 'detail'> {
  if (text.includes('(?i)')) return { detail: '. Write both cases instead of (?i), as in [Ss]pam' };
  return text.includes('(?P<') ? { detail: '. Write (?<name>...) instead of (?P<name>...)' } : {};
}

function slashes(text: string): ValueProblem | undefined {
  if (!/^\/.*\/[a-z]*$/s.test(text)) return undefined;
  const message = 'the slashes are part of the regex and are matched literally; write the regex without them';
  return { severity: 'warning', rule: 'regex-slashes', message };
}

/**
 * Finds syntax of other regex languages, such as RE2 and PCRE. Without the flag `u`, JavaScript accepts it, but matches
 * other texts. For example, `\p{L}` matches the text `p{L}`.
 */
function foreignSyntax(text: string): ValueProblem | undefined {
  const parts = text.match(/\\[xu]\{|\\.|\[:\^?[a-z]{4,6}:\]/gs) ?? [];
  const found = parts.find((part) => !/^\\[\W\dbcdfknrstuvwx_BDSW]$/.test(part));
  if (found === undefined) return undefined;
  const instead = replacements.get(found);
  const effect = found.startsWith('[')
    ? `'${found}' is not a class`
    : `'${found}' matches only the letter ${found.charAt(1)}`;
  const detail = `. ${effect}${instead === undefined ? '' : `; write ${instead}`}`;
  return { severity: 'warning', rule: 'regex-syntax', message: 'the regex has syntax that JavaScript lacks', detail };
}

/** What to write in JavaScript instead of syntax of other regex languages. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['\\A', "'^'"],
  ['\\z', "'$'"],
  ['\\Z', "'$'"],
  ['\\G', "'^'"],
  ['\\h', "'[ \\t]'"],
  ['\\R', "'\\r?\\n'"],
  ['\\a', "'\\x07'"],
  ['\\e', "'\\x1b'"],
  ['\\p', "a class such as '[A-Za-z]'"],
  ['\\P', "a class such as '[^A-Za-z]'"],
  ['\\Q', 'a backslash before each special character'],
  ['\\x{', "'\\u' and four digits, as in '\\u00e9'"],
  ['\\u{', "'\\u' and four digits, as in '\\u00e9'"],
  ['[:alpha:]', "'A-Za-z'"],
  ['[:digit:]', "'0-9'"],
  ['[:alnum:]', "'A-Za-z0-9'"],
  ['[:lower:]', "'a-z'"],
  ['[:upper:]', "'A-Z'"],
  ['[:space:]', "'\\s'"],
  ['[:word:]', "'\\w'"],
  ['[:blank:]', "' \\t'"],
]);

async function slowness(text: string, spent: Spent): Promise<ValueProblem | undefined> {
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
 * Whether a regex is obviously safe, because it has no groups and only a few bounded repetitions. For such a regex,
 * recheck is not loaded, because loading it takes longer than all other checks.
 */
function isEvidentlySafe(text: string): boolean {
  const plain = text.replace(/\\./gs, 'x').replace(/\[[^\][]*\]/g, 'x');
  if (/[*+(]/.test(plain)) return false;
  let splits = 2 ** (plain.split('?').length - 1);
  for (const behind of plain.split('{').slice(1)) {
    const [min, max = min] = (behind.split('}')[0] ?? '')
      .split(',')
      .map((bound) => (bound === '' ? Number.NaN : Number(bound)));
    if (min === undefined || max === undefined || !(max <= maxRepetitions)) return false;
    splits *= max - min + 1;
  }
  return splits <= maxSplits;
}

const maxRepetitions = 100;
const maxSplits = 100;

/**
 * Analyses a regex with the browser build of recheck, which is pure JavaScript. The Node build may start Java or a
 * binary. Loads recheck on first use. If the machine is busy, a second attempt has more time.
 */
async function examine(text: string, spent: Spent): Promise<Diagnostics | undefined> {
  const { default: recheck } = await import('recheck/lib/browser.js');
  const limited = withinLimit(Math.min(timeout, timeoutOfAll - spent.milliseconds), (milliseconds) => {
    try {
      const diagnostics = recheck.checkSync(text, '', { timeout: milliseconds });
      return diagnostics.status === 'unknown' && diagnostics.error.kind === 'timeout' ? late : diagnostics;
    } catch {
      // recheck may overflow the stack even if the regex is within the other limits.
      return undefined;
    }
  });
  spent.milliseconds += limited.spent;
  return limited.result === late ? undefined : limited.result;
}

/** The maximum nesting depth of groups. Counts every parenthesis, including escaped ones. */
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
  message: 'the check could not rule out catastrophic backtracking in this regex; write a simpler regex',
};

/**
 * Describes the problem with a slow regex. If the regex takes quadratic time, the problem is only a warning, because
 * caller names are short. A slower regex is an error.
 */
function problemOfRegex(diagnostics: Diagnostics): ValueProblem | undefined {
  if (diagnostics.status === 'safe') return undefined;
  if (diagnostics.status !== 'vulnerable') return unproven;
  const { complexity, attack } = diagnostics;
  // The attack string contains characters of the regex, so it must not be shown if the regex is a secret.
  const detail = `. It is slow on texts such as ${quote(shorten(attack.string, 24))}`;
  if (complexity.type === 'polynomial' && complexity.degree <= 2) {
    return { severity: 'warning', rule: 'regex-slow', message: 'it may take quadratic time', detail };
  }
  const message = `it backtracks catastrophically (${complexity.summary}); avoid nested or adjacent repetitions of the same text`;
  return { severity: 'error', rule: 'regex-catastrophic', message, detail };
}

/** Checks whether phone numbers have a possible length for their country. */
interface PhoneNumbers {
  /** Whether a string is a phone number in E.164 form. */
  readonly isE164: (text: string) => boolean;
  /**
   * The E.164 form of an international number. Undefined if the string is already in this form or cannot be converted.
   */
  readonly meantBy: (text: string) => string | undefined;
}

/** Loads libphonenumber-js. Call this function only if there are numbers to check. */
export async function loadPhoneNumbers(): Promise<PhoneNumbers> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const e164Of = (text: string) => {
    const number = parsePhoneNumberFromString(text);
    // Checks only that a number is possible, because lists of assigned numbers quickly become out of date.
    return number?.isPossible() === true ? number.number : undefined;
  };
  // For a text that is not a number, the parser is slow, because it throws an error with a stack.
  const isE164 = (text: string) => /^\+\d+$/.test(text) && e164Of(text) === text;
  const meantBy = (text: string) => {
    const international = internationalNumber(text);
    const number = international === undefined ? undefined : e164Of(international);
    return number === text ? undefined : number;
  };
  return { isE164, meantBy };
}

const longest = 60;

/**
 * Removes the separators from a number that begins with `+` or `00`. In most countries, both prefixes have the same
 * meaning. Undefined for any other number, because its country is unknown. Spreadsheets use `'+1...` or `="+1..."` to
 * write a number as text. Contact lists put invisible characters for the writing direction around a number.
 */
function internationalNumber(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = text
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '');
  const compact = bare.replace(/\(0\)|[\s().-]/g, '').replace(/^00/, '+');
  return /^\+\d+$/.test(compact) ? compact : undefined;
}

/**
 * The processor time of this process in milliseconds. Unlike wall time, processor time excludes waiting on a busy
 * machine.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The result of an attempt that ran out of time. */
export const late = Symbol('late');

interface Limited<Result> {
  readonly result: Result | typeof late;
  /** The processor time of the last attempt in milliseconds. For a second attempt, at most the limit. */
  readonly spent: number;
}

/** The maximum duration of the second attempt, as a multiple of the limit. */
const patience = 100;

/** The share of a limit that counts as the whole limit, because clock readings are inexact. */
const nearly = 0.9;

/**
 * Runs a computation that only a timeout can stop. If the first attempt times out before it has used the processor time
 * of the limit, the machine is busy. In that case, a second attempt gets up to `patience` times the limit.
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
