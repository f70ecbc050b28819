import { canonicalJson, type Json } from '../json/json.ts';
import type { FieldSchema } from '../schemas/fields.ts';

/** The rules by which two different values can count as equal. */
export const comparisonRules = {
  'line-ends': 'CRLF and LF are equal.',
  'trailing-space': 'Trailing white space is ignored.',
  'list-order': 'The order of a set or a keyed list is ignored.',
  default: 'An absent or null live value equals null, an empty string, an empty list, or the documented default.',
  'read-back':
    'A live value counts as the sent value if the service returned the same value right after the last apply sent it.',
} as const;

export type ComparisonRule = keyof typeof comparisonRules;

/**
 * Returns the same text for all values that are equal under `line-ends`, `trailing-space` and `list-order`. Skips the
 * rule given in `without`.
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

/**
 * Returns the rules under which two different values are equal. Empty if the values differ under all rules together.
 */
export function comparisonRulesBetween(one: Json, other: Json, field: FieldSchema | undefined): ComparisonRule[] {
  const areEqual = (without?: ComparisonRule) => comparable(one, field, without) === comparable(other, field, without);
  return areEqual()
    ? (['line-ends', 'trailing-space', 'list-order'] as const).filter((without) => !areEqual(without))
    : [];
}

export function comparisonRulesOf(field: FieldSchema | undefined, values: readonly Json[]): ComparisonRule[] {
  const holdsText = values.some((value) => typeof value === 'string' || Array.isArray(value));
  const isUnordered = field?.shape === 'set' || field?.shape === 'map';
  return [
    ...(holdsText ? (['line-ends', 'trailing-space'] as const) : []),
    ...(isUnordered ? (['list-order'] as const) : []),
    'default',
    'read-back',
  ];
}

/** Whether a value counts as equal to an absent or null live value, by the rule `default`. */
export function equalsAbsent(value: Json, documentedDefault: unknown): boolean {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return true;
  return documentedDefault !== undefined && canonicalJson(value) === canonicalJson(documentedDefault);
}

/**
 * How the service identifies the resources of a kind. Two manifests with the same identity describe the same resource.
 * Creating a second resource with the same identity would overwrite the first one, or repeat the effect of its
 * creation.
 */
export interface KindIdentity {
  /** The names of the identifying settings. Empty if the target alone identifies the resource. */
  readonly settings: readonly string[];
  /** Where the identity must be unique: among resources with the same target, or on the whole service. */
  readonly within: 'target' | 'service';
  /** Whether identities are compared without regard to case. */
  readonly anyCase?: true;
  /**
   * The violated rule and the consequence to report if two manifests have the same identity. Omitted if the target
   * alone identifies the resource.
   */
  readonly twice?: {
    readonly rule: 'duplicate-identity' | 'duplicate-resource';
    readonly consequence: string;
  };
}

/** Returns the string by which values of an identifying setting are compared. */
export function identifyingText({ anyCase }: KindIdentity, value: Json): string {
  const text = comparable(value, undefined);
  return anyCase ? text.toLowerCase() : text;
}
