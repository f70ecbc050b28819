import { withoutEnd } from '../../text/wildcard.ts';
import { isEmail, parseHttpUrl } from '../../yaml/values.ts';
import type { Finding, PromptText } from '../prompt-text.ts';
import { filler, isInRanges, matchesWhere } from '../source-lines.ts';

export interface Contact {
  readonly kind: 'phone' | 'email' | 'host';
  /**
   * The string that identifies the contact: a plus and the digits for a phone number, and the lowercase text for other
   * contacts.
   */
  readonly value: string;
  /** The contact as written in the text. */
  readonly shown: string;
  readonly start: number;
  readonly end: number;
}

const phoneLike = /(?<![\w+.:/#=@,-])(?:\+ ?)?\(?\d[\d ().-]{5,24}\d(?![\w@])/g;
const american = /^(?:1[-. ])?(?:\(\d{3}\) ?|\d{3}([-. ]))\d{3}[-. ]\d{4}$/;
const email = /(?<![\w.+@-])[\w.+-]{1,64}@[\w.-]{1,255}/g;
const url = /\bhttps?:\/\/([\w.-]{1,255})/gi;
const topLevel = 'com|org|net|io|co|info|biz|dental|clinic|health|care|app|dev|shop|us|uk|de|es|mx|eu|fr|it|ca|au';
const bareHost = new RegExp(`(?<![\\w@./%-])(?:[a-z0-9-]{1,63}\\.){1,4}(?:${topLevel})(?![\\w@-]|\\.\\w)`, 'gi');
// Allows a search to skip most lines, because trying the other regexes at every word takes longer.
const linesOfEmails = { has: /@/g, within: 'line' } as const;
/** Matches text that every contact contains. */
const contactLike = new RegExp(`@|\\d[\\d ().-]{5}|https?://|\\.(?:${topLevel})(?![\\w@-]|\\.\\w)`, 'i');
const linesOfHosts = { has: new RegExp(`\\.(?:${topLevel})(?![\\w@-]|\\.\\w)`, 'gi'), within: 'line' } as const;

/** Finds the complete contacts in a text. Skips contacts that contain or touch a variable. */
export function contactsIn(text: string): Contact[] {
  if (!contactLike.test(text)) return [];
  const contacts: Contact[] = [];
  for (const { 0: shown, index } of text.matchAll(phoneLike)) {
    const value = numberOf(shown);
    if (value !== undefined && !isBeside(text, index, index + shown.length)) {
      contacts.push({ kind: 'phone', value, shown, start: index, end: index + shown.length });
    }
  }
  for (const { 0: found, index } of matchesWhere(text, linesOfEmails, email)) {
    const shown = withoutEnd(found, '.-');
    if (isEmail(shown) && !isBeside(text, index, index + found.length)) {
      contacts.push({ kind: 'email', value: shown.toLowerCase(), shown, start: index, end: index + shown.length });
    }
  }
  for (const match of [...text.matchAll(url), ...matchesWhere(text, linesOfHosts, bareHost)]) {
    const shown = withoutEnd(match[1] ?? match[0], '.-');
    const start = match.index + match[0].indexOf(shown);
    if (!shown.includes('.') || isBeside(text, match.index, start + shown.length)) continue;
    contacts.push({
      kind: 'host',
      value: shown.toLowerCase().replace(/^www\./, ''),
      shown,
      start,
      end: start + shown.length,
    });
  }
  return contacts;
}

/** Whether a reference to a variable or secret touches either end of a range. */
function isBeside(text: string, start: number, end: number): boolean {
  return (
    /\uFFFC[ ().@-]{0,3}$/.test(text.slice(Math.max(0, start - 4), start)) || text.slice(end, end + 3).includes(filler)
  );
}

/**
 * Converts a phone number to a plus and digits. Undefined if the text is not a phone number, or its country is unknown.
 */
function numberOf(shown: string): string | undefined {
  const digits = shown.replace(/\D/g, '');
  if (shown.startsWith('+')) return digits.length >= 8 && digits.length <= 15 ? `+${digits}` : undefined;
  if (!american.test(shown)) return undefined;
  return digits.length === 10 ? `+1${digits}` : `+${digits}`;
}

const aboutPhones =
  /\b(?:call|calls|phone|telephone|tel|number|dial|fax|text|reach|line|contact|mobile|cell|sms|whatsapp|hotline|transfer|ll[aá]m\w{0,12}|tel[eé]fono|n[uú]mero)\b/i;
const aboutFormat =
  /\b(?:like|such as|format|formatted|examples?|e\.g\.|ejemplo|for instance|read|spell|say|repeat|written)\b/i;

/**
 * Finds contacts that cannot exist. Loads the phone number library only for international numbers outside North
 * America.
 */
export async function findInvalidContacts(text: PromptText): Promise<Finding[]> {
  return [...(await invalidPhones(text)), ...invalidEmails(text), ...invalidUrls(text)];
}

function invalid(start: number, end: number, what: string): Finding {
  return { rule: 'prompt-contact-invalid', message: what, start, end };
}

async function invalidPhones(text: PromptText): Promise<Finding[]> {
  const { masked } = text;
  const found: Finding[] = [];
  for (const { 0: shown, index } of masked.matchAll(phoneLike)) {
    const end = index + shown.length;
    if (isInRanges(text.outline.code, index) || isBeside(masked, index, end)) continue;
    const around = masked.slice(Math.max(0, index - 60), index);
    if (aboutFormat.test(around.slice(-40))) continue;
    const isWrong = shown.startsWith('+')
      ? !(await isPossible(shown))
      : aboutPhones.test(around) && isWrongAmerican(shown);
    if (isWrong) found.push(invalid(index, end, `'${shown}' is not a possible phone number; correct its digits`));
  }
  return found;
}

/**
 * Whether a phone number can exist. Outside North America, checks only the length, because assigned numbers change
 * often.
 */
async function isPossible(shown: string): Promise<boolean> {
  const digits = shown.replace(/\D/g, '');
  if (digits.startsWith('1') && digits.length === 11) return !isUnassigned(digits.slice(1));
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  return parsePhoneNumberFromString(`+${digits}`)?.isPossible() === true;
}

/**
 * Whether a phone number in North American form has the wrong number of digits, or an impossible area or exchange code.
 */
function isWrongAmerican(shown: string): boolean {
  const digits = shown.replace(/\D/g, '');
  if (american.test(shown)) return isUnassigned(digits.slice(-10));
  return (
    /^(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([-.]))\d{3}[-.](?:\d{2,3}|\d{5,6})$/.test(shown) ||
    /^\([2-9]\d{2}\) ?\d{2}[-.]\d{4}$/.test(shown)
  );
}

function isUnassigned(national: string): boolean {
  return /^[01]|^...[01]/.test(national);
}

const emailLike = /(?<![\w.+@/%=&-])[\w.+-]{1,64}@{1,3}[\w.,-]{1,255}/g;

/** Whether an address has a comma instead of a dot, as in `office@elmstreet,com` or `groups@museum,example.org`. */
function hasCommaForDot(shown: string): boolean {
  const [, domain = '', ...others] = shown.split(/[@,]/);
  const last = others.join(',');
  return !domain.includes('.') && /^(?:com|org|net|io|us|de|es|mx|co|[\w-]{1,63}\.[a-z]{2,6})$/i.test(last);
}

/** Whether a text is a package name with a version, such as `react@18` or `node@latest`. */
function isVersion(shown: string): boolean {
  return /@(?:v?\d[\w.-]{0,40}|latest|next|beta|alpha|canary)$/i.test(shown);
}

function invalidEmails(text: PromptText): Finding[] {
  const found: Finding[] = [];
  for (const { 0: whole, index } of matchesWhere(text.masked, linesOfEmails, emailLike)) {
    const shown = withoutEnd(whole, '.,-');
    const end = index + shown.length;
    if (isInRanges(text.outline.code, index) || isBeside(text.masked, index, index + whole.length)) continue;
    const [first = ''] = shown.split(',');
    if (isEmail(first) || (first !== shown && !hasCommaForDot(shown))) continue;
    if (!/[a-z]/i.test(shown) || isVersion(shown) || /[:@]/.test(text.masked[end] ?? '')) continue;
    // If no dot follows the @, the text must look like an address in other ways.
    if (!/@[^@]*[.,]/.test(shown) && !/^[a-z][a-z\d_.+-]{2,}@[a-z-]{4,}$/.test(shown)) continue;
    found.push(invalid(index, end, `'${shown}' is not a valid email address; write it as in jo@example.com`));
  }
  return found;
}

const brokenUrl =
  /\b(?:https?:\/(?!\/)\S{1,200}|https?\/\/\S{1,200}|https?;\/\/\S{1,200}|https?:\\\\\S{1,200}|(?:htp|htps|hhtp|hhtps|htttp|htttps|ttps|ttp|httpss|htpp|htpps):\/\/\S{1,200})/gi;
const anyUrl = /\bhttps?:\/\/[^\s<>"'`)\]}*]{1,300}/gi;

function invalidUrls(text: PromptText): Finding[] {
  const { masked, outline } = text;
  const said = (shown: string) => `'${shown}' is not a valid URL; write it as in https://www.example.com/hours`;
  const found: Finding[] = [];
  for (const { 0: shown, index } of masked.matchAll(brokenUrl)) {
    if (!isInRanges(outline.code, index)) found.push(invalid(index, index + shown.length, said(shown)));
  }
  for (const { 0: whole, index } of masked.matchAll(anyUrl)) {
    const shown = withoutEnd(whole, '.,;:!?');
    // A text such as `https://` only mentions the scheme. Another rule reports invisible characters.
    const isOther = shown.includes(filler) || shown.endsWith('//') || /\p{Cf}/u.test(shown);
    if (isOther || isInRanges(outline.code, index)) continue;
    const parsed = parseHttpUrl(shown);
    const isWrong = parsed === undefined || /\.\.|^\.|\.$|,/.test(parsed.hostname) || /\.\d{4,}/.test(parsed.hostname);
    if (isWrong && !/[[{$]/.test(masked[index + whole.length] ?? ''))
      found.push(invalid(index, index + shown.length, said(shown)));
  }
  return found;
}

/** Whether two contacts are so similar that one is probably a misspelling of the other. */
export function areNearly(one: Contact, other: Contact): boolean {
  if (one.value === other.value) return false;
  if (one.kind === 'phone' || other.kind === 'phone') {
    return one.kind === other.kind && differingDigits(one.value, other.value) <= 2;
  }
  const [local, otherLocal] = [localOf(one), localOf(other)];
  const [domain, otherDomain] = [hostOf(one), hostOf(other)];
  if (one.kind !== other.kind || one.kind === 'host') return areNearlyHosts(domain, otherDomain);
  if (domain !== otherDomain) return local === otherLocal && areNearlyHosts(domain, otherDomain);
  return Math.min(local.length, otherLocal.length) >= 4 && areNearlyWords(local, otherLocal);
}

function localOf({ value }: Contact): string {
  return value.slice(0, Math.max(0, value.indexOf('@')));
}

function hostOf({ value }: Contact): string {
  return value.slice(value.indexOf('@') + 1);
}

function differingDigits(one: string, other: string): number {
  if (one.length !== other.length) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let index = 0; index < one.length && count <= 2; index += 1) count += Number(one[index] !== other[index]);
  return count;
}

/** The hosts of mail providers, some of which have similar names. */
const mailHosts = new Set([
  'gmail.com',
  'mail.com',
  'ymail.com',
  'email.com',
  'hotmail.com',
  'fastmail.com',
  'gmx.com',
]);

/**
 * Whether two hosts are similar. Short subdomains of the same domain, such as `api` and `app`, do not count as similar.
 */
function areNearlyHosts(one: string, other: string): boolean {
  const [domain, otherDomain] = [domainOf(one), domainOf(other)];
  if (domain === otherDomain) {
    const [name, otherName] = [one.slice(0, -domain.length), other.slice(0, -domain.length)];
    return Math.min(name.length, otherName.length) > '.'.length + 4 && areNearlyWords(name, otherName);
  }
  if (mailHosts.has(domain) || mailHosts.has(otherDomain)) return false;
  return Math.min(domain.length, otherDomain.length) >= 8 && areNearlyWords(domain, otherDomain);
}

function domainOf(host: string): string {
  const labels = host.split('.');
  const isSecondLevel = /^(?:co|com|org|ac|gov|net)$/.test(labels.at(-2) ?? '') && labels.at(-1)?.length === 2;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}

/**
 * Whether two words differ only in one letter or in a swap of two letters. Long words may differ in two letters. Words
 * with different digits are never similar.
 */
function areNearlyWords(one: string, other: string): boolean {
  if (one.length > 80 || other.length > 80) return false;
  const max = Math.min(one.length, other.length) >= 10 ? 2 : 1;
  if (Math.abs(one.length - other.length) > max || !areWithinEdits(one, other, max)) return false;
  return one.replace(/-?\d/g, '') !== other.replace(/-?\d/g, '');
}

/** Whether the Damerau-Levenshtein distance of two words is at most `max`. */
function areWithinEdits(one: string, other: string, max: number): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at === one.length && at === other.length) return true;
  if (max === 0) return false;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  const isSwap = rest[0] === otherRest[1] && rest[1] === otherRest[0];
  return (
    areWithinEdits(rest.slice(1), otherRest.slice(1), max - 1) ||
    areWithinEdits(rest.slice(1), otherRest, max - 1) ||
    areWithinEdits(rest, otherRest.slice(1), max - 1) ||
    (isSwap && areWithinEdits(rest.slice(2), otherRest.slice(2), max - 1))
  );
}
