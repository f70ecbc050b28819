import { diffArrays, wordsWithSpaceDiff } from 'diff';
import { toldApart } from '../../text/visible.ts';
import type { DiffLine } from './text-diff.ts';

/** A part of a line, and whether the old version, the new version or both (` `) contain it. */
interface Piece {
  readonly text: string;
  readonly sign: ' ' | '-' | '+';
}

export interface MarkedLine extends DiffLine {
  /** The parts of both versions of a reworded line. Both lines of the pair have these parts. */
  readonly edits?: readonly Piece[];
  /** For an added line with edits, the removed line that it replaces. */
  readonly old?: MarkedLine;
}

/** Returns the parts of one line. */
export function piecesOf({ text, sign, edits }: MarkedLine): readonly Piece[] {
  return edits?.filter((one) => one.sign === ' ' || one.sign === sign) ?? [{ text, sign: ' ' }];
}

/** Returns whether an added line replaces this removed line. */
export function isReplaced({ sign, edits }: MarkedLine): boolean {
  return sign === '-' && edits !== undefined;
}

/** The maximum length of a line in which to mark words. A longer line takes more than 100 ms. */
const maxMarkedCharacters = 100_000;

/** The share of words that two versions must have in common. With a smaller share, marks would confuse. */
const minCommon = 0.4;

export function markWords(lines: readonly DiffLine[]): MarkedLine[] {
  const marked: MarkedLine[] = [...lines];
  for (const [removedAt, addedAt] of replacedLines(lines)) {
    const [removed, added] = [marked[removedAt], marked[addedAt]];
    if (removed === undefined || added === undefined) continue;
    const edits = pairEdits(removed.text, added.text);
    if (edits === undefined) continue;
    const old = { ...removed, edits };
    marked[removedAt] = old;
    marked[addedAt] = { ...added, old, edits };
  }
  return marked;
}

type Pair = readonly [removedAt: number, addedAt: number];

/** Pairs removed lines with the added lines that directly follow: the most similar ones, or all in order. */
function replacedLines(lines: readonly DiffLine[]): Pair[] {
  return lines.flatMap((line, at): Pair[] => {
    if (line.sign !== '-' || lines[at - 1]?.sign === '-') return [];
    const middle = endOfRun(lines, at);
    const end = lines[middle]?.sign === '+' ? endOfRun(lines, middle) : middle;
    const [removed, added] = [lines.slice(at, middle), lines.slice(middle, end)];
    const isInTurn = removed.length === added.length || removed.length * added.length > maxCompared;
    const pairs = isInTurn ? removed.map((_, index): Pair => [index, index]) : alikePairs(removed, added);
    return pairs.flatMap(([old, now]) => (now < added.length ? [[at + old, middle + now]] : []));
  });
}

function endOfRun(lines: readonly DiffLine[], start: number): number {
  let end = start;
  while (end < lines.length && lines[end]?.sign === lines[start]?.sign) end += 1;
  return end;
}

const maxCompared = 2_500;

/** Pairs the most similar lines first, so that no two pairs cross. The pairs are in ascending order. */
function alikePairs(removed: readonly DiffLine[], added: readonly DiffLine[]): Pair[] {
  const words = added.map(({ text }) => wordsOf(text));
  const all = removed.flatMap(({ text }, old) => {
    const own = wordsOf(text);
    return words.map((others, now) => ({ old, now, share: likeness(own, others) }));
  });
  const pairs: Pair[] = [];
  for (const { old, now, share } of all.sort((one, other) => other.share - one.share)) {
    if (share > 0 && pairs.every(([removedAt, addedAt]) => (removedAt - old) * (addedAt - now) > 0))
      pairs.push([old, now]);
  }
  return pairs.sort(([one], [other]) => one - other);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter((word) => word !== ''));
}

/** Returns the share of common words, from 0 to 1. Returns 0 for a share below `minCommon`. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  const share = (2 * common) / Math.max(1, one.size + other.size);
  return share < minCommon ? 0 : share;
}

/** Merges two versions of a line, unless they differ too much. Blanks between changed words count as changed. */
export function wordEdits(removed: string, added: string): Piece[] | undefined {
  if (Math.max(removed.length, added.length) > maxMarkedCharacters) return undefined;
  const changes = diffArrays(wholeWords(removed), wholeWords(added), { maxEditLength: 300 });
  if (changes === undefined) return undefined;
  const edits: Piece[] = [];
  let run = { '-': '', '+': '' };
  const endRun = () => {
    edits.push(...editsOfRun(run, edits.length === 0));
    run = { '-': '', '+': '' };
  };
  for (const [index, change] of changes.entries()) {
    const value = change.value.join('');
    const next = changes[index + 1];
    const isBridge = value.trim() === '' && run['-'] + run['+'] !== '' && (next?.added || next?.removed);
    if (!change.added && !change.removed && !isBridge) {
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

/** Returns the edits of a run. The beginning of a line stays as it is, because list marks are found there. */
function editsOfRun(run: Readonly<Record<'-' | '+', string>>, isFirst: boolean): Piece[] {
  const [old, now] = isFirst ? [run['-'], run['+']] : toldApart(run['-'], run['+']);
  return [{ text: old, sign: '-' } as const, { text: now, sign: '+' } as const].filter(({ text }) => text !== '');
}

/** Splits a text into words, blanks and punctuation. A variable such as `${var.city}` or `[city]` is one word. */
function wholeWords(text: string): string[] {
  const parts = text.split(/(\$\{[^{}]*\}|\[[\w. ]+\])/);
  return parts.flatMap((part, index) => (index % 2 === 1 ? part : wordsWithSpaceDiff.tokenize(part)));
}

/** Returns the edits between two versions that have enough in common. */
function pairEdits(removed: string, added: string): Piece[] | undefined {
  const edits = wordEdits(removed, added);
  const kept = edits?.reduce((length, { text, sign }) => length + (sign === ' ' ? text.trim().length : 0), 0);
  return kept === undefined || kept < minCommon * Math.max(removed.length, added.length) ? undefined : edits;
}

export interface PromptLine {
  readonly kind: 'heading' | 'item' | 'plain';
  /** The mark in front of a list item: `•`, or a number such as `2.`. */
  readonly mark?: string;
  readonly isNested?: boolean;
  readonly pieces: readonly Piece[];
}

export function promptLine(text: string, pieces: readonly Piece[] = [{ text, sign: ' ' }]): PromptLine {
  const heading = /^#{1,6}\s+/.exec(text)?.[0];
  if (heading !== undefined) return { kind: 'heading', pieces: without(pieces, heading.length) };
  const [item, indent = '', sign = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/.exec(text) ?? [];
  if (item === undefined) return { kind: 'plain', pieces };
  const mark = /\d/.test(sign) ? sign : '•';
  return { kind: 'item', mark, isNested: indent.length > 1, pieces: without(pieces, item.length) };
}

function without(pieces: readonly Piece[], length: number): Piece[] {
  let left = length;
  return pieces.flatMap((piece) => {
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    return cut === piece.text.length && cut > 0 ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
}

export function promptWords(text: string): string {
  const { pieces } = promptLine(text);
  return pieces.map((piece) => piece.text).join('');
}

/** Returns the words of a line, without the characters that rendering hides. */
export function plainWords(text: string): string {
  return promptWords(text).replaceAll('**', '');
}

/** Returns whether two versions of a line differ only in characters that rendering hides, such as list marks. */
export function isHiddenEdit({ text, old }: MarkedLine): boolean {
  const shown = (line: string) => `${promptLine(line).kind} ${plainWords(line).trim()}`;
  return old !== undefined && old.text !== text && shown(old.text) === shown(text);
}

/** Splits pieces at the asterisks around Markdown's bold texts, and leaves these asterisks out. */
export function boldPieces(pieces: readonly Piece[]): (Piece & { readonly isBold: boolean })[] {
  // The runs repeat in this order: plain text, asterisks, bold text, asterisks.
  const runs = pieces
    .map(({ text }) => text)
    .join('')
    .split(/(\*\*)([^*]+)(\*\*)/);
  let [run, left] = [0, runs[0]?.length ?? 0];
  return pieces.flatMap((piece) => {
    const parts: (Piece & { readonly isBold: boolean })[] = [];
    for (let at = 0; at < piece.text.length; ) {
      for (; left === 0; left = runs[run]?.length ?? 1) run += 1;
      const text = piece.text.slice(at, at + left);
      if (run % 2 === 0) parts.push({ ...piece, text, isBold: run % 4 === 2 });
      at += text.length;
      left -= text.length;
    }
    return parts;
  });
}
