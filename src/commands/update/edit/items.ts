import { type CST, isAlias, isMap, isScalar, isScalar as isScalarNode, type ParsedNode } from 'yaml';
import type { Json } from '../../../json/json.ts';
import {
  blockLines,
  flowText,
  indentedText,
  isScalarValue,
  keyText,
  type Quotes,
  type ScalarPlace,
  scalarText,
} from './scalar-text.ts';
import type { Collection, YamlPlace } from './yaml-place.ts';

/** A stretch of a text and what is to stand in its place; both ends are the same where something is put in. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the splices made; they do not overlap. What is put in at one place stays in the given order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of inOrder(splices)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** From the start of the text to its end. */
export function inOrder<One extends Splice>(splices: readonly One[]): One[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Where an item of a collection stands: from its dash, its name or its anchor to the end of its value. */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

type ItemToken = CST.CollectionItem;

/** The items of a map or list in the order of the file, whose text it is. */
export function itemSpans(collection: Collection, text: string): readonly ItemSpan[] {
  const known = knownSpans.get(collection) ?? spansOf(collection, text);
  knownSpans.set(collection, known);
  return known;
}

/** Asked for at every item that is changed. */
const knownSpans = new WeakMap<Collection, readonly ItemSpan[]>();

function spansOf(collection: Collection, text: string): ItemSpan[] {
  const { srcToken } = collection;
  const tokens: readonly ItemToken[] = srcToken !== undefined && 'items' in srcToken ? srcToken.items : [];
  // An item without a key and a value is what stands before the end.
  const items = tokens.filter(({ key, sep, value, start }) => key || sep || value || start.some(isDash));
  return collection.items.map((item, index) => {
    const token = items[index];
    const start = token === undefined ? 0 : itemStart(token);
    return { start, end: trimmedEnd(text, Math.max(start, endOf(item, token))) };
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
function removalOf(collection: Collection, text: string, removed: ReadonlySet<number>): Splice[] {
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
function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** What is to happen to the items of a collection. */
export interface ItemChange {
  /** By index. */
  readonly removed: ReadonlySet<number>;
  /** Items of a list, to stand behind the others. */
  readonly added: readonly Json[];
}

/** Takes items out and puts others in; a collection that loses all of them is written as empty. */
export function changedItems(
  style: FileStyle,
  above: YamlPlace,
  change: ItemChange & { readonly of: Collection },
): Splice[] {
  const { of: collection, removed, added } = change;
  const isEmptied = removed.size === collection.items.length;
  if (isEmptied && added.length === 0) return emptied(style, above, collection);
  if (isEmptied && isFlow(collection)) {
    const [start, end] = collection.range;
    return [{ start, end, text: flowText(added, scalarPlace(style)) }];
  }
  return [...removalOf(collection, style.text, removed), ...newItems(style, collection, added)];
}

/** Puts a member behind the others of a map. */
export function newMember(
  style: FileStyle,
  map: Collection,
  { name, value }: { readonly name: string; readonly value: Json },
): Splice {
  const spans = itemSpans(map, style.text);
  const [first, last] = [spans[0], spans.at(-1)];
  const columns = first === undefined ? 0 : columnOf(style.text, first.start);
  const place = { ...scalarPlace(style), indent: columns };
  if (isFlow(map) || last === undefined) return intoFlow(style, map, `${keyText(name)}: ${flowText(value, place)}`);
  if (isScalarValue(value)) {
    return newLine(style, last.end, { columns, text: `${keyText(name)}: ${scalarText(value, { text: '' }, place)}` });
  }
  if (Object.keys(value).length === 0) {
    return newLine(style, last.end, { columns, text: `${keyText(name)}: ${flowText(value, place)}` });
  }
  const below = ' '.repeat(columns + 2) + indentedText(blockLines(value), columns + 2, style.lineEnd);
  return newLine(style, last.end, { columns, text: `${keyText(name)}:${style.lineEnd}${below}` });
}

function newItems(style: FileStyle, list: Collection, added: readonly Json[]): Splice[] {
  const last = itemSpans(list, style.text).at(-1);
  if (added.length === 0) return [];
  if (isFlow(list) || last === undefined) {
    return [intoFlow(style, list, added.map((item) => flowText(item, scalarPlace(style))).join(', '))];
  }
  const columns = columnOf(style.text, last.start);
  return added.map((item) =>
    newLine(style, last.end, { columns, text: `- ${itemText(style, list, { item, columns })}` }),
  );
}

/** Written as its neighbour is: on one line or on several. */
function itemText(
  style: FileStyle,
  list: Collection,
  { item, columns }: { readonly item: Json; readonly columns: number },
): string {
  const neighbour = list.items.at(-1) as ParsedNode | null | undefined;
  const place = { ...scalarPlace(style), indent: columns };
  if (isScalarValue(item)) {
    return scalarText(item, isScalarNode(neighbour) ? { type: neighbour.type, text: '' } : { text: '' }, place);
  }
  const isOneLine = isMap(neighbour) ? isFlow(neighbour as Collection) : isAlias(neighbour);
  return isOneLine ? flowText(item, place) : indentedText(blockLines(item), columns + 2, style.lineEnd);
}

/** Lines of their own behind the line of an offset. */
function newLine(
  { text, lineEnd }: FileStyle,
  after: number,
  line: { readonly columns: number; readonly text: string },
): Splice {
  const at = nextLine(text, after);
  const written =
    ' '.repeat(line.columns) + (line.text.endsWith(lineEnd) ? line.text.slice(0, -lineEnd.length) : line.text);
  const isOpen = at === text.length && !text.endsWith('\n');
  return { start: at, end: at, text: isOpen ? lineEnd + written : written + lineEnd };
}

function intoFlow({ text: file }: FileStyle, collection: Collection, text: string): Splice {
  const last = itemSpans(collection, file).at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, text: `, ${text}` };
  const [start, end] = collection.range;
  return { start, end, text: isMap(collection) ? `{ ${text} }` : `[${text}]` };
}

/** `[]` behind the name, where the lines of the list have been below it; comments between the two stay. */
function emptied({ text: file, lineEnd }: FileStyle, { node }: YamlPlace, collection: Collection): Splice[] {
  const [start, end] = collection.range;
  const text = isMap(collection) ? '{}' : '[]';
  const before = file.slice(0, start).trimEnd();
  const lastBreak = file.slice(start, end).endsWith('\n') ? lineEnd : '';
  if (node !== collection || isFlow(collection)) return [{ start, end, text: text + lastBreak }];
  if (before.endsWith(':')) return [{ start: before.length, end, text: ` ${text}${lastBreak}` }];
  const name = endOfNameAbove(before);
  if (name === undefined) return [{ start, end, text: text + lastBreak }];
  return [
    { start: name, end: name, text: ` ${text}` },
    { start: start - columnOf(file, start), end, text: '' },
  ];
}

/** Behind the colon of the name, if there are only comments between it and the end of the text. */
function endOfNameAbove(text: string): number | undefined {
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => !/^\s*(#|$)/.test(line));
  const colon = lines[index]?.search(/:(?:\s+#|\s*$)/) ?? -1;
  if (colon < 0) return undefined;
  return lines.slice(0, index).join('\n').length + (index > 0 ? 1 : 0) + colon + 1;
}

/** A file's text, and what is new in it is written like. */
export interface FileStyle {
  readonly text: string;
  readonly lineEnd: string;
  readonly quotes: Quotes;
}

export function fileStyle(text: string): FileStyle {
  const isSingle = text.split("'").length > text.split('"').length;
  return {
    text,
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    quotes: isSingle ? 'QUOTE_SINGLE' : 'QUOTE_DOUBLE',
  };
}

/** Where a scalar is to stand: as an item of a collection, or at the root. */
export function scalarPlace(
  style: FileStyle,
  parent?: Collection | undefined,
  index?: number | undefined,
): ScalarPlace {
  const span = parent && index !== undefined ? itemSpans(parent, style.text)[index] : undefined;
  return {
    indent: span === undefined ? 0 : columnOf(style.text, span.start),
    inFlow: parent !== undefined && isFlow(parent),
    lineEnd: style.lineEnd,
    quotes: style.quotes,
  };
}
