import { isJsonObject } from '../../json/json.ts';
import { depthOf, fieldAt, parsePath } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import type { TextForm } from '../../schemas/fields.ts';
import { mask } from '../../secrets/secret.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { counted, joinWithOr, shorten } from '../../text/wording.ts';

/** Longer values are shown on separate lines. */
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

/** The value on one line, similar to a manifest: `"Front desk"`, `{ loop: true }`. */
export function inlineValue(value: unknown): string {
  if (isSensitive(value)) return value.reference === undefined ? mask : inlineValue(value.reference);
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(', ')}]`;
  if (!isJsonObject(value)) return visible(JSON.stringify(value) ?? 'null');
  const members = Object.entries(value).map(([name, member]) => `${memberName(name)}: ${inlineValue(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The value in lines: a text as it is, an object or list indented as in YAML. */
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

/** A trailing line break makes no separate line. A line end of Windows is one, and no control character. */
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

// The meaning of values for people who know neither the API nor regular expressions.

/** The schema's description of a setting's values. */
export interface ValueWords {
  /** The unit of a number, in the singular: `second`. */
  readonly unit?: string | undefined;
  readonly form?: TextForm | undefined;
  /** Words for unclear values; `<0` and `>0` mean numbers. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** `15 seconds`, `yes`, `"^VIP" (begins with “VIP”)`; undefined for a value that has no words but its own. */
export function valueInWords(value: unknown, { unit, form, values = {} }: ValueWords): string | undefined {
  const known = Object.hasOwn(values, String(value)) ? values[String(value)] : undefined;
  if (value === null) return known;
  if (typeof value === 'number') {
    const counts = unit === undefined ? undefined : counted(value, unit);
    return counts ?? withWords(value, known ?? values[value < 0 ? '<0' : '>0']);
  }
  if (typeof value === 'boolean') return known ?? (value ? 'yes' : 'no');
  return typeof value === 'string' ? withWords(value, known ?? formInWords(value, form)) : undefined;
}

function withWords(value: string | number, words: string | undefined): string | undefined {
  return words === undefined ? undefined : `${inlineValue(value)} (${words})`;
}

function formInWords(text: string, form: TextForm | undefined): string | undefined {
  if (form === 'regex' || form === 'any-or-regex')
    return patternInWords(text) ?? 'a pattern, also called regular expression';
  if (form !== 'destination') return undefined;
  const [kind, number = ''] = text.split(':');
  if (kind === 'ext') return `extension ${visible(number)}`;
  return kind === 'pbx' ? `number ${visible(number)} of the telephone system` : undefined;
}

/** The condition of one alternative in a pattern. */
interface Alternative {
  readonly verb: 'is' | 'begins with' | 'ends with' | 'contains';
  /** The texts of a choice of letters such as `[Ss]`. */
  readonly texts: readonly string[];
}

/** The maximum number of texts to name. */
const mostTexts = 8;

/** `begins with “VIP”`: a pattern of plain words, choices of letters, `|`, `^` and `$`; undefined for every other. */
export function patternInWords(pattern: string): string | undefined {
  const alternatives = pattern.split('|').map(alternativeOf);
  const byVerb = new Map<string, string[]>();
  for (const alternative of alternatives) {
    if (alternative === undefined) return undefined;
    byVerb.set(alternative.verb, [...(byVerb.get(alternative.verb) ?? []), ...alternative.texts]);
  }
  const told = [...byVerb].map(([verb, texts]) => `${verb} ${joinWithOr(texts.map((text) => `“${visible(text)}”`))}`);
  return [...byVerb.values()].flat().length > mostTexts ? undefined : joinWithOr(told);
}

function alternativeOf(alternative: string): Alternative | undefined {
  const isFirst = alternative.startsWith('^');
  const isLast = alternative.endsWith('$') && !alternative.endsWith('\\$');
  const texts = textsOf(alternative.slice(isFirst ? 1 : 0, isLast ? -1 : undefined));
  const verb = isFirst ? (isLast ? 'is' : 'begins with') : isLast ? 'ends with' : 'contains';
  return texts === undefined ? undefined : { verb, texts };
}

/** Undefined for what is not made of plain letters and choices of them. */
function textsOf(pattern: string): string[] | undefined {
  let texts = [''];
  for (let at = 0; at < pattern.length; ) {
    const step = stepAt(pattern, at);
    if (step === undefined) return undefined;
    texts = step.letters.flatMap((letter) => texts.map((text) => text + letter));
    if (texts.length > mostTexts) return undefined;
    at += step.length;
  }
  return pattern === '' ? undefined : texts;
}

/** Parts of a pattern that are not literal. */
const marks = '\\^$.*+?()[]{}|/';

/** The possible letters at a place of a pattern, and the length of that part of the pattern. */
function stepAt(pattern: string, at: number): { readonly letters: string[]; readonly length: number } | undefined {
  const [sign = '', next = ''] = pattern.slice(at, at + 2);
  if (sign === '\\') return next !== '' && marks.includes(next) ? { letters: [next], length: 2 } : undefined;
  if (sign !== '[') return marks.includes(sign) ? undefined : { letters: [sign], length: 1 };
  const choice = pattern.slice(at + 1, Math.max(at, pattern.indexOf(']', at)));
  const isPlain = choice !== '' && ![...choice].some((letter) => letter === '-' || marks.includes(letter));
  return isPlain ? { letters: [...choice], length: choice.length + 2 } : undefined;
}

/** Display names of settings, and explanations of their values, for people who do not know the API. */
export interface SettingName extends ValueWords {
  readonly title: string;
}

/** The name of the setting at a path of a plan, such as `skills[calendar].instructions`; undefined if the schema has none. */
export function settingName(kind: string, path: string): SettingName | undefined {
  if (!isKindName(kind)) return undefined;
  const steps = parsePath(path);
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const into = steps.slice(depthOf(field));
  const key = field.shape === 'map' ? into.shift() : undefined;
  const member = field.members?.find(({ name }) => name === into[0]);
  const element = key === undefined ? field.title : `${field.title} ${shorten(key, 60)}`;
  if (into.length === 0) return { title: element, unit: field.unit, form: field.form, values: field.values };
  return member === undefined
    ? undefined
    : { title: `${element}: ${member.title}`, form: member.form, values: member.values };
}
