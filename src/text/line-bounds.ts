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

/** The line break that a file ends with, as files do: `\n`, `\r\n`, or none. */
function lastBreakOf(file: string): string {
  if (!file.endsWith('\n')) return '';
  return file.endsWith('\r\n') ? '\r\n' : '\n';
}

/** What a file says: its text without that line break, as YAML has it of a block with `|-`. */
export function textInFile(file: string): string {
  return file.slice(0, file.length - lastBreakOf(file).length);
}

/** The file that says a text: with the line break of the file before it; a new one gets `\n`. */
export function fileWith(text: string, before?: string): string {
  // A return at the end would become a part of the line break.
  if (text.endsWith('\r')) return `${text}\r\n`;
  const end = before === undefined ? '\n' : lastBreakOf(before);
  return text + (end === '' && lastBreakOf(text) !== '' ? '\n' : end);
}
