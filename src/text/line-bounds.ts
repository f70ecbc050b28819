/** Where the line of an offset begins. `lastIndexOf` searches from 0 if asked to search from -1, hence the first case. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of an offset ends, without its line feed. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** Where the next line begins, or the end of the text. */
export function nextLineStart(text: string, offset: number): number {
  return Math.min(text.length, lineEnd(text, offset) + 1);
}
