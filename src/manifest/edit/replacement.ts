import { isMap, isScalar as isScalarNode, isSeq, type ParsedNode } from 'yaml';
import type { Json, JsonObject } from '../../kinds/json.ts';
import { headerComment } from './block-text.ts';
import { type FileStyle, scalarPlace } from './file-style.ts';
import { columnOf, isFlow, itemSpans } from './items.ts';
import { type ScalarPlace, type ScalarValue, scalarText } from './scalar-text.ts';
import type { Splice } from './splice.ts';
import { blockLines, flowText, indentedText, isScalar } from './value-text.ts';
import type { Collection, YamlPlace } from './yaml-place.ts';

/** Puts a value in the place of what stands there; its anchor, its tag and the comment behind it stay. */
export function replacement(style: FileStyle, where: YamlPlace, value: Json): Splice {
  const { node, parent, index } = where;
  const place = scalarPlace(style, parent, index);
  if (node === null || node.range[0] === node.range[1]) return intoNothing(style, where, value);
  const [start, end] = node.range;
  return isScalar(value)
    ? scalarSplice(style, node, { value, place })
    : { start, end, text: collectionText(style, node, { value, place }) };
}

/** A member that has a name and no value yet. */
function intoNothing(style: FileStyle, { node, parent, index }: YamlPlace, value: Json): Splice {
  const span = parent && index !== undefined ? itemSpans(parent, style.text)[index] : undefined;
  const at = span?.end ?? node?.range[0] ?? 0;
  const place = { ...scalarPlace(style, parent, index), inFlow: true };
  const gap = /\s/.test(style.text[at - 1] ?? '') ? '' : ' ';
  return { start: at, end: at, text: gap + flowText(value, place) };
}

interface NewScalar {
  readonly value: ScalarValue;
  readonly place: ScalarPlace;
}

function scalarSplice(style: FileStyle, node: ParsedNode, { value, place }: NewScalar): Splice {
  const [start, end] = node.range;
  const now = style.text.slice(start, end);
  const text = scalarText(value, isScalarNode(node) ? { type: node.type, text: now } : { text: '' }, place);
  const wasBlock = isScalarNode(node) && isBlock(now);
  const bare = isBlock(text) ? text.slice(0, -style.lineEnd.length) : text;
  if (wasBlock) return { start, end, text: bare + (isBlock(text) ? '' : commentOf(now)) + lastBreak(style, now) };
  if (!isBlock(text)) return { start, end, text };
  // What follows on the line is a comment, which goes behind the header.
  const rest = /^[^\r\n]*/.exec(style.text.slice(end))?.[0] ?? '';
  const [header = '', ...body] = bare.split(style.lineEnd);
  return { start, end: end + rest.length, text: [header + rest.trimEnd(), ...body].join(style.lineEnd) };
}

function isBlock(text: string): boolean {
  return /^[|>]/.test(text);
}

/** The comment behind the header of a block scalar. */
function commentOf(block: string): string {
  return headerComment(block.split(/\r?\n/, 1)[0] ?? '');
}

/** A block's range goes on to the next line. */
function lastBreak({ lineEnd }: FileStyle, now: string): string {
  return now.endsWith('\n') ? lineEnd : '';
}

interface NewCollection {
  readonly value: readonly Json[] | JsonObject;
  readonly place: ScalarPlace;
}

function collectionText(style: FileStyle, node: ParsedNode, { value, place }: NewCollection): string {
  const isOnLines = (isMap(node) || isSeq(node)) && !isFlow(node as Collection);
  const [start, end] = node.range;
  const now = style.text.slice(start, end);
  if (!isOnLines || Object.keys(value).length === 0)
    return flowText(value, place) + (isOnLines ? lastBreak(style, now) : '');
  return indentedText(blockLines(value), columnOf(style.text, start), style.lineEnd) + lastBreak(style, now);
}
