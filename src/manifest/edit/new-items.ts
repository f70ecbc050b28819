import { isAlias, isMap, isScalar as isScalarNode, type ParsedNode } from 'yaml';
import type { Json } from '../../kinds/json.ts';
import { type FileStyle, scalarPlace } from './file-style.ts';
import { columnOf, isFlow, itemSpans, nextLine, removalOf } from './items.ts';
import { scalarText } from './scalar-text.ts';
import type { Splice } from './splice.ts';
import { blockLines, flowText, indentedText, isScalar, keyText } from './value-text.ts';
import type { Collection, YamlPlace } from './yaml-place.ts';

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
  if (isScalar(value)) {
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
  if (isScalar(item)) {
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
