/** Where the line of an offset begins. `lastIndexOf` searches from 0 if asked to search from -1, hence the first case. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of an offset ends, without its line feed. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The same without a carriage return either: where something can be added to the line. */
export function contentEnd(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Where each line begins. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line, from 0, that an offset is in. */
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

/** The line break of a text, for what is added to it. */
export function lineBreakIn(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
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

/** The first mark of a conflict. Prompts of programming agents show blocks that begin with `<<<<<<< SEARCH` and end with REPLACE. */
const firstMark = /^<{7} (?!SEARCH\b)/m;
const laterMarks = ['\n=======', '\n>>>>>>> '] as const;

/** The offset of the first mark that a merge of git left where it found a conflict; undefined if it left none. */
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
 * The offset of the first line that may be a mark of a partly resolved conflict. It is meaningful only for an
 * unreadable text: a heading may be underlined like that.
 */
export function strayMarkIn(text: string): number | undefined {
  const found = /^(?:<{7} |={7}\r?$|>{7} )/m.exec(text);
  return found?.index;
}

/** How to take one side of a file whole; git knows the sides only until the merge is committed. */
export function conflictCommands(place: string): string {
  const path = /^[\w./-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
  return `while the merge is open, run \`git checkout --ours -- ${path}\` or \`git checkout --theirs -- ${path}\``;
}

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
