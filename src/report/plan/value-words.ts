import type { TextForm } from '../../schemas/fields.ts';
import { visible } from '../../text/visible.ts';
import { counted, joinWithOr } from '../../text/wording.ts';
import { inlineValue } from './value-text.ts';

// What values mean to people who know neither the API nor regular expressions.

/** What the schema says of the values of a setting. */
export interface ValueWords {
  /** What a number counts, in the singular: `second`. */
  readonly unit?: string | undefined;
  readonly form?: TextForm | undefined;
  /** Words for values that do not speak for themselves; `<0` and `>0` stand for numbers. */
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

/** What one alternative of a pattern asks for. */
interface Alternative {
  readonly verb: 'is' | 'begins with' | 'ends with' | 'contains';
  /** The texts that a choice of letters such as `[Ss]` comes to. */
  readonly texts: readonly string[];
}

/** So many texts are named. */
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

/** What a pattern does not mean by itself. */
const marks = '\\^$.*+?()[]{}|/';

/** The letters that may stand at a place of a pattern, and how much of the pattern says so. */
function stepAt(pattern: string, at: number): { readonly letters: string[]; readonly length: number } | undefined {
  const [sign = '', next = ''] = pattern.slice(at, at + 2);
  if (sign === '\\') return next !== '' && marks.includes(next) ? { letters: [next], length: 2 } : undefined;
  if (sign !== '[') return marks.includes(sign) ? undefined : { letters: [sign], length: 1 };
  const choice = pattern.slice(at + 1, Math.max(at, pattern.indexOf(']', at)));
  const isPlain = choice !== '' && ![...choice].some((letter) => letter === '-' || marks.includes(letter));
  return isPlain ? { letters: [...choice], length: choice.length + 2 } : undefined;
}
