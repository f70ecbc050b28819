import { withoutEnd } from '../text/wildcard.ts';

// Finds keys, tokens and passwords by their form, in texts whose secrets are unknown.

/** The start and end indexes of a credential in a text. The end index is exclusive. */
type CredentialRange = readonly [start: number, end: number];

/** Finds the ranges of probable keys, tokens and passwords, in order and without overlaps. */
export async function credentialRanges(text: string): Promise<CredentialRange[]> {
  if (!mayHoldKey(text)) return [];
  // Load the library only for texts that may contain a key.
  const { lintSource } = await import('@secretlint/core');
  const { creator: detectorPreset } = await import('@secretlint/secretlint-rule-preset-recommend');
  const config = { rules: [{ id: detectorPreset.meta.id, rule: detectorPreset }] };
  const source = { filePath: 'prompt.md', content: text, contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
  const ranges = messages.map(({ range: [start, end] }): CredentialRange => [start, end]);
  for (const match of [...text.matchAll(named), ...text.matchAll(prefixed)]) {
    const key = match[1] ?? '';
    if (!isRandom(key)) continue;
    const start = match.index + match[0].length - key.length;
    ranges.push([start, start + key.length]);
  }
  for (const { 0: word, index } of text.matchAll(/[\w.-]{40,}/g)) {
    if (isJsonWebToken(word)) ranges.push([index, index + withoutEnd(word, '.-').length]);
  }
  const found: CredentialRange[] = [];
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    const [, lastEnd = 0] = found.at(-1) ?? [];
    if (start >= lastEnd && !publicLogin.test(text.slice(start, end))) found.push([start, end]);
  }
  return found;
}

/** The maximum length of a text to examine, in characters. */
const maxExamined = 400_000;

/**
 * Returns the probable keys, tokens and passwords in the texts of a JSON value, without duplicates. The name of a
 * member counts, as in `{ "apiKey": "..." }`, and so does the name beside a `value`, as in a list of headers.
 */
export async function credentialsIn(value: unknown): Promise<string[]> {
  const found = new Set<string>();
  for (const text of textsIn(value)) {
    const examined = text.slice(0, maxExamined);
    for (const [start, end] of await credentialRanges(examined)) found.add(examined.slice(start, end));
  }
  return [...found];
}

function textsIn(value: unknown): Set<string> {
  const texts = new Set<string>();
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') texts.add(one);
    if (typeof one !== 'object' || one === null) continue;
    if (Array.isArray(one)) {
      for (const item of one) left.push(item);
      continue;
    }
    const { name, key = name, header = key, value: paired } = one as Readonly<Record<string, unknown>>;
    if (typeof header === 'string' && typeof paired === 'string') texts.add(`${header}: ${paired}`);
    for (const [member, content] of Object.entries(one)) {
      if (typeof content === 'string') texts.add(`${member}: ${content}`);
      else left.push(member, content);
    }
  }
  return texts;
}

/**
 * Whether a text contains a long word that mixes letters and digits, a PEM header, or a URL with a login. Few texts
 * contain these, so the library, which needs a millisecond for each text, is rarely used. Plain numbers in the path of a
 * link do not count.
 */
export function mayHoldKey(text: string): boolean {
  if (text.includes('-----BEGIN ') || /:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/.test(text)) return true;
  // Search for digits first. Because digits are rare, this is faster than checking every word.
  for (const { 0: rest, index } of text.matchAll(/\d[\w+/=-]*/g)) {
    let start = index;
    while (index - start < minKeyLength && /[\w+/=-]/.test(text[start - 1] ?? '')) start -= 1;
    if (index - start + rest.length >= minKeyLength && isMixed(text.slice(start, index) + rest)) return true;
  }
  return false;
}

/** Whether letters and digits are adjacent in a word, or the word contains a long number. */
function isMixed(word: string): boolean {
  return /[A-Za-z]\d|\d[A-Za-z]|\d{10}/.test(word);
}

/** The minimum length of a word that counts as a key, in characters. */
const minKeyLength = 16;

/** Matches a long word of letters and digits after the name of a credential. */
const named =
  /\b(?:api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?|(?:auth|access|bearer|api)[ _-]?token|token|bearer|password|passwd)\b[^\n]{0,40}?(?<![\w+/=-])([\w+/=-]{16,200})/gi;

/** Matches a long word that begins like a secret key of many services, such as `sk-live-`. */
const prefixed = /(?<![\w+/=-])((?:sk|rk)[-_][\w-]{16,200})/g;

/** Whether a word looks like a signed token, which consists of two JSON parts in Base64 and a signature. */
function isJsonWebToken(word: string): boolean {
  const [header = '', content = '', signature = ''] = word.split('.');
  return header.startsWith('eyJ') && content.startsWith('eyJ') && signature.length >= 16;
}

/** Matches logins in example URLs, which are not secret. */
const publicLogin = /:\/\/(?:anonymous|guest|user|username):(?:anonymous|guest|pass|password)@/i;

/** Whether letters and digits are mixed in the way that is typical of a random key. */
export function isRandom(key: string): boolean {
  const changes = [...key.matchAll(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)].length;
  return changes >= 4 && /[A-Za-z]/.test(key);
}
