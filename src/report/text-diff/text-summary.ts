import { counted, listSome, present } from '../../text/wording.ts';
import type { DiffLine } from './text-diff.ts';
import { type MarkedLine, promptLine, promptWords } from './words.ts';

// Summarises the difference of a prompt in one line, so that readers can decide whether to read it.

/** The parts of a prompt that edits can affect, in display order. A rule is a list item. */
const nouns = ['section', 'heading', 'rule', 'line'] as const;
const verbs = ['added', 'removed', 'extended', 'shortened', 'reworded', 'replaced', 'moved'] as const;

interface Edit {
  readonly noun: (typeof nouns)[number];
  readonly verb: (typeof verbs)[number];
}

/**
 * Summarises edits: `20 → 25 dollars, 1 rule added`. Undefined if only white space differs. Items of an added or removed
 * section are not counted separately.
 */
export function summaryOfEdits(lines: readonly MarkedLine[]): string | undefined {
  const edits = editsIn(lines);
  const told = nouns.flatMap((noun) =>
    verbs.flatMap((verb) => {
      const { length } = edits.filter((edit) => edit.noun === noun && edit.verb === verb);
      return length === 0 ? [] : [`${counted(length, noun)} ${verb}`];
    }),
  );
  return present(listSome(changedNumbers(lines), maxNumbers), ...told).join(', ') || undefined;
}

const maxNumbers = 2;

/** Shows changed numbers, each with the word after it if that word is unchanged: `20 → 25 dollars`. */
function changedNumbers(lines: readonly MarkedLine[]): string[] {
  const pairs = lines.flatMap((line) => {
    // A line without pieces has no comparable old version, or is too long.
    if (line.old === undefined || line.pieces === undefined) return [];
    const [old = [], now = []] = [line.old, line].map(({ text }) =>
      Array.from(promptWords(text).matchAll(countedThing)),
    );
    if (old.length !== now.length) return [];
    return old.flatMap(([, before, thing = ''], index) => {
      const [, after, otherThing] = now[index] ?? [];
      return before === after ? [] : [`${before} → ${after}${thing === otherThing ? thing : ''}`];
    });
  });
  return [...new Set(pairs)];
}

const verbOf = { '+': 'added', '-': 'removed', '>': 'moved' } as const;

function editsIn(lines: readonly MarkedLine[]): Edit[] {
  const replaced = new Set(lines.map((line) => versionOf(line)));
  /** The sign of the last heading. */
  let under: DiffLine['sign'] = ' ';
  let isInRemoved = false;
  return lines.flatMap((line): Edit[] => {
    const { sign, text } = line;
    if (sign === '@' || sign === ' ') isInRemoved = false;
    if (sign === '@') under = ' ';
    if (sign === '@' || sign === '<' || replaced.has(line) || text.trim() === '') return [];
    const before = versionOf(line);
    const isOfSection = sign === '-' ? isInRemoved : under === sign;
    if (isHeading(text)) {
      if (sign === '-') isInRemoved = true;
      else under = before === undefined ? sign : ' ';
    }
    if (sign === ' ') return [];
    if (before !== undefined) return versionEdits(before, line);
    if (isHeading(text)) return [{ noun: 'section', verb: verbOf[sign] }];
    return isOfSection ? [] : [{ noun: nounOf(text), verb: verbOf[sign] }];
  });
}

/** The old version of an added line. Undefined if the line is new. */
function versionOf({ text, pieces, old }: MarkedLine): MarkedLine | undefined {
  if (old === undefined) return undefined;
  const isVersion = pieces !== undefined || withoutNumbers(old.text) === withoutNumbers(text);
  return isVersion || promptLine(old).kind === promptLine({ text }).kind ? old : undefined;
}

/** The edits between two versions of a line. Changed numbers are listed separately, and list numbers do not count. */
function versionEdits(before: MarkedLine, { text, pieces }: MarkedLine): Edit[] {
  const [old, now] = nounOf(text) === 'rule' ? [promptWords(before.text), promptWords(text)] : [before.text, text];
  if (old === now) return [];
  if (pieces !== undefined && withoutNumbers(old) === withoutNumbers(now)) return [];
  if (isHeading(text)) return [{ noun: 'heading', verb: 'reworded' }];
  const [isLess, isMore] = [before.pieces ?? [], pieces ?? []].map((all) => all.some(({ isChanged }) => isChanged));
  const rewording = isLess === isMore ? 'reworded' : isMore ? 'extended' : 'shortened';
  return [{ noun: nounOf(text), verb: pieces === undefined ? 'replaced' : rewording }];
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

function isHeading(line: string): boolean {
  const { kind } = promptLine({ text: line });
  return kind === 'heading' && promptWords(line).trim() !== '';
}
