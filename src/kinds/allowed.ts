import type { Violation } from '../schemas/validator.ts';
import { listOf, quote } from './wording.ts';

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

/** What may stand at the one place that the violations are about: `a text, 'low' or null`. */
export function allowedBy(violations: readonly Violation[]): string {
  const types = violations.flatMap(typesOf).map((type) => typeWords[type] ?? type);
  const values = violations.flatMap(valuesOf).map(showValue);
  const allowed = [...new Set([...types, ...values, ...violations.flatMap(limitOf)])];
  return allowed.length === 0 ? 'something else' : listOf(allowed);
}

/** The JSON types that would have been allowed. */
export function typesOf({ keyword, params }: Violation): string[] {
  return keyword === 'type' ? [params.type].flat().map(String) : [];
}

/** The values that would have been allowed, where they are listed. */
export function valuesOf({ keyword, params }: Violation): unknown[] {
  if (keyword === 'enum') return Array.isArray(params.allowedValues) ? params.allowedValues : [];
  return keyword === 'const' ? [params.allowedValue] : [];
}

function limitOf({ keyword, params }: Violation): string[] {
  switch (keyword) {
    case 'range':
      return [String(params.range)];
    case 'minimum':
      return [`at least ${params.limit}`];
    case 'maximum':
      return [`at most ${params.limit}`];
    case 'minLength':
      return ['a text that is not empty'];
    case 'maxLength':
      return [`a text of at most ${params.limit} characters`];
    case 'minItems':
    case 'minProperties':
      return [`at least ${params.limit} item`];
    case 'pattern':
      return [patternWords[String(params.pattern)] ?? `a text that matches ${params.pattern}`];
    default:
      return [];
  }
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** The violations of each place, by its JSON pointer, in the order of the schema. */
export function byPlace(violations: readonly Violation[]): Array<[string, Violation[]]> {
  const places = new Map<string, Violation[]>();
  for (const violation of violations) {
    const group = places.get(violation.instancePath);
    if (group === undefined) places.set(violation.instancePath, [violation]);
    else group.push(violation);
  }
  return [...places];
}
