import { type LineEdit, lineEdits } from '../../text/line-edits.ts';
import { counted, formatNumber, present } from '../../text/wording.ts';

/**
 * A line of a difference, without control characters. A line with `@` gives the line number of the next line. `<` marks
 * a line that moved away from here, and `>` its new place.
 */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '<' | '>' | '@';
  readonly text: string;
  /** For `@`, the line number in the new text. Absent if several resources share the difference. */
  readonly line?: number;
  /** For `<` and `>`, the moved block. */
  readonly block?: MovedBlock;
}

/** Consecutive lines that moved to another place together. */
export interface MovedBlock {
  /** The index of the block in the difference. */
  readonly number: number;
  /** The number of lines in the block that are not blank. */
  readonly count: number;
  /** The first line of the block in the old and in the new text. Absent if several resources share the difference. */
  readonly from?: number;
  readonly to?: number;
}

interface TextDiff {
  /** The size of the change, in words. */
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** Whether the texts are too different to compare. `lines` then contains all old lines, followed by all new ones. */
  readonly isReplaced: boolean;
}

/** Compares two texts line by line. `context` is the number of unchanged lines to show before and after a change. */
export function diffLines(from: readonly string[], to: readonly string[], context = 2): TextDiff {
  const edits = areUnlike(from, to) ? undefined : lineEdits(from, to).map((edit) => slidDown(edit, from));
  if (edits === undefined || edits.some(isUnsearched)) return replaced(from, to);
  const lines = withMoves(numberedLines(edits, from, context));
  return { summary: changedLines(lines), lines, isReplaced: false };
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

/** The maximum number of removed and added lines in one edit. With more, the whole text counts as replaced. */
const maxSearched = 800;

function isUnsearched({ start, end, lines }: LineEdit): boolean {
  return end > start && lines.length > 0 && end - start + lines.length > maxSearched;
}

/**
 * Texts up to this number of lines are always compared. In longer texts, at least a tenth of the shorter text's lines
 * must be common.
 */
const alwaysCompared = 100;

function areUnlike(from: readonly string[], to: readonly string[]): boolean {
  const [short, long] = from.length < to.length ? [from, to] : [to, from];
  if (long.length <= alwaysCompared) return false;
  const known = new Set(long);
  return short.filter((line) => line.trim() !== '' && known.has(line)).length < short.length / 10;
}

function replaced(from: readonly string[], to: readonly string[]): TextDiff {
  return {
    summary: `replaced: ${counted(from.length, 'line')} → ${counted(to.length, 'line')}`,
    lines: [...from.map((text) => ({ sign: '-', text }) as const), ...to.map((text) => ({ sign: '+', text }) as const)],
    isReplaced: true,
  };
}

interface NumberedLine {
  readonly sign: DiffLine['sign'];
  readonly text: string;
  readonly line: number;
}

function numberedLines(edits: readonly LineEdit[], from: readonly string[], context: number): NumberedLine[] {
  const numbered: NumberedLine[] = [];
  let at = 0;
  let added = 0;
  const addKept = (end: number) => {
    for (; at < end; at += 1) numbered.push({ sign: ' ', text: from[at] ?? '', line: at + added + 1 });
  };
  for (const [index, { start, end, lines }] of edits.entries()) {
    if (start - context > at) {
      at = start - context;
      const line = at + added + 1;
      numbered.push({ sign: '@', text: `line ${formatNumber(line)}`, line });
    }
    addKept(start);
    for (; at < end; at += 1) numbered.push({ sign: '-', text: from[at] ?? '', line: at + 1 });
    numbered.push(...lines.map((text, next) => ({ sign: '+', text, line: start + added + next + 1 }) as const));
    added += lines.length - (end - start);
    addKept(Math.min(end + context, edits[index + 1]?.start ?? from.length));
  }
  return numbered;
}

/** The minimum length of a moved block, in characters other than spaces. Shorter text may repeat by chance. */
const minCharacters = 20;

/** The maximum number of places to try for one line. */
const maxCandidates = 20;

/** Marks lines as moved if they were removed in one place and added in another. */
function withMoves(lines: readonly NumberedLine[]): DiffLine[] {
  const blocks = movedBlocks(lines);
  return lines.map(({ sign, text, line }, index): DiffLine => {
    if (sign === '@') return { sign, text, line };
    const block = blocks.get(index);
    return block === undefined ? { sign, text } : { sign: sign === '-' ? '<' : '>', text, block };
  });
}

/** The block of each moved line, by line index. A block includes a blank line that is beside it in both places. */
function movedBlocks(lines: readonly NumberedLine[]): ReadonlyMap<number, MovedBlock> {
  const indexes = indexesOfRemoved(lines);
  const blocks = new Map<number, MovedBlock>();
  let found = 0;
  /** The sign of each line, or undefined if the line is already in a block. */
  const free: (DiffLine['sign'] | undefined)[] = lines.map(({ sign }) => sign);
  const texts = lines.map(({ text }) => text);
  const lengthOf = (from: number, to: number) => {
    let length = 0;
    while (free[from + length] === '-' && free[to + length] === '+' && texts[from + length] === texts[to + length])
      length += 1;
    return length;
  };
  const blankBeside = (start: number, length: number, sign: DiffLine['sign']) =>
    [start + length, start - 1].find((index) => free[index] === sign && lines[index]?.text.trim() === '');
  for (const [to, { text, line }] of lines.entries()) {
    if (free[to] !== '+') continue;
    const runs = (indexes.get(text) ?? []).map((from) => ({ from, length: lengthOf(from, to) }));
    const { from, length } = runs.reduce((one, other) => (other.length > one.length ? other : one), {
      from: 0,
      length: 0,
    });
    const moved = lines.slice(to, to + length);
    if (moved.reduce((sum, one) => sum + one.text.replaceAll(' ', '').length, 0) < minCharacters) continue;
    const block = { number: found++, count: nonBlank(moved), from: lines[from]?.line ?? 1, to: line };
    const [old, now] = [blankBeside(from, length, '-'), blankBeside(to, length, '+')];
    const blanks = old === undefined || now === undefined ? [] : [old, now];
    const members = [...moved.keys()].flatMap((at) => [from + at, to + at]);
    for (const index of [...blanks, ...members]) {
      blocks.set(index, block);
      free[index] = undefined;
    }
  }
  return blocks;
}

function indexesOfRemoved(lines: readonly NumberedLine[]): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, { sign, text }] of lines.entries()) {
    if (sign !== '-' || text.trim() === '') continue;
    const known = indexes.get(text) ?? [];
    if (known.length < maxCandidates) indexes.set(text, [...known, index]);
  }
  return indexes;
}

/** Counts changes: `2 lines changed`, `1 line added, 3 removed`, `4 lines moved, 1 line changed`. */
function changedLines(lines: readonly DiffLine[]): string {
  const moved = nonBlank(lines.filter(({ sign }) => sign === '>'));
  const removed = lines.filter(({ sign }) => sign === '-').length;
  const added = lines.filter(({ sign }) => sign === '+').length;
  const isOnlyMoved = added + removed === 0 && moved > 0;
  return present(moved > 0 && `${counted(moved, 'line')} moved`, !isOnlyMoved && lineCounts(added, removed)).join(', ');
}

function lineCounts(added: number, removed: number): string {
  if (added === removed) return added === 0 ? 'trailing line breaks changed' : `${counted(added, 'line')} changed`;
  if (removed === 0) return `${counted(added, 'line')} added`;
  if (added === 0) return `${counted(removed, 'line')} removed`;
  return `${counted(added, 'line')} added, ${formatNumber(removed)} removed`;
}

function nonBlank(lines: readonly { readonly text: string }[]): number {
  return lines.filter(({ text }) => text.trim() !== '').length;
}
