import { codePointName } from '../../text/visible.ts';
import type { Finding, PromptText } from '../prompt-text.ts';
import { matchesWhere } from '../source-lines.ts';

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const otherScript = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const linesOfOthers = { has: /[\p{Script=Cyrillic}\p{Script=Greek}]/gu, within: 'line' } as const;
const mixed = /[\p{L}\p{M}]+/gu;
/** Cyrillic and Greek letters that look like Latin ones; units and formulas have others. */
const lookalikes = /[аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅαορνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

/** Invisible characters, and words with a letter of another script. */
export function findInvisible(text: PromptText): Finding[] {
  const { sourceText } = text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most texts are plain ASCII
  if (/^[\x00-\x7f]*$/.test(sourceText)) return [];
  return [...invisibleIn(sourceText), ...mixedIn(sourceText)];
}

function invisibleIn(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { 0: character, index } of text.matchAll(invisible)) {
    const [before, after] = [
      text.slice(Math.max(0, index - 2), index),
      text.slice(index + character.length, index + 4),
    ];
    if (isJoiner(character) && (needsJoiner.test(before) || needsJoiner.test(after))) continue;
    if (isDirection(character) && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(before + after)) continue;
    const last = found.at(-1);
    // Adjacent characters are one finding.
    if (last !== undefined && index - last.end < 3) continue;
    const message = `there is an invisible character here (${codePointName(character)}); delete it`;
    found.push({ rule: 'prompt-invisible', message, start: index, end: index + character.length });
  }
  return found;
}

function isJoiner(character: string): boolean {
  return character === '\u200c' || character === '\u200d';
}

function isDirection(character: string): boolean {
  return character === '\u200e' || character === '\u200f';
}

/** Emoji are joined by such a character, and some scripts need it to be written. */
const needsJoiner =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Tamil}|\p{Script=Malayalam}|\p{Script=Kannada}|\p{Script=Telugu}|\p{Script=Sinhala}/u;

function mixedIn(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { 0: word, index } of matchesWhere(text, linesOfOthers, mixed)) {
    if (word.length < 3 || !otherScript.test(word)) continue;
    if (!lookalikes.test(word) || !/\p{Script=Latin}/u.test(word)) continue;
    // Formulas have short names of a Greek letter with an index.
    if (word.length < 5 && /\p{Script=Greek}/u.test(word)) continue;
    const message = 'this word has letters of two scripts that look alike; type it again';
    found.push({ rule: 'prompt-invisible', message, start: index, end: index + word.length });
  }
  return found;
}
