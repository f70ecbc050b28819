import type { StructuredPatchHunk } from 'diff';
import { counted, formatNumber } from '../../text/wording.ts';
import type { DiffLine, MovedBlock } from './diff-line.ts';

/** Lines of a unified difference, and where they begin in both texts. */
export type Hunk = Pick<StructuredPatchHunk, 'oldStart' | 'newStart' | 'lines'>;

/** The line of a hunk, and its number in the text that has it. */
interface PlacedLine {
  readonly sign: DiffLine['sign'];
  readonly text: string;
  readonly line: number;
}

/** A shorter block may be in both texts by chance; git has the same minimum. */
const leastCharacters = 20;

/** The maximum number of lines to search for blocks: lines not found by then are shown as removed and added. */
const mostWork = 200_000;

/** The maximum number of places to try for one line. */
const mostPlaces = 20;

/**
 * The lines of a difference, in which what went in one place and came in another is marked as moved. Blank lines next
 * to a moved block that moved with it belong to it.
 */
export function markMoves(hunks: readonly Hunk[]): DiffLine[] {
  const lines = hunks.flatMap(linesOf);
  const blocks = movedBlocks(lines);
  return lines.map(({ sign, text, line }, index): DiffLine => {
    if (sign === '@') return { sign, text, line };
    const block = blocks.get(index);
    return block === undefined ? { sign, text } : { sign: sign === '-' ? '<' : '>', text, block };
  });
}

function linesOf({ oldStart, newStart, lines }: Hunk): PlacedLine[] {
  let [old, now] = [oldStart, newStart];
  const placed = lines.map((line) => {
    const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
    const place: PlacedLine = { sign, text: line.slice(1), line: sign === '-' ? old : now };
    if (sign !== '+') old += 1;
    if (sign !== '-') now += 1;
    return place;
  });
  if (newStart <= 1) return placed;
  return [{ sign: '@', text: `line ${formatNumber(newStart)}`, line: newStart }, ...placed];
}

/** The state of a search for blocks: the lines, and the blocks that were found by the index of each line. */
interface Search {
  readonly lines: readonly PlacedLine[];
  readonly blocks: Map<number, MovedBlock>;
  found: number;
  work: number;
}

function movedBlocks(lines: readonly PlacedLine[]): ReadonlyMap<number, MovedBlock> {
  const removed = placesOfRemoved(lines);
  const search: Search = { lines, blocks: new Map(), found: 0, work: 0 };
  for (let to = 0; to < lines.length && search.work < mostWork; to += 1) {
    const line = lines[to];
    if (line?.sign !== '+' || search.blocks.has(to)) continue;
    const { from, length } = longestRun(removed.get(line.text) ?? [], to, search);
    const isEnough = charactersOf(lines.slice(to, to + length)) >= leastCharacters;
    if (isEnough) addBlock({ from, to, length }, search);
  }
  return search.blocks;
}

function placesOfRemoved(lines: readonly PlacedLine[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, { sign, text }] of lines.entries()) {
    if (sign !== '-' || text.trim() === '') continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else if (known.length < mostPlaces) known.push(index);
  }
  return places;
}

/** A run of lines by the indexes of its first line where it went and where it came. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function longestRun(places: readonly number[], to: number, search: Search): Run {
  let longest = { from: 0, to, length: 0 };
  for (const from of places) {
    let length = 0;
    while (isMove(from + length, to + length, search)) length += 1;
    search.work += 1 + length;
    if (length > longest.length) longest = { from, to, length };
  }
  return longest;
}

function isMove(from: number, to: number, { lines, blocks }: Search): boolean {
  const [old, now] = [lines[from], lines[to]];
  if (old?.sign !== '-' || now?.sign !== '+' || old.text !== now.text) return false;
  return !blocks.has(from) && !blocks.has(to);
}

/** With the blank line after or before it on each side, because a paragraph takes one along. */
function addBlock({ from, to, length }: Run, search: Search): void {
  const { lines, blocks } = search;
  const range = (start: number) => Array.from({ length }, (_, index) => start + index);
  const blankBeside = (start: number, sign: DiffLine['sign']) =>
    [start + length, start - 1].filter((index) => {
      return lines[index]?.sign === sign && lines[index].text.trim() === '' && !blocks.has(index);
    });
  const [old] = blankBeside(from, '-');
  const [now] = blankBeside(to, '+');
  const blanks = old === undefined || now === undefined ? [] : [old, now];
  const block: MovedBlock = {
    number: search.found,
    count: nonBlank(lines.slice(to, to + length)),
    from: lines[from]?.line ?? 1,
    to: lines[to]?.line ?? 1,
  };
  search.found += 1;
  for (const index of [...range(from), ...range(to), ...blanks]) blocks.set(index, block);
}

function charactersOf(lines: readonly PlacedLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.replaceAll(' ', '').length, 0);
}

/** The number of lines that are not blank. */
export function nonBlank(lines: readonly { readonly text: string }[]): number {
  return lines.filter(({ text }) => text.trim() !== '').length;
}

/**
 * The lines for an output of one column: the old place of a moved block has one line with the new place, and the new
 * place has its text, after a line with the old place.
 */
export function withAnnouncedMoves<Line extends DiffLine>(lines: readonly Line[]): (Line | DiffLine)[] {
  return lines.flatMap((line, index): (Line | DiffLine)[] => {
    if (line.block === undefined) return [line];
    const before = lines[index - 1];
    const isFirst = before?.block?.number !== line.block.number || before.sign !== line.sign;
    const announced: DiffLine[] = isFirst ? [{ sign: '@', text: movedSentence(line.sign, line.block) }] : [];
    return line.sign === '<' ? announced : [...announced, line];
  });
}

/** `3 lines moved to line 20`, `3 lines moved here from line 4`; without numbers `3 lines moved from here`. */
function movedSentence(sign: DiffLine['sign'], { count, from, to }: MovedBlock): string {
  const what = `${counted(count, 'line')} moved`;
  if (sign === '<') return to === undefined ? `${what} from here` : `${what} to line ${formatNumber(to)}`;
  return from === undefined ? `${what} here` : `${what} here from line ${formatNumber(from)}`;
}
