import { diffWordsWithSpace, structuredPatch } from 'diff';
import { counted, formatNumber } from '../../text/wording.ts';
import type { DiffLine, MarkedLine, Piece } from './diff-line.ts';
import { type Hunk, markMoves, nonBlank } from './moved-lines.ts';

export interface TextDiff {
  /** The amount of change, in words. */
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** The texts were too different to compare in time: `lines` holds all of the old, then all of the new. */
  readonly isReplaced: boolean;
}

// jsdiff's cost grows with the square of the edit distance: two unlike texts of 5,000 lines would take minutes. A limit in
// time would make what a plan shows depend on how busy the machine is.
const lineLimits = { maxEditLength: 800 } as const;

/** Texts of more lines than this are compared only if they have a tenth of their lines in common. */
const alwaysCompared = 100;

/** The unified difference of two texts, line by line, with a little context. */
export function diffLines(from: readonly string[], to: readonly string[], context = 2): TextDiff {
  const patch = areUnlike(from, to)
    ? undefined
    : structuredPatch('', '', asFile(from), asFile(to), '', '', { context, ...lineLimits });
  const hunks = patch?.hunks ?? onePlaceHunks(from, to, context);
  if (hunks === undefined) return replaced(from, to);
  const lines = markMoves(hunks);
  return { summary: changedLines(lines), lines, isReplaced: false };
}

/** `2 lines changed`, `1 line added, 3 removed`, `4 lines moved, 1 line changed`. */
function changedLines(lines: readonly DiffLine[]): string {
  const moved = nonBlank(lines.filter(({ sign }) => sign === '>'));
  const removed = lines.filter(({ sign }) => sign === '-').length;
  const added = lines.filter(({ sign }) => sign === '+').length;
  const rest = added + removed === 0 && moved > 0 ? [] : [editedLines(added, removed)];
  return [...(moved === 0 ? [] : [`${counted(moved, 'line')} moved`]), ...rest].join(', ');
}

function editedLines(added: number, removed: number): string {
  if (added === removed) return added === 0 ? 'trailing line breaks changed' : `${counted(added, 'line')} changed`;
  if (removed === 0) return `${counted(added, 'line')} added`;
  if (added === 0) return `${counted(removed, 'line')} removed`;
  return `${counted(added, 'line')} added, ${formatNumber(removed)} removed`;
}

/** A text that only gains or only loses lines, in one place, may gain or lose any number of them; undefined for any other. */
function onePlaceHunks(from: readonly string[], to: readonly string[], context: number): Hunk[] | undefined {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  if (start + end === 0 || start + end < shorter) return undefined;
  const first = Math.max(0, start - context);
  const lines = [
    ...from.slice(first, start).map((text) => ` ${text}`),
    ...from.slice(start, from.length - end).map((text) => `-${text}`),
    ...to.slice(start, to.length - end).map((text) => `+${text}`),
    ...from
      .slice(from.length - end)
      .slice(0, context)
      .map((text) => ` ${text}`),
  ];
  return [{ oldStart: first + 1, newStart: first + 1, lines }];
}

/** A quick test that saves computing a difference of everything. */
function areUnlike(from: readonly string[], to: readonly string[]): boolean {
  const most = Math.max(from.length, to.length);
  if (most <= alwaysCompared) return false;
  const known = new Set(from);
  return to.filter((line) => line.trim() !== '' && known.has(line)).length < most / 10;
}

function replaced(from: readonly string[], to: readonly string[]): TextDiff {
  return {
    summary: `replaced: ${counted(from.length, 'line')} → ${counted(to.length, 'line')}`,
    lines: [...from.map((text) => ({ sign: '-', text }) as const), ...to.map((text) => ({ sign: '+', text }) as const)],
    isReplaced: true,
  };
}

function asFile(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

const wordLimits = { maxEditLength: 300 } as const;

/** In longer lines no words are marked: to find them takes 100 ms in a line of four times as many characters. */
const mostMarkedCharacters = 100_000;

/** Below this share of common text, two lines are not versions of each other, and marks would be confetti. */
const leastCommon = 0.4;

/** Marks the changed words where a removed line and an added line are versions of each other. */
export function markWords(lines: readonly DiffLine[]): MarkedLine[] {
  const marked: MarkedLine[] = [...lines];
  for (const { removedAt, addedAt } of counterparts(lines)) markPair(marked, removedAt, addedAt);
  return marked;
}

/** A removed line and the added line that replaces it. */
export interface Counterparts {
  readonly removedAt: number;
  readonly addedAt: number;
  /** Their run has as many removed as added lines. */
  readonly isEven: boolean;
}

/**
 * The pairs of replaced lines, where added lines directly follow removed ones: one by one for equal numbers, otherwise
 * the most similar ones, in order.
 */
export function counterparts(lines: readonly DiffLine[]): Counterparts[] {
  return lines.flatMap((line, at) => {
    if (line.sign !== '-' || lines[at - 1]?.sign === '-') return [];
    const removed = runLength(lines, at, '-');
    const added = runLength(lines, at + removed, '+');
    const isEven = removed === added;
    const pairs =
      isEven || removed * added > mostCompared
        ? Array.from({ length: Math.min(removed, added) }, (_, index) => [index, index] as const)
        : alikePairs(lines.slice(at, at + removed), lines.slice(at + removed, at + removed + added));
    return pairs.map(([old, now]) => ({ removedAt: at + old, addedAt: at + removed + now, isEven }));
  });
}

/** The maximum number of lines to compare with each other in one place. */
const mostCompared = 2_500;

/** The pairs, by index and in order, whose lines have most words in common. */
function alikePairs(removed: readonly DiffLine[], added: readonly DiffLine[]): (readonly [old: number, now: number])[] {
  const words = added.map(({ text }) => wordsOf(text));
  // By number of removed lines and number of added lines from the start, how much is in common at most.
  const best: number[][] = [Array(added.length + 1).fill(0)];
  const alike = removed.map(({ text }) => words.map((others) => likeness(wordsOf(text), others)));
  for (const [old, row] of alike.entries()) {
    const above = best[old] ?? [];
    const totals = [0];
    for (const [now, one] of row.entries()) {
      totals.push(Math.max(above[now + 1] ?? 0, totals[now] ?? 0, (above[now] ?? 0) + one));
    }
    best.push(totals);
  }
  const pairs: (readonly [number, number])[] = [];
  let [old, now] = [removed.length, added.length];
  while (old > 0 && now > 0) {
    const total = best[old]?.[now];
    if (total === best[old - 1]?.[now]) old -= 1;
    else if (total === best[old]?.[now - 1]) now -= 1;
    else pairs.unshift([--old, --now]);
  }
  return pairs;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter((word) => word !== ''));
}

/** From 0 to 1; nothing for lines that have less than `leastCommon` of their words in common. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  const share = (2 * common) / Math.max(1, one.size + other.size);
  return share < leastCommon ? 0 : share;
}

function runLength(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let length = 0;
  while (lines[from + length]?.sign === sign) length += 1;
  return length;
}

function markPair(marked: MarkedLine[], removedAt: number, addedAt: number): void {
  const [removed, added] = [marked[removedAt], marked[addedAt]];
  if (removed === undefined || added === undefined) return;
  const pieces = pairPieces(removed.text, added.text);
  if (pieces === undefined) return;
  marked[removedAt] = { ...removed, pieces: pieces.removed };
  marked[addedAt] = { ...added, pieces: pieces.added };
}

/** A part of a line in one or both of its versions. */
interface WordEdit {
  readonly text: string;
  readonly sign: ' ' | '-' | '+';
}

/**
 * The words of two versions of a line in one line: kept, removed and added. Blanks between changed words belong to them. Undefined for
 * lines that are too long.
 */
export function wordEdits(removed: string, added: string): WordEdit[] | undefined {
  if (Math.max(removed.length, added.length) > mostMarkedCharacters) return undefined;
  const changes = diffWordsWithSpace(removed, added, wordLimits);
  if (changes === undefined) return undefined;
  const isKept = (index: number) => !changes[index]?.added && !changes[index]?.removed;
  const edits: WordEdit[] = [];
  let run = { '-': '', '+': '' };
  const endRun = () => {
    for (const sign of ['-', '+'] as const) if (run[sign] !== '') edits.push({ text: run[sign], sign });
    run = { '-': '', '+': '' };
  };
  for (const [index, { value, ...change }] of changes.entries()) {
    const isBridge =
      value.trim() === '' && run['-'] + run['+'] !== '' && changes.length > index + 1 && !isKept(index + 1);
    if (isKept(index) && !isBridge) {
      endRun();
      edits.push({ text: value, sign: ' ' });
      continue;
    }
    if (!change.added) run['-'] += value;
    if (!change.removed) run['+'] += value;
  }
  endRun();
  return edits;
}

function pairPieces(removed: string, added: string) {
  const edits = wordEdits(removed, added);
  if (edits === undefined) return undefined;
  const kept = edits.reduce((length, { text, sign }) => length + (sign === ' ' ? text.trim().length : 0), 0);
  if (kept < leastCommon * Math.max(removed.length, added.length)) return undefined;
  const side = (other: WordEdit['sign']) =>
    edits.filter(({ sign }) => sign !== other).map(({ text, sign }): Piece => ({ text, isChanged: sign !== ' ' }));
  return { removed: side('+'), added: side('-') };
}
