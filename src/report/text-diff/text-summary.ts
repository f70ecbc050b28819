import { counted, listSome, present, quote } from '../../text/wording.ts';
import type { DiffLine } from './text-diff.ts';
import { type MarkedLine, promptLine, promptWords } from './words.ts';

// Summarises the difference of a prompt in one line, so that readers can decide whether to look at it.

/** The parts of a prompt that edits can affect, in display order. A rule is a list item. */
const nouns = ['section', 'heading', 'rule', 'line', 'number'] as const;
const verbs = ['added', 'removed', 'extended', 'shortened', 'reworded', 'replaced', 'moved', 'changed'] as const;

interface Edit {
  readonly noun: (typeof nouns)[number];
  readonly verb: (typeof verbs)[number];
  /** The heading above the edit. A section has its own heading here. Undefined if there is no heading. */
  readonly heading: string | undefined;
  readonly count: number;
}

/**
 * Summarises edits: `1 rule added under 'Opening hours', 2 numbers changed`. Undefined if only white space differs.
 * Items of an added or removed section are not counted separately. `whole` is the new text, in which to find headings
 * that are not shown. It is empty if several texts share the edits.
 */
export function summaryOfEdits(lines: readonly MarkedLine[], whole: readonly string[]): string | undefined {
  return editList(editsIn(lines, whole), (edits) => {
    const [{ noun, verb } = { noun: 'line', verb: 'changed' }] = edits;
    const [name, ...others] = new Set(edits.map(({ heading }) => heading));
    if (name === undefined || others.length > 0) return countOf(edits);
    return noun === 'section' ? `section ${quote(name)} ${verb}` : `${countOf(edits)} under ${quote(name)}`;
  });
}

/** Summarises edits without headings. Shows changed numbers instead of counts: `20 → 25 dollars, 1 rule added`. */
export function shortSummaryOf(lines: readonly MarkedLine[]): string | undefined {
  const numbers = changedNumbers(lines);
  const others = editList(
    editsIn(lines, []).filter(({ noun }) => noun !== 'number'),
    countOf,
  );
  return present(listSome(numbers, maxNumbers), others).join(', ') || undefined;
}

function editList(edits: readonly Edit[], textOf: (alike: readonly Edit[]) => string): string | undefined {
  const told = nouns.flatMap((noun) =>
    verbs.flatMap((verb) => {
      const alike = edits.filter((edit) => edit.noun === noun && edit.verb === verb);
      return alike.length === 0 ? [] : [textOf(alike)];
    }),
  );
  return told.length === 0 ? undefined : told.join(', ');
}

/** Counts edits with the same noun and verb: `2 rules added`. */
function countOf(edits: readonly Edit[]): string {
  const [{ noun, verb } = { noun: 'line', verb: 'changed' }] = edits;
  const count = edits.reduce((sum, edit) => sum + edit.count, 0);
  return `${counted(count, noun)} ${verb}`;
}

const maxNumbers = 2;

/** Shows changed numbers, each with the word after it if that word stays: `20 → 25 dollars`. */
function changedNumbers(lines: readonly MarkedLine[]): string[] {
  const pairs = lines.flatMap((line) => {
    // A line without pieces has no comparable old version, or is too long.
    if (line.old === undefined || line.pieces === undefined) return [];
    const [old = [], now = []] = [line.old, line].map(({ text }) => Array.from(text.matchAll(countedThing)));
    if (old.length !== now.length) return [];
    return old.flatMap(([, before, thing = ''], index) => {
      const [, after, otherThing] = now[index] ?? [];
      return before === after ? [] : [`${before} → ${after}${thing === otherThing ? thing : ''}`];
    });
  });
  return [...new Set(pairs)];
}

const verbOf = { '+': 'added', '-': 'removed', '>': 'moved' } as const;

function editsIn(lines: readonly MarkedLine[], whole: readonly string[]): Edit[] {
  const headings = headingsOf(whole);
  const replaced = new Set(lines.map((line) => versionOf(line)));
  /** The heading above the current line, and whether that heading was added or removed. */
  let under: { readonly sign: DiffLine['sign']; readonly heading: string | undefined } = {
    sign: ' ',
    heading: undefined,
  };
  let isInRemoved = false;
  return lines.flatMap((line): Edit[] => {
    const { sign, text } = line;
    if (sign === '@' || sign === ' ') isInRemoved = false;
    if (sign === '@') {
      under = { sign: ' ', heading: headings[(line.line ?? 1) - 2] };
      return [];
    }
    if (sign === '<' || replaced.has(line) || text.trim() === '') return [];
    const before = versionOf(line);
    const isOfSection = sign === '-' ? isInRemoved : under.sign === sign;
    const heading = headingText(text);
    if (heading !== undefined) {
      if (sign === '-') isInRemoved = true;
      else under = { sign: before === undefined ? sign : ' ', heading };
    }
    if (sign === ' ') return [];
    if (before !== undefined) return versionEdits(before, line, under.heading);
    if (heading !== undefined) return [{ noun: 'section', verb: verbOf[sign], heading, count: 1 }];
    return isOfSection ? [] : [{ noun: nounOf(text), verb: verbOf[sign], heading: under.heading, count: 1 }];
  });
}

/** The old version of an added line. Undefined if the line is new. */
function versionOf({ text, pieces, old }: MarkedLine): MarkedLine | undefined {
  if (old === undefined) return undefined;
  const isVersion = pieces !== undefined || withoutNumbers(old.text) === withoutNumbers(text);
  return isVersion || promptLine(old).kind === promptLine({ text }).kind ? old : undefined;
}

/** The edits between two versions of a line. A different list number alone is not an edit. */
function versionEdits(before: MarkedLine, { text, pieces }: MarkedLine, heading: string | undefined): Edit[] {
  const [old, now] = nounOf(text) === 'rule' ? [promptWords(before.text), promptWords(text)] : [before.text, text];
  if (old === now) return [];
  if (withoutNumbers(old) === withoutNumbers(now)) {
    const numbers = now.match(number) ?? [];
    const count = (old.match(number) ?? []).filter((each, index) => each !== numbers[index]).length;
    if (count > 0) return [{ noun: 'number', verb: 'changed', heading, count }];
  }
  if (headingText(text) !== undefined) return [{ noun: 'heading', verb: 'reworded', heading: undefined, count: 1 }];
  const [isLess, isMore] = [before.pieces ?? [], pieces ?? []].map((all) => all.some(({ isChanged }) => isChanged));
  const rewording = isLess === isMore ? 'reworded' : isMore ? 'extended' : 'shortened';
  return [{ noun: nounOf(text), verb: pieces === undefined ? 'replaced' : rewording, heading, count: 1 }];
}

const number = /\d+(?:[.,:]\d+)*/g;

/** Matches a number, and the word after it. */
const countedThing = /(\d+(?:[.,:]\d+)*)( ?%| \p{L}+)?/gu;

function withoutNumbers(text: string): string {
  return text.replace(number, '0');
}

function nounOf(text: string): 'rule' | 'line' {
  return promptLine({ text }).kind === 'item' ? 'rule' : 'line';
}

/** The heading above each line, by line index. For a heading, the line itself. */
function headingsOf(lines: readonly string[]): (string | undefined)[] {
  let heading: string | undefined;
  return lines.map((line) => {
    heading = headingText(line) ?? heading;
    return heading;
  });
}

function headingText(line: string): string | undefined {
  const { kind } = promptLine({ text: line });
  return kind === 'heading' ? promptWords(line).trim() || undefined : undefined;
}
