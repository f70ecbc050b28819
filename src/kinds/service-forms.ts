import type { Json } from '../json/json.ts';
import type { FieldSchema, KindName, MemberSchema } from '../schemas/fields.ts';
import { decodedEscapes } from '../text/html-escapes.ts';
import { comparable } from './compare.ts';
import type { FieldPath } from './field-path.ts';
import { comparedAs } from './kind.ts';

/**
 * The rules by which a value that was read back right after a write is the service's form of what was sent. They judge
 * that one pair only: afterwards live is compared with what was read back, and wanted with what was sent.
 */
export const formRules = {
  'html-escapes': 'The service escapes characters that are special in HTML, such as `&` as `&amp;`.',
  unicode: 'The service stores the same characters in another Unicode normalisation form (NFC or NFD).',
  quotes: 'The service replaces straight quotes by typographic ones of the same kind, or the reverse.',
  url: 'The service writes a URL in its standard form, such as `https://Example.com` as `https://example.com/`.',
  'white-space':
    'The service trims lines, shortens or widens white space inside them, or changes the number of blank lines; words and line breaks stay.',
  'letter-case': 'The service writes one of the listed values, or a time zone, in another case.',
} as const;

export type FormRule = keyof typeof formRules;

const everyRule = Object.keys(formRules) as readonly FormRule[];
const proseRules = everyRule.filter((formRule) => formRule !== 'letter-case');
const urlRules = ['html-escapes', 'url'] as const;
const choiceRules = ['letter-case'] as const;

/**
 * The rules that the service's form of a value may follow. Regexes, destinations, names, ids and settings that the
 * specification does not have know none: every character of them may count.
 */
export function formRulesAt(kind: KindName, path: FieldPath): readonly FormRule[] {
  const schema = schemaAt(kind, path);
  if (schema?.prose || schema?.text !== undefined) return proseRules;
  if (schema?.form === 'http-url') return urlRules;
  return schema?.choice || schema?.form === 'time-zone' ? choiceRules : [];
}

/** The field; in an element of a keyed list or an object, its member. */
function schemaAt(kind: KindName, path: FieldPath): FieldSchema | MemberSchema | undefined {
  const field = comparedAs(kind, path);
  return field?.members === undefined ? field : field.members.find(({ name }) => name === path.at(-1));
}

/**
 * By which rules what was read back is the service's form of what was sent: as few as will do. Undefined if it is
 * another value under all rules; empty if the two are equal without any.
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

/** A service either escapes or does not: if not, sent escapes come back unchanged. */
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
  return rules.includes('html-escapes') ? inTexts(value, decodedEscapes) : value;
}

/** The normal form of a text that was read back, which `foldedText` also makes of a sent text. */
export function foldedReadBack(text: string, rules: readonly FormRule[]): string {
  return foldedText(rules.includes('html-escapes') ? decodedEscapes(text) : text, rules);
}

export function foldedText(text: string, rules: readonly FormRule[]): string {
  // In the order of the table: a URL ends at a quote of any sort.
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

/** Punctuation of the sentence is not part of the URL. */
function endOfUrl(found: string): number {
  let end = found.length;
  while (end > 0 && '.,;:!?)]}*_'.includes(found.charAt(end - 1))) end -= 1;
  return end;
}
