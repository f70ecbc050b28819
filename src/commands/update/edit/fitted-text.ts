import { allowComments, mayAllow } from '../../../manifest/syntax/allow-comments.ts';
import { escapeText, splitText } from '../../../manifest/syntax/interpolate.ts';
import { lineEdits, linesWithFeeds } from '../../../text/line-edits.ts';
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
 * The text to write in the place of another so that `wanted` comes out. Lines that stay the same are taken over as they
 * are written. In the others a reference is kept where its value still stands as words of its own, in the same order;
 * where that loses one, it may have moved to another line.
 */
export function fitText({ raw, variables }: WrittenText, wanted: string): Fitted {
  const parts = partsOf(raw, variables);
  const byLine = fitLines(parts, wanted);
  const fitted = byLine.lost.length === 0 ? byLine : fewerLost(byLine, fitParts(parts, wanted));
  if (textOf(partsOf(fitted.raw, variables)) === wanted) return fitted;
  return { raw: escapeText(wanted), lost: parts.flatMap(({ variable }) => variable ?? []) };
}

function fewerLost(one: Fitted, other: Fitted): Fitted {
  return other.lost.length < one.lost.length ? other : one;
}

function fitLines(parts: readonly Part[], wanted: string): Fitted {
  const rows = rowsOf(parts);
  const edits = lineEdits(rows.map(textOf), linesWithFeeds(wanted));
  const fitted: Fitted[] = [];
  let at = 0;
  for (const { start, end, lines } of edits) {
    fitted.push({ raw: rawOf(rows.slice(at, start).flat()), lost: [] });
    fitted.push(fitParts(rows.slice(start, end).flat(), lines.join('')));
    at = end;
  }
  fitted.push({ raw: rawOf(rows.slice(at).flat()), lost: [] });
  return { raw: fitted.map((one) => one.raw).join(''), lost: fitted.flatMap((one) => one.lost) };
}

/** The parts of each line as it is written; a variable may stand for several lines. */
function rowsOf(parts: readonly Part[]): Part[][] {
  let row: Part[] = [];
  const rows = [row];
  for (const part of parts) {
    const lines = isLiteral(part) ? linesWithFeeds(part.text).map(literal) : [part];
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        row = [];
        rows.push(row);
      }
      row.push(line);
    }
  }
  return rows;
}

/** Beginning and end that stay the same are taken over as they are written. */
function fitParts(parts: readonly Part[], wanted: string): Fitted {
  const before = commonStart(parts, wanted);
  const rest = wanted.slice(textOf(before.common).length);
  const after = commonEnd(before.others, rest);
  const middle = rest.slice(0, rest.length - textOf(after.common).length);
  const { text, lost } = withReferences(after.others, middle);
  return { raw: rawOf(before.common) + text + rawOf(after.common), lost };
}

/** Literal text, escapes of a dollar, references, and comments that are not sent. */
function partsOf(raw: string, variables: ReadonlyMap<string, string>): Part[] {
  if (!mayAllow(raw)) return referencesOf(raw, variables);
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of allowComments(raw)) {
    parts.push(...referencesOf(raw.slice(at, Math.max(at, start)), variables));
    parts.push({ raw: raw.slice(Math.max(at, start), end), text: '' });
    at = Math.max(at, end);
  }
  return [...parts, ...referencesOf(raw.slice(at), variables)];
}

function referencesOf(raw: string, variables: ReadonlyMap<string, string>): Part[] {
  let at = 0;
  return splitText(raw).map((piece) => {
    const isEscape = piece.type === 'literal' && raw.startsWith('$${', at) && piece.text === '${';
    const written = isEscape ? '$${' : piece.text;
    at += written.length;
    if (piece.type !== 'var') return { raw: written, text: piece.text };
    return { raw: written, text: variables.get(piece.name) ?? '', variable: piece.name };
  });
}

interface Divided {
  /** What the wanted text has there too; of literal text as much as fits. */
  readonly common: readonly Part[];
  readonly others: readonly Part[];
}

function commonStart(parts: readonly Part[], wanted: string): Divided {
  let length = 0;
  for (const [index, part] of parts.entries()) {
    if (!wanted.startsWith(part.text, length)) {
      const count = isLiteral(part) ? sameAtStart(part.text, wanted.slice(length)) : 0;
      const [same, other] = [literal(part.text.slice(0, count)), literal(part.text.slice(count))];
      if (count === 0) return { common: parts.slice(0, index), others: parts.slice(index) };
      return { common: [...parts.slice(0, index), same], others: [other, ...parts.slice(index + 1)] };
    }
    length += part.text.length;
  }
  return { common: parts, others: [] };
}

function commonEnd(parts: readonly Part[], wanted: string): Divided {
  let end = wanted.length;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (part.text.length > end || !wanted.startsWith(part.text, end - part.text.length)) {
      const count = isLiteral(part) ? sameAtEnd(part.text, wanted.slice(0, end)) : 0;
      const [other, same] = [literal(part.text.slice(0, -count)), literal(part.text.slice(-count))];
      if (count === 0) return { common: parts.slice(index + 1), others: parts.slice(0, index + 1) };
      return { common: [same, ...parts.slice(index + 1)], others: [...parts.slice(0, index), other] };
    }
    end -= part.text.length;
  }
  return { common: parts, others: [] };
}

function isLiteral({ raw, text, variable }: Part): boolean {
  return variable === undefined && raw === text;
}

function literal(text: string): Part {
  return { raw: text, text };
}

function sameAtStart(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

function sameAtEnd(one: string, other: string): number {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

/** References found again in the text, each behind the one before. */
function withReferences(parts: readonly Part[], text: string): { readonly text: string; readonly lost: string[] } {
  const lost: string[] = [];
  let result = '';
  let at = 0;
  for (const { raw, text: value, variable } of parts) {
    if (variable === undefined) continue;
    // What is not found from here is not found further on.
    const found = lost.includes(variable) ? -1 : wordsAt(text, value, at);
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

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('');
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
