import { hashesOf, type RuleHashes } from './rule-hashes.ts';
import { dialogue, filler, lowerCase, type WrittenLines } from './written-lines.ts';

type Stretch = readonly [start: number, end: number];

export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** The heading above it. */
  readonly parent: Heading | undefined;
  /** What stands under it, or under one above it, shows how to speak, and may say the same again. */
  readonly isExample: boolean;
}

/** A block of prose. */
export interface Prose {
  readonly start: number;
  readonly end: number;
  readonly heading: Heading | undefined;
  /** What it is about beside its heading: the item that it is nested in, or the line that leads its list in. */
  readonly about: string;
  readonly isItem: boolean;
  /** An item of an ordered list. */
  readonly isStep: boolean;
}

/** A sentence or an item of a list that tells the agent what to do or what is so. */
export class Rule {
  readonly start: number;
  readonly end: number;
  readonly hashes: RuleHashes;
  readonly hasReference: boolean;
  /** Whether a word of it may deny something; most rules have none. */
  readonly mayDeny: boolean;
  readonly #text: WrittenLines;
  readonly #block: Prose;

  constructor(text: WrittenLines, block: Prose, [start, end]: Stretch) {
    this.start = start;
    this.end = end;
    this.#text = text;
    this.#block = block;
    this.hashes = hashesOf(text.lower, start, end);
    const slice = text.lower.slice(start, end);
    this.hasReference = slice.includes(filler);
    this.mayDeny = this.hasReference || denial.test(slice);
  }

  get heading(): Heading | undefined {
    return this.#block.heading;
  }

  get about(): string {
    return this.#block.about;
  }

  get isStep(): boolean {
    return this.#block.isStep;
  }

  /** Words and numbers in lower case; a reference as it is written. They are not kept: few rules are asked for theirs. */
  tokens(): readonly string[] {
    const slice = this.#text.lower.slice(this.start, this.end);
    return tokensInLower(slice, (from, to) => this.#text.written.slice(this.start + from, this.start + to));
  }

  /** Whether it has words, and not so many that it is a wall of text, which would be compared word for word. */
  isComparable(): boolean {
    if (this.hashes.hasWord && this.hashes.mostTokens <= mostTokens) return true;
    const { length } = this.tokens();
    return length > 0 && length <= mostTokens;
  }
}

const mostTokens = 80;

const denial = /\b(?:never|not|cannot|nunca|no)\b|n['’]t\b/i;

/** The rules of a block of prose. What is said in an example is none. */
export function rulesIn(text: WrittenLines, block: Prose): Rule[] {
  const rules: Rule[] = [];
  if (block.heading?.isExample) return rules;
  for (const stretch of sentencesIn(text.masked, block)) {
    const slice = text.lower.slice(...stretch);
    if (slice.endsWith(':') || dialogue.test(slice)) continue;
    const rule = new Rule(text, block, stretch);
    if (rule.isComparable()) rules.push(rule);
  }
  return rules;
}

/** The hashes of tokens: those of a text that has these. */
export function hashesOfTokens(tokens: readonly string[]): RuleHashes {
  return hashesOf(tokens.map((one) => (one.startsWith(called) ? one.slice(called.length) : one)).join(' '));
}

/** Whether a heading tells that examples follow. */
export const exampleTitle =
  /\b(?:examples?|samples?|scripts?|dialog(?:ue)?s?|conversations?|transcripts?|ejemplos?)\b/i;

const abbreviations = /(?:^|[\s(])(?:dr|mr|mrs|ms|st|sr|sra|jr|no|vs|approx|ext|tel|inc|ltd|[a-z]\.[a-z])$/i;

function sentencesIn(text: string, { start, end }: Prose): Stretch[] {
  const block = text.slice(start, end);
  const sentences: Stretch[] = [];
  let from = 0;
  const close = (to: number): void => {
    const sentence = block.slice(from, to);
    const lead = sentence.length - sentence.trimStart().length;
    const length = sentence.trim().length;
    if (length > 0) sentences.push([start + from + lead, start + from + lead + length]);
    from = to;
  };
  for (const { 0: mark, index } of block.matchAll(/[.!?][.!?"”’)\]*_]{0,8}(?=\s)|\n/g)) {
    const to = index + mark.length;
    if (mark === '\n') {
      const before = block.slice(Math.max(0, index - 4), index).trimEnd();
      if (/[.!?:;"”)*_|>]$/.test(before) || /^[\s>]{0,20}[\p{Lu}\p{N}¿¡*"“|<#-]/u.test(block.slice(to, to + 24)))
        close(to);
    } else if (mark[0] !== '.' || !abbreviations.test(block.slice(Math.max(0, index - 8), index))) close(to);
  }
  close(block.length);
  return sentences;
}

/** What is dialled: its digits are no numbers that a rule is about. */
export const phoneLike = /(?<![\w+.:/#=@,-])(?:\+ ?)?\(?\d[\d ().-]{5,24}\d(?![\w@])/g;
const dialled = '\uFFFD';
/** What the token of such a number begins with. */
const called = 'tel ';

const token =
  /\uFFFC+|\uFFFD+|https?:\/\/\S+|\d+(?:[.,:]\d{1,9}){0,4}(?: ?(?:am|pm|a\.m|p\.m)\b| ?%)?|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+){0,9}|[$€£]/gu;

/** Words and numbers; of a number to call one token, which is no number. */
export function tokensIn(text: string, written: (start: number, end: number) => string): string[] {
  return tokensInLower(lowerCase(text), written);
}

function tokensInLower(text: string, written: (start: number, end: number) => string): string[] {
  if (!/\d/.test(text) && !text.includes(filler) && !text.includes(dialled)) return text.match(token) ?? [];
  const hidden = (found: string) => (digitsIn(found) < 7 ? found : dialled.repeat(found.length));
  const plain = text.replace(phoneLike, hidden);
  // Where they stand is asked for where something has to be put in, which takes longer.
  if (!plain.includes(filler) && !plain.includes(dialled)) return (plain.match(token) ?? []).map(plainNumber);
  const tokens: string[] = [];
  for (const { 0: found, index } of plain.matchAll(token)) {
    if (found[0] === filler) tokens.push(written(index, index + found.length));
    else if (found[0] === dialled) tokens.push(called + text.slice(index, index + found.length));
    else tokens.push(plainNumber(found));
  }
  return tokens;
}

/** `9 am`, `9am` and `9 a.m.` are the same; words stay as they are. */
function plainNumber(found: string): string {
  return startsWithDigit(found) ? found.replace(/[ .](?=[apm%])/g, '') : found;
}

/** A regex would take a third of the time of all comparisons. */
export function startsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length;
}
