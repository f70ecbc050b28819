import { allowedBy, typesOf, valuesOf } from '../kinds/allowed.ts';
import type { Violation } from '../schemas/validator.ts';
import { didYouMean } from './suggest.ts';
import type { Node } from './tree.ts';
import { quote, shorten, showNode } from './wording.ts';

/** What stands at a place, what may stand there, and how to put it right where that can be told. */
export function describeMismatch(path: string, node: Node, violations: readonly Violation[]): string {
  const found = node.type === 'scalar' && node.value === null ? emptiness(node.source) : showNode(node);
  const types = violations.flatMap(typesOf);
  const values = violations.flatMap(valuesOf);
  const hint = node.type === 'scalar' && node.sensitive ? '' : hintFor(node, types, values);
  return `${path} is ${found}: expected ${allowedBy(violations)}${hint}`;
}

function emptiness(source: string | undefined): string {
  return source === undefined || source === '' ? 'empty' : 'null';
}

function hintFor(node: Node, types: readonly string[], values: readonly unknown[]): string {
  const texts = values.filter((value) => typeof value === 'string');
  if (node.type !== 'scalar') return '';
  if (types.includes('array')) return '; write it as a list, each item behind a dash';
  if (node.value === null) return '; to leave it unmanaged, leave the line out';
  if (typeof node.value !== 'string') return quotingHint(node.source ?? String(node.value), types, texts);
  if (types.includes('boolean')) return booleanHint(node.value);
  if (types.includes('integer') && /^-?\d+$/.test(node.value))
    return `; write ${shorten(node.value, 20)} without quotes`;
  return texts.length > 1 ? didYouMean(node.value, texts) : '';
}

function quotingHint(source: string, types: readonly string[], texts: readonly string[]): string {
  return types.includes('string') || texts.includes(source) ? `; quote it: ${quote(source)}` : '';
}

function booleanHint(text: string): string {
  if (/^(yes|on|true|y)$/i.test(text)) return '; write true, without quotes';
  return /^(no|off|false|n)$/i.test(text) ? '; write false, without quotes' : '';
}
