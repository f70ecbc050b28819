import { withoutEncoded } from './encoded.ts';
import { mask, Secret } from './secret.ts';

/** Removes every known secret from a text. */
export type Redact = (text: string) => string;

/**
 * A function that masks every given secret: literally, trimmed, percent-encoded (as a component, whole, strictly, in
 * either case of the digits), form-encoded and JSON-escaped. A secret that is long enough to be distinctive is also
 * found where it is encoded, alone or with other text. Empty secrets are left out. Redacting twice gives the same text
 * as redacting once.
 */
export function redactor(secrets: Iterable<Secret | string>): Redact {
  const all = new Set([...secrets].map(revealed));
  const redact = redactorOf(all);
  secretsOf.set(redact, all);
  return redact;
}

/** The search terms of each redactor. Outside the function, so that printing it does not print them. */
const secretsOf = new WeakMap<Redact, ReadonlySet<string>>();

/**
 * Removes what either of two removes. A run with many environments has a redactor for each: all search for their
 * secrets together, and one without new secrets adds nothing, or each text would be searched once for each environment.
 */
export function joinedRedactor(before: Redact, next: Redact): Redact {
  const [known, more] = [secretsOf.get(before), secretsOf.get(next)];
  if (known === undefined || more === undefined) return (text) => next(before(text));
  return [...more].every((secret) => known.has(secret)) ? before : redactor([...known, ...more]);
}

function redactorOf(all: ReadonlySet<string>): Redact {
  const index = new TextIndex(allEncodings(all));
  if (index.isEmpty) return (text) => text;
  // A long secret with spaces at its ends has short encodings too, which any bytes may hold.
  const long = [...all].filter((secret) => secret.length >= minSearchedLength);
  const telling = new TextIndex(allEncodings(long).filter((encoding) => encoding.length >= minSearchedLength));
  const redact = (text: string) => index.replaceIn(text, mask);
  if (telling.isEmpty) return redact;
  return (text) => withoutEncoded(redact(text), (decoded) => telling.find(decoded.replaceAll(mask, ' ')) !== undefined);
}

/** Whether a secret is long enough that a match is not an accident. */
export function isLongEnough(secret: Secret): boolean {
  return secret.reveal().length >= minSearchedLength;
}

/** The minimum length of a secret to search for. */
export const minSearchedLength = 6;

function revealed(secret: Secret | string): string {
  return secret instanceof Secret ? secret.reveal() : secret;
}

/** A function that returns whether a text contains any of the secrets, in an encoding that the redactor knows. */
export function secretFinder(secrets: Iterable<Secret | string>): (text: string) => boolean {
  const index = new TextIndex(allEncodings(secrets));
  return (text) => index.find(text) !== undefined;
}

function allEncodings(secrets: Iterable<Secret | string>): string[] {
  return [...secrets].flatMap(encodingsOf);
}

/** Most tokens consist of characters that every encoding keeps. */
const plain = /^[\w.-]*$/;

function encodingsOf(secret: Secret | string): string[] {
  const value = revealed(secret);
  if (plain.test(value)) return [value];
  return [...new Set([value, value.trim()])].flatMap((text) => [
    text,
    jsonEscaped(text),
    // JSON that quotes JSON, such as an error message that repeats a request.
    jsonEscaped(jsonEscaped(text)),
    ...urlEncodings(text),
  ]);
}

function urlEncodings(text: string): string[] {
  // encodeURIComponent throws on half a surrogate pair.
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const encoding = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const upperCase = [component, strict, encodeURI(wellFormed), encoding, encoding.replaceAll('+', '%20')];
  return [...upperCase, ...upperCase.map(lowerCaseDigits)];
}

function lowerCaseDigits(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The number of code units to check before comparing. */
const headLength = 4;

/** A text inside another, and its place. */
interface Found {
  readonly text: string;
  readonly offset: number;
}

/**
 * A search for many texts together. A run may have a thousand tokens, each in several encodings, and searches all
 * output for them: one after the other would be that many times slower.
 */
class TextIndex {
  /** By the hash of their first code units: whether one of the longer texts begins so. */
  readonly #marks = new Uint8Array(1 << 16);
  /** The longer texts by their first code units, the shorter ones by their first; each longest first. */
  readonly #long = new Map<string, string[]>();
  readonly #short = new Map<string, string[]>();

  constructor(texts: Iterable<string>) {
    for (const text of [...new Set(texts)].sort((a, b) => b.length - a.length)) {
      if (text.length >= headLength) this.#addLong(text);
      else if (text !== '') addTo(this.#short, text.charAt(0), text);
    }
  }

  #addLong(text: string): void {
    const head = text.slice(0, headLength);
    addTo(this.#long, head, text);
    this.#marks[[...Array(headLength).keys()].reduce((hash, index) => rolled(hash, head.charCodeAt(index)), 0)] = 1;
  }

  get isEmpty(): boolean {
    return this.#long.size + this.#short.size === 0;
  }

  /** The first place from `start` of any of the texts, and the longest text there. */
  find(text: string, start = 0): Found | undefined {
    let hash = 0;
    for (let index = start; index < start + headLength - 1; index++) hash = rolled(hash, text.charCodeAt(index));
    for (let offset = start; offset < text.length; offset++) {
      // Past the end counts as zero.
      hash = rolled(hash, text.charCodeAt(offset + headLength - 1));
      if (this.#marks[hash] === 0 && this.#short.size === 0) continue;
      const found = this.#longestAt(text, offset);
      if (found !== undefined) return { text: found, offset };
    }
    return undefined;
  }

  #longestAt(text: string, offset: number): string | undefined {
    const stands = (candidate: string) => text.startsWith(candidate, offset);
    const long = this.#long.get(text.slice(offset, offset + headLength))?.find(stands);
    return long ?? this.#short.get(text.charAt(offset))?.find(stands);
  }

  /**
   * The text with `replacement` in the place of each of them, from left to right, the longest at each place. Existing
   * replacements are skipped.
   */
  replaceIn(text: string, replacement: string): string {
    let replaced = '';
    let end = 0;
    let kept = text.indexOf(replacement);
    for (let found = this.find(text); found !== undefined; found = this.find(text, end)) {
      // Searched again only after its place: otherwise each secret would cost a search to the end.
      if (kept >= 0 && kept < end) kept = text.indexOf(replacement, end);
      const { offset, text: old } = kept >= 0 && kept <= found.offset ? { offset: kept, text: replacement } : found;
      replaced += text.slice(end, offset) + replacement;
      end = offset + old.length;
    }
    return end === 0 ? text : replaced + text.slice(end);
  }
}

function addTo(groups: Map<string, string[]>, key: string, text: string): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [text]);
  else group.push(text);
}

/** A code unit has left the hash after three more. */
function rolled(hash: number, unit: number): number {
  return ((hash << 4) ^ unit) & 0xffff;
}
