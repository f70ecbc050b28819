/** Lines of folded text that nobody has broken yet are about this long. */
const usualWidth = 80;

/**
 * Breaks a line of text over several lines as the same text was broken before: lines at the beginning and at the end
 * that still fit are kept, and what is between them is broken at the widest of the old ones.
 */
export function refolded(text: string, before: readonly string[]): string[] {
  const width = Math.max(usualWidth / 2, ...before.map(({ length }) => length));
  const head = keptLines(text, before);
  const rest = text.slice(head.length);
  const tail = keptLinesAtEnd(rest, before.slice(head.lines.length));
  const middle = rest.slice(0, rest.length - tail.length);
  return [...head.lines, ...broken(middle, width), ...tail.lines];
}

interface Kept {
  readonly lines: readonly string[];
  /** How much of the text they take, the blank between them and the rest included. */
  readonly length: number;
}

function keptLines(text: string, before: readonly string[]): Kept {
  let length = 0;
  let count = 0;
  for (const line of before) {
    const end = length + line.length;
    const isBreak = end === text.length || (text[end] === ' ' && text[end + 1] !== ' ' && text[end - 1] !== ' ');
    if (line === '' || !text.startsWith(line, length) || !isBreak) break;
    length = Math.min(end + 1, text.length);
    count += 1;
  }
  return { lines: before.slice(0, count), length };
}

function keptLinesAtEnd(text: string, before: readonly string[]): Kept {
  let length = 0;
  let count = 0;
  for (const line of before.toReversed()) {
    const start = text.length - length - line.length;
    const isBreak = start > 1 && text[start - 1] === ' ' && text[start - 2] !== ' ' && text[start] !== ' ';
    if (line === '' || !isBreak || !text.startsWith(line, start)) break;
    length += line.length + 1;
    count += 1;
  }
  return { lines: before.slice(before.length - count), length };
}

/** Breaks at single blanks, which is what a break is read as. */
function broken(text: string, width: number): string[] {
  if (text === '') return [];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<! ) (?! )/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
