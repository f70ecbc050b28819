import { type CST, isAlias, isMap, isNode, isPair, isScalar, isSeq, type ParsedNode } from 'yaml';
import { cached, type Json, jsonIn } from '../../json/json.ts';
import { columnOf, lineBreakIn, lineStart, nextLineStart, type Splice } from '../../text/lines.ts';
import type { Collection, PathTarget } from './editable-document.ts';
import { changedFlow } from './flow-items.ts';
import {
  blockLines,
  flowText,
  indentedText,
  isScalarValue,
  keyText,
  type Quotes,
  type ScalarContext,
  scalarText,
} from './scalar-text.ts';

/** The range of an item, which extends from its dash, name or anchor to the end of its value. */
interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

type ItemToken = CST.CollectionItem;

/** Finds the items of a map or list, in file order. */
export function itemSpans(collection: Collection, text: string): readonly ItemSpan[] {
  return cached(knownSpans, collection, () => spansInside(collection, text));
}

/** Caches the ranges, because every edit of an item needs them. */
const knownSpans = new WeakMap<Collection, readonly ItemSpan[]>();

function spansInside(collection: Collection, text: string): ItemSpan[] {
  const { srcToken } = collection;
  const tokens: readonly ItemToken[] = srcToken !== undefined && 'items' in srcToken ? srcToken.items : [];
  // A token without a key, value or dash is not an item. Such a token contains only the space before the end of the
  // collection.
  const items = tokens.filter(({ key, sep, value, start }) => {
    return key || sep || value || start.some(({ type }) => type === 'seq-item-ind');
  });
  return collection.items.map((item, index) => {
    const token = items[index];
    const start = token === undefined ? 0 : itemStart(token);
    const end = Math.max(start, endOf(item, token));
    // The range of a block includes the line breaks after it.
    const trimmed = text.slice(0, end).trimEnd().length;
    return { start, end: keepsBreaks(isPair(item) ? item.value : item, text) ? end - 1 : trimmed };
  });
}

export function isFlow({ srcToken }: Collection): boolean {
  return srcToken?.type === 'flow-collection';
}

const spacing = ['space', 'newline', 'comment', 'comma'];

function itemStart({ start, key, sep, value }: ItemToken): number {
  const first = start.find(({ type }) => !spacing.includes(type)) ?? key ?? sep?.[0] ?? value;
  return first?.offset ?? 0;
}

function endOf(item: unknown, token: ItemToken | undefined): number {
  const node = isPair(item) ? item.value : item;
  if (isNode(node) && node.range && node.range[0] < node.range[1]) return node.range[1];
  // An item without a value ends after its colon, anchor or tag.
  const last = token?.sep?.findLast(({ type }) => !spacing.includes(type));
  return last === undefined ? 0 : last.offset + last.source.length;
}

/** Whether the item ends with a block scalar that keeps all of its trailing line breaks. */
function keepsBreaks(node: unknown, text: string): boolean {
  let last = node;
  while (isMap(last) || isSeq(last)) {
    if (isFlow(last as Collection)) return false;
    const item: unknown = last.items.at(-1);
    last = isPair(item) ? item.value : item;
  }
  if (!isScalar(last) || !last.range || !last.type?.startsWith('BLOCK')) return false;
  return /^[|>]\d?\+/.test(text.slice(last.range[0], last.range[0] + 3));
}

function blockRemoval(spans: readonly ItemSpan[], removed: ReadonlySet<number>, text: string): Splice[] {
  return spans.flatMap((span, index) => {
    if (!removed.has(index)) return [];
    const line = lineStart(text, span.start);
    const isOwnLine = text.slice(line, span.start).trim() === '';
    const next = spans[index + 1];
    // If the member after a dash is removed, the next member takes its place.
    if (!isOwnLine && next !== undefined) return [{ start: span.start, end: next.start, text: '' }];
    return [{ start: isOwnLine ? line : span.start, end: nextLineStart(text, span.end), text: '' }];
  });
}

interface ItemChange {
  /** The indexes of items to remove. */
  readonly removed: ReadonlySet<number>;
  /** New list items, which are inserted after the remaining items. */
  readonly added: readonly Json[];
}

/** Removes items and inserts new items. A collection without remaining or new items becomes `[]` or `{}`. */
export function changedItems(
  style: FileStyle,
  above: PathTarget,
  change: ItemChange & { readonly of: Collection },
): Splice[] {
  const { of: collection, removed, added } = change;
  const { text } = style;
  const spans = itemSpans(collection, text);
  if (removed.size === collection.items.length && added.length === 0) {
    return collection.items.length === 0 ? [] : emptied(style, above, collection);
  }
  if (isFlow(collection) || spans.length === 0) {
    const like = keptNode(collection, removed);
    const texts = added.map((item) => flowText(item, scalarContext(style), like));
    if (removed.size < spans.length) return changedFlow(style, spans, { removed, added: texts });
    const [start, end] = collection.range;
    return [{ start, end, text: `[${texts.join(', ')}]` }];
  }
  return [...blockRemoval(spans, removed, text), ...newItems(style, collection, change)];
}

/** The item whose style new items copy: the last item that is kept, or the last of all items if none is kept. */
function keptNode(collection: Collection, removed: ReadonlySet<number>): ParsedNode | null {
  const index = collection.items.findLastIndex((_, at) => !removed.has(at));
  return (collection.items.at(index) as ParsedNode | undefined) ?? null;
}

export function newMember(
  style: FileStyle,
  map: Collection,
  { name, value }: { readonly name: string; readonly value: Json },
): Splice[] {
  const spans = itemSpans(map, style.text);
  const [first, last] = [spans[0], spans.at(-1)];
  const columns = first === undefined ? 0 : columnOf(style.text, first.start);
  const context = { ...scalarContext(style), indent: columns };
  const key = keyText(name, context);
  if (last === undefined) {
    const [start, end] = map.range;
    return [{ start, end, text: `{ ${key}: ${flowText(value, context)} }` }];
  }
  if (isFlow(map)) {
    return changedFlow(style, spans, { removed: new Set(), added: [`${key}: ${flowText(value, context)}`] });
  }
  const line = (text: string) => [newLine(style, last.end, { columns, text })];
  if (isScalarValue(value)) return line(`${key}: ${scalarText(value, { text: '' }, context)}`);
  if (Object.keys(value).length === 0) return line(`${key}: ${flowText(value, context)}`);
  const lines = indentedText(blockLines(value, style.quotes), columns + 2, style.lineEnd);
  return line(`${key}:${style.lineEnd}${' '.repeat(columns + 2)}${lines}`);
}

function newItems(style: FileStyle, list: Collection, { removed, added }: ItemChange): Splice[] {
  const spans = itemSpans(list, style.text);
  const like = keptNode(list, removed);
  const last = spans.findLast((_, index) => !removed.has(index)) ?? spans.at(-1);
  if (added.length === 0 || last === undefined) return [];
  const columns = columnOf(style.text, last.start);
  const { text } = style;
  const gaps = spans.slice(1).map(({ start }, index) => text.slice(spans[index]?.end, start).split('\n').slice(1, -1));
  const areApart = gaps.length > 0 && gaps.every((lines) => lines.some((line) => line.trim() === ''));
  const gap = areApart ? style.lineEnd : '';
  return added.map((item) => {
    const splice = newLine(style, last.end, { columns, text: `- ${itemText(style, like, { item, columns })}` });
    const isOpen = splice.text.startsWith(style.lineEnd);
    return {
      ...splice,
      text: isOpen ? style.lineEnd + gap + splice.text.slice(style.lineEnd.length) : gap + splice.text,
    };
  });
}

/** Formats an item like its neighbour: on one line or on several lines, and with the same quotes. */
function itemText(
  style: FileStyle,
  like: ParsedNode | null,
  { item, columns }: { readonly item: Json; readonly columns: number },
): string {
  const context = { ...scalarContext(style), indent: columns };
  if (isScalarValue(item)) {
    return scalarText(item, isScalar(like) ? { type: like.type, text: '' } : { text: '' }, context);
  }
  const isOneLine = isMap(like) ? isFlow(like as Collection) : isAlias(like);
  if (isOneLine) return flowText(item, context, like);
  return indentedText(blockLines(item, style.quotes, like), columns + 2, style.lineEnd);
}

function newLine(
  { text, lineEnd }: FileStyle,
  after: number,
  line: { readonly columns: number; readonly text: string },
): Splice {
  const at = nextLineStart(text, after);
  const inserted =
    ' '.repeat(line.columns) + (line.text.endsWith(lineEnd) ? line.text.slice(0, -lineEnd.length) : line.text);
  const isOpen = at === text.length && !text.endsWith('\n');
  return { start: at, end: at, text: isOpen ? lineEnd + inserted : inserted + lineEnd };
}

/** Replaces the items of a collection with `[]` or `{}`, after the name of its member if possible. */
function emptied({ text: file, lineEnd }: FileStyle, { node }: PathTarget, collection: Collection): Splice[] {
  const [start, end] = collection.range;
  const text = isMap(collection) ? '{}' : '[]';
  if (isFlow(collection)) return [{ start, end, text }];
  const name = node === collection ? endOfNameAbove(file.slice(0, start)) : undefined;
  if (name !== undefined) {
    return [
      { start: name, end: name, text: ` ${text}` },
      { start: lineStart(file, start), end, text: '' },
    ];
  }
  return [{ start, end, text: text + (file.slice(start, end).endsWith('\n') ? lineEnd : '') }];
}

/**
 * The offset after the colon of the last member name in a text. Undefined if anything except comments follows the
 * colon.
 */
function endOfNameAbove(text: string): number | undefined {
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => !/^\s*(#|$)/.test(line));
  const colon = lines[index]?.search(/:(?:\s+#|\s*$)/) ?? -1;
  if (colon < 0) return undefined;
  return lines.slice(0, index).join('\n').length + (index > 0 ? 1 : 0) + colon + 1;
}

/** The text of a file, and the style for new values. */
export interface FileStyle {
  readonly text: string;
  readonly lineEnd: string;
  readonly quotes: Quotes;
  /** Whether the file is JSON and must remain JSON. */
  readonly isJson: boolean;
}

export function fileStyle(text: string): FileStyle {
  const isSingle = text.split("'").length > text.split('"').length;
  return {
    text,
    lineEnd: lineBreakIn(text),
    quotes: isSingle ? 'QUOTE_SINGLE' : 'QUOTE_DOUBLE',
    isJson: jsonIn(text) !== undefined,
  };
}

/** Determines how a scalar in a collection or at the root can be written. */
export function scalarContext(style: FileStyle, parent?: Collection, index?: number): ScalarContext {
  const { text, ...context } = style;
  const span = parent && index !== undefined ? itemSpans(parent, text)[index] : undefined;
  const indent = span === undefined ? 0 : columnOf(text, span.start);
  return { ...context, indent, inFlow: parent !== undefined && isFlow(parent) };
}
