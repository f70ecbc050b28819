import { canonicalJson, type Json } from '../json/json.ts';
import type { FieldSchema } from '../schemas/fields.ts';

/** The rules by which two different values count as equal. */
export const comparisonRules = {
  'line-ends': 'CRLF and LF are equal.',
  'trailing-space': 'Trailing white space is ignored.',
  'list-order': 'The order of a set or a keyed list is ignored.',
  default: 'An absent or null live value equals null, an empty text, an empty list, or the documented default.',
  'read-back':
    "A live value that equals the last read-back counts as the value sent, if a rule made that read-back the service's form of it.",
} as const;

export type ComparisonRule = keyof typeof comparisonRules;

/**
 * A text that is the same for values that are equal under line-ends, trailing-space and list-order, optionally without
 * one of these rules.
 */
export function comparable(value: Json, field: FieldSchema | undefined, without?: ComparisonRule): string {
  if (typeof value === 'string') {
    const lines = without === 'line-ends' ? value : value.replaceAll('\r\n', '\n');
    return canonicalJson(without === 'trailing-space' ? lines : lines.trimEnd());
  }
  if (!Array.isArray(value)) return canonicalJson(value);
  const elements = value.map((element) => comparable(element, undefined, without));
  const isUnordered = (field?.shape === 'set' || field?.shape === 'map') && without !== 'list-order';
  return `[${(isUnordered ? [...new Set(elements)].sort() : elements).join(',')}]`;
}

/** The rules that are necessary for two values to be equal. */
export function rulesBetween(one: Json, other: Json, field: FieldSchema | undefined): ComparisonRule[] {
  const areEqual = (without?: ComparisonRule) => comparable(one, field, without) === comparable(other, field, without);
  return areEqual() ? (['line-ends', 'trailing-space', 'list-order'] as const).filter((rule) => !areEqual(rule)) : [];
}

/** The comparison rules that apply to the field. */
export function rulesFor(field: FieldSchema | undefined, values: readonly Json[]): ComparisonRule[] {
  const holdsText = values.some((value) => typeof value === 'string' || Array.isArray(value));
  const isUnordered = field?.shape === 'set' || field?.shape === 'map';
  return [
    ...(holdsText ? (['line-ends', 'trailing-space'] as const) : []),
    ...(isUnordered ? (['list-order'] as const) : []),
    'default',
    'read-back',
  ];
}

/** Whether an absent or null live value equals this one (the rule `default`). */
export function equalsAbsent(value: Json, documentedDefault: unknown): boolean {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return true;
  return documentedDefault !== undefined && canonicalJson(value) === canonicalJson(documentedDefault);
}

/**
 * The identity of a resource of its kind on the service. Two with the same identity are the same resource: a second
 * create would overwrite the first, or repeat its effect.
 */
export interface KindIdentity {
  /** Names under `settings`; empty if the target alone decides. */
  readonly settings: readonly string[];
  /** The scope of uniqueness: resources with the same target, or the whole service. */
  readonly within: 'target' | 'service';
  /** Whether upper and lower case are equal. */
  readonly anyCase?: true;
  /** The level for two manifests with the same identity; omitted if the target alone decides. */
  readonly twice?: {
    readonly rule: 'duplicate-identity' | 'duplicate-resource';
    readonly consequence: string;
  };
}

/** A text that is equal for values that identify the same resource. */
export function identifyingText({ anyCase }: KindIdentity, value: Json): string {
  const text = comparable(value, undefined);
  return anyCase ? text.toLowerCase() : text;
}
