import stringWidth from 'string-width';
import { joined } from './pieces.ts';

// The arrows and dashes of our own sentences are narrow, and string-width would take a regex for each of them.
const narrowOnly = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff]*$/;

/** How many columns of a terminal the text takes; it must hold no colours and no controls. */
export function displayWidth(text: string): number {
  return narrowOnly.test(text) ? text.length : stringWidth(text);
}

/** The text cut to `width` columns, ending in an ellipsis if something was cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = '';
  let available = width - 1;
  // Made here: it takes 9 ms, which commands that cut nothing need not wait for.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) {
    available -= displayWidth(segment);
    if (available < 0) break;
    taken += segment;
  }
  return `${taken}…`;
}

/** The text with blanks up to `width` columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export interface ProseLayout {
  readonly width: number;
  /** Columns before each line. */
  readonly indent: number;
  /** Columns more before every line but the first. */
  readonly hanging?: number;
}

/** Blocks of lines with an empty line between them; a block without lines is none. */
export function joinLineBlocks(blocks: Iterable<readonly string[]>): string {
  return joined(lineBlocks(Array.from(blocks, (lines) => [lines])));
}

/** The same of blocks that have several parts, part by part. */
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
 * Breaks a sentence at blanks so that lines stay within the width; a word that is longer keeps its line. Text in
 * backticks is a command to copy, and is not broken.
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
