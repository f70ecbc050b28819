import { dialogue, filler, lowerCase, type WrittenLines } from './written-lines.ts';

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
export interface Rule {
  readonly start: number;
  readonly end: number;
  readonly heading: Heading | undefined;
  readonly about: string;
  readonly isStep: boolean;
  /** Words and numbers in lower case; a reference as it is written. */
  readonly tokens: readonly string[];
  readonly hasReference: boolean;
  /** Whether a word of it may deny something; most rules have none. */
  readonly mayDeny: boolean;
}

/** Longer ones are no rules but a wall of text; they would be compared word for word. */
const mostTokens = 80;

const denial = /\b(?:never|not|cannot|nunca)\b|n['’]t\b/i;

/** The rules of a block of prose. What is said in an example is none. */
export function rulesIn(text: WrittenLines, block: Prose): Rule[] {
  const { heading, about, isStep } = block;
  const rules: Rule[] = [];
  if (heading?.isExample) return rules;
  for (const [start, end] of sentencesIn(text.masked, block)) {
    const slice = text.lower.slice(start, end);
    if (slice.endsWith(':') || dialogue.test(slice)) continue;
    const tokens = tokensInLower(slice, (from, to) => text.written.slice(start + from, start + to));
    if (tokens.length === 0 || tokens.length > mostTokens) continue;
    const hasReference = slice.includes(filler);
    const mayDeny = hasReference || denial.test(slice);
    rules.push({ start, end, heading, about, isStep, tokens, hasReference, mayDeny });
  }
  return rules;
}

/** Whether a heading tells that examples follow. */
export const exampleTitle =
  /\b(?:examples?|samples?|scripts?|dialog(?:ue)?s?|conversations?|transcripts?|ejemplos?)\b/i;

const abbreviations = /(?:^|[\s(])(?:dr|mr|mrs|ms|st|sr|sra|jr|no|vs|approx|ext|tel|inc|ltd|[a-z]\.[a-z])$/i;

function sentencesIn(text: string, { start, end }: Prose): Array<readonly [start: number, end: number]> {
  const block = text.slice(start, end);
  const sentences: Array<readonly [start: number, end: number]> = [];
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
    else if (found[0] === dialled) tokens.push(`tel ${text.slice(index, index + found.length)}`);
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
