import { answersTo, type GivenAnswer, type VoidAnswers } from '../../plan/answers.ts';
import { type GroupOf, subjectOf } from '../../plan/questions.ts';
import type { Question } from '../../schemas/plan-types.ts';
import {
  type AnsweredComments,
  askedQuestions,
  type CommentAnswer,
  type CommentAnswers,
  lastNumberIn,
  millisecondsOf,
  numbersOf,
  numbersUsedTwice,
  type Withdrawal,
} from './answers.ts';
import type { FoundComment } from './github.ts';
import { type AskedQuestion, type CommentSubject, digestsOf, isSameSubject, type Marker } from './marker.ts';
import { numbered } from './numbered-questions.ts';

// Decides which of the answers on a pull request counts for each resource, and what the next comment asks. Plans,
// applies and updates of the files all use the newest answer.

/** The newest answer about some parts of its question. */
export interface NewestAnswer extends CommentAnswer {
  readonly digests: readonly string[];
}

/**
 * Returns each answer with those parts of its question for which no newer act exists. Steps may ask about the same
 * resource in different questions, and a withdrawal may be newer than an answer.
 */
function newestAnswers({ answers, withdrawn }: Pick<CommentAnswers, 'answers' | 'withdrawn'>): NewestAnswer[] {
  const newest = newestByPart([...withdrawn, ...answers].sort(byTime));
  return answers.flatMap((one) => {
    const digests = digestsOf(one.question).filter((digest) => newest.get(digest) === one);
    return digests.length === 0 ? [] : [{ ...one, digests }];
  });
}

type FoundAnswers = Pick<CommentAnswers, 'asking' | 'answers' | 'withdrawn'>;

/** Returns the newest answers to questions that the newest comments still ask. */
export function openAnswers(found: FoundAnswers): NewestAnswer[] {
  return newestAnswers({ answers: found.answers.filter(isOpenIn(found)), withdrawn: found.withdrawn });
}

function isOpenIn({ asking }: FoundAnswers): (answer: CommentAnswer) => boolean {
  const asked = new Set(asking.flatMap(({ marker }) => (marker.questions ?? []).map(({ digest }) => digest)));
  return ({ question }) => asked.has(question.digest);
}

/**
 * Returns the answers on a pull request, in the form that a plan needs. The result includes answers to questions that
 * the newest comments no longer ask. Otherwise, a push that changes a question would undo what a person kept. A newer
 * answer about the same subject replaces an answer to an old question.
 */
export function givenAnswers(found: FoundAnswers, pullRequest: number): GivenAnswer[] {
  const isOpen = isOpenIn(found);
  const inOrder = found.answers.toSorted(byTime);
  const replaced = inOrder.filter((one) => !isOpen(one));
  const latest = newestByPart([...replaced, ...inOrder.filter(isOpen)], wholeOrSubject);
  return [
    ...openAnswers(found).map((one) => ({ ...givenIn(one, pullRequest), digests: one.digests })),
    ...replaced.flatMap((one) => {
      const digests = digestsOf(one.question).filter((digest) => latest.get(wholeOrSubject(digest)) === one);
      return digests.length === 0 ? [] : [{ ...givenIn(one, pullRequest), digests, isReplaced: true as const }];
    }),
  ];
}

/** Returns the last act about each part of a question, by the part's digest. */
function newestByPart<Some extends Withdrawal>(
  inOrder: readonly Some[],
  keyOf = (digest: string) => digest,
): ReadonlyMap<string, Some> {
  return new Map(inOrder.flatMap((one) => digestsOf(one.question).map((digest) => [keyOf(digest), one] as const)));
}

function byTime(one: Withdrawal, other: Withdrawal): number {
  return millisecondsOf(one.at) - millisecondsOf(other.at);
}

/** The digest of a part begins with a subject, but the digest of a whole question does not. */
function wholeOrSubject(digest: string): string {
  return digest.startsWith('sha256:') ? digest : subjectOf(digest);
}

function givenIn({ question, code, by }: CommentAnswer, pullRequest: number) {
  const where = by === undefined ? `the comment on #${pullRequest}` : `#${pullRequest}`;
  return { question: question.id, choice: code, by: by ?? 'an unknown account', in: where };
}

/** The questions of a plan, and answered questions that it does not ask. */
export interface CommentQuestions {
  readonly questions: readonly AskedQuestion[];
  readonly answered: readonly AskedQuestion[];
  readonly lastNumber?: number;
  /** Whether a question got a new number. */
  readonly hasNew: boolean;
}

interface NextPlan {
  readonly subject: CommentSubject;
  /**
   * Whether the next comment replaces a comment. If so, the next comment keeps the answers that the replaced comment
   * kept.
   */
  readonly replaces: (marker: Marker) => boolean;
  /** The numbers of the comments that this run has added. */
  readonly added: ReadonlySet<number>;
  /** Splits the plan's questions into those that were answered, and those that were not. */
  readonly questionsBy: (groupOf?: GroupOf) => readonly Question[];
}

/**
 * Returns the questions of the next comment, with the answers that are still valid. If some resources of a question
 * have been answered, the question is split, so that the comment asks only about the other resources.
 */
export function nextQuestions(
  { subject, replaces, added, questionsBy }: NextPlan,
  { own, foreign, elsewhere, genuine, answers, withdrawn }: AnsweredComments,
  now: string,
): CommentQuestions {
  const twice = numbersUsedTwice(genuine);
  const asked = genuine.flatMap(({ marker }) => askedQuestions(marker));
  const last = lastNumberIn([...own, ...foreign]);
  const isKept = ({ number }: AskedQuestion) => !twice.has(number);
  const all = questionsBy();
  const given = answersByPart(all, newestAnswers({ answers, withdrawn }));
  const before = voidedIn(all, { elsewhere, answers, withdrawn });
  const voided = new Map([...before].filter(([digest]) => !given.has(digest)));
  const questions = questionsBy(byAnswer(given, voided));
  const found = numbered(
    questions,
    { questions: asked.filter(isKept), last: last + stepOf(own, twice, { subject, added }), voided },
    now,
  );
  const isAsked = new Set(found.flatMap((question) => [question.digest, ...digestsOf(question)]));
  // The comments of other steps keep the answers to their own questions.
  const replaced = genuine.filter(({ marker }) => replaces(marker));
  const askedHere = new Set(replaced.flatMap(({ marker }) => askedQuestions(marker)).map(({ digest }) => digest));
  const left = answers.flatMap((answer) => {
    if (!askedHere.has(answer.question.digest)) return [];
    const rest = digestsOf(answer.question).filter((digest) => !isAsked.has(digest));
    // Leaves out the other parts. Otherwise, their answer would come back after a person withdrew it.
    const parts = answer.question.parts === undefined ? {} : { parts: rest.join('') };
    return rest.length === 0 ? [] : [withAnswer({ ...answer.question, ...parts }, answer)];
  });
  return {
    questions: found.map((question) => {
      const answer = given.get(digestsOf(question)[0] ?? '');
      return withAnswer(question, answer ?? withdrawn.find((one) => one.question.digest === question.digest));
    }),
    answered: left,
    hasNew: found.some(({ number }) => number > last),
    ...(found.length + last > 0 && { lastNumber: Math.max(last, ...numbersOf(found)) }),
  };
}

/** Finds the answers that no longer count, but that still prevent the default answer of their questions. */
function voidedIn(
  questions: readonly Question[],
  { elsewhere, ...found }: Pick<AnsweredComments, 'elsewhere' | 'answers' | 'withdrawn'>,
): VoidAnswers {
  // An apply treats answers to the comment of another token as unread.
  const unread = elsewhere?.facts.isAnswered ? elsewhere : undefined;
  return answersTo(questions, givenAnswers({ asking: [], ...found }, 0), { unread }).voided;
}

/**
 * Returns how many question numbers to skip. Runs that used the same number must not choose equal numbers again. Each
 * run therefore skips the numbers that the runs with earlier comments can choose.
 */
function stepOf(
  own: readonly FoundComment[],
  twice: ReadonlySet<number>,
  { subject, added }: Pick<NextPlan, 'subject' | 'added'>,
): number {
  const isMine = ({ id, marker }: FoundComment) => (added.size === 0 ? isSameSubject(marker, subject) : added.has(id));
  const numbers = own.map((comment) => numbersOf(askedQuestions(comment.marker)));
  const colliding = own.filter((_, index) => numbers[index]?.some((number) => twice.has(number)));
  return Math.max(0, colliding.findIndex(isMine)) * Math.max(0, ...numbers.map(({ length }) => length));
}

/** Returns the answer about each resource of a plan's questions, by the digest of the resource's part. */
export function answersByPart(
  questions: readonly Question[],
  answers: readonly NewestAnswer[],
): ReadonlyMap<string, CommentAnswer> {
  const found = new Map(answers.flatMap((one) => one.digests.map((digest) => [digest, one] as const)));
  for (const { digest, digests } of questions) {
    const whole = found.get(digest);
    if (whole !== undefined) for (const part of digests) if (!found.has(part)) found.set(part, whole);
  }
  return found;
}

/** Keeps together the resources whose parts have the same answer, or the same answer that no longer counts. */
export function byAnswer(given: ReadonlyMap<string, CommentAnswer>, voided: VoidAnswers = new Map()): GroupOf {
  return (digest) => given.get(digest)?.question.digest ?? JSON.stringify(voided.get(digest)) ?? '';
}

/** Returns the question with the answer to keep for later runs, or with its withdrawal: an answer without a letter. */
function withAnswer(
  question: AskedQuestion,
  answer: (Withdrawal & Partial<Pick<CommentAnswer, 'letter'>>) | undefined,
): AskedQuestion {
  if (answer === undefined) return question;
  const { letter = '', by, at } = answer;
  return { ...question, answer: { letter, by, at } };
}
