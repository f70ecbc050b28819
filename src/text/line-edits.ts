import { diffArrays } from 'diff';

/** A range of lines, from `start` up to but not including `end`, and the lines that replace them. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * The search time grows with the number of lines times the number of differences. These limits keep the time below
 * about 20 ms. A time limit is not used, because then the result would depend on the machine.
 */
const maxEdits = 800;
const maxComparisons = 2_000_000;

/**
 * Finds the edits that turn one text into the other, in order. Between two edits, at least one line is unchanged. If
 * the texts differ too much, a single edit replaces all lines between their common beginning and end.
 */
export function lineEdits(from: readonly string[], to: readonly string[]): LineEdit[] {
  const before = sameLines(from, to, (lines, index) => lines[index]);
  const max = Math.min(from.length, to.length) - before;
  const after = Math.min(
    max,
    sameLines(from, to, (lines, index) => lines.at(-1 - index)),
  );
  const [olds, news] = [from.slice(before, from.length - after), to.slice(before, to.length - after)];
  if (olds.length + news.length === 0) return [];
  return editsBetween(olds, news).map(({ start, end, lines }) => ({ start: start + before, end: end + before, lines }));
}

function sameLines(
  one: readonly string[],
  other: readonly string[],
  lineAt: (lines: readonly string[], index: number) => string | undefined,
): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count < max && lineAt(one, count) === lineAt(other, count)) count += 1;
  return count;
}

function editsBetween(olds: readonly string[], news: readonly string[]): LineEdit[] {
  const whole = [{ start: 0, end: olds.length, lines: news }];
  if (olds.length === 0 || news.length === 0) return whole;
  const [oldNumbers = [], newNumbers = []] = asLineNumbers([olds, news]);
  const maxEditLength = Math.min(maxEdits, Math.ceil(maxComparisons / (olds.length + news.length)));
  const changes = diffArrays(oldNumbers, newNumbers, { maxEditLength });
  if (changes === undefined) return whole;
  return joinedChanges(changes).map(({ start, end, newStart, newEnd }) => ({
    start,
    end,
    lines: news.slice(newStart, newEnd),
  }));
}

/**
 * Replaces each line with a number. Equal lines get the same number. Comparing numbers is faster than comparing long
 * lines.
 */
function asLineNumbers(texts: readonly (readonly string[])[]): number[][] {
  const numbers = new Map<string, number>();
  return texts.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    }),
  );
}

interface Stretches {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Merges removals and additions at the same position into one edit. */
function joinedChanges(changes: ReturnType<typeof diffArrays<number>>): Stretches[] {
  const edits: Stretches[] = [];
  let [at, newAt] = [0, 0];
  for (const { added, removed, count } of changes) {
    const last = edits.at(-1);
    const edit = last?.end === at && last.newEnd === newAt ? last : undefined;
    const [start, newStart] = [edit?.start ?? at, edit?.newStart ?? newAt];
    if (!added) at += count;
    if (!removed) newAt += count;
    if (!added && !removed) continue;
    if (edit !== undefined) edits.pop();
    edits.push({ start, end: at, newStart, newEnd: newAt });
  }
  return edits;
}

/** Splits a text into lines with their line feeds. After a final line feed, the last line is empty. */
export function linesWithFeeds(text: string): string[] {
  const lines = text.split('\n');
  return lines.map((line, index) => (index < lines.length - 1 ? `${line}\n` : line));
}
