import { withoutEnd } from '../../kinds/text-end.ts';
import { isPrintable } from './printable.ts';
import { refolded } from './refold.ts';
import type { WrittenScalar } from './scalar-text.ts';

export interface BlockPlace {
  readonly written: WrittenScalar;
  readonly indent: number;
  readonly lineEnd: string;
}

type BlockStyle = 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

/**
 * A text as a block scalar, from the header to the end of its last line; undefined if it cannot stand in one. Comment
 * and indentation stay as they are, and so do the lines of a folded text that still say the same.
 */
export function blockText(style: BlockStyle, value: string, place: BlockPlace): string | undefined {
  if (value.trim() === '' || !isPrintable(value)) return undefined;
  const { written, indent, lineEnd } = place;
  const now = written.type === style ? writtenBlock(written.text) : undefined;
  const content = withoutEnd(value, '\n');
  const end = value.slice(content.length);
  // Blank lines behind the block would become part of a text that keeps all of its line breaks.
  if (end.length > 1 && !now?.keepsBreaks) return undefined;
  const columns = now?.columns ?? indent + 2;
  const lines = style === 'BLOCK_LITERAL' ? content.split('\n') : foldedLines(content, now?.lines ?? []);
  const indicator = /^\n*[ \t]/.test(value) ? String(columns - indent) : '';
  const chomping = end === '' ? '-' : end === '\n' ? '' : '+';
  const header = `${style === 'BLOCK_LITERAL' ? '|' : '>'}${indicator}${chomping}${now?.comment ?? ''}`;
  const kept = [...lines, ...Array.from({ length: Math.max(0, end.length - 1) }, () => '')];
  const body = kept.map((line) => (line === '' ? '' : ' '.repeat(columns) + line));
  return [header, ...body, ''].join(lineEnd);
}

interface WrittenBlock {
  /** With the blanks before it. */
  readonly comment: string;
  readonly columns: number | undefined;
  readonly keepsBreaks: boolean;
  /** Without their indentation. */
  readonly lines: readonly string[];
}

/** The comment behind the header of a block scalar, with the blanks before it; empty if there is none. */
export function headerComment(header: string): string {
  const at = header.search(/\s#/);
  return at < 0 ? '' : header.slice(header.slice(0, at).trimEnd().length);
}

function writtenBlock(text: string): WrittenBlock {
  const [header = '', ...body] = text.split(/\r?\n/);
  const columns = Math.min(
    ...body.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  const isKnown = Number.isFinite(columns) && !/^[|>][-+]?\d/.test(header);
  return {
    comment: headerComment(header),
    columns: isKnown ? columns : undefined,
    keepsBreaks: /^[|>]\d?\+/.test(header),
    lines: isKnown ? body.map((line) => line.slice(columns)) : [],
  };
}

/** The lines of a folded scalar: a line of the text over one or more, and a blank one more wherever two would join. */
function foldedLines(content: string, before: readonly string[]): string[] {
  const known = paragraphsOf(before);
  const lines: string[] = [];
  let isJoining = false;
  let count = 0;
  for (const text of content.split('\n')) {
    const isText = isFoldable(text);
    if (isText && isJoining) lines.push('');
    const was = known.find((paragraph) => paragraph.join(' ') === text) ?? known[count] ?? [];
    lines.push(...(isText ? refolded(text, was) : [text]));
    if (isText) count += 1;
    if (text !== '') isJoining = isText;
  }
  return lines;
}

/** The runs of lines that are read as one line. */
function paragraphsOf(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let run: string[] = [];
  for (const line of [...lines, '']) {
    if (isFoldable(line)) run.push(line);
    else {
      if (run.length > 0) paragraphs.push(run);
      run = [];
    }
  }
  return paragraphs;
}

/** A line that begins with a blank keeps its breaks, and so does one that is empty. */
function isFoldable(line: string): boolean {
  return line !== '' && !/^[ \t]/.test(line);
}
