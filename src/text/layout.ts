const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
// With the arrows and dashes that our own sentences have.
const narrowOnly = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns of a terminal the text takes; it must hold no colours and no controls. */
export function displayWidth(text: string): number {
  if (narrowOnly.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

/** The text cut to `width` columns, ending in an ellipsis if something was cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = '';
  let room = width - 1;
  for (const grapheme of graphemes(text)) {
    room -= graphemeWidth(grapheme);
    if (room < 0) break;
    taken += grapheme;
  }
  return `${taken}…`;
}

/** The text with blanks up to `width` columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function graphemes(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Mark}/u.test(grapheme)) return 0;
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

export interface ProseLayout {
  readonly width: number;
  /** Columns before each line. */
  readonly indent: number;
  /** Columns more before every line but the first. */
  readonly hanging?: number;
}

/**
 * Breaks a sentence at blanks so that lines stay within the width; a word that is longer keeps its line. What stands in
 * backticks is a command to copy, and is not broken.
 */
export function wrapProse(text: string, { width, indent, hanging = 0 }: ProseLayout): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:`[^`\n]*`|[^ \n])+/g) ?? []) {
    const room = width - indent - (lines.length === 0 ? 0 : hanging);
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((wrapped, index) => ' '.repeat(indent + (index === 0 ? 0 : hanging)) + wrapped);
}
