import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { canonicalJson, type Json, type JsonObject } from '../../json/json.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { columnOf, type Splice } from '../../text/lines.ts';
import { type Collection, EditableDocument, type PathTarget } from './editable-document.ts';
import { changedItems, type FileStyle, fileStyle, isFlow, itemSpans, newMember, scalarContext } from './items.ts';
import {
  blockLines,
  flowText,
  headerComment,
  indentedText,
  isScalarValue,
  type ScalarContext,
  type ScalarValue,
  scalarText,
} from './scalar-text.ts';

export interface YamlEdit {
  readonly splices: readonly Splice[];
  /** Checks that the file contains the new value after all edits. */
  readonly holds: (edited: EditableDocument) => boolean;
}

/**
 * Computes edits that change single values in a YAML file and leave the rest unchanged. Methods return undefined if a
 * change is impossible. Callers may apply several edits together, and must check the edited file with `holds`. If a
 * value comes from an alias or a merge key, writes the new value where the alias or merge key is. Edits a map or list
 * behind an alias in place.
 */
export class YamlEditor {
  readonly #style: FileStyle;
  readonly #document: EditableDocument | undefined;

  constructor(text: string) {
    this.#style = fileStyle(text);
    this.#document = EditableDocument.of(text);
  }

  /** Sets a member. Inserts the member and its parent maps if they are missing. */
  set(yamlPath: FieldPath, value: Json): YamlEdit | undefined {
    const document = this.#document;
    const target = document?.find(yamlPath);
    if (document === undefined) return undefined;
    const splices =
      target?.index === undefined
        ? this.#insertion(document, yamlPath, value)
        : [replacement(this.#style, target, value)];
    return splices && this.#edit(splices, yamlPath, (found) => canonicalJson(found) === canonicalJson(value));
  }

  /** Changes the items of a set. The remaining items keep their positions, and new items are added at the end. */
  setItems(yamlPath: FieldPath, items: readonly Json[]): YamlEdit | undefined {
    const document = this.#document;
    const target = document?.find(yamlPath);
    if (document === undefined || target?.index === undefined || !isSeq(target.node)) return this.set(yamlPath, items);
    const list = target.node as Collection;
    const now = list.items.map((item) => canonicalJson(document.valueOf(item as ParsedNode)));
    const [wanted, known] = [new Set(items.map(canonicalJson)), new Set(now)];
    const removed = new Set(now.flatMap((item, index) => (wanted.has(item) ? [] : [index])));
    const added = items.filter((item) => !known.has(canonicalJson(item)));
    const splices = changedItems(this.#style, target, { removed, added, of: list });
    return this.#edit(splices, yamlPath, (found) => sorted(found) === sorted(items));
  }

  /**
   * Removes elements from a keyed list and inserts new elements. Identifies the removed elements by their keys as
   * written.
   */
  changeElements(
    yamlPath: FieldPath,
    removedKeys: readonly string[],
    added: readonly JsonObject[],
  ): YamlEdit | undefined {
    const document = this.#document;
    const target = document?.find(yamlPath);
    const list = document?.followed(target?.node ?? null);
    if (document === undefined || target === undefined || !isSeq(list)) return this.set(yamlPath, added);
    const removed = new Set(removedKeys.flatMap((key) => document.find([...yamlPath, key])?.index ?? []));
    const kept = (list as Collection).items.filter((_, index) => !removed.has(index));
    const expected = canonicalJson([...kept.map((item) => document.valueOf(item as ParsedNode)), ...added]);
    const splices = changedItems(this.#style, target, { removed, added, of: list as Collection });
    return this.#edit(splices, yamlPath, (found) => canonicalJson(found) === expected);
  }

  remove(yamlPath: FieldPath): YamlEdit | undefined {
    const target = this.#document?.find(yamlPath);
    const above = this.#document?.find(yamlPath.slice(0, -1));
    const { parent, index } = target ?? {};
    if (above === undefined || parent === undefined || index === undefined) return undefined;
    const splices = changedItems(this.#style, above, { removed: new Set([index]), added: [], of: parent });
    return this.#edit(splices, yamlPath, (found) => found === undefined);
  }

  #edit(splices: readonly Splice[], yamlPath: FieldPath, isWanted: (found: unknown) => boolean): YamlEdit {
    return {
      splices,
      holds: (edited) => {
        const target = edited.find(yamlPath);
        return isWanted(target && edited.valueOf(target.node));
      },
    };
  }

  /**
   * Inserts a value into the deepest existing map on the path. If that map comes from a merge key, adds the member next
   * to the merge key.
   */
  #insertion(document: EditableDocument, yamlPath: FieldPath, value: Json): Splice[] | undefined {
    const merged = document.find(yamlPath)?.parent;
    const reached = document.reach(yamlPath);
    const depth = merged === undefined ? reached.depth : yamlPath.length - 1;
    const above = merged ?? document.followed(reached.node);
    const name = yamlPath[depth] ?? '';
    const nested = yamlPath.slice(depth + 1).reduceRight<Json>((inner, outer) => ({ [outer]: inner }), value);
    if (isMap(above)) return newMember(this.#style, above as Collection, { name, value: nested });
    const isNothing = above === null || (isScalar(above) && above.value === null);
    return isNothing && reached.index !== undefined
      ? [replacement(this.#style, reached, { [name]: nested })]
      : undefined;
  }
}

function sorted(items: unknown): string {
  return Array.isArray(items) ? JSON.stringify([...new Set(items.map(canonicalJson))].sort()) : '';
}

/** Replaces a value, but keeps its anchor, tag and comment. */
function replacement(style: FileStyle, where: PathTarget, value: Json): Splice {
  const { node, parent, index } = where;
  const context = scalarContext(style, parent, index);
  if (node === null || node.range[0] === node.range[1]) {
    const span = parent && index !== undefined ? itemSpans(parent, style.text)[index] : undefined;
    const at = span?.end ?? node?.range[0] ?? 0;
    const gap = /\s/.test(style.text[at - 1] ?? '') ? '' : ' ';
    return { start: at, end: at, text: gap + flowText(value, context) };
  }
  const [start, end] = node.range;
  return isScalarValue(value)
    ? scalarSplice(style, node, { value, context })
    : { start, end, text: collectionText(style, node, { value, context }) };
}

interface New<Value> {
  readonly value: Value;
  readonly context: ScalarContext;
}

function scalarSplice(style: FileStyle, node: ParsedNode, { value, context }: New<ScalarValue>): Splice {
  const [start, end] = node.range;
  const now = style.text.slice(start, end);
  const text = scalarText(value, isScalar(node) ? { type: node.type, text: now } : { text: '' }, context);
  const wasBlock = isScalar(node) && isBlock(now);
  const bare = isBlock(text) ? text.slice(0, -style.lineEnd.length) : text;
  if (wasBlock) return { start, end, text: bare + (isBlock(text) ? '' : headerComment(now)) + lastBreak(style, now) };
  if (!isBlock(text)) return { start, end, text };
  // If a comment follows on the line, the comment moves to the header.
  const rest = /^[^\r\n]*/.exec(style.text.slice(end))?.[0] ?? '';
  const [header = '', ...body] = bare.split(style.lineEnd);
  return { start, end: end + rest.length, text: [header + rest.trimEnd(), ...body].join(style.lineEnd) };
}

function isBlock(text: string): boolean {
  return /^[|>]/.test(text);
}

function lastBreak({ lineEnd }: FileStyle, now: string): string {
  return now.endsWith('\n') ? lineEnd : '';
}

function collectionText(
  style: FileStyle,
  node: ParsedNode,
  { value, context }: New<readonly Json[] | JsonObject>,
): string {
  const isOnLines = (isMap(node) || isSeq(node)) && !isFlow(node as Collection);
  const [start, end] = node.range;
  const now = style.text.slice(start, end);
  const text =
    isOnLines && Object.keys(value).length > 0
      ? indentedText(blockLines(value, style.quotes), columnOf(style.text, start), style.lineEnd)
      : flowText(value, context);
  return text + lastBreak(style, now);
}
