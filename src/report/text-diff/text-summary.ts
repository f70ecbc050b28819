import { counted, quote } from '../../text/wording.ts';
import type { DiffLine, MarkedLine } from './diff-line.ts';
import { counterparts } from './text-diff.ts';

// The summary of a prompt's difference, in one line for people who decide whether to read on.

/** Parts that may have changed, in display order. A rule is an item of a list. */
const units = [
  'section added',
  'section removed',
  'section moved',
  'heading reworded',
  'rule added',
  'rule removed',
  'rule extended',
  'rule shortened',
  'rule reworded',
  'rule replaced',
  'rule moved',
  'line added',
  'line removed',
  'line extended',
  'line shortened',
  'line reworded',
  'line replaced',
  'line moved',
  'number changed',
] as const;

type Unit = (typeof units)[number];

interface Tally {
  readonly count: number;
  /** Its headings, for sections their own; undefined without a heading. */
  readonly headings: ReadonlySet<string | undefined>;
}

/**
 * `1 rule added under 'Opening hours', 2 numbers changed`; undefined if only whitespace differs. Items added or
 * removed with a section are not counted again. `whole` is the new text, used to find headings outside the shown lines;
 * empty for several texts, and left out for a summary without headings.
 */
export function summaryOfEdits(lines: readonly MarkedLine[], whole?: readonly string[]): string | undefined {
  const tallies = new Map<Unit, { count: number; headings: Set<string | undefined> }>();
  for (const { unit, heading, count } of editsIn(lines, whole ?? [])) {
    const tally = tallies.get(unit) ?? { count: 0, headings: new Set() };
    tallies.set(unit, { count: tally.count + count, headings: tally.headings.add(heading) });
  }
  const told = units.flatMap((unit) => {
    const tally = tallies.get(unit);
    return tally === undefined || tally.count === 0 ? [] : [tallyText(unit, tally, whole === undefined)];
  });
  return told.length === 0 ? undefined : told.join(', ');
}

function tallyText(unit: Unit, { count, headings }: Tally, isBrief: boolean): string {
  const [noun = '', verb = ''] = unit.split(' ');
  const [name] = headings;
  const text = `${counted(count, noun)} ${verb}`;
  if (isBrief || name === undefined || headings.size > 1) return text;
  return noun === 'section' ? `section ${quote(name)} ${verb}` : `${text} under ${quote(name)}`;
}

interface Edit {
  readonly unit: Unit;
  readonly heading: string | undefined;
  readonly count: number;
}

function editsIn(lines: readonly MarkedLine[], whole: readonly string[]): Edit[] {
  const versions = versionsIn(lines);
  const replaced = new Set(versions.values());
  const place = new EditPlace(headingsOf(whole));
  return lines.flatMap((line): Edit[] => {
    place.pass(line);
    const { sign, text } = line;
    if (sign === '@' || sign === '<' || replaced.has(line) || text.trim() === '') return [];
    const before = versions.get(line);
    const isOfSection = place.isOfSection(sign);
    const heading = headingText(text);
    if (heading !== undefined) place.enter(heading, before === undefined ? sign : ' ');
    if (sign === ' ') return [];
    if (before !== undefined) return versionEdits(before, line, place.heading);
    if (heading !== undefined) return [{ unit: `section ${verbs[sign]}`, heading, count: 1 }];
    const noun = isListItem(text) ? 'rule' : 'line';
    return isOfSection ? [] : [{ unit: `${noun} ${verbs[sign]}`, heading: place.heading, count: 1 }];
  });
}

/** The section that a line of a difference is in. */
class EditPlace {
  readonly #headings: readonly (string | undefined)[];
  /** The heading in the new text, with the sign of its line. */
  #under: { readonly sign: DiffLine['sign']; readonly text: string | undefined } = { sign: ' ', text: undefined };
  /** Removed lines belong to a removed section. */
  #isGone = false;

  constructor(headings: readonly (string | undefined)[]) {
    this.#headings = headings;
  }

  get heading(): string | undefined {
    return this.#under.text;
  }

  pass({ sign, line }: MarkedLine): void {
    if (sign === '@') this.#under = { sign: ' ', text: this.#headings[(line ?? 1) - 2] };
    if (sign === '@' || sign === ' ') this.#isGone = false;
  }

  /** Whether the summary of the section covers a line with the sign. */
  isOfSection(sign: DiffLine['sign']): boolean {
    return sign === '-' ? this.#isGone : this.#under.sign === sign;
  }

  enter(heading: string, sign: DiffLine['sign']): void {
    if (sign === '-') this.#isGone = true;
    else this.#under = { sign, text: heading };
  }
}

const verbs = { '+': 'added', '-': 'removed', '>': 'moved' } as const;

/** The removed line at the place of an added one: its old version, or one that it replaces. */
function versionsIn(lines: readonly MarkedLine[]): ReadonlyMap<MarkedLine, MarkedLine> {
  const versions = new Map<MarkedLine, MarkedLine>();
  for (const { removedAt, addedAt, isEven } of counterparts(lines)) {
    const [old, now] = [lines[removedAt], lines[addedAt]];
    if (old === undefined || now === undefined) continue;
    const isVersion = now.pieces !== undefined || withoutNumbers(old.text) === withoutNumbers(now.text);
    const isSame = isListItem(old.text) === isListItem(now.text) && isHeading(old.text) === isHeading(now.text);
    if (isVersion || (isEven && isSame)) versions.set(now, old);
  }
  return versions;
}

/** An item with only a different number is unchanged. */
function versionEdits(before: MarkedLine, line: MarkedLine, heading: string | undefined): Edit[] {
  const { text } = line;
  const [old, now] = [withoutMark(before.text), withoutMark(text)];
  if (old === now) return [];
  if (withoutNumbers(old) === withoutNumbers(now)) {
    const numbers = now.match(number) ?? [];
    const count = (old.match(number) ?? []).filter((each, index) => each !== numbers[index]).length;
    if (count > 0) return [{ unit: 'number changed', heading, count }];
  }
  if (isHeading(text)) return [{ unit: 'heading reworded', heading: undefined, count: 1 }];
  return [{ unit: `${isListItem(text) ? 'rule' : 'line'} ${rewordingOf(before, line)}`, heading, count: 1 }];
}

/** Words that are only added or removed are counted separately from replaced ones. */
function rewordingOf(before: MarkedLine, { pieces }: MarkedLine): 'replaced' | 'extended' | 'shortened' | 'reworded' {
  if (pieces === undefined) return 'replaced';
  const [isLess, isMore] = [before.pieces ?? [], pieces].map((all) => all.some(({ isChanged }) => isChanged));
  if (isLess === isMore) return 'reworded';
  return isMore ? 'extended' : 'shortened';
}

const number = /\d+(?:[.,:]\d+)*/g;

function withoutNumbers(text: string): string {
  return text.replace(number, '0');
}

const itemMark = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;

function isListItem(text: string): boolean {
  return itemMark.test(text);
}

function isHeading(text: string): boolean {
  return headingText(text) !== undefined;
}

function withoutMark(text: string): string {
  return text.replace(itemMark, '');
}

/** The heading of each line, or itself, by index. */
function headingsOf(lines: readonly string[]): (string | undefined)[] {
  let heading: string | undefined;
  return lines.map((line) => {
    heading = headingText(line) ?? heading;
    return heading;
  });
}

/** The text of a heading in Markdown. */
function headingText(line: string): string | undefined {
  const marks = /^#{1,6}(?=\s)/.exec(line)?.[0];
  return marks === undefined ? undefined : line.slice(marks.length).trim() || undefined;
}
