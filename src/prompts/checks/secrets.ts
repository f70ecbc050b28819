import { withoutEnd } from '../../text/wildcard.ts';
import type { Finding, PromptText } from '../prompt-text.ts';

/**
 * Whether a text contains a long word with digits, a PEM header, or a URL with a login. Because few texts do, the
 * library is rarely loaded.
 */
function mayHold(text: string): boolean {
  if (text.includes('-----BEGIN ') || /:\/\/[^\s/:@]{1,100}:[^\s/@]{1,100}@/.test(text)) return true;
  // Search for digits first. Because digits are rare, this is faster than checking every word.
  for (const { 0: rest, index } of text.matchAll(/\d[\w+/=-]*/g)) {
    let start = index;
    while (index - start < minKeyLength && /[\w+/=-]/.test(text[start - 1] ?? '')) start -= 1;
    if (index - start + rest.length >= minKeyLength) return true;
  }
  return false;
}

/** The minimum length of a word that counts as a key, in characters. */
const minKeyLength = 16;

/** Matches a long word of letters and digits after the name of a credential. */
const named =
  /\b(?:api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?|(?:auth|access|bearer|api)[ _-]?token|token|bearer|password|passwd)\b[^\n]{0,40}?(?<![\w+/=-])([\w+/=-]{16,200})/gi;

/** Whether a word looks like a signed token, which consists of two JSON parts in Base64 and a signature. */
function isJsonWebToken(word: string): boolean {
  const [header = '', content = '', signature = ''] = word.split('.');
  return header.startsWith('eyJ') && content.startsWith('eyJ') && signature.length >= 16;
}

/** Finds keys and tokens. Messages never quote them, and output never shows their ranges. */
export async function findSecrets(text: Pick<PromptText, 'masked'>): Promise<Finding[]> {
  const content = text.masked;
  if (!mayHold(content)) return [];
  // Load the library only for texts that may contain a key.
  const { lintSource } = await import('@secretlint/core');
  const { creator: detectorPreset } = await import('@secretlint/secretlint-rule-preset-recommend');
  const config = { rules: [{ id: detectorPreset.meta.id, rule: detectorPreset }] };
  const source = { filePath: 'prompt.md', content, contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
  const ranges = messages.map(({ range }) => range);
  for (const match of content.matchAll(named)) {
    const key = match[1] ?? '';
    if (!isRandom(key)) continue;
    const start = match.index + match[0].length - key.length;
    ranges.push([start, start + key.length]);
  }
  for (const { 0: word, index } of content.matchAll(/[\w.-]{40,}/g)) {
    if (isJsonWebToken(word)) ranges.push([index, index + withoutEnd(word, '.-').length]);
  }
  const found: Finding[] = [];
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    if (found.some((one) => start < one.end && one.start < end)) continue;
    if (publicLogin.test(content.slice(start, end))) continue;
    const message =
      'this looks like a key or a token; remove it, and revoke the key or token, because others may have seen it';
    found.push({ rule: 'prompt-secret', message, start, end, isSecret: 'reported' });
  }
  return found;
}

/** The maximum length of a text to examine, in characters. */
const maxExamined = 400_000;

/** Whether the first `maxExamined` characters contain a probable key or token. */
export async function holdsCredential(text: string): Promise<boolean> {
  return (await findSecrets({ masked: text.slice(0, maxExamined) })).length > 0;
}

/** Matches logins in example URLs, which are not secret. */
const publicLogin = /:\/\/(?:anonymous|guest|user|username):(?:anonymous|guest|pass|password)@/i;

/** Whether letters and digits are mixed in the way that is typical of a random key. */
function isRandom(key: string): boolean {
  const changes = [...key.matchAll(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)].length;
  return changes >= 4 && /[A-Za-z]/.test(key);
}
