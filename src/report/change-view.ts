import { canonicalJson, type Json } from '../json/json.ts';
import { listDifferences } from '../json/list-differences.ts';
import type { Change } from '../schemas/plan-types.ts';
import { mask } from '../secrets/secret.ts';
import { toldApart, visibleLine } from '../text/visible.ts';
import { counted, listCounts } from '../text/wording.ts';
import { type DiffLine, diffLines } from './text-diff/text-diff.ts';
import { summaryOfEdits } from './text-diff/text-summary.ts';
import { type MarkedLine, markWords } from './text-diff/words.ts';
import { inlineValue, isSensitive, isShort, valueLines } from './values.ts';

export interface ChangeView {
  /** The values that `lines` does not show. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A description of the change that `lines` shows, such as its size. */
  readonly summary?: string | undefined;
  readonly lines: readonly MarkedLine[];
  /** What `lines` contains: nothing, a difference of two texts, added and removed elements, or whole values. */
  readonly layout: 'inline' | 'difference' | 'elements' | 'whole';
}

/** Prepares a change for display. The texts of resources that share it may differ around the shown lines. */
export function viewChange(change: Pick<Change, 'from' | 'to'>, isShared = false): ChangeView {
  const view = differenceOf(change);
  if (view.layout !== 'difference') return view;
  const lines = markWords(isShared ? withoutLineNumbers(view.lines) : view.lines);
  const isText = typeof change.from === 'string' && typeof change.to === 'string';
  // An edit may change no word, for example if list items are renumbered or indented.
  const wordless = isOfBlanks(lines) ? 'only blank lines changed' : 'only list marks or spaces changed';
  return { ...view, lines, summary: view.summary ?? summaryOfEdits(lines, isText) ?? wordless };
}

export function isOfBlanks(lines: readonly DiffLine[]): boolean {
  return lines.every(({ sign, text }) => sign === ' ' || sign === '@' || text.trim() === '');
}

function differenceOf(change: Pick<Change, 'from' | 'to'>): ChangeView {
  // A plan may contain any JSON here, but the generated type is too narrow.
  const { from, to }: { readonly from?: unknown; readonly to?: unknown } = change;
  if (isSensitive(from) || isSensitive(to)) return sensitiveView(from, to);
  if (from === undefined) return oneSided(to, '+');
  if (to === undefined) return oneSided(from, '-');
  if (Array.isArray(from) && Array.isArray(to)) return elementsView(from, to) ?? textView(from, to);
  if (isShort(from) && isShort(to)) return inlineView(...toldApart(inlineValue(from), inlineValue(to)));
  if (isNothing(from)) return { ...oneSided(to, '+'), from: inlineValue(from) };
  if (isNothing(to)) return { ...oneSided(from, '-'), to: inlineValue(to) };
  return textView(from, to);
}

/** Returns a key that is equal for all changes that look the same, apart from line numbers. */
export function appearanceOf(change: Pick<Change, 'from' | 'to'>): string {
  const { lines, ...view } = differenceOf(change);
  return canonicalJson({ ...view, lines: withoutLineNumbers(lines) });
}

/** Removes line numbers from a difference, because several texts may share its lines. */
function withoutLineNumbers(lines: readonly DiffLine[]): DiffLine[] {
  return lines.flatMap((line, index): DiffLine[] => {
    if (line.sign !== '@') return [line];
    return index === 0 ? [] : [{ sign: '@', text: '…' }];
  });
}

function isNothing(value: unknown): boolean {
  return value === null || value === '';
}

function sensitiveView(from: unknown, to: unknown): ChangeView {
  if (isSensitive(to) && to.reference !== undefined) {
    const view = oneSided(to.reference, '+');
    return from === undefined ? view : { ...view, from: sideText(from) };
  }
  if (isSensitive(from) && isSensitive(to))
    return inlineView(undefined, from.fingerprint === to.fingerprint ? mask : '(sensitive, changes)');
  const [shown, hidden] = isSensitive(from) ? [to, 'earlier'] : [from, 'new'];
  if (shown === undefined || isShort(shown)) return inlineView(sideText(from), sideText(to));
  return { ...inlineView(undefined, undefined), summary: `the ${hidden} value is hidden` };
}

function sideText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return isShort(value) ? inlineValue(value) : sizeOf(valueLines(value));
}

function inlineView(from: string | undefined, to: string | undefined): ChangeView {
  return { from, to, lines: [], layout: 'inline' };
}

function oneSided(value: unknown, sign: '+' | '-'): ChangeView {
  if (value === undefined || isShort(value)) {
    const text = sideText(value);
    return sign === '+' ? inlineView(undefined, text) : inlineView(text, undefined);
  }
  const lines = valueLines(value);
  const summary = typeof value === 'string' ? sizeOf(lines) : undefined;
  return { summary, lines: lines.map((text) => ({ sign, text })), layout: 'whole' };
}

function sizeOf(lines: readonly string[]): string {
  const characters = lines.reduce((length, line) => length + line.length + 1, -1);
  return `${counted(lines.length, 'line')}, ${counted(characters, 'character')}`;
}

function textView(from: unknown, to: unknown): ChangeView {
  const [before, after] = [valueLines(from), valueLines(to)];
  const { lines, isReplaced } = diffLines(before, after);
  if (!isReplaced)
    return { summary: lines.length === 0 ? 'the trailing line break changed' : undefined, lines, layout: 'difference' };
  const summary = `replaced: ${counted(before.length, 'line')} → ${counted(after.length, 'line')}`;
  return { summary, lines, layout: 'whole' };
}

/**
 * Shows the added and removed elements, or the lines if only the order changed. Returns undefined if the lists are too
 * long to compare.
 */
function elementsView(from: readonly Json[], to: readonly Json[]): ChangeView | undefined {
  const found = listDifferences(from, to);
  if (found === undefined) return undefined;
  const { removed, added } = found;
  if (from.length + to.length === 0) return inlineView(inlineValue(from), inlineValue(to));
  if (removed.length + added.length === 0) {
    return { ...textView(from, to), summary: 'the same elements in a different order' };
  }
  const summary = listCounts(
    [
      [added.length, 'added'],
      [removed.length, 'removed'],
      [to.length - added.length, 'kept'],
    ],
    0,
  );
  // Records sort the members of an element, but manifests do not.
  const signed = (elements: readonly Json[], sign: '+' | '-') =>
    elements.flatMap((element) => elementLines(JSON.parse(canonicalJson(element)))).map((text) => ({ sign, text }));
  return { summary, lines: [...signed(removed, '-'), ...signed(added, '+')], layout: 'elements' };
}

function elementLines(element: unknown): string[] {
  if (!isShort(element)) return valueLines(element);
  return [typeof element === 'string' ? visibleLine(element) : inlineValue(element)];
}
