import { grouped } from '../../json/json.ts';
import { type LineEdit, lineEdits } from '../../text/line-edits.ts';
import { formatNumber } from '../../text/wording.ts';

/**
 * A line of a difference, without control characters. A line with `@` gives the line number of the next line. `<` marks
 * the old place of a moved line, and `>` marks its new place.
 */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '<' | '>' | '@';
  readonly text: string;
  /** For `@`, the line number in the new text. The number is absent if several resources share the difference. */
  readonly line?: number;
}

interface TextDiff {
  readonly lines: readonly DiffLine[];
  /** Whether the texts are too different to compare, so that `lines` has all old and then all new lines. */
  readonly isReplaced: boolean;
}

/** Compares two texts line by line. `context` is the number of unchanged lines to show before and after a change. */
export function diffLines(from: readonly string[], to: readonly string[], context = 2): TextDiff {
  const edits = areUnlike(from, to) ? undefined : lineEdits(from, to).map((edit) => slidDown(edit, from));
  const isUnsearched = edits?.some(({ start, end, lines }) => {
    return end > start && lines.length > 0 && end - start + lines.length > maxSearched;
  });
  if (edits === undefined || isUnsearched) return replaced(from, to);
  return { lines: withMoves(diffLinesOf(edits, from, context)), isReplaced: false };
}

/** Moves an edit down as far as possible, as git does, so that a blank line stays with the paragraph before it. */
function slidDown({ start, end, lines }: LineEdit, from: readonly string[]): LineEdit {
  if (start < end && lines.length > 0) return { start, end, lines };
  const moved = [...lines];
  let by = 0;
  for (; end + by < from.length && (moved[by] ?? from[start + by]) === from[end + by]; by += 1) {
    if (lines.length > 0) moved.push(from[end + by] ?? '');
  }
  return { start: start + by, end: end + by, lines: moved.slice(lines.length > 0 ? by : 0) };
}

/** The maximum number of lines in one edit. With a longer edit, the whole text counts as replaced. */
const maxSearched = 800;

/** Longer texts are compared only if they share a tenth of the lines of the shorter text. */
const alwaysCompared = 100;

function areUnlike(from: readonly string[], to: readonly string[]): boolean {
  const [short, long] = from.length < to.length ? [from, to] : [to, from];
  if (long.length <= alwaysCompared) return false;
  const known = new Set(long);
  return short.filter((line) => line.trim() !== '' && known.has(line)).length < short.length / 10;
}

function replaced(from: readonly string[], to: readonly string[]): TextDiff {
  return {
    lines: [...from.map((text) => ({ sign: '-', text }) as const), ...to.map((text) => ({ sign: '+', text }) as const)],
    isReplaced: true,
  };
}

function diffLinesOf(edits: readonly LineEdit[], from: readonly string[], context: number): DiffLine[] {
  const made: DiffLine[] = [];
  const add = (sign: DiffLine['sign'], texts: readonly string[]) => {
    for (const text of texts) made.push({ sign, text });
  };
  let at = 0;
  let added = 0;
  for (const [index, { start, end, lines }] of edits.entries()) {
    if (start - context > at) {
      at = start - context;
      const line = at + added + 1;
      made.push({ sign: '@', text: `line ${formatNumber(line)}`, line });
    }
    add(' ', from.slice(at, start));
    add('-', from.slice(start, end));
    add('+', lines);
    added += lines.length - (end - start);
    at = Math.min(end + context, edits[index + 1]?.start ?? from.length);
    add(' ', from.slice(end, at));
  }
  return made;
}

/** The minimum length of a moved block, in characters other than spaces. Shorter text may repeat by chance. */
const minCharacters = 20;

const maxCandidates = 20;

/** Marks lines as moved if they were removed in one place and added in another. */
function withMoves(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines];
  const removed = lines.flatMap(({ sign, text }, index) => (sign === '-' && text.trim() !== '' ? [index] : []));
  const indexesByText = grouped(removed, (index) => lines[index]?.text);
  const lengthOf = (from: number, to: number) => {
    let length = 0;
    const isSame = () => lines[from + length]?.text === lines[to + length]?.text;
    while (marked[from + length]?.sign === '-' && marked[to + length]?.sign === '+' && isSame()) length += 1;
    return length;
  };
  for (const [to, { text }] of lines.entries()) {
    const runs = (indexesByText.get(text) ?? [])
      .slice(0, maxCandidates)
      .map((from) => ({ from, length: lengthOf(from, to) }));
    const [longest] = runs.sort((one, other) => other.length - one.length);
    if (longest === undefined) continue;
    const block = lines.slice(to, to + longest.length);
    if (block.map((one) => one.text.replaceAll(' ', '')).join('').length < minCharacters) continue;
    for (const [index, one] of block.entries()) {
      marked[longest.from + index] = { sign: '<', text: one.text };
      marked[to + index] = { sign: '>', text: one.text };
    }
  }
  return marked;
}
