import { lineStart } from '../../text/line-bounds.ts';

/** A range of a text and its replacement; both ends are equal for an insertion. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the splices made; they do not overlap. Insertions at one place stay in the given order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of inOrder(splices)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** From the start of the text to its end. */
export function inOrder<One extends Splice>(splices: readonly One[]): One[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The number of columns before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
