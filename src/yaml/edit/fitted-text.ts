import { type LineEdit, lineEdits, linesWithFeeds } from '../../text/line-edits.ts';
import { withoutEnd } from '../../text/wildcard.ts';
import { allowComments, mayAllow } from '../allow-comments.ts';
import { escapeText, splitText } from '../interpolate.ts';

/** A text as a file has it, with the values of its variables. */
export interface SourceText {
  readonly raw: string;
  readonly variables: ReadonlyMap<string, string>;
}

export interface Fitted {
  /** The literal text that gives the wanted text after variables are inserted. */
  readonly raw: string;
  /** Variables that the text no longer uses. */
  readonly lost: readonly string[];
}

interface Part {
  readonly raw: string;
  readonly text: string;
  /** Set for a reference to a variable. */
  readonly variable?: string;
}

/** One source line, with all lines after its variables are inserted. */
interface Row {
  readonly parts: readonly Part[];
  /** Without line ends. */
  readonly lines: readonly string[];
}

/**
 * The replacement text that resolves to `wanted`. A line that equals the resolved source line keeps its literal form,
 * and every other line is written as wanted. Line ends do not count, and keep their literal form.
 *
 * In a shared text, a changed line keeps its references if their values still occur in it as whole words, in the same
 * order.
 */
export function fitText(
  { raw, variables }: SourceText,
  wanted: string,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Fitted {
  const parts = partsOf(raw, variables);
  const found = variablesIn(parts);
  const candidates = isShared ? sharedCandidates(parts, wanted) : [fitLines(parts, wanted, literally)];
  const isExact = (text: string) => textOf(partsOf(text, variables)) === wanted;
  const fitted = candidates.find(isExact) ?? escapeText(wanted);
  const kept = variablesIn(partsOf(fitted, variables));
  return { raw: fitted, lost: [...found].filter((name) => !kept.has(name)) };
}

/**
 * A reference may have moved to another line, so the text is also compared as a whole. The result that keeps more
 * references comes first.
 */
function sharedCandidates(parts: readonly Part[], wanted: string): string[] {
  const byLine = fitLines(parts, wanted, fitParts);
  const whole = fitParts(parts, wanted);
  const countOf = (raw: string) => splitText(raw).filter(({ type }) => type === 'var').length;
  return countOf(whole) > countOf(byLine) ? [whole, byLine] : [byLine, whole];
}

function variablesIn(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ variable }) => variable ?? []));
}

/** The replacement for changed source lines. */
type WriteLines = (parts: readonly Part[], wanted: string) => string;

function fitLines(parts: readonly Part[], wanted: string, write: WriteLines): string {
  const rows = rowsOf(parts);
  const wantedLines = linesWithFeeds(wanted);
  const edits = wholeRows(
    rows,
    lineEdits(
      rows.flatMap(({ lines }) => lines),
      wantedLines.map(withoutBreak),
    ),
  );
  const fitted: string[] = [];
  let [at, wantedAt] = [0, 0];
  // Line ends are those of the wanted text, which already has the form of the file.
  const keepRows = (end: number) => {
    for (const { parts: own, lines } of rows.slice(at, end)) {
      wantedAt += lines.length;
      const line = wantedLines[wantedAt - 1] ?? '';
      fitted.push(withoutBreak(rawOf(own)), line.slice(withoutBreak(line).length));
    }
  };
  for (const { start, end, from, to } of edits) {
    keepRows(start);
    fitted.push(
      write(
        rows.slice(start, end).flatMap((row) => row.parts),
        wantedLines.slice(from, to).join(''),
      ),
    );
    [at, wantedAt] = [end, to];
  }
  keepRows(rows.length);
  return fitted.join('');
}

interface RowEdit {
  /** Source lines. */
  readonly start: number;
  readonly end: number;
  /** The wanted lines that replace them. */
  readonly from: number;
  readonly to: number;
}

/** A source line with several resolved lines only stays if all of them do. */
function wholeRows(rows: readonly Row[], edits: readonly LineEdit[]): RowEdit[] {
  const firsts = [0];
  for (const { lines } of rows) firsts.push((firsts.at(-1) ?? 0) + lines.length);
  const found: { -readonly [Name in keyof RowEdit]: RowEdit[Name] }[] = [];
  let [row, shift] = [0, 0];
  for (const { start, end, lines } of edits) {
    while (row < rows.length && (firsts[row + 1] ?? 0) <= start) row += 1;
    const first = row;
    // An insertion between two source lines touches neither.
    let last = start === end && firsts[row] === start ? row : row + 1;
    while (last < rows.length && (firsts[last] ?? 0) < end) last += 1;
    const from = (firsts[first] ?? 0) + shift;
    shift += lines.length - (end - start);
    const to = (firsts[last] ?? 0) + shift;
    const before = found.at(-1);
    if (before !== undefined && before.end > first) Object.assign(before, { end: Math.max(before.end, last), to });
    else found.push({ start: first, end: last, from, to });
  }
  return found;
}

/** The source lines. The value of a variable may have several lines. */
function rowsOf(parts: readonly Part[]): Row[] {
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
  return rows.map((own, index) => {
    const lines = textOf(own).split('\n');
    return { parts: own, lines: (index < rows.length - 1 ? lines.slice(0, -1) : lines).map(withoutBreak) };
  });
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$|\r$/, '');
}

/** The wanted lines, literally. Allow comments stay: those on separate lines first, others on the first line. */
function literally(parts: readonly Part[], wanted: string): string {
  const comments = parts.filter(({ raw, text, variable }) => text === '' && raw !== '' && variable === undefined);
  const [above, beside] = [comments.filter(hasFeed), comments.filter((comment) => !hasFeed(comment))];
  const end = /\r?\n|$/.exec(wanted)?.index ?? wanted.length;
  const isBeside = wanted !== '' && beside.length > 0;
  const line = isBeside
    ? [escapeText(wanted.slice(0, end)), rawOf(beside), escapeText(wanted.slice(end))]
    : [escapeText(wanted)];
  return rawOf(above) + line.join('');
}

function hasFeed({ raw }: Part): boolean {
  return raw.endsWith('\n');
}

/** An unchanged beginning and end keep their literal form. */
function fitParts(parts: readonly Part[], wanted: string): string {
  const before = commonStart(parts, wanted);
  const rest = wanted.slice(textOf(before.common).length);
  const after = commonEnd(before.others, rest);
  const middle = rest.slice(0, rest.length - textOf(after.common).length);
  return rawOf(before.common) + withReferences(after.others, middle) + rawOf(after.common);
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
    const source = isEscape ? '$${' : piece.text;
    at += source.length;
    if (piece.type !== 'var') return { raw: source, text: piece.text };
    return { raw: source, text: variables.get(piece.name) ?? '', variable: piece.name };
  });
}

interface Divided {
  /** The beginning of the wanted text that a part matches; literal text may match in part. */
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

/** References found again in the text, in order. */
function withReferences(parts: readonly Part[], text: string): string {
  const lost = new Set<string>();
  let result = '';
  let at = 0;
  for (const { raw, text: value, variable } of parts) {
    if (variable === undefined) continue;
    // A value that is not found from here does not occur later.
    const found = lost.has(variable) ? -1 : wordsAt(text, value, at);
    if (found < 0) lost.add(variable);
    else {
      result += escapeText(text.slice(at, found)) + raw;
      at = found + value.length;
    }
  }
  return result + escapeText(text.slice(at));
}

/** The place of the value as a whole word; -1 if there is none. */
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
 * The live text in the form of the file. Where the comparison rules ignore differences, the file's form stays: line
 * ends in a text of several lines, and trailing line breaks.
 */
export function updatedText(live: string, now: string | undefined): string {
  if (now === undefined || live === '' || !now.includes('\n')) return live;
  const isCrlf = /\r\n/.test(now) && !/(?<!\r)\n/.test(now);
  const lines = withoutEnd(live.replaceAll('\r\n', '\n'), '\n') + breaksAtEnd(now);
  if (isCrlf) return lines.replaceAll('\n', '\r\n');
  return now.includes('\r') ? live : lines;
}

/** The number of line breaks at the end, as line feeds. A carriage return without a line feed does not count. */
function breaksAtEnd(text: string): string {
  const end = text.slice(withoutEnd(text, '\r\n').length).replaceAll('\r\n', '\n');
  return end.slice(end.lastIndexOf('\r') + 1);
}
