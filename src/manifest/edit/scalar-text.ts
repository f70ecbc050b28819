import { isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';
import { composeOptions } from '../parse-yaml.ts';
import { blockText } from './block-text.ts';
import { escaped, isPrintable } from './printable.ts';
import { refolded } from './refold.ts';

export type ScalarValue = null | boolean | number | string;

/** What the file around a scalar says about how it may be written. */
export interface ScalarPlace {
  /** Columns before the member or the list's dash that it belongs to. */
  readonly indent: number;
  /** It stands inside { } or [ ]. */
  readonly inFlow: boolean;
  readonly lineEnd: string;
  /** The quotes that the file uses more. */
  readonly quotes: Quotes;
}

export type Quotes = 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';

/** How a scalar is written now, as far as it is known. */
export interface WrittenScalar {
  readonly type?: Scalar.Type | undefined;
  readonly text: string;
}

/** The value in the style that is nearest to how it is written now and that reads back as the value. */
export function scalarText(value: ScalarValue, written: WrittenScalar, place: ScalarPlace): string {
  if (typeof value !== 'string') return String(value);
  for (const style of stylesFor(value, written.type, place)) {
    const text = styledText(style, value, { written, place });
    if (text !== undefined && readsAs(text, value, place)) return text;
  }
  return JSON.stringify(value);
}

/** Tried out where it is to stand, alone: a style that changes the value is not taken. */
function readsAs(text: string, value: string, { inFlow, indent }: ScalarPlace): boolean {
  const line = inFlow ? `[${text}]` : `${' '.repeat(indent)}k: ${text}`;
  const { contents, errors } = parseDocument(line, composeOptions);
  const found = isSeq(contents) ? contents.items : isMap(contents) ? contents.items.map((pair) => pair.value) : [];
  return errors.length === 0 && found.length === 1 && isScalar(found[0]) && found[0].value === value;
}

/** The style of now, then the nearest others that can hold more. */
function stylesFor(value: string, type: Scalar.Type | undefined, { inFlow, quotes }: ScalarPlace): Scalar.Type[] {
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  const literal: Scalar.Type[] = !inFlow && value.includes('\n') ? ['BLOCK_LITERAL'] : [];
  const bare: Scalar.Type[] = isBlock ? ['BLOCK_LITERAL', 'PLAIN'] : [];
  return [type ?? 'PLAIN', ...literal, ...bare, quotes, 'QUOTE_DOUBLE'];
}

interface Now {
  readonly written: WrittenScalar;
  readonly place: ScalarPlace;
}

function styledText(style: Scalar.Type, value: string, { written, place }: Now): string | undefined {
  switch (style) {
    case 'PLAIN':
      return isPlain(value) ? folded(value, written, place) : undefined;
    case 'QUOTE_SINGLE':
      return isPrintable(value) && !/[\n\t]/.test(value)
        ? quoted("'", value.replaceAll("'", "''"), { written, place })
        : undefined;
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return place.inFlow
        ? undefined
        : blockText(style, value, { written, indent: place.indent, lineEnd: place.lineEnd });
    default:
      return quoted('"', escaped(value), { written, place });
  }
}

function quoted(quote: string, inner: string, { written, place }: Now): string {
  const isSame = written.text.startsWith(quote) && written.text.endsWith(quote);
  const now = isSame ? { ...written, text: written.text.slice(1, -1) } : { text: '' };
  return quote + folded(inner, now, place) + quote;
}

/** A text that stands on several lines now stays on as many, as far as they are the same. */
function folded(text: string, { text: now }: WrittenScalar, { indent, lineEnd }: ScalarPlace): string {
  const lines = now.split(/\r?\n/).map((line) => line.trim());
  if (lines.length < 2 || lines.includes('')) return text;
  const second = now.split(/\r?\n/)[1] ?? '';
  const columns = Math.max(second.length - second.trimStart().length, indent + 1);
  return refolded(text, lines).join(`${lineEnd}${' '.repeat(columns)}`);
}

/** What other readers of YAML take for a boolean, a number or a time is quoted, whether YAML 1.2 asks for it or not. */
const mistakable = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.]?\d[\d_.:eExXoOa-fA-F+-]*|[-+]?\.(?:inf|nan))$/i;

function isPlain(value: string): boolean {
  return (
    value !== '' && isPrintable(value) && !/[\n\t]/.test(value) && value.trim() === value && !mistakable.test(value)
  );
}
