import { stringify } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../kinds/json.ts';
import { type ScalarPlace, type ScalarValue, scalarText } from './scalar-text.ts';

/** A new value on one line, as it may stand inside { } and [ ]. */
export function flowText(value: Json, place: ScalarPlace): string {
  if (isScalar(value)) return scalarText(value, { text: '' }, { ...place, inFlow: true });
  if (!isJsonObject(value)) return `[${value.map((item: Json) => flowText(item, place)).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${keyText(name)}: ${flowText(member, place)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A new map or list on lines of its own, without their indentation. */
export function blockLines(value: readonly Json[] | JsonObject): string[] {
  return stringify(value, { lineWidth: 0, blockQuote: 'literal', indentSeq: true }).replace(/\n$/, '').split('\n');
}

/** The lines at a column, as text; the first is where the caller puts it. */
export function indentedText(lines: readonly string[], columns: number, lineEnd: string): string {
  return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(columns) + line)).join(lineEnd);
}

export function isScalar(value: Json): value is ScalarValue {
  return value === null || typeof value !== 'object';
}

/** The name of a member as it stands before its colon. */
export function keyText(name: string): string {
  return /^[A-Za-z_][\w.$-]*$/.test(name) ? name : JSON.stringify(name);
}
