import { areTexts, type Json } from '../json/json.ts';
import type { FieldSchema, KindName } from '../schemas/fields.ts';
import { type LineEdit, lineEdits } from '../text/line-edits.ts';
import { comparable } from './compare.ts';
import type { FieldPath } from './field-path.ts';
import { schemaAt } from './kind.ts';
import { editedLines, linesOf, withLineFeeds } from './text-merge.ts';

/**
 * The rules that decide whether the service stored a sent value in its own form. The rules apply only to a read-back,
 * which is the value that is read right after the write. Later, the live value is compared with the read-back, and the
 * desired value is compared with the sent value.
 */
export const formRules = {
  'html-escapes': 'The service escapes special HTML characters. For example, `&` becomes `&amp;`.',
  unicode: 'The service stores the same characters in another Unicode normalisation form (NFC or NFD).',
  quotes: 'The service replaces straight quotes with typographic ones of the same kind, or the reverse.',
  url: 'The service writes a URL in its standard form. For example, `https://Example.com` becomes `https://example.com/`.',
  'white-space':
    'The service changes the amount of white space around or inside lines, or the number of blank lines. Words and other line breaks are unchanged.',
  'letter-case': 'The service returns one of the listed values, or a time zone, in a different letter case.',
} as const;

export type FormRule = keyof typeof formRules;

const everyRule = Object.keys(formRules) as readonly FormRule[];
const proseRules = ['html-escapes', 'unicode', 'quotes', 'url', 'white-space'] as const;
const urlRules = ['html-escapes', 'url'] as const;
const choiceRules = ['letter-case'] as const;

/**
 * The form rules for a value. Regexes, destinations, names, ids and unknown settings have no form rules, because every
 * character in them may matter.
 */
export function formRulesAt(kind: KindName, path: FieldPath): readonly FormRule[] {
  const schema = schemaAt(kind, path);
  if (schema?.prose || schema?.text !== undefined) return proseRules;
  if (schema?.textForm === 'http-url') return urlRules;
  return schema?.choices || schema?.textForm === 'time-zone' ? choiceRules : [];
}

/**
 * A minimal set of rules under which a read-back is the service's form of the sent value. Empty if both values are
 * equal. Undefined if the read-back is a different value even under all rules.
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

/**
 * The sets of rules to try: the given rules with and without `html-escapes`. A service that does not escape texts
 * returns sent escapes unchanged.
 */
export function withAndWithoutEscapes(rules: readonly FormRule[]): readonly (readonly FormRule[])[] {
  const others = rules.filter((formRule) => formRule !== 'html-escapes');
  return others.length === rules.length ? [rules] : [others, rules];
}

/** Normalises a text, or each text in a list, according to the rules. */
function folded(value: Json, rules: readonly FormRule[]): Json {
  return inTexts(value, (text) => foldedText(text, rules));
}

/**
 * Decodes HTML escapes once. Use it only for a read-back, because a service that escapes texts also escapes any escapes
 * in the sent text.
 */
function unescaped(value: Json, rules: readonly FormRule[]): Json {
  return inTexts(value, (text) => unescapedText(text, rules));
}

function unescapedText(text: string, rules: readonly FormRule[]): string {
  return rules.includes('html-escapes') ? decodedEscapes(text) : text;
}

/** Normalises a read-back text for a comparison with `foldedText` of the sent text. */
export function foldedReadBack(text: string, rules: readonly FormRule[]): string {
  return foldedText(unescapedText(text, rules), rules);
}

export function foldedText(text: string, rules: readonly FormRule[]): string {
  // The order of the table matters, because a URL ends at any quote.
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
    const url = found.slice(0, end);
    return (URL.canParse(url) ? new URL(url).href : url) + found.slice(end);
  });
}

/** The length of a URL without the punctuation that follows it in a sentence. */
function endOfUrl(found: string): number {
  let end = found.length;
  while (end > 0 && '.,;:!?)]}*_'.includes(found.charAt(end - 1))) end -= 1;
  return end;
}

/** The HTML 4 names of the characters U+00A0 to U+00FF, in order. */
const latinNames = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'
).split(' ');

const otherNames: Readonly<Record<string, string>> = {
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
};

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,7}));/g;

/** Decodes HTML character references once: `&amp;lt;` becomes `&lt;`. */
function decodedEscapes(text: string): string {
  return text.replace(reference, (found: string, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return characterNamed(name) ?? found;
    const code = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10);
    return isCharacter(code) ? String.fromCodePoint(code) : found;
  });
}

function characterNamed(name: string): string | undefined {
  const index = latinNames.indexOf(name);
  if (index >= 0) return String.fromCodePoint(0xa0 + index);
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}

/** Whether a code point is valid and not half of a surrogate pair. */
function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

/** A sent value, its read-back right after the write, and the live value. */
export interface ReadForms {
  readonly sent: Json;
  readonly readBack: Json;
  readonly live: Json;
  /** The rules under which `readBack` is the service's form of `sent`. */
  readonly rules: readonly FormRule[];
}

/**
 * Converts a live value to the sent form. Each line or item that equals a read-back line or item is replaced with the
 * corresponding sent line or item. If the service escapes texts, all other lines and items are decoded.
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
 * Whether a text contains HTML escapes that the service added. A manifest with the escaped text would have a different
 * meaning.
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
 * Finds the edits that turn the read-back into the live text, and applies these edits to the sent text. If sent text
 * and read-back differ in the number of non-blank lines, only decodes the live text.
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
  return editedLines(sentLines, { start: 0, end: sentLines.length }, edits).join('\n') + endOf(sent);
}

/**
 * Maps each boundary between read-back lines to two positions in the sent lines: right before the next line, and right
 * after the previous line. The positions differ where the service removed blank lines. Undefined if the numbers of
 * non-blank lines differ.
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

/** Maps each read-back text to the sent text. If several sent texts have the same read-back, uses the first. */
function sentByReadBack({
  sent,
  readBack,
  rules,
}: {
  readonly sent: readonly string[];
  readonly readBack: readonly string[];
  readonly rules: readonly FormRule[];
}): ReadonlyMap<string, string> {
  const byFolded = new Map([...sent].reverse().map((text) => [foldedText(text, rules), text]));
  const pairs = readBack.flatMap((text): [string, string][] => {
    const found = byFolded.get(foldedReadBack(text, rules));
    return found === undefined ? [] : [[text, found]];
  });
  return new Map(pairs);
}

/** The white space at the end of a text, which comparisons ignore. */
function endOf(text: string): string {
  const fed = withLineFeeds(text);
  return fed.slice(fed.trimEnd().length);
}
