/** The line break that a file ends with, as files do: `\n`, `\r\n`, or none. */
export function lastBreakOf(file: string): string {
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
