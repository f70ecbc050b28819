import { canonicalJson } from '../kinds/json.ts';
import { mask } from '../kinds/secret.ts';
import type { Change } from '../schemas/plan-types.ts';
import { counted, formatNumber } from './counts.ts';
import { type DiffLine, diffLines } from './text-diff.ts';
import { inlineValue, isSensitive, isShort, valueLines } from './value-text.ts';

/** How a change is shown, in the terminal as in a pull request. Holds no controls. */
export interface ChangeView {
  /** The value before and after, if both are short. */
  readonly from?: string;
  readonly to?: string;
  /** How much changed, in words, where `lines` show it. */
  readonly summary?: string;
  readonly lines: readonly DiffLine[];
  /**
   * What the lines are: a difference of two versions of a text, elements that came and went, or whole values, of which
   * an abridged output may show the first lines only.
   */
  readonly form: 'inline' | 'difference' | 'elements' | 'whole';
}

/** Works out the shortest way to show what a change does. */
export function viewChange(change: Pick<Change, 'from' | 'to'>): ChangeView {
  const from = presented(change.from);
  const to = presented(change.to);
  if (isSensitive(from) || isSensitive(to)) return sensitiveView(from, to);
  if (from === undefined) return oneSided(to, '+');
  if (to === undefined) return oneSided(from, '-');
  if (Array.isArray(from) && Array.isArray(to)) return elementsView(from, to);
  if (isShort(from) && isShort(to)) return inlineView(from, to);
  if (isNothing(from)) return { ...oneSided(to, '+'), from: inlineValue(from) };
  if (isNothing(to)) return { ...oneSided(from, '-'), to: inlineValue(to) };
  return textView(from, to);
}

/** Texts that differ in their last line break only. */
const sameLines = 'the line break at the end changed';

function textView(from: unknown, to: unknown): ChangeView {
  const { summary, lines, isReplaced } = diffLines(valueLines(from), valueLines(to));
  return { summary: lines.length === 0 ? sameLines : summary, lines, form: isReplaced ? 'whole' : 'difference' };
}

function inlineView(from: unknown, to: unknown): ChangeView {
  return { from: inlineValue(from), to: inlineValue(to), lines: [], form: 'inline' };
}

/** Two masked values are in a plan because they differ; one that came or went is masked all the same. */
function sensitiveView(from: unknown, to: unknown): ChangeView {
  const differ = isSensitive(from) && isSensitive(to) && from.fingerprint !== to.fingerprint;
  if (differ) return { to: '(sensitive, changes)', lines: [], form: 'inline' };
  if (isSensitive(from) && isSensitive(to)) return { to: mask, lines: [], form: 'inline' };
  return {
    ...(from !== undefined && { from: sideText(from) }),
    ...(to !== undefined && { to: sideText(to) }),
    lines: [],
    form: 'inline',
  };
}

function sideText(value: unknown): string {
  return isShort(value) ? inlineValue(value) : sizeOf(valueLines(value));
}

function oneSided(value: unknown, sign: '+' | '-'): ChangeView {
  if (value === undefined) return { lines: [], form: 'inline' };
  if (isShort(value)) return { [sign === '+' ? 'to' : 'from']: inlineValue(value), lines: [], form: 'inline' };
  const lines = valueLines(value);
  return {
    lines: lines.map((text) => ({ sign, text })),
    form: 'whole',
    ...(typeof value === 'string' && { summary: sizeOf(lines) }),
  };
}

function sizeOf(lines: readonly string[]): string {
  const characters = lines.reduce((length, line) => length + line.length + 1, -1);
  return `${counted(lines.length, 'line')}, ${counted(characters, 'character')}`;
}

/** A list that is sent whole, shown by its elements: a set keeps what both sides have. */
function elementsView(from: readonly unknown[], to: readonly unknown[]): ChangeView {
  const removed = without(from, to);
  const added = without(to, from);
  if (from.length + to.length === 0) return inlineView(from, to);
  if (removed.length + added.length === 0) {
    return { ...textView(from, to), summary: 'the same elements in another order' };
  }
  return {
    summary: elementCounts(removed.length, added.length, to.length - added.length),
    lines: [...removed.flatMap((element) => signed(element, '-')), ...added.flatMap((element) => signed(element, '+'))],
    form: 'elements',
  };
}

function elementCounts(removed: number, added: number, keptCount: number): string {
  const counts = [
    [added, 'added'],
    [removed, 'removed'],
    [keptCount, 'kept'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

function signed(element: unknown, sign: '+' | '-'): DiffLine[] {
  const lines = isShort(element) || typeof element === 'string' ? [inlineValue(element)] : valueLines(element);
  return lines.map((text) => ({ sign, text }));
}

/** Elements are counted: one that stands twice and shall stand once is removed once. */
function without(elements: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(keyOf(other), (left.get(keyOf(other)) ?? 0) + 1);
  return elements.filter((element) => {
    const count = left.get(keyOf(element)) ?? 0;
    left.set(keyOf(element), count - 1);
    return count <= 0;
  });
}

function keyOf(element: unknown): string {
  return canonicalJson(element);
}

/** The schema leaves the values open, and the generated type says too much about them. */
function presented(value: Change['from']): unknown {
  return value;
}

function isNothing(value: unknown): boolean {
  return value === null || value === '';
}
