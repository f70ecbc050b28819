import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './text-diff.ts';

/** A stretch of a line, and whether it is one of the words that changed. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface MarkedLine extends DiffLine {
  /** Only for a line that has a counterpart on the other side. */
  readonly pieces?: readonly Piece[];
}

const limits = { maxEditLength: 300, timeout: 50 } as const;

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
  const changes = diffWordsWithSpace(removed, added, limits);
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
