import { type LineEdit, lineEdits } from '../text/line-edits.ts';

/** Three versions of a text: last applied, the manifest's, and live. */
export interface TextSides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A region that both sides changed differently. The lines of all three are without line ends. */
export interface Overlap {
  /** The first line of the region in `ours`; counts from 1. */
  readonly line: number;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

export interface TextMerge {
  /** The text with the edits of both sides, and the favoured side where they overlap. */
  readonly text: string;
  readonly overlaps: readonly Overlap[];
  /** Whether `ours` already has this text. */
  readonly isOurs: boolean;
}

/**
 * Merges two edits of one text line by line, as in git: one-sided and equal changes are applied, and adjacent or
 * crossing edits overlap.
 *
 * Line ends and white space at the end of the text do not count, as in every comparison. The merged text has line
 * feeds, and the end of `ours`.
 */
export function mergeTexts(sides: TextSides, favoured: 'ours' | 'theirs' = 'ours'): TextMerge {
  const [base, ours, theirs] = [linesOf(sides.base), linesOf(sides.ours), linesOf(sides.theirs)];
  // Joined in parts, because a text may have more lines than a call may have arguments.
  const merged: (readonly string[])[] = [];
  const overlaps: Overlap[] = [];
  let at = 0;
  let ourAt = 0;
  for (const { start, end, ourEdits, theirEdits } of regions(lineEdits(base, ours), lineEdits(base, theirs))) {
    merged.push(base.slice(at, start));
    ourAt += start - at;
    const range = { start, end };
    const [our, their] = [edited(base, range, ourEdits), edited(base, range, theirEdits)];
    const isDecided = ourEdits.length === 0 || theirEdits.length === 0 || areSame(our, their);
    if (!isDecided) overlaps.push({ line: ourAt + 1, base: base.slice(start, end), ours: our, theirs: their });
    const isOurs = isDecided ? theirEdits.length === 0 : favoured === 'ours';
    merged.push(isOurs ? our : their);
    at = end;
    ourAt += our.length;
  }
  merged.push(base.slice(at));
  const ourText = withLineFeeds(sides.ours);
  const text = merged.flat().join('\n') + ourText.slice(ourText.trimEnd().length);
  return { text, overlaps, isOurs: text === ourText };
}

/** Whether the manifest already contains the live edits: the merge equals the manifest's text. */
export function holdsEdits(sides: TextSides): boolean {
  const { overlaps, isOurs } = mergeTexts(sides);
  return overlaps.length === 0 && isOurs;
}

/** A range of the base with touching edits. */
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

/** The lines that replace a range of the base. */
export function edited(
  base: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  edits: readonly LineEdit[],
): string[] {
  const parts: (readonly string[])[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(base.slice(at, edit.start), edit.lines);
    at = edit.end;
  }
  return [...parts, base.slice(at, end)].flat();
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/** The lines of a text for comparison: without line ends, and without white space at the end of the text. */
export function linesOf(text: string): string[] {
  return withLineFeeds(text).trimEnd().split('\n');
}

/** The text with line feeds alone: git decides the line ends of a checkout. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
