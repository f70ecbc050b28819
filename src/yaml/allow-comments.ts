import { createHash } from 'node:crypto';
import { cached } from '../json/json.ts';
import type { Span } from './problem.ts';
import type { SourceFiles } from './source-file.ts';

/**
 * A comment such as `<!-- agentform-allow RULE RULE -->`. It allows findings that a person has checked and accepted.
 */
export interface AllowComment {
  readonly rules: readonly string[];
  /**
   * The start of the range that is not sent to the service. The range contains the comment, usually with the preceding
   * blanks. If the line contains nothing else, the range is the whole line.
   */
  readonly start: number;
  readonly end: number;
  /** The offset of the comment itself. */
  readonly at: number;
}

const opening = /<!--[ \t]{0,20}agentform-allow(?!-?\w)/g;

/** Whether a text may contain an allow comment. If not, a search is unnecessary. */
export function mayAllow(text: string): boolean {
  return text.includes('agentform-allow');
}

/** Finds the allow comments in a text, in order. Ignores a comment that does not end on its line. */
export function allowComments(text: string): AllowComment[] {
  const comments: AllowComment[] = [];
  let [next, lineEnd, close] = [0, -1, -1];
  for (const { 0: opened, index: at } of text.matchAll(opening)) {
    if (at < next) continue;
    // Remember the end of the line, because a line may contain many comments, and each search takes time.
    if (lineEnd < at) lineEnd = firstAt(text, '\n', at);
    if (close < at) close = firstAt(text, '-->', at);
    // If the comment is not closed, skip the rest of its line, because the line may contain many more openings.
    next = Math.min(close + 3, lineEnd);
    if (close >= lineEnd) continue;
    const rules = text
      .slice(at + opened.length, close)
      .split(/[\s,:;]+/)
      .filter((name) => name !== '');
    comments.push({ rules, at, ...stretchOf(text, at, next) });
  }
  return comments;
}

/** The offset of `part` at or after `from`, or the length of the text if `part` does not occur. */
function firstAt(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found;
}

function stretchOf(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (isBlank(text[start - 1])) start -= 1;
  let after = end;
  while (isBlank(text[after])) after += 1;
  const isFirst = start === 0 || text[start - 1] === '\n';
  if (text[after] === '\r' && text[after + 1] === '\n') after += 1;
  if (isFirst && text[after] === '\n') end = after + 1;
  // If the comment is on the last line, also remove the preceding line break.
  else if (isFirst && after === text.length && start > 0) start -= text[start - 2] === '\r' ? 2 : 1;
  // If text follows the comment on an indented line, keep the indentation.
  else if (isFirst && after < text.length) start = from;
  return { start, end };
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Returns the text as it is sent, without allow comments. */
export function withoutAllowComments(text: string): string {
  if (!mayAllow(text)) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of allowComments(text)) {
    parts.push(text.slice(at, Math.max(at, start)));
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}

/** A text as written, with a function that finds the source span of a range. */
interface ComparedText {
  readonly sourceText: string;
  readonly spanOf: (start: number, end: number) => Span;
}

/**
 * The texts in the base commit. If a rule is an error in the base commit, comments can allow its findings only on lines
 * that this commit contains.
 */
export class BaseTexts {
  /** The rules that are errors in the base commit. */
  readonly rules: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #lines = new Map<string, ReadonlySet<string>>();

  /** `texts` contains the patches and the files with allow comments, by path. */
  constructor(rules: Iterable<string>, texts: ReadonlyMap<string, string>) {
    this.rules = new Set(rules);
    this.#texts = texts;
  }

  /** A digest of the rules and texts, for the traces of facts. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const part of [...this.rules].sort()) hash.update(`${part}\0`);
    for (const [path, text] of this.#texts) hash.update(`\0${path}\0${text}\0`);
    return hash.digest('base64url');
  }

  /**
   * The zero-based numbers of the text's lines that are not in the base commit. Empty for a text without allow
   * comments.
   */
  changedLines({ sourceText, spanOf }: ComparedText, source: SourceFiles): ReadonlySet<number> {
    const changed = new Set<number>();
    if (!mayAllow(sourceText)) return changed;
    const isSame = this.#comparison(source);
    let start = 0;
    for (const [line, text] of sourceText.split('\n').entries()) {
      if (!isSame(spanOf(start, start + Math.max(1, text.length)))) changed.add(line);
      start += text.length + 1;
    }
    return changed;
  }

  /**
   * Makes a function that checks whether the base commit contains all lines of a range. The function caches its
   * results, because one long line may contain many ranges.
   */
  #comparison(source: SourceFiles): (span: Span) => boolean {
    const files = new Map<string, readonly string[] | undefined>();
    const known = new Map<string, boolean>();
    return ({ file, line, offset, end }) => {
      const read = source(file);
      if (!files.has(file)) files.set(file, read?.text.split('\n'));
      const last = read?.span(Math.max(offset, end - 1), end).line ?? line;
      const key = `${line} ${last} ${file}`;
      return cached(known, key, () => this.#hasAll(file, files.get(file)?.slice(line - 1, last)));
    };
  }

  #hasAll(file: string, lines: readonly string[] | undefined): boolean {
    const text = this.#texts.get(file);
    if (lines === undefined || text === undefined) return false;
    const there = cached(this.#lines, file, () => new Set(text.split('\n').map(plain)));
    return lines.every((line) => there.has(plain(line)));
  }
}

/** Removes the indentation and line ending, so that an approval stays valid if only these change. */
function plain(line: string): string {
  return line.trim();
}
