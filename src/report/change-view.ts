import { innerDifferences } from '../json/inner-differences.ts';
import { canonicalJson, type Json } from '../json/json.ts';
import type { Change } from '../schemas/plan-types.ts';
import { mask } from '../secrets/secret.ts';
import { visibleLine } from '../text/visible.ts';
import { counted, listCounts } from '../text/wording.ts';
import { type DiffLine, diffLines } from './text-diff/text-diff.ts';
import { summaryOfEdits } from './text-diff/text-summary.ts';
import { type MarkedLine, markWords } from './text-diff/words.ts';
import { inlineValue, isSensitive, isShort, valueLines } from './values.ts';

/** The display of a change, in the terminal and in a pull request. Contains no control characters. */
export interface ChangeView {
  /** The value before and after, if both are short. */
  readonly from?: string;
  readonly to?: string;
  /** The kind or amount of change, in words, if `lines` show it. */
  readonly summary?: string;
  /** The same in a few words, without headings. */
  readonly gist?: string;
  readonly lines: readonly MarkedLine[];
  /**
   * The kind of lines: a difference of two texts, added and removed elements, or whole values. A shortened output may
   * only show the first lines of these.
   */
  readonly form: 'inline' | 'difference' | 'elements' | 'whole';
}

/** The texts are those of several resources, which may differ before and after the shown lines. */
export interface ViewOptions {
  readonly isShared?: boolean | undefined;
}

/** A change for display. In a text, changed words are marked and summarised. */
export function viewChange(change: Pick<Change, 'from' | 'to'>, { isShared = false }: ViewOptions = {}): ChangeView {
  const view = differenceOf(change);
  if (view.form !== 'difference') return view;
  const lines = markWords(isShared ? withoutPlaces(view.lines) : view.lines);
  const { from, to } = change;
  const isText = typeof from === 'string' && typeof to === 'string';
  const summary = isText ? summaryOfEdits(lines, isShared ? [] : valueLines(to)) : undefined;
  const gist = isText ? summaryOfEdits(lines) : undefined;
  return { ...view, lines, ...(summary !== undefined && { summary }), ...(gist !== undefined && { gist }) };
}

/** Finds the shortest display of a change. */
function differenceOf(change: Pick<Change, 'from' | 'to'>): ChangeView {
  const from = presented(change.from);
  const to = presented(change.to);
  if (isSensitive(from) || isSensitive(to)) return sensitiveView(from, to);
  if (from === undefined) return oneSided(to, '+');
  if (to === undefined) return oneSided(from, '-');
  if (Array.isArray(from) && Array.isArray(to)) return elementsView(from, to) ?? textView(from, to);
  if (isShort(from) && isShort(to)) return inlineView(from, to);
  if (isNothing(from)) return { ...oneSided(to, '+'), from: inlineValue(from) };
  if (isNothing(to)) return { ...oneSided(from, '-'), to: inlineValue(to) };
  return textView(from, to);
}

/**
 * The display of a change, for comparisons, with its number of lines. Changes look the same if their displays are
 * equal. In texts, only the changed lines and those around them count, at any line.
 */
export function appearanceOf(change: Pick<Change, 'from' | 'to'>): { readonly text: string; readonly count: number } {
  const { lines, ...view } = differenceOf(change);
  return { text: canonicalJson({ ...view, lines: withoutPlaces(lines) }), count: 1 + lines.length };
}

/** The lines of a difference that several texts share, without their places. */
function withoutPlaces(lines: readonly DiffLine[]): DiffLine[] {
  return lines.flatMap((line, index): DiffLine[] => {
    const { sign, text, block } = line;
    if (block !== undefined) return [{ sign, text, block: { number: block.number, count: block.count } }];
    if (sign !== '@') return [line];
    return index === 0 ? [] : [{ sign, text: '…' }];
  });
}

/** The schema allows any value, and the generated type is too narrow. */
function presented(value: Change['from']): unknown {
  return value;
}

function isNothing(value: unknown): boolean {
  return value === null || value === '';
}

/** Two masked values in a plan always differ; an added or removed one is masked as well. */
function sensitiveView(from: unknown, to: unknown): ChangeView {
  if (isSensitive(to) && to.reference !== undefined) {
    const view = oneSided(to.reference, '+');
    return from === undefined ? view : { ...view, from: sideText(from) };
  }
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

function inlineView(from: unknown, to: unknown): ChangeView {
  return { from: inlineValue(from), to: inlineValue(to), lines: [], form: 'inline' };
}

/** Texts that differ in their last line break only. */
const sameLines = 'the trailing line break changed';

function textView(from: unknown, to: unknown): ChangeView {
  const { summary, lines, isReplaced } = diffLines(valueLines(from), valueLines(to));
  return { summary: lines.length === 0 ? sameLines : summary, lines, form: isReplaced ? 'whole' : 'difference' };
}

/** A list that is sent whole, shown by its elements: a set keeps what both sides have. */
function elementsView(from: readonly Json[], to: readonly Json[]): ChangeView | undefined {
  const found = innerDifferences(from, to, isSensitive);
  if (found === undefined) return undefined;
  const removed = found.flatMap((one) => (one.from === undefined ? [] : [one.from]));
  const added = found.flatMap((one) => (one.to === undefined ? [] : [one.to]));
  if (from.length + to.length === 0) return inlineView(from, to);
  if (removed.length + added.length === 0) {
    return { ...textView(from, to), summary: 'the same elements in a different order' };
  }
  const counts = [
    [added.length, 'added'],
    [removed.length, 'removed'],
    [to.length - added.length, 'kept'],
  ] as const;
  return {
    summary: listCounts(counts, 0),
    lines: [...removed.flatMap((element) => signed(element, '-')), ...added.flatMap((element) => signed(element, '+'))],
    form: 'elements',
  };
}

function signed(element: unknown, sign: '+' | '-'): DiffLine[] {
  return (isShort(element) ? [plainElement(element)] : valueLines(element)).map((text) => ({ sign, text }));
}

/** A text of a list needs no quotes. */
function plainElement(element: unknown): string {
  return typeof element === 'string' ? visibleLine(element) : inlineValue(element);
}
