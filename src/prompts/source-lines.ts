import { lineIn, lineStartsOf } from '../text/lines.ts';

/** The character that replaces each character of a reference. */
export const filler = '\uFFFC';

export class SourceLines {
  /** The text in the file. */
  readonly sourceText: string;
  /** The text with allow comments replaced by blanks, and references by filler. The length stays the same. */
  readonly masked: string;
  readonly #starts: readonly number[];

  constructor(sourceText: string, masked: string) {
    this.sourceText = sourceText;
    this.masked = masked;
    this.#starts = lineStartsOf(sourceText);
  }

  /** The line that contains an offset, counted from 0. */
  lineOf(offset: number): number {
    return lineIn(this.#starts, offset);
  }

  /** The offset at which a line begins. For a line number after the last line, returns the end of the text. */
  startOf(line: number): number {
    return this.#starts[line] ?? this.sourceText.length;
  }

  /** The offset at which a line ends, before its line break. */
  endOf(line: number): number {
    const next = this.#starts[line + 1];
    if (next === undefined) return this.sourceText.length;
    return this.sourceText[next - 2] === '\r' ? next - 2 : next - 1;
  }
}

/**
 * Yields the matches of a regex. Searches only lines or paragraphs that match `has`, because this is faster. The
 * indexes of the matches refer to the whole text.
 */
export function* matchesWhere(
  text: string,
  { has, within }: { readonly has: RegExp; readonly within: 'line' | 'paragraph' },
  regex: RegExp,
): Generator<RegExpExecArray> {
  const between = within === 'line' ? '\n' : '\n\n';
  let end = 0;
  for (const { index } of text.matchAll(has)) {
    if (index < end) continue;
    const before = text.lastIndexOf(between, index);
    const start = before < 0 ? 0 : before + between.length;
    const after = text.indexOf(between, index);
    end = after < 0 ? text.length : after;
    for (const match of text.slice(start, end).matchAll(regex)) {
      match.index += start;
      yield match;
    }
  }
}

/** Matches the beginning of a line of dialogue. */
export const dialogue =
  /^[\s>*_-]{0,12}(?:agent|assistant|ai|bot|you|caller|customer|patient|client|guest|user|visitor|receptionist|say|script|example)\b[^\n:]{0,20}:/i;

/** Whether an offset is in one of the ranges. The ranges must be sorted and disjoint. */
export function isInRanges(stretches: ReadonlyArray<readonly [start: number, end: number]>, offset: number): boolean {
  let low = 0;
  let high = stretches.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [start, end] = stretches[middle] ?? [0, 0];
    if (offset < start) high = middle - 1;
    else if (offset >= end) low = middle + 1;
    else return true;
  }
  return false;
}
