import type { Json } from '../json/json.ts';
import type { FieldSchema, KindName, MemberSchema } from '../schemas/fields.ts';
import { type LineEdit, lineEdits } from '../text/line-edits.ts';
import { comparable } from './compare.ts';
import type { FieldPath } from './field-path.ts';
import { comparedAs } from './kind.ts';
import { edited, linesOf, withLineFeeds } from './text-merge.ts';

/**
 * The rules by which a read-back right after a write is the service's form of the sent value. They only judge that
 * pair. Later, live is compared with the read-back, and wanted with the sent value.
 */
export const formRules = {
  'html-escapes': 'The service escapes characters that are special in HTML, such as `&` as `&amp;`.',
  unicode: 'The service stores the same characters in another Unicode normalisation form (NFC or NFD).',
  quotes: 'The service replaces straight quotes by typographic ones of the same kind, or the reverse.',
  url: 'The service writes a URL in its standard form, such as `https://Example.com` as `https://example.com/`.',
  'white-space':
    'The service trims lines, shortens or widens white space inside them, or changes the number of blank lines; words and line breaks stay.',
  'letter-case': 'The service returns one of the listed values, or a time zone, in a different letter case.',
} as const;

export type FormRule = keyof typeof formRules;

const everyRule = Object.keys(formRules) as readonly FormRule[];
const proseRules = everyRule.filter((formRule) => formRule !== 'letter-case');
const urlRules = ['html-escapes', 'url'] as const;
const choiceRules = ['letter-case'] as const;

/**
 * The rules for the service's form of a value at a place. There are none for regexes, destinations, names, ids and
 * unknown settings, because every character may count.
 */
export function formRulesAt(kind: KindName, path: FieldPath): readonly FormRule[] {
  const schema = schemaAt(kind, path);
  if (schema?.prose || schema?.text !== undefined) return proseRules;
  if (schema?.form === 'http-url') return urlRules;
  return schema?.choice || schema?.form === 'time-zone' ? choiceRules : [];
}

/** The schema of a field, or of a member of an object or list element. */
function schemaAt(kind: KindName, path: FieldPath): FieldSchema | MemberSchema | undefined {
  const field = comparedAs(kind, path);
  return field?.members === undefined ? field : field.members.find(({ name }) => name === path.at(-1));
}

/**
 * The minimum rules by which the read-back is the service's form of the sent value. Undefined if it is another value
 * under all rules, and empty if the two are equal.
 */
export function formBetween(
  { sent, readBack }: { readonly sent: Json; readonly readBack: Json },
  { rules, field }: { readonly rules: readonly FormRule[]; readonly field: FieldSchema | undefined },
): readonly FormRule[] | undefined {
  const areEqual = (some: readonly FormRule[]) =>
    comparable(folded(sent, some), field) === comparable(folded(unescaped(readBack, some), some), field);
  const sufficient = withAndWithoutEscapes(rules).find(areEqual);
  return sufficient?.reduce<readonly FormRule[]>((needed, formRule) => {
    const others = needed.filter((one) => one !== formRule);
    return areEqual(others) ? others : needed;
  }, sufficient);
}

/** A service either escapes or does not. If not, sent escapes come back unchanged. */
export function withAndWithoutEscapes(rules: readonly FormRule[]): readonly (readonly FormRule[])[] {
  const others = rules.filter((formRule) => formRule !== 'html-escapes');
  return others.length === rules.length ? [rules] : [others, rules];
}

/** The normal form of a text, or of each text in a list, under these rules. */
function folded(value: Json, rules: readonly FormRule[]): Json {
  return inTexts(value, (text) => foldedText(text, rules));
}

/** Escapes are undone once and on one side only: sent escapes must come back escaped. */
function unescaped(value: Json, rules: readonly FormRule[]): Json {
  return inTexts(value, (text) => unescapedText(text, rules));
}

function unescapedText(text: string, rules: readonly FormRule[]): string {
  return rules.includes('html-escapes') ? decodedEscapes(text) : text;
}

/** The normal form of a read-back text, comparable with `foldedText` of the sent text. */
export function foldedReadBack(text: string, rules: readonly FormRule[]): string {
  return foldedText(unescapedText(text, rules), rules);
}

export function foldedText(text: string, rules: readonly FormRule[]): string {
  // In the order of the table, because a URL ends at any quote.
  return everyRule.reduce((folding, formRule) => (rules.includes(formRule) ? folds[formRule](folding) : folding), text);
}

const folds: Readonly<Record<FormRule, (text: string) => string>> = {
  'html-escapes': (text) => text,
  unicode: (text) => text.normalize('NFC'),
  quotes: (text) => text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"'),
  url: withStandardUrls,
  'white-space': withoutExtraSpace,
  'letter-case': (text) => text.toLowerCase(),
};

function inTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: Json) => (typeof item === 'string' ? change(item) : item));
}

function withoutExtraSpace(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const words = lines.map((line) => line.trim().replace(/\s+/g, ' '));
  return words.filter((line) => line !== '').join('\n');
}

function withStandardUrls(text: string): string {
  return text.replace(/https?:\/\/[^\s<>"'`]+/gi, (found) => {
    const end = endOfUrl(found);
    return `${standardUrl(found.slice(0, end))}${found.slice(end)}`;
  });
}

function standardUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** The end of a URL, without the punctuation of the sentence. */
function endOfUrl(found: string): number {
  let end = found.length;
  while (end > 0 && '.,;:!?)]}*_'.includes(found.charAt(end - 1))) end -= 1;
  return end;
}

/** The HTML 4 names for U+00A0 to U+00FF, in order. */
const latinNames = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'
).split(' ');

const named = new Map<string, string>([
  ...latinNames.map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    hellip: '…',
    bull: '•',
    euro: '€',
    trade: '™',
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
  }),
]);

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/g;

/** The text with HTML character references decoded once: `&amp;lt;` becomes `&lt;`. */
export function decodedEscapes(text: string): string {
  return text.replace(reference, (found: string, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? found;
    const code = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10);
    return isCharacter(code) ? String.fromCodePoint(code) : found;
  });
}

/** Whether it is a character, and not half a surrogate pair. */
function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

/** The sent value, its read-back right after the write, and the live value. */
export interface ReadForms {
  readonly sent: Json;
  readonly readBack: Json;
  readonly live: Json;
  /** The rules by which `readBack` is the service's form of `sent`. */
  readonly rules: readonly FormRule[];
}

/**
 * The live value in its sent form: lines of a text or items of a list that equal their read-back are written as sent,
 * and all others as live. A service that escapes also shows the others escaped. No other form changes the meaning of a
 * resent text.
 */
export function liveAsSent({ live, sent, readBack, rules }: ReadForms): Json {
  if (typeof sent === 'string' && typeof readBack === 'string' && typeof live === 'string') {
    return textAsSent({ sent, readBack, live, rules });
  }
  if (!areTexts(sent) || !areTexts(readBack) || !areTexts(live)) return live;
  const sentItems = sentByReadBack({ sent, readBack, rules });
  return live.map((item) => sentItems.get(item) ?? unescapedText(item, rules));
}

/**
 * Whether a text, or one of a list, has HTML escapes of a service that escapes. Then the same text in a manifest would
 * have another meaning.
 */
export function isEscaped(value: Json, rules: readonly FormRule[]): boolean {
  const texts = Array.isArray(value) ? value : [value];
  return texts.some((text) => typeof text === 'string' && unescapedText(text, rules) !== text);
}

interface TextForms {
  readonly sent: string;
  readonly readBack: string;
  readonly live: string;
  readonly rules: readonly FormRule[];
}

/**
 * Applies the edits between read-back and live text to the sent text. Sent text and read-back have the same lines,
 * except blank ones.
 */
function textAsSent({ sent, readBack, live, rules }: TextForms): string {
  const [sentLines, readLines, liveLines] = [linesOf(sent), linesOf(readBack), linesOf(live)];
  const positions = positionsInSent(sentLines, readLines);
  if (positions === undefined) return unescapedText(live, rules);
  const sentLineOf = sentByReadBack({ sent: sentLines, readBack: readLines, rules });
  const edits = lineEdits(readLines, liveLines).map(({ start, end, lines }): LineEdit => {
    const at = end > start ? (positions.before[start] ?? 0) : (positions.behind[start] ?? 0);
    const asSent = lines.map((line) => sentLineOf.get(line) ?? unescapedText(line, rules));
    return { start: at, end: Math.max(at, positions.behind[end] ?? at), lines: asSent };
  });
  return edited(sentLines, { start: 0, end: sentLines.length }, edits).join('\n') + endOf(sent);
}

/**
 * The places of read-back line boundaries among the sent lines: right before the following line, and right after the
 * preceding one. They differ where blank lines were lost.
 */
function positionsInSent(
  sent: readonly string[],
  readBack: readonly string[],
): { readonly before: readonly number[]; readonly behind: readonly number[] } | undefined {
  const isBlank = (line: string) => line.trim() === '';
  const positions = sent.flatMap((line, index) => (isBlank(line) ? [] : [index]));
  if (readBack.filter((line) => !isBlank(line)).length !== positions.length) return undefined;
  const before: number[] = [];
  const behind: number[] = [];
  let [text, blanks] = [0, 0];
  for (const line of [...readBack, undefined]) {
    const previousEnd = text === 0 ? 0 : (positions[text - 1] ?? 0) + 1;
    const next = positions[text] ?? sent.length;
    const position = Math.min(previousEnd + blanks, next);
    behind.push(position);
    const isText = line === undefined || !isBlank(line);
    before.push(isText ? next : position);
    text += isText ? 1 : 0;
    blanks = isText ? 0 : blanks + 1;
  }
  return { before, behind };
}

/** The sent texts by their read-backs. If several have the same read-back, the first one wins. */
function sentByReadBack({
  sent,
  readBack,
  rules,
}: {
  readonly sent: readonly string[];
  readonly readBack: readonly string[];
  readonly rules: readonly FormRule[];
}): ReadonlyMap<string, string> {
  const byForm = new Map([...sent].reverse().map((text) => [foldedText(text, rules), text]));
  const pairs = readBack.flatMap((text): [string, string][] => {
    const found = byForm.get(foldedReadBack(text, rules));
    return found === undefined ? [] : [[text, found]];
  });
  return new Map(pairs);
}

function areTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The white space at the end of a text, which comparisons ignore. */
function endOf(text: string): string {
  const fed = withLineFeeds(text);
  return fed.slice(fed.trimEnd().length);
}
