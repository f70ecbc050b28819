import type { FieldSchema } from '../schemas/fields.ts';
import { canonicalJson, type Json } from './json.ts';

/** The rules by which two values that are not the same bytes count as equal. */
export const comparisonRules = {
  'line-ends': 'CRLF and LF are the same.',
  'trailing-space': 'White space at the end of a text does not count.',
  'list-order': 'The order of a set, and of a list with keys, does not count.',
  default:
    'What the service shows as absent or null equals null, an empty text, an empty list, or the documented default.',
  'read-back':
    'A value that the service reads back as it did right after the last apply counts as the value sent then.',
} as const;

/** The value as a text that is the same for values that are equal under line-ends, trailing-space and list-order. */
export function comparable(value: Json, field: FieldSchema | undefined): string {
  if (typeof value === 'string') return canonicalJson(normalizedText(value));
  if (!Array.isArray(value)) return canonicalJson(value);
  const elements = value.map((element) => comparable(element, undefined));
  const ordered = field?.shape === 'set' || field?.shape === 'map' ? [...new Set(elements)].sort() : elements;
  return `[${ordered.join(',')}]`;
}

/** Whether an absent or null live value equals this one (the rule `default`). */
export function equalsAbsent(value: Json, documentedDefault: unknown): boolean {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return true;
  return documentedDefault !== undefined && canonicalJson(value) === canonicalJson(documentedDefault);
}

function normalizedText(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
