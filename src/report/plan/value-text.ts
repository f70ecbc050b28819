import { isJsonObject } from '../../json/json.ts';
import { mask } from '../../secrets/secret.ts';
import { visible, visibleLine } from '../../text/visible.ts';

/** Longer values are shown on lines of their own. */
const longestInline = 60;

/** A value that a plan masks, and where the plan knows it, how the manifest writes it with references to secrets. */
export interface MaskedValue {
  readonly sensitive: true;
  readonly fingerprint: string;
  readonly reference?: string;
}

/** Whether the plan masked the value. */
export function isSensitive(value: unknown): value is MaskedValue {
  return isJsonObject(value) && value.sensitive === true && typeof value.fingerprint === 'string';
}

/** Whether the value reads well on one line. */
export function isShort(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') && value.length <= longestInline;
  return inlineValue(value).length <= longestInline;
}

/** The value on one line, close to how it stands in a manifest: `"Front desk"`, `{ loop: true }`. */
export function inlineValue(value: unknown): string {
  if (isSensitive(value)) return value.reference === undefined ? mask : inlineValue(value.reference);
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(', ')}]`;
  if (!isJsonObject(value)) return visible(JSON.stringify(value) ?? 'null');
  const members = Object.entries(value).map(([name, member]) => `${memberName(name)}: ${inlineValue(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The value on lines: a text as it is, an object or list indented as in YAML. */
export function valueLines(value: unknown): string[] {
  if (typeof value === 'string') return textLines(value);
  if (isSensitive(value) && value.reference !== undefined) return textLines(value.reference);
  if (isSensitive(value) || !isTree(value) || isEmpty(value)) return [inlineValue(value)];
  if (Array.isArray(value)) return value.flatMap(elementLines);
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member));
}

function elementLines(element: unknown): string[] {
  if (isShort(element)) return [`- ${inlineValue(element)}`];
  return valueLines(element).map((line, index) => (index === 0 ? `- ${line}` : indented(line)));
}

function memberLines(name: string, member: unknown): string[] {
  if (isShort(member)) return [`${memberName(name)}: ${inlineValue(member)}`];
  return [`${memberName(name)}:`, ...valueLines(member).map(indented)];
}

/** A line break at the very end makes no line of its own. A line end of Windows is one, and no control character. */
function textLines(text: string): string[] {
  return visible(text.replaceAll('\r\n', '\n')).replace(/\n$/, '').split('\n');
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function memberName(name: string): string {
  return /^[\w.$/-]+$/.test(name) ? name : visibleLine(JSON.stringify(name));
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
