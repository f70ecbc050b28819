import type { TextRole } from '../schemas/fields.ts';
import { type AllowComment, allowComments, mayAllow } from '../yaml/allow-comments.ts';
import { withoutReferences } from '../yaml/interpolate.ts';
import { isLintRule, type LintRuleName } from '../yaml/rules.ts';
import { type Outline, readOutline } from './outline.ts';
import { dialogue, filler, isInRanges, SourceLines } from './source-lines.ts';

export type PromptRule = Extract<LintRuleName, `prompt-${string}`>;

export function isPromptRule(name: string): name is PromptRule {
  return isLintRule(name) && name.startsWith('prompt-');
}

/** A finding in a range of a text. The offsets refer to the text before variables are inserted. */
export interface Finding {
  readonly rule: PromptRule;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** Set if the range is a secret. `hidden` means that the secret is hidden but not reported again. */
  readonly isSecret?: 'reported' | 'hidden';
  /** The text to write instead: a similar valid text, or the right form. */
  readonly fix?: { readonly action: 'replace' | 'write'; readonly text: string };
}

type Stretches = ReadonlyArray<readonly [start: number, end: number]>;

/** The maximum length of a text to check, in characters. */
const maxExamined = 400_000;

/** The rules whose findings comments cannot allow on lines that have not been reviewed. */
interface Unreviewed {
  readonly rules: ReadonlySet<string>;
  /** The lines that the base commit does not contain, counted from 0. */
  readonly lines: ReadonlySet<number>;
}

/** A text to check, before variables are inserted. */
export class PromptText extends SourceLines {
  readonly role: TextRole;
  readonly outline: Outline;
  readonly allowComments: readonly AllowComment[];
  /** The rules that comments allow, by line. */
  readonly #allowed = new Map<number, Set<string>>();
  readonly #unreviewed: Unreviewed | undefined;
  /** A cache of the quoted ranges in the last examined paragraph. */
  #quoted: { readonly from: number; readonly stretches: Stretches } | undefined;
  /** A cache of the quoted ranges in the last examined line. */
  #paired: { readonly from: number; readonly stretches: Stretches } | undefined;

  constructor(whole: string, role: TextRole, parse: Parameters<typeof readOutline>[1], unreviewed?: Unreviewed) {
    const sourceText = whole.slice(0, maxExamined);
    const comments = mayAllow(sourceText) ? allowComments(sourceText) : [];
    super(sourceText, withoutComments(withoutReferences(sourceText, filler), comments));
    this.role = role;
    this.allowComments = comments;
    this.#unreviewed = unreviewed;
    for (const { at, rules } of comments) this.#allow(this.lineOf(at), rules);
    this.outline = readOutline(this, parse);
  }

  #allow(line: number, rules: readonly string[]): void {
    const known = this.#allowed.get(line) ?? new Set();
    for (const rule of rules) known.add(rule);
    this.#allowed.set(line, known);
  }

  allows(rule: PromptRule, start: number, end = start + 1): boolean {
    return this.#commentsOn(rule, start).some((line) => !this.#isUnreviewed(rule, line, this.lineOf(end - 1)));
  }

  /** Whether a comment would allow the findings of the rule if the base commit contained the lines. */
  allowsAnew(rule: PromptRule, start: number, end: number): boolean {
    return this.#commentsOn(rule, start).length > 0 && !this.allows(rule, start, end);
  }

  /**
   * The lines with comments that allow the findings of a rule at an offset. A comment applies to its own line and the
   * next line.
   */
  #commentsOn(rule: PromptRule, offset: number): number[] {
    const own = this.lineOf(offset);
    return [own, own - 1].filter((line) => this.#allowed.get(line)?.has(rule));
  }

  #isUnreviewed(rule: PromptRule, first: number, last: number): boolean {
    if (!this.#unreviewed?.rules.has(rule)) return false;
    for (let line = first; line <= last; line += 1) if (this.#unreviewed.lines.has(line)) return true;
    return false;
  }

  /** Whether an offset is in quotes, in a block quote, or in a line of dialogue. */
  isQuoted(offset: number): boolean {
    const line = this.lineOf(offset);
    const before = this.masked.slice(this.startOf(line), offset);
    if (/^\s*>/.test(before) || dialogue.test(before)) return true;
    if (this.#isPaired(line, offset)) return true;
    const from = Math.max(0, this.masked.lastIndexOf('\n\n', offset));
    if (this.#quoted?.from !== from) {
      const end = this.masked.indexOf('\n\n', offset);
      const paragraph = this.masked.slice(from, end < 0 ? undefined : end);
      this.#quoted = { from, stretches: quotedIn(paragraph) };
    }
    return isInRanges(this.#quoted.stretches, offset - from);
  }

  #isPaired(line: number, offset: number): boolean {
    const from = this.startOf(line);
    if (this.#paired?.from !== from) {
      this.#paired = { from, stretches: pairsIn(this.masked.slice(from, this.endOf(line))) };
    }
    return isInRanges(this.#paired.stretches, offset - from);
  }
}

/** The quoted ranges of a line. Empty if the quotes on the line are not balanced. */
function pairsIn(line: string): Stretches {
  const quotes = [...line.matchAll(/"/g)].map(({ index }) => index);
  if (quotes.length % 2 !== 0) return [];
  return quotes.flatMap((start, at) => (at % 2 === 0 ? [[start, (quotes[at + 1] ?? start) + 1] as const] : []));
}

/** Replaces comments with blanks of the same length. */
function withoutComments(text: string, comments: readonly AllowComment[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of comments) {
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]/g, ' '));
    at = Math.max(at, end);
  }
  return parts.join('') + text.slice(at);
}

const maxQuoteLength = 600;
const closing: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
]);

/** The quoted ranges of a paragraph. An apostrophe counts as a quote only at the beginning or end of a word. */
function quotedIn(text: string): Stretches {
  const quoted: Array<Stretches[number]> = [];
  let open: { readonly start: number; readonly end: string } | undefined;
  for (const { 0: mark, index } of text.matchAll(/["“”„«»'\n]/g)) {
    const isBreak = mark === '\n' && /^\s{0,8}\n/.test(text.slice(index + 1, index + 10));
    if (isBreak || (open !== undefined && index - open.start > maxQuoteLength)) open = undefined;
    if (mark === '\n') continue;
    const [before, after] = [text[index - 1] ?? ' ', text[index + 1] ?? ' '];
    if (open === undefined) {
      const end = mark === "'" ? (opensWord(before, after) ? "'" : undefined) : closing.get(mark);
      if (end !== undefined) open = { start: index, end };
    } else if (mark === open.end && !(mark === "'" && /[\p{L}\p{N}]/u.test(after))) {
      quoted.push([open.start, index + 1]);
      open = undefined;
    }
  }
  return quoted;
}

function opensWord(before: string, after: string): boolean {
  return !/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}[{<%$¿¡]/u.test(after);
}
