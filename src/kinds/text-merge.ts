import { isDeepStrictEqual } from 'node:util';
import { type LineEdit, lineEdits } from '../text/line-edits.ts';

/** Three versions of a text: the last applied text, the manifest's text (`ours`), and the live text (`theirs`). */
export interface TextSides {
  readonly lastApplied: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * A range of lines that the two sides changed differently. Contains the lines of all three versions, without line
 * endings.
 */
export interface Overlap {
  /** The number of the first line in `ours`, counted from 1. */
  readonly line: number;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

interface TextMerge {
  /** The merged text. Where the sides overlap, the merged text contains the favoured side. */
  readonly text: string;
  readonly overlaps: readonly Overlap[];
  /** Whether `ours` already equals the merged text, except for line endings. */
  readonly isOurs: boolean;
}

/**
 * Merges two edits of a text line by line, as git does. Applies changes that only one side made, and changes that are
 * the same on both sides. Adjacent or crossing edits count as overlaps.
 *
 * Ignores line endings and trailing white space, as every comparison does. The result has line feeds, and the trailing
 * white space of `ours`.
 */
export function mergeTexts(sides: TextSides, favoured: 'ours' | 'theirs' = 'ours'): TextMerge {
  const [last, ours, theirs] = [linesOf(sides.lastApplied), linesOf(sides.ours), linesOf(sides.theirs)];
  // Collects lines in separate arrays, because a call such as `push(...lines)` accepts a limited number of arguments.
  const merged: (readonly string[])[] = [];
  const overlaps: Overlap[] = [];
  let at = 0;
  let ourAt = 0;
  for (const { start, end, ourEdits, theirEdits } of regions(lineEdits(last, ours), lineEdits(last, theirs))) {
    merged.push(last.slice(at, start));
    ourAt += start - at;
    const range = { start, end };
    const [our, their] = [editedLines(last, range, ourEdits), editedLines(last, range, theirEdits)];
    const isDecided = ourEdits.length === 0 || theirEdits.length === 0 || isDeepStrictEqual(our, their);
    if (!isDecided) overlaps.push({ line: ourAt + 1, base: last.slice(start, end), ours: our, theirs: their });
    const isOurs = isDecided ? theirEdits.length === 0 : favoured === 'ours';
    merged.push(isOurs ? our : their);
    at = end;
    ourAt += our.length;
  }
  merged.push(last.slice(at));
  const ourText = withLineFeeds(sides.ours);
  const text = merged.flat().join('\n') + ourText.slice(ourText.trimEnd().length);
  return { text, overlaps, isOurs: text === ourText };
}

/** Whether the manifest's text already contains the live edits. */
export function holdsEdits(sides: TextSides): boolean {
  const { overlaps, isOurs } = mergeTexts(sides);
  return overlaps.length === 0 && isOurs;
}

/** A range of the base text that edits of both sides change or touch. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly ourEdits: readonly LineEdit[];
  readonly theirEdits: readonly LineEdit[];
}

function regions(ours: readonly LineEdit[], theirs: readonly LineEdit[]): Region[] {
  const found: { start: number; end: number; ourEdits: LineEdit[]; theirEdits: LineEdit[] }[] = [];
  const all = [
    ...ours.map((edit) => ({ edit, side: 'ourEdits' }) as const),
    ...theirs.map((edit) => ({ edit, side: 'theirEdits' }) as const),
  ].sort((one, other) => one.edit.start - other.edit.start || one.edit.end - other.edit.end);
  for (const { edit, side } of all) {
    const last = found.at(-1);
    const isNext = last === undefined || edit.start > last.end;
    const region = isNext ? { start: edit.start, end: edit.end, ourEdits: [], theirEdits: [] } : last;
    if (isNext) found.push(region);
    region.end = Math.max(region.end, edit.end);
    region[side].push(edit);
  }
  return found;
}

/** The lines of a range after the edits are applied. All edits must be inside the range. */
export function editedLines(
  lines: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  edits: readonly LineEdit[],
): string[] {
  const parts: (readonly string[])[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(lines.slice(at, edit.start), edit.lines);
    at = edit.end;
  }
  return [...parts, lines.slice(at, end)].flat();
}

/** Splits a text into lines to compare. Ignores line endings, and white space at the end of the text. */
export function linesOf(text: string): string[] {
  return withLineFeeds(text).trimEnd().split('\n');
}

/** Converts line endings to LF, because git decides the line endings of a checkout. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
