import { withLineFeeds } from '../../kinds/text-merge.ts';
import { type LineEdit, lineEdits, linesWithFeeds } from '../../text/line-edits.ts';
import { withoutEnd } from '../../text/wildcard.ts';
import { allowComments, mayAllow } from '../allow-comments.ts';
import { escapeText, splitText } from '../interpolate.ts';

/** A text as written, and the values of its variables. */
interface SourceText {
  readonly raw: string;
  readonly variables: ReadonlyMap<string, string>;
}

interface Fitted {
  /** The text to write. It resolves to the wanted text. */
  readonly raw: string;
  /** Variables that the new text no longer uses. */
  readonly lost: readonly string[];
}

interface FittedPart {
  readonly raw: string;
  readonly text: string;
  /** The name of the variable, if the part is a reference to a variable. */
  readonly variable?: string;
}

/** A line of the file, and the lines to which it resolves. */
interface FittedRow {
  readonly parts: readonly FittedPart[];
  /** The resolved lines, without line endings. */
  readonly lines: readonly string[];
}

/**
 * Finds the text that resolves to `wanted`. A line that already resolves to its part of `wanted` keeps its references.
 * Other lines are written as in `wanted`. In a shared text, a changed line also keeps a reference if the line still
 * contains its value as whole words, in the original order.
 */
export function fitText(
  { raw, variables }: SourceText,
  wanted: string,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Fitted {
  const parts = fittedParts(raw, variables);
  const found = variableNamesIn(parts);
  const candidate = fitLines(parts, wanted, isShared ? fitParts : literally);
  const isExact = withLineFeeds(joinedText(fittedParts(candidate, variables))) === withLineFeeds(wanted);
  const fitted = isExact ? candidate : escapeText(wanted);
  const kept = variableNamesIn(fittedParts(fitted, variables));
  return { raw: fitted, lost: [...found].filter((name) => !kept.has(name)) };
}

function variableNamesIn(parts: readonly FittedPart[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ variable }) => variable ?? []));
}

/** Writes the lines that replace changed lines. */
type WriteLines = (parts: readonly FittedPart[], wanted: string) => string;

function fitLines(parts: readonly FittedPart[], wanted: string, write: WriteLines): string {
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
  // Only the last line can lack a line ending, and another line may be the last one in `wanted`.
  const keepRows = (end: number) => {
    for (const { parts: own, lines } of rows.slice(at, end)) {
      wantedAt += lines.length;
      const [line, raw] = [wantedLines[wantedAt - 1] ?? '', rawOf(own)];
      const lineEnd = line.slice(withoutBreak(line).length);
      fitted.push(lineEnd !== '' && raw.endsWith('\n') ? raw : withoutBreak(raw) + lineEnd);
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
  /** The range of lines in the file. */
  readonly start: number;
  readonly end: number;
  /** The range of wanted lines that replace the file's lines. */
  readonly from: number;
  readonly to: number;
}

/**
 * Extends edits to whole lines of the file. If a line resolves to several lines, it is kept only if all resolved lines
 * are unchanged.
 */
function wholeRows(rows: readonly FittedRow[], edits: readonly LineEdit[]): RowEdit[] {
  const firsts = [0];
  for (const { lines } of rows) firsts.push((firsts.at(-1) ?? 0) + lines.length);
  const found: { -readonly [Name in keyof RowEdit]: RowEdit[Name] }[] = [];
  let [row, shift] = [0, 0];
  for (const { start, end, lines } of edits) {
    while (row < rows.length && (firsts[row + 1] ?? 0) <= start) row += 1;
    const first = row;
    // An insertion between two lines changes neither of them.
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

/** Groups parts into lines of the file. A variable may resolve to several lines. */
function rowsOf(parts: readonly FittedPart[]): FittedRow[] {
  let row: FittedPart[] = [];
  const rows = [row];
  for (const part of parts) {
    const lines = isPlainPart(part) ? linesWithFeeds(part.text).map(literal) : [part];
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        row = [];
        rows.push(row);
      }
      row.push(line);
    }
  }
  return rows.map((own, index) => {
    const lines = joinedText(own).split('\n');
    return { parts: own, lines: (index < rows.length - 1 ? lines.slice(0, -1) : lines).map(withoutBreak) };
  });
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$|\r$/, '');
}

/**
 * Writes the wanted lines without references. Keeps allow comments. Comments on separate lines come first, and other
 * comments are added to the first line.
 */
function literally(parts: readonly FittedPart[], wanted: string): string {
  const comments = parts.filter(({ raw, text, variable }) => text === '' && raw !== '' && variable === undefined);
  const [above, beside] = [comments.filter(hasFeed), comments.filter((comment) => !hasFeed(comment))];
  const end = /\r?\n|$/.exec(wanted)?.index ?? wanted.length;
  const isBeside = wanted !== '' && beside.length > 0;
  const line = isBeside
    ? [escapeText(wanted.slice(0, end)), rawOf(beside), escapeText(wanted.slice(end))]
    : [escapeText(wanted)];
  return rawOf(above) + line.join('');
}

function hasFeed({ raw }: FittedPart): boolean {
  return raw.endsWith('\n');
}

/** Keeps the unchanged parts at the beginning and end, and fits references into the rest. */
function fitParts(parts: readonly FittedPart[], wanted: string): string {
  const before = commonStart(parts, wanted);
  const rest = wanted.slice(joinedText(before.common).length);
  const after = commonEnd(before.others, rest);
  const middle = rest.slice(0, rest.length - joinedText(after.common).length);
  return rawOf(before.common) + withReferences(after.others, middle) + rawOf(after.common);
}

/** Splits a text into literals, escaped dollars, references and allow comments. */
function fittedParts(raw: string, variables: ReadonlyMap<string, string>): FittedPart[] {
  if (!mayAllow(raw)) return referencesOf(raw, variables);
  const parts: FittedPart[] = [];
  let at = 0;
  for (const { start, end } of allowComments(raw)) {
    parts.push(...referencesOf(raw.slice(at, Math.max(at, start)), variables));
    parts.push({ raw: raw.slice(Math.max(at, start), end), text: '' });
    at = Math.max(at, end);
  }
  return [...parts, ...referencesOf(raw.slice(at), variables)];
}

function referencesOf(raw: string, variables: ReadonlyMap<string, string>): FittedPart[] {
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
  /**
   * The parts that match the beginning or end of the wanted text. A literal of which only a part matches is divided.
   */
  readonly common: readonly FittedPart[];
  readonly others: readonly FittedPart[];
}

function commonStart(parts: readonly FittedPart[], wanted: string): Divided {
  let length = 0;
  for (const [index, part] of parts.entries()) {
    if (!wanted.startsWith(part.text, length)) {
      const count = isPlainPart(part) ? sameAtStart(part.text, wanted.slice(length)) : 0;
      const [same, other] = [literal(part.text.slice(0, count)), literal(part.text.slice(count))];
      if (count === 0) return { common: parts.slice(0, index), others: parts.slice(index) };
      return { common: [...parts.slice(0, index), same], others: [other, ...parts.slice(index + 1)] };
    }
    length += part.text.length;
  }
  return { common: parts, others: [] };
}

function commonEnd(parts: readonly FittedPart[], wanted: string): Divided {
  let end = wanted.length;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (part.text.length > end || !wanted.startsWith(part.text, end - part.text.length)) {
      const count = isPlainPart(part) ? sameAtEnd(part.text, wanted.slice(0, end)) : 0;
      const [other, same] = [literal(part.text.slice(0, -count)), literal(part.text.slice(-count))];
      if (count === 0) return { common: parts.slice(index + 1), others: parts.slice(0, index + 1) };
      return { common: [same, ...parts.slice(index + 1)], others: [...parts.slice(0, index), other] };
    }
    end -= part.text.length;
  }
  return { common: parts, others: [] };
}

function isPlainPart({ raw, text, variable }: FittedPart): boolean {
  return variable === undefined && raw === text;
}

function literal(text: string): FittedPart {
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

/** Replaces the values of variables with their references. The references keep their order. */
function withReferences(parts: readonly FittedPart[], text: string): string {
  const lost = new Set<string>();
  let result = '';
  let at = 0;
  for (const { raw, text: value, variable } of parts) {
    if (variable === undefined) continue;
    // If a value does not occur after this position, do not search for it again.
    const found = lost.has(variable) ? -1 : wordsAt(text, value, at);
    if (found < 0) lost.add(variable);
    else {
      result += escapeText(text.slice(at, found)) + raw;
      at = found + value.length;
    }
  }
  return result + escapeText(text.slice(at));
}

/** The position of a value as a whole word. -1 if the value does not occur. */
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

function rawOf(parts: readonly FittedPart[]): string {
  return parts.map(({ raw }) => raw).join('');
}

function joinedText(parts: readonly FittedPart[]): string {
  return parts.map(({ text }) => text).join('');
}

/**
 * Adapts a live text to the file's line endings and trailing line breaks, because comparisons ignore these differences.
 * If the file has no line endings, returns the live text unchanged.
 */
export function updatedText(live: string, now: string | undefined): string {
  if (now === undefined || live === '' || !now.includes('\n')) return live;
  const before = withLineFeeds(now);
  const text = withoutEnd(withLineFeeds(live), '\n') + before.slice(withoutEnd(before, '\n').length);
  return now.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
