import { type CST, isAlias, isMap, isScalar, type ParsedNode } from 'yaml';
import type { Splice } from './splice.ts';
import type { Collection } from './yaml-place.ts';

/** Where an item of a collection stands: from its dash, its name or its anchor to the end of its value. */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

type ItemToken = CST.CollectionItem;

/** The items of a map or list in the order of the file. */
export function itemSpans(collection: Collection, text: string): ItemSpan[] {
  const { srcToken } = collection;
  const tokens: readonly ItemToken[] = srcToken !== undefined && 'items' in srcToken ? srcToken.items : [];
  // An item without a key and a value is what stands before the end.
  const items = tokens.filter(({ key, sep, value, start }) => key || sep || value || start.some(isDash));
  return collection.items.map((item, index) => {
    const token = items[index];
    const start = token === undefined ? 0 : startOf(token);
    return { start, end: trimmedEnd(text, Math.max(start, endOf(item, token))) };
  });
}

export function isFlow({ srcToken }: Collection): boolean {
  return srcToken?.type === 'flow-collection';
}

const spacing = ['space', 'newline', 'comment', 'comma'];

function startOf({ start, key, sep, value }: ItemToken): number {
  const first = start.find(({ type }) => !spacing.includes(type)) ?? key ?? sep?.[0] ?? value;
  return first?.offset ?? 0;
}

function isDash({ type }: CST.SourceToken): boolean {
  return type === 'seq-item-ind';
}

function endOf(item: unknown, token: ItemToken | undefined): number {
  const node = isPair(item) ? item.value : item;
  if (isNode(node) && node.range[0] < node.range[1]) return node.range[1];
  // Without a value: behind the colon, the anchor or the tag.
  const last = token?.sep?.findLast(({ type }) => !spacing.includes(type));
  return last === undefined ? 0 : last.offset + last.source.length;
}

function isPair(item: unknown): item is { readonly key: ParsedNode; readonly value: ParsedNode | null } {
  return typeof item === 'object' && item !== null && 'key' in item;
}

function isNode(node: unknown): node is ParsedNode {
  return (
    isScalar(node) || isAlias(node) || isMap(node) || (typeof node === 'object' && node !== null && 'range' in node)
  );
}

/** A block's range goes on to the next line; a block scalar's own last line breaks do not matter here. */
function trimmedEnd(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}

/** Takes items out with the lines or the commas that go with them; at least one item stays. */
export function removalOf(collection: Collection, text: string, removed: ReadonlySet<number>): Splice[] {
  const spans = itemSpans(collection, text);
  return isFlow(collection) ? flowRemoval(spans, removed) : blockRemoval(spans, removed, text);
}

function flowRemoval(spans: readonly ItemSpan[], removed: ReadonlySet<number>): Splice[] {
  const firstKept = spans.findIndex((_, index) => !removed.has(index));
  return spans.flatMap((span, index) => {
    if (!removed.has(index)) return [];
    const before = spans[index - 1];
    const next = spans[index + 1];
    if (index > firstKept) return [{ start: before?.end ?? span.start, end: span.end, text: '' }];
    return [{ start: span.start, end: next?.start ?? span.end, text: '' }];
  });
}

function blockRemoval(spans: readonly ItemSpan[], removed: ReadonlySet<number>, text: string): Splice[] {
  return spans.flatMap((span, index) => {
    if (!removed.has(index)) return [];
    const line = startOfLine(text, span.start);
    const isOwnLine = text.slice(line, span.start).trim() === '';
    const next = spans[index + 1];
    // The first member behind a dash: the next one takes its place.
    if (!isOwnLine && next !== undefined) return [{ start: span.start, end: next.start, text: '' }];
    return [{ start: isOwnLine ? line : span.start, end: nextLine(text, span.end), text: '' }];
  });
}

/** How many columns stand before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the next line begins, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
