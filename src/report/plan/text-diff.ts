import { diffWordsWithSpace, structuredPatch } from 'diff';
import { counted, formatNumber } from '../../text/wording.ts';

/** One line of a difference, without controls. `@` announces where in the text the next lines are. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

export interface TextDiff {
  /** How much changed, in words. */
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** The texts were too different to compare in time: `lines` holds all of the old, then all of the new. */
  readonly isReplaced: boolean;
}

// jsdiff's cost grows with the square of the edit distance: two unlike texts of 5,000 lines would take minutes.
const lineLimits = { maxEditLength: 800, timeout: 300 } as const;

/** Texts of more lines than this are compared only if they have a tenth of their lines in common. */
const alwaysCompared = 100;

/** The unified difference of two texts, line by line, with a little context. */
export function diffLines(from: readonly string[], to: readonly string[], context = 2): TextDiff {
  if (areUnlike(from, to)) return replaced(from, to);
  const patch = structuredPatch('', '', asFile(from), asFile(to), '', '', { context, ...lineLimits });
  if (patch === undefined) return replaced(from, to);
  const lines = patch.hunks.flatMap((hunk) => [
    ...(hunk.newStart > 1 ? [{ sign: '@', text: `line ${formatNumber(hunk.newStart)}` } as const] : []),
    ...hunk.lines.map(asDiffLine),
  ]);
  return { summary: changedLines(lines), lines, isReplaced: false };
}

/** `2 lines changed`, `1 line added, 3 removed`. */
function changedLines(lines: readonly DiffLine[]): string {
  const removed = lines.filter(({ sign }) => sign === '-').length;
  const added = lines.filter(({ sign }) => sign === '+').length;
  if (added === removed) return added === 0 ? 'trailing line breaks changed' : `${counted(added, 'line')} changed`;
  if (removed === 0) return `${counted(added, 'line')} added`;
  if (added === 0) return `${counted(removed, 'line')} removed`;
  return `${counted(added, 'line')} added, ${formatNumber(removed)} removed`;
}

/** A cheap look that spares the search for a difference that would say "everything". */
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

function asDiffLine(line: string): DiffLine {
  const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
  return { sign, text: line.slice(1) };
}

/** A stretch of a line, and whether it is one of the words that changed. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface MarkedLine extends DiffLine {
  /** Only for a line that has a counterpart on the other side. */
  readonly pieces?: readonly Piece[];
}

const wordLimits = { maxEditLength: 300, timeout: 50 } as const;

/** Below this share of common text, two lines are not versions of each other, and marks would be confetti. */
const leastCommon = 0.4;

/** Marks the changed words where a removed line and an added line are versions of each other. */
export function markWords(lines: readonly DiffLine[]): MarkedLine[] {
  const marked: MarkedLine[] = [...lines];
  for (const { removedAt, addedAt, pairs } of replacements(lines)) {
    for (let index = 0; index < pairs; index += 1) markPair(marked, removedAt + index, addedAt + index);
  }
  return marked;
}

interface Replacement {
  readonly removedAt: number;
  readonly addedAt: number;
  readonly pairs: number;
}

/** Every run of removed lines that a run of added lines follows directly. */
function replacements(lines: readonly DiffLine[]): Replacement[] {
  return lines.flatMap((line, at) => {
    if (line.sign !== '-' || lines[at - 1]?.sign === '-') return [];
    const removed = runLength(lines, at, '-');
    const added = runLength(lines, at + removed, '+');
    return added === 0 ? [] : [{ removedAt: at, addedAt: at + removed, pairs: Math.min(removed, added) }];
  });
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

function pairPieces(removed: string, added: string) {
  const changes = diffWordsWithSpace(removed, added, wordLimits);
  if (changes === undefined) return undefined;
  const common = changes.filter((change) => !change.added && !change.removed);
  const commonLength = common.reduce((length, { value }) => length + value.trim().length, 0);
  if (commonLength < leastCommon * Math.max(removed.length, added.length)) return undefined;
  const side = (other: 'added' | 'removed') =>
    joinAcrossBlanks(
      changes
        .filter((change) => !change[other])
        .map(({ value, ...change }) => ({ text: value, isChanged: change.added || change.removed })),
    );
  return { removed: side('added'), added: side('removed') };
}

/** A blank between two changed words belongs to the change, so that it is marked as one. */
function joinAcrossBlanks(pieces: readonly Piece[]): Piece[] {
  const bridged = pieces.map((piece, index) => {
    const isBridge = piece.text.trim() === '' && pieces[index - 1]?.isChanged && pieces[index + 1]?.isChanged;
    return isBridge ? { ...piece, isChanged: true } : piece;
  });
  const joined: Piece[] = [];
  for (const piece of bridged) {
    const last = joined.at(-1);
    if (last?.isChanged === piece.isChanged) joined[joined.length - 1] = { ...piece, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
