import stringWidth from 'string-width';
import { joined } from './lines.ts';

// Matches texts whose characters are all one column wide, including the arrows and dashes in messages. This test is
// faster than string-width, which runs a regex for each character.
const narrowOnly = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff]*$/;

/** The width of a text in terminal columns. The text must not contain colours or control characters. */
export function displayWidth(text: string): number {
  return narrowOnly.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to at most `width` columns. If the text is cut, the result ends with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = '';
  let available = width - 1;
  // The segmenter is created only if needed, because creating it takes 9 ms.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) {
    available -= displayWidth(segment);
    if (available < 0) break;
    taken += segment;
  }
  return `${taken}…`;
}

/** Pads a text with blanks to `width` columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

interface ProseLayout {
  readonly width: number;
  /** The number of columns before each line. */
  readonly indent: number;
  /** Additional columns before every line except the first. */
  readonly hanging?: number;
}

/** Joins blocks of lines, separated by empty lines. Skips blocks without lines. */
export function joinLineBlocks(blocks: Iterable<readonly string[]>): string {
  return joined(lineBlocks(Array.from(blocks, (lines) => [lines])));
}

/** Yields blocks of lines separated by empty lines, part by part. */
export function* lineBlocks(blocks: Iterable<Iterable<readonly string[]>>): Generator<string> {
  let isEmpty = true;
  for (const parts of blocks) {
    let before = isEmpty ? '' : '\n';
    for (const lines of parts) {
      if (lines.length === 0) continue;
      yield `${before}${lines.join('\n')}\n`;
      before = '';
      isEmpty = false;
    }
  }
  if (isEmpty) yield '\n';
}

/**
 * Breaks a sentence at blanks so that lines stay within the width. A word that is too long gets its own line. Text in
 * backticks, such as a command to copy, is not broken.
 */
export function wrapProse(text: string, { width, indent, hanging = 0 }: ProseLayout): string[] {
  const lines: string[] = [];
  let [line, columns] = ['', 0];
  for (const word of text.match(/(?:`[^`\n]*`|[^ \n])+/g) ?? []) {
    const available = width - indent - (lines.length === 0 ? 0 : hanging);
    const wordColumns = displayWidth(word);
    if (line !== '' && columns + 1 + wordColumns > available) {
      lines.push(line);
      [line, columns] = [word, wordColumns];
    } else [line, columns] = line === '' ? [word, wordColumns] : [`${line} ${word}`, columns + 1 + wordColumns];
  }
  if (line !== '') lines.push(line);
  return lines.map((wrapped, index) => ' '.repeat(indent + (index === 0 ? 0 : hanging)) + wrapped);
}
