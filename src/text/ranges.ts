import { withoutEnd } from './wildcard.ts';
import { formatNumber, joinWithAnd } from './wording.ts';

/** Names as a list of at most this number of parts: `clinic-001 to clinic-120, front-desk and 12 more`. */
export function listNames(names: readonly string[], most = 20): string {
  const ranges = rangesOf(names);
  const shown = ranges.length > most ? ranges.slice(0, most) : ranges;
  const left = ranges.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return joinWithAnd([...shown.map(({ text }) => text), ...(left > 0 ? [`${formatNumber(left)} more`] : [])]);
}

/** Three or more names that are numbered without a gap are one part; the order is that of stems and numbers. */
function rangesOf(names: readonly string[]): { readonly text: string; readonly count: number }[] {
  const numbered = [...names].map(numberedName).sort(byStemAndNumber);
  const runs: Run[] = [];
  for (const name of numbered) {
    const run = runs.at(-1);
    if (run !== undefined && follows(name, run)) run.last = name;
    else runs.push({ first: name, last: name });
  }
  return runs.flatMap(({ first, last }) => {
    const count = last.number - first.number + 1;
    if (count > 2) return [{ text: `${first.name} to ${last.name}`, count }];
    return [first, ...(count === 2 ? [last] : [])].map(({ name }) => ({ text: name, count: 1 }));
  });
}

interface NumberedName {
  readonly name: string;
  /** The text before the number, and its width if it has leading zeros. */
  readonly stem: string;
  readonly width: number;
  readonly number: number;
}

interface Run {
  readonly first: NumberedName;
  last: NumberedName;
}

/** Beyond, a number is not exact: two names would be one. */
const mostDigits = 15;

function numberedName(name: string): NumberedName {
  const stem = withoutEnd(name, '0123456789');
  const digits = name.slice(stem.length);
  if (digits.length > mostDigits) return { name, stem: name, width: 0, number: -1 };
  return { name, stem, width: digits.startsWith('0') ? digits.length : 0, number: digits === '' ? -1 : Number(digits) };
}

function byStemAndNumber(one: NumberedName, other: NumberedName): number {
  if (one.stem !== other.stem) return one.stem < other.stem ? -1 : 1;
  return one.number - other.number || (one.name < other.name ? -1 : 1);
}

/** `clinic-010` follows `clinic-009`, and `clinic-10` follows `clinic-9`. */
function follows(name: NumberedName, { last }: Run): boolean {
  if (name.stem !== last.stem || last.number < 0 || name.number !== last.number + 1) return false;
  const digits = String(name.number).length;
  return name.width === last.width || (name.width === 0 && last.width === digits);
}
