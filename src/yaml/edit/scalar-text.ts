import { isMap, isScalar, isSeq, type ParsedNode, parseDocument, type Scalar } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { lineEdits } from '../../text/line-edits.ts';
import { visible, visibleJson } from '../../text/visible.ts';
import { withoutEnd } from '../../text/wildcard.ts';
import { composeOptions } from '../parse-yaml.ts';

export type ScalarValue = null | boolean | number | string;

/** The properties of a scalar's position and file that determine how the scalar can be written. */
export interface ScalarContext {
  /** The indentation of the scalar's member or list dash, in columns. */
  readonly indent: number;
  /** Whether the scalar is inside `{ }` or `[ ]`. */
  readonly inFlow: boolean;
  readonly lineEnd: string;
  /** The quotes that the file uses most. Undefined in a new file, where the text decides. */
  readonly quotes: Quotes | undefined;
  readonly isJson: boolean;
}

export type Quotes = 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';

/** The current style and text of a scalar, if known. */
interface SourceScalar {
  readonly type?: Scalar.Type | undefined;
  readonly text: string;
}

/** Formats a value as a scalar, in the style nearest to the current one that preserves the value. */
export function scalarText(value: ScalarValue, source: SourceScalar, context: ScalarContext): string {
  if (typeof value !== 'string') return String(value);
  if (context.isJson) return `"${escaped(value)}"`;
  for (const style of stylesFor(value, source.type, context)) {
    const text = styledText(style, value, { source, context });
    if (text !== undefined && readsAs(text, value, context)) return text;
  }
  return JSON.stringify(value);
}

/**
 * Whether a YAML parser would read the value from the text. Parses the text inside a list or below a key, because the
 * context affects its meaning.
 */
function readsAs(text: string, value: string, { inFlow, indent }: ScalarContext): boolean {
  const line = inFlow ? `[${text}]` : `${' '.repeat(indent)}k: ${text}`;
  const { contents, errors } = parseDocument(line, composeOptions);
  const found = isSeq(contents) ? contents.items : isMap(contents) ? contents.items.map((pair) => pair.value) : [];
  return errors.length === 0 && found.length === 1 && isScalar(found[0]) && found[0].value === value;
}

/** The styles to try: the current style, then similar styles that can represent more values. */
function stylesFor(value: string, type: Scalar.Type | undefined, context: ScalarContext): Scalar.Type[] {
  const { inFlow, quotes = /["\\]/.test(value) ? 'QUOTE_SINGLE' : 'QUOTE_DOUBLE' } = context;
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  const literal: Scalar.Type[] = !inFlow && value.includes('\n') ? ['BLOCK_LITERAL'] : [];
  const bare: Scalar.Type[] = isBlock ? ['BLOCK_LITERAL', 'PLAIN'] : [];
  return [type ?? 'PLAIN', ...literal, ...bare, quotes, 'QUOTE_DOUBLE'];
}

interface Now {
  readonly source: SourceScalar;
  readonly context: ScalarContext;
}

function styledText(style: Scalar.Type, value: string, { source, context }: Now): string | undefined {
  switch (style) {
    case 'PLAIN':
      return isPlain(value) && isVisible(value) ? folded(value, source, context) : undefined;
    case 'QUOTE_SINGLE':
      return isPrintable(value) && isVisible(value) && !/[\n\t]/.test(value)
        ? quotedScalar("'", value.replaceAll("'", "''"), { source, context })
        : undefined;
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return context.inFlow ? undefined : blockText(style, value, { source, context });
    default:
      return quotedScalar('"', escaped(value), { source, context });
  }
}

function quotedScalar(quote: string, inner: string, { source, context }: Now): string {
  const isSame = source.text.startsWith(quote) && source.text.endsWith(quote);
  const now = isSame ? { ...source, text: source.text.slice(1, -1) } : { text: '' };
  return quote + folded(inner, now, context) + quote;
}

/** Formats a text for a folded scalar. Keeps the line breaks of unchanged lines. */
function folded(text: string, { text: now }: SourceScalar, { indent, lineEnd }: ScalarContext): string {
  const lines = now.split(/\r?\n/).map((line) => line.trim());
  if (lines.length < 2 || lines.includes('')) return text;
  const second = now.split(/\r?\n/)[1] ?? '';
  const columns = Math.max(second.length - second.trimStart().length, indent + 1);
  return refolded([text], lines)
    .flat()
    .join(`${lineEnd}${' '.repeat(columns)}`);
}

/**
 * Matches texts that some YAML parsers interpret as null, a boolean, a number or a time. Such texts are quoted, even if
 * YAML 1.2 does not require quotes.
 */
const mistakable = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.]?\d[\d_.:eExXoOa-fA-F+-]*|[-+]?\.(?:inf|nan))$/i;

function isPlain(value: string): boolean {
  return (
    value !== '' && isPrintable(value) && !/[\n\t]/.test(value) && value.trim() === value && !mistakable.test(value)
  );
}

/**
 * Formats a text as a block scalar, from its header to its last line. Keeps the current comment and indentation, and
 * folded lines that did not change. Undefined if a block scalar cannot represent the text.
 */
function blockText(
  style: 'BLOCK_LITERAL' | 'BLOCK_FOLDED',
  value: string,
  { source, context: { indent, lineEnd } }: Now,
): string | undefined {
  if (value.trim() === '' || !isPrintable(value)) return undefined;
  const now = source.type === style ? sourceBlock(source.text) : undefined;
  const content = withoutEnd(value, '\n');
  const end = value.slice(content.length);
  // Several trailing line breaks need `+` in the header, but adding `+` would make the blank lines after the block part
  // of the text.
  if (end.length > 1 && !now?.keepsBreaks) return undefined;
  const columns = now?.columns ?? indent + 2;
  const lines = style === 'BLOCK_LITERAL' ? content.split('\n') : foldedLines(content, now?.lines ?? []);
  const indicator = /^\n*[ \t]/.test(value) ? String(columns - indent) : '';
  const header = `${style === 'BLOCK_LITERAL' ? '|' : '>'}${indicator}${chompingOf(end)}${now?.comment ?? ''}`;
  const kept = [...lines, ...Array.from({ length: Math.max(0, end.length - 1) }, () => '')];
  return [indentedText([header, ...kept], columns, lineEnd), ''].join(lineEnd);
}

/** The chomping indicator for the line breaks at the end of a text. */
function chompingOf(end: string): string {
  if (end === '') return '-';
  return end === '\n' ? '' : '+';
}

interface SourceBlock {
  /** The comment, with the blanks before it. */
  readonly comment: string;
  readonly columns: number | undefined;
  readonly keepsBreaks: boolean;
  /** The lines without indentation. */
  readonly lines: readonly string[];
}

/** The comment in the header of a block scalar, with the blanks before it. Empty if the header has no comment. */
export function headerComment(block: string): string {
  const [header = ''] = block.split(/\r?\n/, 1);
  const at = header.search(/\s#/);
  return at < 0 ? '' : header.slice(header.slice(0, at).trimEnd().length);
}

function sourceBlock(text: string): SourceBlock {
  const [header = '', ...body] = text.split(/\r?\n/);
  const columns = body
    .filter((line) => line.trim() !== '')
    .reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Number.POSITIVE_INFINITY);
  const isKnown = Number.isFinite(columns) && !/^[|>][-+]?\d/.test(header);
  return {
    comment: headerComment(text),
    columns: isKnown ? columns : undefined,
    keepsBreaks: /^[|>]\d?\+/.test(header),
    lines: isKnown ? body.map((line) => line.slice(columns)) : [],
  };
}

/** Formats the lines of a folded scalar. Inserts a blank line between lines that YAML would otherwise join. */
function foldedLines(content: string, before: readonly string[]): string[] {
  const texts = content.split('\n');
  let isJoining = false;
  return refolded(texts, before).flatMap((lines, index) => {
    const text = texts[index] ?? '';
    // YAML does not join empty lines, or lines that begin with a space or tab.
    const isText = text !== '' && !/^[ \t]/.test(text);
    const gap = isText && isJoining ? [''] : [];
    if (text !== '') isJoining = isText;
    return isText ? [...gap, ...lines] : [text];
  });
}

/** Lines are wrapped at half of this width, or at the length of the longest old line, whichever is greater. */
const usualWidth = 80;

/** Wraps texts. Keeps the old line breaks before and after unchanged words. */
function refolded(texts: readonly string[], before: readonly string[]): string[][] {
  const width = before.reduce((longest, { length }) => Math.max(longest, length), usualWidth / 2);
  const words = texts.map(wordsIn);
  const starts = keptStarts(words.flat(), before.map(wordsIn));
  let count = 0;
  return words.map((own) => {
    const lines: string[] = [];
    for (const word of own) {
      const line = lines.pop();
      if (line === undefined) lines.push(word);
      else if (starts.has(count) || line.length + 1 + word.length > width) lines.push(line, word);
      else lines.push(`${line} ${word}`);
      count += 1;
    }
    return lines;
  });
}

/** Returns the indexes of the words before which the old text has a line break, next to an unchanged word. */
function keptStarts(words: readonly string[], before: readonly (readonly string[])[]): ReadonlySet<number> {
  const starts = new Set<number>();
  const oldStarts = new Set<number>();
  let total = 0;
  for (const { length } of before) {
    oldStarts.add(total);
    total += length;
  }
  let [at, shift] = [0, 0];
  for (const { start, end, lines } of [...lineEdits(before.flat(), words), { start: total, end: total, lines: [] }]) {
    for (; at < start; at += 1) {
      if (oldStarts.has(at)) starts.add(at + shift);
      if (oldStarts.has(at + 1)) starts.add(at + shift + 1);
    }
    shift += lines.length - (end - start);
    at = end;
  }
  return starts;
}

/** Splits a text at single blanks, because YAML reads a line break as a blank. */
function wordsIn(text: string): string[] {
  return text.split(/(?<! ) (?! )/);
}

/**
 * Matches characters that a file should contain only in escaped form: control characters, line separators, byte order
 * marks, and halves of surrogate pairs.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex looks for control characters
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Whether a file can contain a text unescaped. Allows tabs and line feeds. */
function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** Whether a reviewer can see all characters of a text. */
function isVisible(text: string): boolean {
  return visible(text) === text;
}

/** Escapes a text for double quotes, as in JSON. YAML reads the same escapes. */
function escaped(text: string): string {
  return visibleJson(JSON.stringify(text))
    .slice(1, -1)
    .replace(/[\ufffe\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
}

/** Formats a new value on one line in the style of its neighbour. The result is valid inside `{ }` and `[ ]`. */
export function flowText(value: Json, context: ScalarContext, like: ParsedNode | null = null): string {
  if (isScalarValue(value)) return scalarText(value, { type: quotesOf(like), text: '' }, { ...context, inFlow: true });
  if (!isJsonObject(value)) return `[${value.map((item: Json) => flowText(item, context)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${keyText(name, context)}: ${flowText(member, context, memberOf(like, name))}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function quotesOf(like: ParsedNode | null): Quotes | undefined {
  const type = isScalar(like) ? like.type : undefined;
  return type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE' ? type : undefined;
}

function memberOf(like: ParsedNode | null, name: string): ParsedNode | null {
  const found = isMap(like) ? like.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
  return (found?.value as ParsedNode | undefined) ?? null;
}

/** Formats a new map or list on several lines without indentation, with the same quotes as its neighbour. */
export function blockLines(
  value: readonly Json[] | JsonObject,
  quotes?: Quotes,
  like: ParsedNode | null = null,
): string[] {
  const context: ScalarContext = { indent: 0, inFlow: false, lineEnd: '\n', quotes, isJson: false };
  const isPlainList = !isJsonObject(value);
  const entries: (readonly [string, Json, ParsedNode | null])[] = isPlainList
    ? value.map((item) => ['-', item, null])
    : Object.entries(value).map(([name, member]) => [`${keyText(name, context)}:`, member, memberOf(like, name)]);
  return entries.flatMap(([head, item, neighbour]) => {
    // People write `{ file: PATH }` on one line.
    const isInclude = !isScalarValue(item) && 'file' in item && Object.keys(item).length === 1;
    if (isScalarValue(item) || Object.keys(item).length === 0 || isInclude) {
      const text = isScalarValue(item)
        ? scalarText(item, { type: quotesOf(neighbour), text: '' }, context)
        : flowText(item, context);
      return `${head} ${text}`.replace(/\n$/, '').split('\n');
    }
    const lines = blockLines(item, quotes, neighbour).map((line) => (line === '' ? '' : `  ${line}`));
    return isPlainList ? [`- ${lines[0]?.trimStart()}`, ...lines.slice(1)] : [head, ...lines];
  });
}

/** Indents and joins all lines except the first, which the caller indents. */
export function indentedText(lines: readonly string[], columns: number, lineEnd: string): string {
  return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(columns) + line)).join(lineEnd);
}

export function isScalarValue(value: Json): value is ScalarValue {
  return value === null || typeof value !== 'object';
}

export function keyText(name: string, { isJson }: Pick<ScalarContext, 'isJson'>): string {
  return !isJson && /^[A-Za-z_][\w.$-]*$/.test(name) && !mistakable.test(name) ? name : `"${escaped(name)}"`;
}
