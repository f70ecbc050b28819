// What a value may hold must never reach a terminal or a comment raw: escape sequences move the cursor, bidirectional
// controls make a prompt read other than it is, and invisible characters hide instructions in it.

/** Controls, format characters, line separators, lone surrogates, and the tags and selectors that can carry hidden text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0000}-\u{e0fff}]/gu;

/** Joiners that emoji and many scripts are written with, and the Arabic number signs, which are visible. */
const kept = new Set(['\n', '\t', '\u200c', '\u200d', '\u06dd', ...'\u0600\u0601\u0602\u0603\u0604\u0605']);

/** The text with every invisible character but tabs and line feeds spelt out, as `\u001b`. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => (kept.has(character) ? character : spelt(character)));
}

/** As `visible`, on one line: line feeds and tabs become spaces. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]+/g, ' ');
}

/**
 * JSON text that means the same and holds no character that a terminal would act on. Line ends of two characters, as CSV
 * has them, stay.
 */
export function visibleJson(json: string): string {
  return json.replace(invisible, (character, at: number) => {
    const isLineEnd = character === '\r' && json[at + 1] === '\n';
    return kept.has(character) || isLineEnd ? character : jsonEscaped(character);
  });
}

/** Trailing blanks of a changed line as dots: otherwise nobody sees what changed. */
export function withVisibleEnd(line: string): string {
  const end = line.trimEnd();
  return end + line.slice(end.length).replaceAll('\t', '→').replace(/[^→]/g, '·');
}

function spelt(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

function jsonEscaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
