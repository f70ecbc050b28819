import { createHash } from 'node:crypto';
import type { Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';

/** `<!-- agentform-allow RULE RULE -->`: a person has checked the text and wants to keep it. */
export interface AllowComment {
  readonly rules: readonly string[];
  /**
   * The range that is not sent: the comment with the white space before it, or its whole line if that has nothing else.
   */
  readonly start: number;
  readonly end: number;
  /** The comment itself. */
  readonly at: number;
}

const opening = '<!-- agentform-allow';

/** A quick check whether a text may have such a comment; most have none. */
export function mayAllow(text: string): boolean {
  return text.includes(opening);
}

/** The comments of a text in order. A comment that is not closed on its line does not count. */
export function allowComments(text: string): AllowComment[] {
  const comments: AllowComment[] = [];
  let next = 0;
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, next)) {
    next = at + opening.length;
    if (!/[\s,]/.test(text[next] ?? '')) continue;
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed < 0 ? text.length : feed);
    const close = line.indexOf('-->');
    // The end of a line is only searched once, even if many comments begin on it.
    next = at + (close < 0 ? line.length : close + 3);
    if (close < 0) continue;
    const rules = line
      .slice(opening.length, close)
      .split(/[\s,]+/)
      .filter((name) => name !== '');
    comments.push({ rules, at, ...stretchOf(text, at, next) });
  }
  return comments;
}

function stretchOf(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (isBlank(text[start - 1])) start -= 1;
  let after = end;
  while (isBlank(text[after])) after += 1;
  const isFirst = start === 0 || text[start - 1] === '\n';
  if (text[after] === '\r' && text[after + 1] === '\n') after += 1;
  if (isFirst && text[after] === '\n') end = after + 1;
  // A removed last line includes the line break before it, so that the rest does not end with one.
  else if (isFirst && after === text.length && start > 0) start -= text[start - 2] === '\r' ? 2 : 1;
  // The indentation of a continued line does not count as text before the comment.
  else if (isFirst && after < text.length) start = from;
  return { start, end };
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** The text as sent. */
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

/** The file of a path, if it was read. */
type Sources = (file: string) => SourceFile | undefined;

/** A literal text, with the mapping of its ranges to files. */
interface ComparedText {
  readonly sourceText: string;
  readonly places: () => (start: number, end: number) => Span;
}

/**
 * The texts of the base commit, which restrict `agentform-allow` comments. A rule that is an error there is only
 * allowed on lines that the base has in the same file.
 */
export class BaseTexts {
  /** The rules that are errors at the base. */
  readonly rules: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #lines = new Map<string, ReadonlySet<string>>();

  /** The texts by path: every file with such a comment, and the patches. */
  constructor(rules: Iterable<string>, texts: ReadonlyMap<string, string>) {
    this.rules = new Set(rules);
    this.#texts = texts;
  }

  /** A digest of the rules and texts. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const part of [...this.rules].sort()) hash.update(`${part}\0`);
    for (const [path, text] of this.#texts) hash.update(`\0${path}\0${text}\0`);
    return hash.digest('base64url');
  }

  /**
   * The new or changed lines of a text, counted from 0, compared with its files at the base. Only a text with comments
   * is compared.
   */
  changedLines({ sourceText, places }: ComparedText, source: Sources): ReadonlySet<number> {
    const changed = new Set<number>();
    if (!mayAllow(sourceText)) return changed;
    const placed = places();
    const isSame = this.#comparison(source);
    let start = 0;
    for (const [line, text] of sourceText.split('\n').entries()) {
      if (!isSame(placed(start, start + Math.max(1, text.length)))) changed.add(line);
      start += text.length + 1;
    }
    return changed;
  }

  /** Whether the base has the lines of a range in a file. Cached, because many ranges may be in one long line. */
  #comparison(source: Sources): (span: Span) => boolean {
    const files = new Map<string, readonly string[] | undefined>();
    const known = new Map<string, boolean>();
    return ({ file, line, offset, end }) => {
      const read = source(file);
      if (!files.has(file)) files.set(file, read?.text.split('\n'));
      const last = read?.span(Math.max(offset, end - 1), end).line ?? line;
      const key = `${line} ${last} ${file}`;
      const isSame = known.get(key) ?? this.#hasAll(file, files.get(file)?.slice(line - 1, last));
      known.set(key, isSame);
      return isSame;
    };
  }

  #hasAll(file: string, lines: readonly string[] | undefined): boolean {
    const text = this.#texts.get(file);
    if (lines === undefined || text === undefined) return false;
    const there = this.#lines.get(file) ?? new Set(text.split('\n').map(plain));
    this.#lines.set(file, there);
    return lines.every((line) => there.has(plain(line)));
  }
}

/** Line ends and indentation do not change a checked text. */
function plain(line: string): string {
  return line.trim();
}
