import type { VoidAnswers } from '../../plan/answers.ts';
import { type GroupOf, splitQuestions, withVoidAnswer } from '../../plan/questions.ts';
import type { Plan, Question } from '../../schemas/plan-types.ts';
import { type AskedQuestion, digestsOf } from './marker.ts';

// Numbers the questions on a pull request, and reads the answers by number. The renderer writes a hidden line above
// each question, and a box for each choice below it:
//
//   <!-- question 3 -->
//   **3. Keep what was edited in Web chat?** Voice and two rules.
//   - [ ] **A** Keep: copied into the files
//   - [x] **B** Undo

/** The question numbers that a pull request has used so far. */
interface KnownNumbers {
  readonly questions: readonly AskedQuestion[];
  readonly last: number;
}

/**
 * Numbers questions. A known question keeps its number, and a new question gets the next number. A question with another
 * digest counts as new, so a number never changes its meaning.
 */
export function numbered(
  questions: readonly Question[],
  { questions: known, last, voided }: KnownNumbers & { readonly voided: VoidAnswers },
  now: string,
): AskedQuestion[] {
  const before = new Map(known.map((question) => [question.digest, question]));
  let next = last;
  return questions.map(({ id, digest, digests, choices }) => {
    const codes = choices.map(({ code }) => code);
    const asked = before.get(digest);
    if (asked === undefined) next += 1;
    const voidAnswer = voided.get(digests[0] ?? '');
    return {
      number: asked?.number ?? next,
      id,
      digest,
      parts: digests.join(''),
      codes,
      since: asked?.since ?? now,
      ...(voidAnswer && { voidAnswer }),
    };
  });
}

/** Splits a plan's questions as the comment does, numbers them as in the comment, and sorts them by number. */
export function withNumbers(plan: Plan, asked: readonly AskedQuestion[]): Plan {
  if (asked.length === 0) return plan;
  const known = new Map(asked.flatMap((one) => digestsOf(one).map((digest) => [digest, one] as const)));
  const groupOf: GroupOf = (digest) => String(known.get(digest)?.number);
  const questions = splitQuestions(plan, groupOf).map((question) => {
    const [digest = ''] = question.digests;
    const { number = question.number, voidAnswer } = known.get(digest) ?? {};
    return withVoidAnswer({ ...question, number }, voidAnswer);
  });
  return { ...plan, questions: questions.sort((one, other) => one.number - other.number) };
}

/** Returns the code of the answer to a question, or undefined if the question has no answer. */
export function answeredCode({ codes, answer }: AskedQuestion): string | undefined {
  return codes.find((_, index) => letterAt(index) === answer?.letter);
}

/** Returns the letter of a choice: `A` for index 0. */
export function letterAt(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

const headLine = /^<!-- question (\d{1,9}) -->$/;
const boxLine = /^- \[([ xX])\] \*\*([A-Z])\*\* /;
/** The maximum number of lines between the hidden line and the first box. These lines contain the question itself. */
const maxLinesAbove = 2;

/**
 * Reads the letters of ticked boxes, by question number. Only the first hidden line of each number counts. All text
 * before that line is escaped, so an imitation in a prompt can only come later. Skips a question whose boxes were moved
 * or removed.
 */
export function ticksIn(text: string, questions: readonly AskedQuestion[]): ReadonlyMap<number, readonly string[]> {
  const lines = text.split(/\r?\n/);
  const heads = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const number = Number(headLine.exec(line)?.[1] ?? Number.NaN);
    if (!Number.isNaN(number) && !heads.has(number)) heads.set(number, index);
  }
  return new Map(
    questions.flatMap(({ number, codes }) => {
      const head = heads.get(number);
      const ticked = head === undefined ? undefined : tickedBelow(lines.slice(head + 1), codes.length);
      return ticked === undefined ? [] : [[number, ticked] as const];
    }),
  );
}

function tickedBelow(lines: readonly string[], count: number): string[] | undefined {
  const first = lines.slice(0, maxLinesAbove + 1).findIndex((line) => boxLine.test(line));
  if (first < 0) return undefined;
  const boxes = lines.slice(first, first + count + 1).map((line) => boxLine.exec(line));
  const isWhole = boxes.every((box, index) => (index < count ? box?.[2] === letterAt(index) : box === null));
  if (boxes.length < count || !isWhole) return undefined;
  return boxes.flatMap((box) => (box?.[1] === undefined || box[1] === ' ' ? [] : [box[2] ?? '']));
}

/** The maximum length of a comment with answers in characters, without quoted lines. */
const maxTypedLength = 2_000;

/**
 * Parses a comment such as `1C 2A` into letters by question number. Returns undefined if the comment contains any other
 * text, because a sentence that mentions a question does not answer it. Ignores lines that quote another comment, which
 * "Quote reply" adds, and backticks around answers.
 */
export function typedAnswers(body: string): ReadonlyMap<number, readonly string[]> | undefined {
  const lines = body.split('\n').filter((line) => !line.trimStart().startsWith('>'));
  const typed = lines.join('\n').replaceAll('`', ' ');
  if (typed.length > maxTypedLength) return undefined;
  const words = [...typed.matchAll(/\d+|\p{L}+|[^\s,;.:()=-]/gu)].map(([word]) => word);
  const answers = new Map<number, readonly string[]>();
  for (let at = 0; at < words.length; at += 2) {
    const [number = '', letter = ''] = words.slice(at, at + 2);
    if (!/^\d{1,9}$/.test(number) || !/^[A-Za-z]$/.test(letter)) return undefined;
    answers.set(Number(number), [...(answers.get(Number(number)) ?? []), letter.toUpperCase()]);
  }
  return answers.size === 0 ? undefined : answers;
}
