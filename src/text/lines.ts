import { shellWord } from './wording.ts';

/**
 * The start of the line that contains an offset. For offset 0, `lastIndexOf` would treat the start position -1 as 0, so
 * the first line is a special case.
 */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The end of the line that contains an offset, before its line feed. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The end of the line that contains an offset, before its carriage return and line feed. */
export function contentEnd(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** The offset at which each line starts. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of the line that contains an offset, counted from 0. */
export function lineIn(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line break for additions to a text: CRLF if the text already contains a CRLF. */
export function lineBreakIn(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The start of the next line, or the end of the text. */
export function nextLineStart(text: string, offset: number): number {
  return Math.min(text.length, lineEnd(text, offset) + 1);
}

function lastBreakOf(file: string): string {
  if (!file.endsWith('\n')) return '';
  return file.endsWith('\r\n') ? '\r\n' : '\n';
}

/** Returns the text in a file without the final line break, as YAML does for a block with `|-`. */
export function textInFile(file: string): string {
  return file.slice(0, file.length - lastBreakOf(file).length);
}

/**
 * Returns file content for which `textInFile` returns the given text. If possible, keeps the final line break of the
 * earlier content.
 */
export function fileWith(text: string, before?: string): string {
  // With only a line feed, the carriage return would become part of the final line break.
  if (text.endsWith('\r')) return `${text}\r\n`;
  const end = before === undefined ? '\n' : lastBreakOf(before);
  return text + (end === '' && lastBreakOf(text) !== '' ? '\n' : end);
}

/**
 * Matches the first marker of a merge conflict. Prompts for coding agents may show blocks that begin with `<<<<<<<
 * SEARCH` and end with REPLACE. Such blocks are not conflicts.
 */
const firstMark = /^<{7} (?!SEARCH\b)/m;
const laterMarks = ['\n=======', '\n>>>>>>> '] as const;

/** The offset of the first conflict marker of a git merge. Undefined if the text contains no marker. */
export function conflictMarkIn(text: string): number | undefined {
  const first = text.includes('<<<<<<< ') ? firstMark.exec(text)?.index : undefined;
  let from = first ?? text.length;
  for (const mark of laterMarks) {
    from = text.indexOf(mark, from);
    if (from < 0) return undefined;
  }
  return first;
}

/**
 * The offset of the first line that may be a marker of a partly resolved conflict. Use this function only for a file
 * that cannot be parsed, because `=======` may also underline a heading.
 */
export function strayMarkIn(text: string): number | undefined {
  const found = /^(?:<{7} |={7}\r?$|>{7} )/m.exec(text);
  return found?.index;
}

/**
 * Describes the commands that keep one side of a conflict. The commands work only until the merge is committed, because
 * git then discards the two sides.
 */
export function gitConflictCommands(file: string): string {
  const path = shellWord(file);
  return `while the merge is open, run \`git checkout --ours -- ${path}\` or \`git checkout --theirs -- ${path}\``;
}

/** A range of a text and its replacement. For an insertion, `start` and `end` are equal. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices, which must not overlap. Insertions at the same offset keep the given order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of splicesInOrder(splices)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** Sorts splices by position. */
export function splicesInOrder<One extends Splice>(splices: readonly One[]): One[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The number of columns before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** A text, or the pieces of a very large text. */
export type Pieces = string | Iterable<string>;

export function joined(pieces: Pieces): string {
  return typeof pieces === 'string' ? pieces : [...pieces].join('');
}

/**
 * The approximate size of a portion in code units. Portions limit the memory use, because writing a text takes three
 * times its size in memory.
 */
const portion = 1024 * 1024;

/**
 * Splits a text into portions for writing. Joins short pieces, but never splits a piece. Splits a single string only
 * after line feeds.
 */
export function* portionsOf(pieces: Pieces): Generator<string> {
  if (typeof pieces === 'string') {
    for (let at = 0, end = 0; at < pieces.length; at = end) {
      end = pieces.indexOf('\n', at + portion) + 1 || pieces.length;
      yield pieces.slice(at, end);
    }
    return;
  }
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < portion) continue;
    yield waiting.join('');
    waiting = [];
    length = 0;
  }
  if (length > 0) yield waiting.join('');
}
