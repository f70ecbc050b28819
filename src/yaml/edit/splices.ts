import { lineStart } from '../../text/line-bounds.ts';

/** A stretch of a text and what is to stand in its place; both ends are the same where something is put in. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the splices made; they do not overlap. What is put in at one place stays in the given order. */
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

/** How many columns stand before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
