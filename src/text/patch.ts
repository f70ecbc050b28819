import { FILE_HEADERS_ONLY, formatPatch, parsePatch as parseUnified, structuredPatch } from 'diff';
import { lineBreakIn } from './lines.ts';

/** Consecutive lines of a text, and their replacement. */
interface PatchHunk {
  /** The line number of the hunk in the patch, counted from 1. */
  readonly line: number;
  /** The line number of the hunk in the text from which the patch was made, counted from 1. */
  readonly hint: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /**
   * The source of each line of `after`: the patch for an added line, and the text for any other line. The numbers of
   * lines in the text are relative to the position of the hunk.
   */
  readonly origins: readonly LineOrigin[];
}

/** The source of a line. Lines are counted from 0. */
interface LineOrigin {
  readonly in: 'text' | 'patch';
  readonly line: number;
}

/** Consecutive lines of a patched text that are also consecutive in their source. */
export interface LineRun extends LineOrigin {
  /** The index of the first line of the run in the patched text. */
  readonly at: number;
}

/**
 * A parsed patch, or the reason why the patch is invalid. The failure completes a sentence that begins with the patch's
 * file name.
 */
type ReadPatch = { readonly hunks: readonly PatchHunk[]; readonly failure?: never } | { readonly failure: string };

/** A patched text, or the first hunk that could not be placed. */
export type PatchedText =
  | { readonly text: string; readonly runs: readonly LineRun[]; readonly misfit?: never }
  | { readonly misfit: PatchHunk; readonly matches: 'none' | 'several' };

/** These limits bound the search time, because the whole text is searched for each hunk. */
const maxComparisons = 20_000_000;
const maxHunks = 1_000;

/**
 * Parses a unified diff of one text strictly. Lines before the header are ignored, and any other line outside a hunk is
 * an error.
 */
export function readPatch(text: string): ReadPatch {
  const lines = textLines(text);
  const start = lines.findIndex((line) => line.startsWith('--- '));
  if (start < 0 || !lines[start + 1]?.startsWith('+++ ')) {
    return {
      failure: 'is not a unified diff: expected a line `--- NAME`, a line `+++ NAME`, and hunks that begin with `@@`',
    };
  }
  const body = lines.slice(start);
  try {
    const [patch, ...others] = parseUnified(`${body.join('\n')}\n`);
    const found = patch?.hunks ?? [];
    if (others.length > 0) return { failure: 'changes several files: expected one' };
    if (found.length > maxHunks) return { failure: `has ${found.length} hunks; at most ${maxHunks} are allowed` };
    let at = 2;
    const hunks = found.map((hunk) => {
      const line = start + at + 1;
      at += 1 + hunk.lines.length;
      const kept = hunk.lines.filter((one) => !one.startsWith('\\'));
      const side = (sign: '+' | '-') => kept.filter((one) => one[0] !== sign).map((one) => one.slice(1));
      const origins = originsOf(hunk.lines, line);
      return { line, hint: Math.max(1, hunk.oldStart), before: side('+'), after: side('-'), origins };
    });
    if (at !== body.length)
      return { failure: 'has lines outside its hunks, or empty lines without the leading space of an unchanged line' };
    return { hunks };
  } catch (error) {
    return { failure: `is malformed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Applies a patch without guessing: the lines of each hunk, including context, must occur exactly once in the text. The
 * matches must be in the order of the hunks. If the text contains CRLF, all line breaks of the result are CRLF.
 */
export function applyPatch(text: string, hunks: readonly PatchHunk[]): PatchedText {
  const lines = textLines(text);
  const [first] = hunks;
  if (first !== undefined && hunks.length * lines.length > maxComparisons) return { misfit: first, matches: 'several' };
  const parts: (readonly string[])[] = [];
  const runs: LineRun[] = [];
  let at = 0;
  let made = 0;
  const add = (some: readonly string[], originAt: (index: number) => LineOrigin): void => {
    parts.push(some);
    for (let index = 0; index < some.length; index += 1) {
      const { in: source, line } = originAt(index);
      const last = runs.at(-1);
      const goesOn = last?.in === source && last.line - last.at === line - made;
      if (!goesOn) runs.push({ in: source, line, at: made });
      made += 1;
    }
  };
  const start = (from: number) => (index: number) => ({ in: 'text', line: from + index }) as const;
  for (const hunk of hunks) {
    const [position, another] = positionsOf(hunk.before, lines);
    if (position === undefined || position < at) return { misfit: hunk, matches: 'none' };
    if (another !== undefined) return { misfit: hunk, matches: 'several' };
    add(lines.slice(at, position), start(at));
    add(hunk.after, (index) => shiftedOrigin(hunk.origins[index], position));
    at = position + hunk.before.length;
  }
  add(lines.slice(at), start(at));
  const patched = parts.flat();
  const lineBreak = lineBreakIn(text);
  return { text: patched.join(lineBreak) + (text.endsWith('\n') ? lineBreak : ''), runs };
}

function originsOf(lines: readonly string[], heading: number): LineOrigin[] {
  const origins: LineOrigin[] = [];
  let before = 0;
  for (const [index, line] of lines.entries()) {
    if (line[0] === '+') origins.push({ in: 'patch', line: heading + index });
    else if (line[0] === ' ') origins.push({ in: 'text', line: before });
    if (line[0] !== '+' && line[0] !== '\\') before += 1;
  }
  return origins;
}

function shiftedOrigin(origin: LineOrigin | undefined, position: number): LineOrigin {
  if (origin?.in === 'patch') return origin;
  return { in: 'text', line: position + (origin?.line ?? 0) };
}

/** The numbers of context lines to try in order, until the position of each hunk is unique. */
const contexts = [1, 2, 3, 5, 10, 20, 50, 100, 1_000, Number.MAX_SAFE_INTEGER];

/**
 * Makes a patch that turns one text into the other. Undefined if the texts differ too much, or if no patch applies
 * unambiguously.
 */
export function makePatch(
  from: string,
  to: string,
  names: { readonly from: string; readonly to: string },
): string | undefined {
  const [olds, news] = [from, to].map((text) => `${textLines(text).join('\n')}\n`);
  for (const context of contexts) {
    const patch = structuredPatch(names.from, names.to, olds ?? '', news ?? '', '', '', {
      context,
      maxEditLength: 800,
    });
    if (patch === undefined) return undefined;
    const text = formatPatch(patch, FILE_HEADERS_ONLY);
    const read = readPatch(text);
    if (read.failure !== undefined) return undefined;
    const patched = applyPatch(from, read.hunks);
    if (patched.misfit === undefined && areSameLines(patched.text, to)) return text;
  }
  return undefined;
}

function areSameLines(one: string, other: string): boolean {
  return textLines(one).join('\n') === textLines(other).join('\n');
}

/** Splits a text into lines. A final line break does not begin another line. */
function textLines(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/**
 * Finds the first two positions at which a block occurs in the lines. Uses Knuth-Morris-Pratt, which takes linear time.
 * An empty block matches only an empty text.
 */
function positionsOf(block: readonly string[], lines: readonly string[]): number[] {
  if (block.length === 0) return lines.length === 0 ? [0] : [];
  const borders = bordersOf(block);
  const found: number[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    while (length > 0 && (length === block.length || line !== block[length])) length = borders[length - 1] ?? 0;
    if (line === block[length]) length += 1;
    if (length < block.length) continue;
    found.push(index - length + 1);
    if (found.length === 2) return found;
  }
  return found;
}

/** For each prefix of the block, returns the length of the longest proper suffix that is also a prefix of the block. */
function bordersOf(block: readonly string[]): number[] {
  const borders = [0];
  for (let index = 1, length = 0; index < block.length; index += 1) {
    while (length > 0 && block[index] !== block[length]) length = borders[length - 1] ?? 0;
    if (block[index] === block[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
