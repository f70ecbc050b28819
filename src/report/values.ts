import { isJsonObject } from '../json/json.ts';
import { fieldAt, memberAt, parsePath } from '../kinds/field-path.ts';
import { isKindName } from '../kinds/kind.ts';
import type { FieldSchema, MemberSchema, TextForm } from '../schemas/fields.ts';
import type { Sensitive } from '../schemas/plan-types.ts';
import { mask } from '../secrets/secret.ts';
import { looksAlike, toldApart, visible, visibleLine } from '../text/visible.ts';
import { counted, formatNumber, joinWithOr, listSome, shorten } from '../text/wording.ts';
import { alike } from './alike.ts';

const maxInlineLength = 60;

export function isSensitive(value: unknown): value is Sensitive {
  return isJsonObject(value) && value.sensitive === true && typeof value.fingerprint === 'string';
}

export function isShort(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') && value.length <= maxInlineLength;
  return inlineValue(value).length <= maxInlineLength;
}

/** Formats a value on one line, similar to a manifest: `"Front desk"`, `{ loop: true }`. */
export function inlineValue(value: unknown): string {
  if (isSensitive(value)) return value.reference === undefined ? mask : inlineValue(value.reference);
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(', ')}]`;
  if (!isJsonObject(value)) return visible(JSON.stringify(value) ?? 'null');
  const members = Object.entries(value).map(([name, member]) => `${shownMember(name)}: ${inlineValue(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Formats a value in lines: the lines of a text, or indented YAML. */
export function valueLines(value: unknown): string[] {
  if (typeof value === 'string') return textLines(value);
  if (isSensitive(value) && value.reference !== undefined) return textLines(value.reference);
  if (isSensitive(value) || typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [inlineValue(value)];
  if (Array.isArray(value)) return value.flatMap(elementLines);
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member));
}

function elementLines(element: unknown): string[] {
  if (isShort(element)) return [`- ${lineValue(element)}`];
  return valueLines(element).map((line, index) => (index === 0 ? `- ${line}` : indented(line)));
}

function memberLines(name: string, member: unknown): string[] {
  if (isShort(member)) return [`${shownMember(name)}: ${lineValue(member)}`];
  return [`${shownMember(name)}:`, ...valueLines(member).map(indented)];
}

/** Formats a value on one line. A text is not quoted unless it could be mistaken for another value. */
function lineValue(value: unknown): string {
  const isWords =
    typeof value === 'string' && /^\p{L}[\p{L}\p{N} ,.!?'’/:@%&=+~_-]*$/u.test(value) && !value.includes(': ');
  return isWords && !/^(?:true|false|null|yes|no|on|off) *$/i.test(value) ? value.trimEnd() : inlineValue(value);
}

/** Splits a text into lines. A final line break adds no line, and CRLF is one line break. */
function textLines(text: string): string[] {
  return visible(text.replaceAll('\r\n', '\n')).replace(/\n$/, '').split('\n');
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function shownMember(name: string): string {
  return /^[\w.$/-]+$/.test(name) ? name : visibleLine(JSON.stringify(name));
}

// These functions describe values to readers who know neither the API nor regular expressions. The descriptions use
// words from the schema.

export interface ValueWords {
  /** The unit of a number, in the singular, such as `second`. The unit `duration` is for texts such as `30m`. */
  readonly unit?: string | undefined;
  readonly textForm?: TextForm | undefined;
  /** Words for values. `<0`, `>0` and `*` match numbers and any value. `%` is replaced with the value. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

export interface PlainValue {
  readonly text: string;
  /** True if the text describes the value, such as `not set`. */
  readonly isAside?: true;
  readonly isNotSet?: true;
  /** True for a sensitive value. The text does not reveal this value. */
  readonly isHidden?: true;
  /** True if the value is shown as code, such as a regular expression. */
  readonly isCode?: true;
  /** True if the value is a free text of several words. */
  readonly isProse?: boolean;
}

/** Formats a value for use within a sentence, where a free text needs quotes. */
export function inSentence({ text, isProse }: PlainValue): string {
  return isProse ? `“${text}”` : text;
}

const notSet: PlainValue = { text: 'not set', isAside: true, isNotSet: true };

/** Describes a value, as in `15 seconds` or `not set`. Line feeds are the only control characters. */
export function plainValue(value: unknown, words: ValueWords = {}): PlainValue {
  if (isSensitive(value))
    return value.reference === undefined
      ? { text: 'hidden value', isAside: true, isHidden: true }
      : plainValue(value.reference);
  if (value === null && words.values?.null !== undefined) return { text: words.values.null };
  if (value === undefined || value === null || value === '') return notSet;
  if (Array.isArray(value) && value.length === 0) return notSet;
  if (Array.isArray(value)) return { text: value.map((element) => plainValue(element, words).text).join(', ') };
  if (isJsonObject(value)) return { text: visible(inlineValue(value)), isCode: true };
  return scalarInWords(value, words);
}

function scalarInWords(value: unknown, words: ValueWords): PlainValue {
  const { values = {}, unit } = words;
  const plain = typeof value === 'string' ? textInWords(value, words) : { text: plainScalarText(value, unit) };
  const known = Object.hasOwn(values, String(value)) ? values[String(value)] : undefined;
  if (typeof value === 'boolean') return known === undefined ? plain : { text: known };
  const sign = typeof value !== 'number' || value === 0 ? undefined : values[value < 0 ? '<0' : '>0'];
  const pattern = known ?? sign ?? (plain.isCode ? undefined : values['*']);
  return pattern === undefined ? plain : { text: pattern.replaceAll('%', () => plain.text) };
}

function plainScalarText(value: unknown, unit: string | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value !== 'number') return visible(String(value));
  if (unit === 'millisecond') return plainScalarText(value / 1000, 'second');
  const amount = Number.isInteger(value) ? formatNumber(value) : String(value);
  return unit === undefined ? String(value) : `${amount} ${unit}${value === 1 ? '' : 's'}`;
}

function textInWords(text: string, { textForm, unit }: ValueWords): PlainValue {
  if (unit === 'duration') return { text: durationInWords(text) };
  if (textForm === 'regex' || textForm === 'any-or-regex') {
    const told = patternInWords(text);
    return told === undefined ? { text: visible(text), isCode: true } : { text: told };
  }
  if (textForm === 'time-zone') return { text: visible(cityOfZone(text)) };
  if (textForm === 'destination') return { text: visible(destinationInWords(text)) };
  return { text: valueLines(text).join('\n'), isProse: /\s/.test(text) };
}

function cityOfZone(text: string): string {
  const city = text.slice(text.lastIndexOf('/') + 1);
  return text.startsWith('Etc/') || !/^[A-Za-z_-]+$/.test(city) ? text : city.replaceAll('_', ' ');
}

function destinationInWords(text: string): string {
  const [kind, number = ''] = text.split(':');
  if (kind === 'ext') return `extension ${number}`;
  return kind === 'pbx' ? `number ${number} of the telephone system` : text;
}

const durationUnits: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

/** Converts a duration to words, such as `30 minutes` for `30m` or `1 hour 30 minutes` for `1h30m`. */
function durationInWords(text: string): string {
  if (!/^(?:\d{1,9}[smhd]){1,4}$/.test(text)) return visible(text);
  const parts = text.split(/(?<=[smhd])/);
  return parts.map((part) => counted(Number.parseInt(part, 10), durationUnits[part.at(-1) ?? ''] ?? '')).join(' ');
}

/** Describes both values of a change in words, or literally if the words would look the same. */
export function plainSides(
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
  words: ValueWords = {},
): { readonly from: PlainValue; readonly to: PlainValue } {
  const sides = { from: plainValue(from, words), to: plainValue(to, words) };
  if (isSensitive(from) && isSensitive(to) && to.reference === undefined)
    return { ...sides, to: { text: 'another hidden value', isAside: true, isHidden: true } };
  const [old, now] = toldApart(inlineValue(from), inlineValue(to));
  if (old === now || !looksAlike(sides.from.text, sides.to.text)) return sides;
  return { from: { text: old, isCode: true }, to: { text: now, isCode: true } };
}

/** Returns the title of a setting, such as `Instructions`. Defaults to its path. */
export function settingTitle(kind: string, path: string): string {
  return settingName(kind, path)?.title ?? visibleLine(path);
}

/**
 * Returns whether the title of a setting is a plural, such as `Instructions` or `Web pages it knows`. Only the words
 * before a preposition or a clause count.
 */
export function isPlural(title: string): boolean {
  const [noun = ''] = title.split(/ (?:of|for|that|to|sent|it|put|when|before|on|stays)\b/);
  return /[^s]s$/.test(noun) && !/^(?:Hide|Agent)\b/.test(title);
}

/** Names the first settings by title, as in `Greeting, Voice and 2 more`. */
export function settingTitles(kind: string, paths: readonly string[], max = 4): string {
  return listSome([...new Set(paths.map((path) => settingTitle(kind, path)))], max);
}

/** Describes the type, limits, default and visibility of a setting, or of a member of the setting `field`. */
export function settingFacts(described: FieldSchema | MemberSchema, field: FieldSchema): string[] {
  const { types, choices, required, default: usual } = described;
  const { minimum, maximum, unit } = described === field ? field : {};
  const range = [minimum === undefined ? [] : [`from ${minimum}`], maximum === undefined ? [] : [`to ${maximum}`]];
  const allowed = choices === undefined ? range.flat().join(' ') : joinWithOr(choices);
  return [
    `${types.join(' or ')}${allowed === '' ? '' : ` (${allowed})`}`,
    ...(unit === undefined || unit === 'duration' ? [] : [`in ${unit}s`]),
    usual === undefined ? (required ? 'required' : 'no default') : `default ${JSON.stringify(usual)}`,
    field.readable ? 'can be read back' : 'cannot be read back',
  ];
}

/** Returns whether a value is a text to compare line by line. */
export function isLongText(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('\n') || value.length > maxPlainLength);
}

/** The maximum length of a value that is shown in a sentence, in characters. */
const maxPlainLength = 120;

interface Alternative {
  readonly verb: 'that are' | 'beginning with' | 'ending with' | 'with';
  readonly text: string;
}

const maxAlternatives = 8;

/**
 * Describes a regular expression in words, such as `beginning with “VIP”`. Supports alternatives of plain words with `^`
 * and `$`, a group around them, and a letter in both cases such as `[Ss]`. Returns undefined for other expressions.
 */
export function patternInWords(pattern: string): string | undefined {
  // Removes a group around the whole pattern, as in `^(a|b)`.
  const [, start = '', inner = pattern, end = ''] = /^(\^?)\((?:\?:)?([^()]*)\)(\$?)$/.exec(pattern) ?? [];
  const alternatives = inner.split('|').map((one) => alternativeIn(`${start}${one}${end}`));
  const known = alternatives.filter((one) => one !== undefined);
  if (known.length < alternatives.length || known.length > maxAlternatives) return undefined;
  const told = alike(known, ({ verb }) => verb).map((same) => {
    /** Keeps one of several texts that differ only in case, such as `Spam` and `spam`. */
    const words = alike(same, ({ text }) => text.toLowerCase()).map(
      ([{ text }, ...others]) => `“${visible(others.length === 0 ? text : text.toLowerCase())}”`,
    );
    return `${same[0].verb} ${joinWithOr(words)}`;
  });
  return joinWithOr(told);
}

function alternativeIn(pattern: string): Alternative | undefined {
  const plain = /^(\^?)((?:\[\p{L}{2}\]|\\[^\p{L}\p{N}]|[^\\^$.*+?()[\]{}|])+)(\$?)$/u;
  const [, first, words = '', last] = plain.exec(pattern) ?? [];
  // In lowercase, the two letters of a choice must be the same.
  const text = words.includes('[') ? words.toLowerCase().replace(/\[(.)\1\]/gu, '$1') : words;
  if (words === '' || /(?<!\\)\[/.test(text)) return undefined;
  const verb = first ? (last ? 'that are' : 'beginning with') : last ? 'ending with' : 'with';
  return { verb, text: text.replace(/\\(.)/gsu, '$1') };
}

/** The display name of a setting, and the words in the schema for its values. */
export interface SettingName extends ValueWords {
  readonly title: string;
}

/** Finds the display name of a setting by its path in a plan, such as `skills[calendar].instructions`. */
export function settingName(kind: string, path: string): SettingName | undefined {
  if (!isKindName(kind)) return undefined;
  const steps = parsePath(path);
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const into = steps.slice(field.path.length);
  const key = field.shape === 'map' ? into.shift() : undefined;
  const member = memberAt(field, steps);
  const element = key === undefined ? field.title : `${field.title} ${shorten(key, 60)}`;
  if (into.length === 0) return { title: element, unit: field.unit, textForm: field.textForm, values: field.values };
  if (member === undefined) return undefined;
  const { title, textForm, values } = member;
  return { title: key === undefined ? `${element} (${title})` : `${element} ${title}`, textForm, values };
}
