import { escapeText, splitText } from '../../../manifest/syntax/interpolate.ts';
import { withoutEnd } from '../../../text/wildcard.ts';

/** A text as a file has it, and what its variables stand for. */
export interface WrittenText {
  readonly raw: string;
  readonly variables: ReadonlyMap<string, string>;
}

export interface Fitted {
  /** What to write, so that the wanted text comes out once variables are put in. */
  readonly raw: string;
  /** Variables whose value the wanted text does not have in their place, so that their reference is gone. */
  readonly lost: readonly string[];
}

interface Part {
  readonly raw: string;
  readonly text: string;
  /** Set for a reference to a variable. */
  readonly variable?: string;
}

/**
 * The text to write in the place of another so that `wanted` comes out. Beginning and end that stay the same are taken
 * over as they are written; in between, a reference is kept where its value still stands as words of its own, in the
 * same order.
 */
export function fitText({ raw, variables }: WrittenText, wanted: string): Fitted {
  const parts = partsOf(raw, variables);
  const before = commonParts(parts, wanted, 'start');
  const rest = wanted.slice(before.length);
  const after = commonParts(parts.slice(before.parts.length).toReversed(), rest, 'end');
  const middle = rest.slice(0, rest.length - after.length);
  const between = parts.slice(before.parts.length, parts.length - after.parts.length);
  const { text, lost } = withReferences(between, middle);
  const fitted = rawOf(before.parts) + text + rawOf(after.parts.toReversed());
  if (interpolated(fitted, variables) === wanted) return { raw: fitted, lost };
  return { raw: escapeText(wanted), lost: parts.flatMap(({ variable }) => variable ?? []) };
}

function interpolated(raw: string, variables: ReadonlyMap<string, string>): string {
  return partsOf(raw, variables)
    .map(({ text }) => text)
    .join('');
}

/** Literal text by characters, so that a beginning in common may end anywhere in it; everything else as one. */
function partsOf(raw: string, variables: ReadonlyMap<string, string>): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const piece of splitText(raw)) {
    if (piece.type === 'literal') {
      const isEscape = raw.startsWith('$${', at) && piece.text === '${';
      if (isEscape) parts.push({ raw: '$${', text: '${' });
      else parts.push(...[...piece.text].map((text) => ({ raw: text, text })));
      at += isEscape ? 3 : piece.text.length;
      continue;
    }
    const isVariable = piece.type === 'var';
    const text = isVariable ? (variables.get(piece.name) ?? '') : piece.text;
    parts.push({ raw: piece.text, text, ...(isVariable && { variable: piece.name }) });
    at += piece.text.length;
  }
  return parts;
}

/** The parts at one end that the wanted text has there too. */
function commonParts(parts: readonly Part[], wanted: string, end: 'start' | 'end') {
  let length = 0;
  let count = 0;
  for (const { text } of parts) {
    const fits =
      end === 'start'
        ? wanted.startsWith(text, length)
        : wanted.endsWith(text, wanted.length - length) && length + text.length <= wanted.length;
    if (!fits) break;
    length += text.length;
    count += 1;
  }
  return { parts: parts.slice(0, count), length };
}

/** References found again in the text, each behind the one before. */
function withReferences(parts: readonly Part[], text: string): { readonly text: string; readonly lost: string[] } {
  const lost: string[] = [];
  let result = '';
  let at = 0;
  for (const { raw, text: value, variable } of parts) {
    if (variable === undefined) continue;
    const found = wordsAt(text, value, at);
    if (found < 0) lost.push(variable);
    else {
      result += escapeText(text.slice(at, found)) + raw;
      at = found + value.length;
    }
  }
  return { text: result + escapeText(text.slice(at)), lost };
}

/** Where the value stands as words of its own; -1 if nowhere. */
function wordsAt(text: string, value: string, from: number): number {
  if (value === '') return -1;
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    const joinsBefore = isWord(text[at - 1]) && isWord(value[0]);
    const joinsBehind = isWord(text[at + value.length]) && isWord(value.at(-1));
    if (!joinsBefore && !joinsBehind) return at;
  }
  return -1;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function rawOf(parts: readonly Part[]): string {
  return parts.map(({ raw }) => raw).join('');
}

/**
 * The live text as a file is to say it. What the comparison rules call equal stays as the file has it: in a text of
 * several lines the line ends, and the line breaks at its end.
 */
export function updatedText(live: string, now: string | undefined): string {
  if (now === undefined || live === '' || !now.includes('\n')) return live;
  const isCrlf = /\r\n/.test(now) && !/(?<!\r)\n/.test(now);
  const lines = withoutEnd(live.replaceAll('\r\n', '\n'), '\n') + breaksAtEnd(now);
  if (isCrlf) return lines.replaceAll('\n', '\r\n');
  return now.includes('\r') ? live : lines;
}

/** As line feeds. A carriage return that no line feed follows is none. */
function breaksAtEnd(text: string): string {
  const end = text.slice(withoutEnd(text, '\r\n').length).replaceAll('\r\n', '\n');
  return end.slice(end.lastIndexOf('\r') + 1);
}
