import type { Violation } from '../schemas/validator.ts';
import { didYouMean } from './suggest.ts';
import type { Node } from './tree.ts';
import { listOf, quote, shorten, showNode } from './wording.ts';

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

const patternWords: Readonly<Record<string, string>> = {
  '^/': "a path that begins with '/'",
  '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$':
    'lower-case letters, digits and dashes, at most 63, with a letter or digit at both ends',
};

/** What stands at a place, what may stand there, and how to put it right where that can be told. */
export function describeMismatch(path: string, node: Node, violations: readonly Violation[]): string {
  const found = node.type === 'scalar' && node.value === null ? emptiness(node.source) : showNode(node);
  const types = violations.flatMap(typesOf);
  const values = violations.flatMap(valuesOf);
  const allowed = [
    ...new Set([...types.map((type) => typeWords[type] ?? type), ...values.map(showValue), ...limits(violations)]),
  ];
  const hint = node.type === 'scalar' && node.sensitive ? '' : hintFor(node, types, values);
  return `${path} is ${found}: expected ${listOf(allowed)}${hint}`;
}

function emptiness(source: string | undefined): string {
  return source === undefined || source === '' ? 'empty' : 'null';
}

function typesOf({ keyword, params }: Violation): string[] {
  return keyword === 'type' ? [params.type].flat().map(String) : [];
}

function valuesOf({ keyword, params }: Violation): unknown[] {
  if (keyword === 'enum') return Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return keyword === 'const' ? [params.allowedValue] : [];
}

function limits(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ keyword, params }) => {
    if (keyword === 'range') return String(params.range);
    if (keyword === 'minimum') return `at least ${params.limit}`;
    if (keyword === 'maximum') return `at most ${params.limit}`;
    if (keyword === 'minLength') return 'a text that is not empty';
    if (keyword === 'minItems' || keyword === 'minProperties') return `at least ${params.limit} item`;
    return keyword === 'pattern'
      ? (patternWords[String(params.pattern)] ?? `a text that matches ${params.pattern}`)
      : [];
  });
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value);
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
