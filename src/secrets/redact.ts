import { isRandom } from './credentials.ts';
import { mask, Secret } from './secret.ts';

/** Removes every known secret from a text. */
export type Redact = (text: string) => string;

/**
 * Returns a function that masks every given secret, whether it occurs literally, trimmed, percent-encoded, form-encoded
 * or JSON-escaped. Secrets of at least `minSearchedLength` are also found in base64, hexadecimal digits and escapes,
 * alone or next to other text. Empty secrets are ignored. Redacting twice has the same result as once.
 */
export function redactor(secrets: Iterable<Secret | string>): Redact {
  const all = new Set([...secrets].map((secret) => (secret instanceof Secret ? secret.reveal() : secret)));
  const index = new TextIndex(encodingsOf(all));
  // A long secret that is surrounded by blanks may also have a short encoding, which could occur by chance.
  const long = [...all].filter((secret) => secret.length >= minSearchedLength);
  // Decoding also changes secrets that contain escapes themselves.
  const encodings = encodingsOf(new Set(long.flatMap((secret) => [secret, unescaped(secret)])));
  const telling = new TextIndex(encodings.filter((encoding) => encoding.length >= minSearchedLength));
  const loose = new TextIndex(long.map(loosened).filter((secret) => secret.length >= minLooseLength));
  const holdsSecret = (decoded: string) => telling.find(decoded.replaceAll(mask, ' ')) !== undefined;
  const holdsEscaped = (decoded: string) =>
    [decoded, decoded.replaceAll('+', ' ')].some(holdsSecret) ||
    decoded.split(mask).some((part) => loose.find(loosened(part)) !== undefined);
  const hide = (stretch: string) => (holdsEncoded(stretch, holdsSecret) ? mask : stretch);
  const redact = (text: string) => {
    const plain = index.isEmpty ? text : index.replaceIn(text, mask);
    if (telling.isEmpty) return plain;
    // Also masks ranges that decode to a text with a secret. Tries base64 and base64url at any alignment, hexadecimal
    // digits, and the escapes of URLs, JSON (`\\/`, `\\u003d`) and HTML. Base64 may also be escaped. Masks the whole
    // range, because the rest could reveal a part of the secret. Takes linear time.
    const decoded = hideFolded(hideEscaped(plain, hide, holdsEscaped), hide).replace(encodedRun, hide);
    if (loose.isEmpty) return decoded;
    const parts = decoded.split(mask);
    return parts.map((part) => hideLoose(part, loose)).join(mask);
  };
  secretsOf.set(redact, all);
  return redact;
}

/**
 * The secrets of each redactor. The secrets are stored outside the functions, so that printing a redactor does not
 * reveal its secrets.
 */
const secretsOf = new WeakMap<Redact, ReadonlySet<string>>();

/** The minimum length at which a part of a random secret is masked. */
const minPartLength = 8;

/**
 * Returns a function that masks long parts of random secrets, as in `token abcd1234... is invalid`. Parts of other
 * secrets may be ordinary words.
 */
export function partRedactor(secrets: Iterable<Secret | string>): Redact {
  const parts = new Set<string>();
  for (const secret of secrets) {
    const text = secret instanceof Secret ? secret.reveal() : secret;
    if (!isRandom(text)) continue;
    for (let end = minPartLength; end <= text.length; end++) parts.add(text.slice(end - minPartLength, end));
  }
  return (text) => {
    let [shown, at] = ['', 0];
    for (let end = minPartLength; end <= text.length; end++) {
      const start = end - minPartLength;
      if (!parts.has(text.slice(start, end))) continue;
      if (start >= at) shown += text.slice(at, start) + mask;
      at = end;
    }
    return shown + text.slice(at);
  };
}

/** Combines two redactors into one search, because searching each text once per environment would be slow. */
export function joinedRedactor(before: Redact, next: Redact): Redact {
  const [known, more] = [secretsOf.get(before), secretsOf.get(next)];
  if (known === undefined || more === undefined) return (text) => next(before(text));
  return [...more].every((secret) => known.has(secret)) ? before : redactor([...known, ...more]);
}

/** Returns whether a secret is so long that a match is unlikely to be a coincidence. */
export function isLongEnough(secret: Secret): boolean {
  return secret.reveal().length >= minSearchedLength;
}

/** The minimum length of a secret to search for in encoded text. Shorter secrets may occur by chance. */
export const minSearchedLength = 6;

/**
 * Returns a function that tests whether a text contains a secret. The secret may occur literally, trimmed,
 * percent-encoded, form-encoded or JSON-escaped.
 */
export function secretFinder(secrets: Iterable<Secret | string>): (text: string) => boolean {
  const index = new TextIndex(encodingsOf(secrets));
  return (text) => index.find(text) !== undefined;
}

/** Most tokens consist of characters that no encoding changes. */
const plain = /^[\w.-]*$/;

function encodingsOf(secrets: Iterable<Secret | string>): string[] {
  return [...secrets].flatMap((secret) => {
    const value = secret instanceof Secret ? secret.reveal() : secret;
    if (plain.test(value)) return [value];
    return [...new Set([value, value.trim()])].flatMap((text) => [
      text,
      jsonEscaped(text),
      // Escapes twice for JSON inside JSON, such as an error message that repeats a request.
      jsonEscaped(jsonEscaped(text)),
      // CSV and YAML double quotes, and a message may quote a row as JSON.
      text.replaceAll('"', '""'),
      jsonEscaped(text.replaceAll('"', '""')),
      text.replaceAll("'", "''"),
      ...urlEncodings(text),
    ]);
  });
}

function urlEncodings(text: string): string[] {
  // encodeURIComponent throws on half a surrogate pair.
  const wellFormed = text.replace(/\p{Surrogate}/gu, '\uFFFD');
  const component = encodeURIComponent(wellFormed);
  const strict = component.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const encoding = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const upperCase = [component, strict, encodeURI(wellFormed), encoding, encoding.replaceAll('+', '%20')];
  return [...upperCase, ...upperCase.map((text) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))];
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The number of code units to hash before comparing texts. */
const headLength = 4;

/** A text to search for, and the longest other text with which it begins. */
interface Candidate {
  readonly text: string;
  readonly prefix: Candidate | undefined;
}

/**
 * Returns the longest of the sorted candidates at an offset. A binary search finds the last candidate that does not
 * come after the rest of the text. All candidates that match are that one or its prefixes. Trying each candidate would
 * take too long, because a response may contain many credentials that begin alike.
 */
function longestIn(candidates: readonly Candidate[], text: string, offset: number): string | undefined {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = candidates[middle]?.text ?? '';
    if (candidate <= text.slice(offset, offset + candidate.length)) low = middle + 1;
    else high = middle;
  }
  let last = candidates[low - 1];
  while (last !== undefined && !text.startsWith(last.text, offset)) last = last.prefix;
  return last?.text;
}

/**
 * Searches for many texts in one pass. A run may have a thousand tokens, each in several encodings, and searches all
 * output for them. Separate searches would take a thousand times as long.
 */
class TextIndex {
  isEmpty = true;
  /**
   * For each hash of `headLength` code units, whether a text of at least this length may begin with units of this hash.
   */
  readonly #marks = new Uint8Array(1 << 16);
  /** Maps the first `headLength` code units to the texts that begin with them. Shorter texts are under their first unit. */
  readonly #long = new Map<string, Candidate[]>();
  readonly #short = new Map<string, Candidate[]>();

  constructor(texts: Iterable<string>) {
    for (const text of [...new Set(texts)].sort()) {
      const isLong = text.length >= headLength;
      const [group, key] = isLong ? [this.#long, text.slice(0, headLength)] : [this.#short, text.charAt(0)];
      if (text === '') continue;
      this.isEmpty = false;
      const known = group.get(key);
      let prefix = known?.at(-1);
      while (prefix !== undefined && !text.startsWith(prefix.text)) prefix = prefix.prefix;
      if (known === undefined) group.set(key, [{ text, prefix }]);
      else known.push({ text, prefix });
      if (!isLong) continue;
      let hash = 0;
      for (let index = 0; index < headLength; index++) hash = ((hash << 4) ^ key.charCodeAt(index)) & 0xffff;
      this.#marks[hash] = 1;
    }
  }

  /**
   * Finds the first occurrence of any of the texts at or after `start`. If several texts begin there, returns the
   * longest.
   */
  find(text: string, start = 0): { readonly text: string; readonly offset: number } | undefined {
    let hash = 0;
    for (let offset = start - headLength + 1; offset < text.length; offset++) {
      // After the end, `charCodeAt` is NaN, which counts as zero.
      hash = ((hash << 4) ^ text.charCodeAt(offset + headLength - 1)) & 0xffff;
      if (offset < start || (this.#marks[hash] === 0 && this.#short.size === 0)) continue;
      const found = this.#longestAt(text, offset);
      if (found !== undefined) return { text: found, offset };
    }
    return undefined;
  }

  #longestAt(text: string, offset: number): string | undefined {
    const long = this.#long.get(text.slice(offset, offset + headLength));
    const found = long && longestIn(long, text, offset);
    if (found !== undefined || this.#short.size === 0) return found;
    return longestIn(this.#short.get(text.charAt(offset)) ?? [], text, offset);
  }

  /**
   * Replaces all occurrences of the texts from left to right. If several texts match at a position, replaces the
   * longest. Skips existing replacements.
   */
  replaceIn(text: string, replacement: string): string {
    let replaced = '';
    let end = 0;
    let kept = text.indexOf(replacement);
    for (let found = this.find(text); found !== undefined; found = this.find(text, end)) {
      // Searches for the next existing replacement only after passing the last one found. Otherwise, each secret would
      // cost a search to the end.
      if (kept >= 0 && kept < end) kept = text.indexOf(replacement, end);
      const { offset, text: old } = kept >= 0 && kept <= found.offset ? { offset: kept, text: replacement } : found;
      replaced += text.slice(end, offset) + replacement;
      end = offset + old.length;
    }
    return end === 0 ? text : replaced + text.slice(end);
  }
}

/**
 * A range of base64, base64url or hexadecimal digits, in which JSON may have escaped the slashes. A plain `{8,}` would
 * need memory for each character, which is too much for a few megabytes of text.
 */
const encodedRun = /[\w+/\\-]{8}[\w+/\\-]*={0,2}/g;
const hexadecimal = /[0-9a-f]{12}[0-9a-f]*/gi;

/**
 * The minimum length of a line in an encoded text that is wrapped into lines, as in an email. Only the last line may be
 * shorter.
 */
const minLineLength = 40;
const lastLine = /\r?\n[\w+/\\-]+={0,2}/y;

type SecretCheck = (text: string) => boolean;

/** The maximum number of encodings around each other, as in base64 inside base64. */
const maxEncodings = 3;

/** The maximum nesting depth of escapes, as in a URL in a URL in a URL, or JSON in JSON. */
const maxTimes = 3;

function hideEscaped(text: string, hide: (stretch: string) => string, holdsSecret: SecretCheck): string {
  if (!/[%\\&]/.test(text)) return text;
  const hideWord = (word: string) => {
    const plain = unescaped(word);
    return plain !== word && (holdsSecret(plain) || plain.replace(encodedRun, hide) !== plain) ? mask : word;
  };
  const hideLine = (line: string) => {
    const plain = unescaped(line);
    return plain !== line && holdsSecret(plain) ? mask : line;
  };
  // After the words, whole lines are searched, because a secret may consist of several words.
  return text.replace(/\S+/g, hideWord).replace(/.+/g, hideLine);
}

/** Checks consecutive encoded lines, including a shorter last line, as one range. */
function hideFolded(text: string, hide: (stretch: string) => string): string {
  const ranges: { readonly start: number; end: number }[] = [];
  for (const { index: start, 0: found } of text.matchAll(encodedRun)) {
    if (found.length < minLineLength) continue;
    const end = start + found.length;
    const range = ranges.at(-1);
    if (range !== undefined && /^\r?\n$/.test(text.slice(range.end, start))) range.end = end;
    else ranges.push({ start, end });
  }
  let [shown, at] = ['', 0];
  for (const { start, end } of ranges) {
    lastLine.lastIndex = end;
    const last = lastLine.test(text) ? lastLine.lastIndex : end;
    shown += text.slice(at, start) + hide(text.slice(start, last));
    at = last;
  }
  return shown + text.slice(at);
}

/**
 * The minimum length of a secret, without white space, that is also found with other white space or in another case.
 * Shorter secrets may occur by chance.
 */
const minLooseLength = 12;

const ignored = /[\s\p{Cf}]+/gu;

/** Returns the same text for a whole text as for its characters one by one, so the two forms of a sigma are equal. */
function loosened(text: string): string {
  return text.replace(ignored, '').toLowerCase().replaceAll('ς', 'σ');
}

/** Masks secrets that are wrapped into lines, spaced out or written in another case, in a text without masks. */
function hideLoose(text: string, loose: TextIndex): string {
  if (loose.find(loosened(text)) === undefined) return text;
  // The range in the text of the character behind each code unit of the loosened text.
  const ranges: (readonly [start: number, end: number])[] = [];
  let [plain, offset] = ['', 0];
  for (const character of text) {
    const loosely = loosened(character);
    for (let index = 0; index < loosely.length; index++) ranges.push([offset, offset + character.length]);
    plain += loosely;
    offset += character.length;
  }
  let [shown, at] = ['', 0];
  let end = 0;
  for (let found = loose.find(plain); found !== undefined; found = loose.find(plain, end)) {
    end = found.offset + found.text.length;
    shown += text.slice(at, ranges[found.offset]?.[0]) + mask;
    at = ranges[end - 1]?.[1] ?? 0;
  }
  return shown + text.slice(at);
}

/**
 * Returns the possible decodings of a range. The encoded text may begin anywhere in the range, so all alignments are
 * tried.
 */
function decodings(stretch: string): string[] {
  const plain = stretch.replace(/[\s\\]+/g, '');
  const digits = [...plain.matchAll(hexadecimal)].flatMap(([found]) => [found, found.slice(1)]);
  return [
    ...[0, 1, 2, 3].map((start) => Buffer.from(plain.slice(start), 'base64').toString('utf8')),
    ...digits.map((found) => Buffer.from(found, 'hex').toString('utf8')),
  ];
}

/** Whether a range decodes to a text with a secret, or to a text with another such range (base64 inside base64). */
function holdsEncoded(stretch: string, holdsSecret: SecretCheck, times = maxEncodings): boolean {
  return decodings(stretch).some(
    (decoded) =>
      holdsSecret(decoded) ||
      (times > 1 && (decoded.match(encodedRun) ?? []).some((inner) => holdsEncoded(inner, holdsSecret, times - 1))),
  );
}

/** Decodes escapes of URLs, byte strings, JSON, JavaScript and HTML, repeatedly for escaped escapes. */
function unescaped(part: string): string {
  let plain = part;
  for (let times = 0; times < maxTimes && /[%\\&]/.test(plain); times += 1) {
    const next = entitiesRead(
      plain
        .replace(/(?:%[0-9a-f]{2})+|(?:\\x[0-9a-f]{2})+/gi, bytesRead)
        .replace(/(?:\\u[0-9a-f]{4})+/gi, unitsRead)
        .replace(/\\u\{([0-9a-f]{1,6})\}/gi, (_, digits: string) => character(Number.parseInt(digits, 16)))
        .replace(/\\([/"'\\nrt])/g, (_, escaped: string) => whiteSpace[escaped] ?? escaped),
    );
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

const whiteSpace: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Decodes bytes as UTF-8. If bytes in `\x` escapes are not UTF-8, each becomes one character. */
function bytesRead(found: string): string {
  const read = Buffer.from(found.replace(/%|\\x/gi, ''), 'hex');
  const text = read.toString('utf8');
  return text.includes('\ufffd') && found.startsWith('\\') ? read.toString('latin1') : text;
}

function unitsRead(found: string): string {
  return Buffer.from(found.replace(/\\u/gi, ''), 'hex').swap16().toString('utf16le');
}

function entitiesRead(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&apos;/gi, "'")
    .replace(/&amp;/gi, '&');
}

/** Returns the character with a code, or an empty text for numbers beyond Unicode. */
function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
