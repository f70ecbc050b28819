import { counted, listSome, present } from '../../text/wording.ts';
import type { DiffLine } from './text-diff.ts';
import { isReplaced, type MarkedLine, promptLine, promptWords } from './words.ts';

/** The parts of a prompt that edits can affect, in display order. A rule is a list item. */
const nouns = ['section', 'heading', 'rule', 'line'] as const;

interface Edit {
  readonly noun: (typeof nouns)[number];
  readonly verb: 'added' | 'removed' | 'reworded' | 'moved';
}

/** Summarises edits, as in `20 → 25 dollars, 1 rule added`. Items of a new or lost section are not counted. */
export function summaryOfEdits(lines: readonly MarkedLine[], isPrompt: boolean): string | undefined {
  const edits = editsIn(lines).map((edit): Edit => (isPrompt ? edit : { ...edit, noun: 'line' }));
  const told = nouns.flatMap((noun) => {
    const countOf = (wanted: Edit['verb']) => edits.filter((edit) => edit.noun === noun && edit.verb === wanted).length;
    const [added, removed] = [countOf('added'), countOf('removed')];
    const counts = {
      ...(added === removed ? { replaced: added } : { added, removed }),
      reworded: countOf('reworded'),
      moved: countOf('moved'),
    };
    return Object.entries(counts).flatMap(([verb, count]) => (count === 0 ? [] : [`${counted(count, noun)} ${verb}`]));
  });
  return present(listSome(changedNumbers(lines), maxNumbers), ...told).join(', ') || undefined;
}

const maxNumbers = 2;

/** Shows changed numbers, each followed by the word after it, as in `20 → 25 dollars`. */
function changedNumbers(lines: readonly MarkedLine[]): string[] {
  const pairs = lines.flatMap((line) => {
    if (line.old === undefined) return [];
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
  /** Whether the next lines belong to a section that was added or removed. */
  let section: DiffLine['sign'] = ' ';
  return lines.flatMap((line): Edit[] => {
    const { sign, text, old } = line;
    if (text.trim() === '' || sign === '<' || isReplaced(line)) return [];
    if (sign === '@' || sign === ' ') {
      section = ' ';
      return [];
    }
    if (old !== undefined) {
      section = ' ';
      return isReworded(old.text, text)
        ? [{ noun: isHeading(text) ? 'heading' : lineNoun(text), verb: 'reworded' }]
        : [];
    }
    if (isHeading(text)) section = sign;
    else if (section === sign) return [];
    return [{ noun: isHeading(text) ? 'section' : lineNoun(text), verb: verbOf[sign] }];
  });
}

/** Returns whether two versions of a line differ in more than spaces and numbers. Changed numbers are listed separately. */
function isReworded(old: string, now: string): boolean {
  const [before, after] = [old, now].map((text) =>
    (lineNoun(text) === 'rule' ? promptWords(text) : text).replace(number, '0').replace(/\s+/g, ' ').trim(),
  );
  return before !== after;
}

const number = /\d+(?:[.,:]\d+)*/g;

const countedThing = /(\d+(?:[.,:]\d+)*)( ?%| \p{L}+)?/gu;

function lineNoun(text: string): 'rule' | 'line' {
  return promptLine(text).kind === 'item' ? 'rule' : 'line';
}

function isHeading(line: string): boolean {
  return promptLine(line).kind === 'heading' && promptWords(line).trim() !== '';
}
