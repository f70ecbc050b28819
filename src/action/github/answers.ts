import { reasonOf } from '../../errors.ts';
import { answersTo, type GivenAnswer, type VoidAnswers } from '../../plan/answers.ts';
import { type GroupOf, subjectOf } from '../../plan/questions.ts';
import type { Question } from '../../schemas/plan-types.ts';
import { warning } from '../log.ts';
import type { Edit, FoundComment, GitHub, OtherComment } from './github.ts';
import {
  type AskedQuestion,
  belowStatus,
  type CommentSubject,
  digestsOf,
  isSameSubject,
  type Marker,
  parseMarker,
} from './marker.ts';
import { letterAt, numbered, ticksIn, typedAnswers } from './numbered-questions.ts';

export interface CommentAnswer {
  readonly question: AskedQuestion;
  readonly letter: string;
  readonly code: string;
  /** The person's login. Absent if GitHub does not name the person. */
  readonly by?: string | undefined;
  readonly at?: string | undefined;
}

/** The comments on a pull request, and the valid answers in them. */
interface CommentAnswers extends AnsweredComments {
  /** The newest plan comment of each requested subject. */
  readonly asking: readonly FoundComment[];
}

/** The edits of each comment, by node id, newest first. */
type Edits = ReadonlyMap<string, readonly Edit[]>;

/** The ticked or typed letters for a question. Exactly one letter is an answer. Anything else withdraws the answer. */
interface Act {
  readonly letters: readonly string[];
  readonly by: string | undefined;
  readonly at: string | undefined;
}

/**
 * Reads the answers on a pull request. For each question, the newest tick or comment such as `1C 2A` counts. Those by
 * people without write access are ignored. Throws if a request to GitHub fails, so that no answer counts by mistake.
 */
export async function answersOn(
  github: GitHub,
  pullRequest: number,
  isAbout: (marker: Marker) => boolean,
): Promise<CommentAnswers> {
  const { own, others } = await github.comments(pullRequest);
  const asking = newestOfEach(own.filter(({ marker }) => isAbout(marker)));
  if (!own.some(hasQuestions)) return { own, others, genuine: own, asking, answers: [] };
  const typed = asking.some(hasQuestions) ? await typedByWriters(github, others) : [];
  const edits = await editsOf(github, [...asking, ...own], typed);
  const genuine = own.filter((comment) => !isForged(comment, edits));
  const ambiguous = numbersUsedTwice(genuine);
  const answers: CommentAnswer[] = [];
  for (const comment of asking.filter((one) => genuine.includes(one))) {
    const boxes = boxesOf(comment, edits);
    for (const question of askedQuestions(comment.marker)) {
      const comments = ambiguous.has(question.number) ? [] : typed;
      const acts = [...actsOnBoxes(question, boxes), ...comments.flatMap((one) => typedActs(one, question, edits))];
      const answer = answerBy(await newestThatCounts(github, acts), question);
      if (answer !== undefined) answers.push(answer);
    }
  }
  return { own, others, genuine, asking, answers };
}

/** The answers to questions that the newest comments still ask. */
export function openAnswers({ asking, answers }: Pick<CommentAnswers, 'asking' | 'answers'>): CommentAnswer[] {
  const asked = new Set(asking.flatMap(({ marker }) => marker.questions ?? []));
  return answers.filter(({ question }) => asked.has(question));
}

/**
 * The answers on a pull request, in the form for a plan. They include answers to questions that the newest comments no
 * longer ask. Otherwise, a push that changes a question would undo what a person kept. A newer answer about the same
 * subject replaces an answer to an old question.
 */
export function givenAnswers(found: Pick<CommentAnswers, 'asking' | 'answers'>, pullRequest: number): GivenAnswer[] {
  const open = openAnswers(found);
  const isOpen = new Set(open);
  const replaced = found.answers.filter((one) => !isOpen.has(one)).sort(byTime);
  const latest = new Map(
    [...replaced, ...open].flatMap((one) => digestsOf(one.question).map((digest) => [wholeOrSubject(digest), one])),
  );
  return [
    ...open.map((one) => givenIn(one, pullRequest)),
    ...replaced.flatMap((one): GivenAnswer[] => {
      const given = givenIn(one, pullRequest);
      const digests = given.digests.filter((digest) => latest.get(wholeOrSubject(digest)) === one);
      return digests.length === 0 ? [] : [{ ...given, digests, isReplaced: true }];
    }),
  ];
}

function byTime(one: CommentAnswer, other: CommentAnswer): number {
  return millisecondsOf(one.at) - millisecondsOf(other.at);
}

/** The digest of a whole question does not begin with a subject. */
function wholeOrSubject(digest: string): string {
  return digest.startsWith('sha256:') ? digest : subjectOf(digest);
}

function givenIn({ question, code, by }: CommentAnswer, pullRequest: number) {
  const where = by === undefined ? `the comment on #${pullRequest}` : `#${pullRequest}`;
  const about = { question: question.id, digests: digestsOf(question) };
  return { ...about, choice: code, by: by ?? 'an unknown account', in: where };
}

/** Finds the comments whose first line the action wrote. Throws if a request to GitHub fails. */
export async function genuineComments(github: GitHub, own: readonly FoundComment[]): Promise<FoundComment[]> {
  if (!own.some(hasQuestions)) return [...own];
  const edits = await editsOf(github, own, []);
  return own.filter((comment) => !isForged(comment, edits));
}

/** Whether the comment was typed by a person and answers a question. */
function isTyped({ author, body }: OtherComment): boolean {
  return author?.isPerson === true && typedAnswers(body) !== undefined;
}

/** The maximum number of people whose access is checked. Each check costs a request. */
const maxPeople = 50;

/**
 * Finds the comments with answers by people with write access. First checks people whom GitHub associates with the
 * repository, so that many other accounts cannot displace an answer.
 */
async function typedByWriters(github: GitHub, others: readonly OtherComment[]): Promise<OtherComment[]> {
  const typed = others.filter(isTyped);
  const inOrder = typed.toSorted((one, other) => Number(other.isInsider) - Number(one.isInsider));
  const people = [...new Set(inOrder.flatMap(({ author }) => author?.login ?? []))];
  const writers = new Set<string>();
  for (const login of people.slice(0, maxPeople)) if (await github.mayWrite(login)) writers.add(login);
  if (people.length > maxPeople) {
    warning(
      `${people.length} people commented with answers. Only ${maxPeople} of them could be checked for write access.`,
    );
  }
  return typed.filter(({ author }) => writers.has(author?.login ?? ''));
}

/** Finds the newest plan comment of each subject. */
function newestOfEach(own: readonly FoundComment[]): FoundComment[] {
  const first = own.filter(({ marker }) => marker.isResult !== true && (marker.part?.number ?? 1) === 1);
  const subjectOf = ({ marker: { environment, project, names = [] } }: FoundComment) =>
    JSON.stringify([environment, project, names]);
  return [...new Map(first.map((comment) => [subjectOf(comment), comment])).values()];
}

/** Returns the questions that a comment asks, then the answered questions that it no longer asks. */
function askedQuestions({ questions = [], answered = [] }: Marker): AskedQuestion[] {
  return [...questions, ...answered];
}

/** Finds numbers that stand for different questions, after simultaneous runs. Typed answers with them are ambiguous. */
export function numbersUsedTwice(own: readonly FoundComment[]): ReadonlySet<number> {
  const digests = new Map<number, string>();
  const twice = new Set<number>();
  for (const question of own.flatMap(({ marker }) => askedQuestions(marker))) {
    const { number, digest } = question;
    if ((digests.get(number) ?? digest) !== digest) twice.add(number);
    digests.set(number, digest);
  }
  return twice;
}

/** Whether a comment asks a question, or has the answer to an earlier question. */
export function hasQuestions({ marker }: FoundComment): boolean {
  return askedQuestions(marker).length > 0;
}

/** Fetches the edits of comments with questions, and of typed answers. */
function editsOf(github: GitHub, own: readonly FoundComment[], typed: readonly OtherComment[]): Promise<Edits> {
  const asked = [...new Set(own)].filter(hasQuestions).slice(0, maxComments);
  return github.editsOf([...asked, ...typed.slice(-maxComments)].map(({ nodeId }) => nodeId));
}

/** The maximum number of own comments to look up, and of typed answers. GitHub accepts at most 100 ids. */
const maxComments = 50;

/** The ticked letters by question number. A question whose boxes were moved or removed is missing. */
type Ticks = ReturnType<typeof ticksIn>;

function ticksOf(body: string, { questions = [], ...marker }: Marker): Ticks {
  return ticksIn(belowStatus(body, marker), questions);
}

/** The ticks in a plan comment and in its earlier versions, newest first. */
interface Boxes {
  readonly comment: FoundComment;
  readonly ticks: Ticks;
  /** A deleted version has no ticks. */
  readonly history: readonly (Edit & { readonly ticks: Ticks | undefined })[];
}

function boxesOf(comment: FoundComment, edits: Edits): Boxes {
  const { body, marker, nodeId } = comment;
  const history = (edits.get(nodeId) ?? []).map((edit) => {
    const { text } = edit;
    if (text === undefined) return { ...edit, ticks: undefined };
    return { ...edit, ticks: ticksOf(text, { ...(parseMarker(text) ?? marker), questions: marker.questions }) };
  });
  return { comment, ticks: ticksOf(body, marker), history };
}

/**
 * Whether another account may have written the current marker. It contains the questions, and who answered them. Anyone
 * who can tick a box can edit the marker and delete versions. The action itself never copies a marker that others
 * wrote.
 */
function isForged(comment: FoundComment, edits: Edits): boolean {
  if (!hasQuestions(comment)) return false;
  const history = edits.get(comment.nodeId);
  if (history === undefined) return true;
  const marker = markerText(comment.body);
  const other = history.findIndex(({ text }) => text === undefined || markerText(text) !== marker);
  const since = other < 0 ? history : history.slice(0, other);
  return history.length > 0 && !since.some(({ by }) => by === undefined || by.isUs);
}

function markerText(body: string): string {
  return JSON.stringify({ ...parseMarker(body), statusLines: undefined });
}

/**
 * Finds the answer to a question in a comment: the answer that the action wrote, or later ticks. If the comment no
 * longer asks the question, only the written answer counts. Otherwise, returns no answer if the boxes were moved or
 * removed, if an app ticked them, or if the earlier version is unknown.
 */
function actsOnBoxes(question: AskedQuestion, { comment, ticks: found, history }: Boxes): Act[] {
  const { marker, updatedAt: at } = comment;
  const { answer, number } = question;
  const written = answer === undefined ? [] : [{ letters: [answer.letter], by: answer.by, at: answer.at }];
  if (!marker.questions?.includes(question)) return written;
  const ticks = found.get(number);
  if (ticks === undefined) return [];
  if (isSame(ticks, answer === undefined ? [] : [answer.letter])) return written;
  // GitHub does not name the person.
  if (history.length === 0) return [{ letters: ticks, by: undefined, at }];
  const ticked = editThatTicked(number, ticks, history);
  // An app cannot answer questions.
  if (ticked === undefined || ticked.by?.isPerson === false) return [];
  return [{ letters: ticks, by: ticked.by?.login, at: ticked.at }];
}

/**
 * The edit that gave a question its current ticks. Undefined if the version before it is unknown, because an earlier
 * editor may have ticked the box.
 */
function editThatTicked(number: number, ticks: readonly string[], history: Boxes['history']): Edit | undefined {
  const other = history.findIndex((edit) => !(edit.ticks && isSame(edit.ticks.get(number) ?? [], ticks)));
  return history[other]?.ticks === undefined ? undefined : history[other - 1];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}

/**
 * Finds a comment's answer to a question, if the comment is newer than the question. Ignores a comment that someone
 * else edited last.
 */
function typedActs(
  { author, body, createdAt, nodeId }: OtherComment,
  { number, codes, since }: AskedQuestion,
  edits: Edits,
): Act[] {
  const letters = [...new Set(typedAnswers(body)?.get(number))];
  const history = edits.get(nodeId);
  if (history === undefined) return [];
  const { by, at } = history[0] ?? { by: author, at: createdAt };
  const isOffered = letters.every((letter) => codeOf(codes, letter) !== undefined);
  if (by?.login !== author?.login || letters.length === 0 || !isOffered || millisecondsOf(at) < millisecondsOf(since))
    return [];
  return [{ letters, by: author?.login, at }];
}

function codeOf(codes: readonly string[], letter: string): string | undefined {
  return codes.find((_, index) => letterAt(index) === letter);
}

function millisecondsOf(at: string | undefined): number {
  return at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(at);
}

/** Finds the newest tick or answer whose author currently has write access, or is not named by GitHub. */
async function newestThatCounts(github: GitHub, acts: readonly Act[]): Promise<Act | undefined> {
  const newest = [...acts].reverse().sort((one, other) => millisecondsOf(other.at) - millisecondsOf(one.at));
  for (const act of newest) {
    if (act.by === undefined || (await github.mayWrite(act.by))) return act;
  }
  return undefined;
}

function answerBy(act: Act | undefined, question: AskedQuestion): CommentAnswer | undefined {
  const [letter, ...others] = act?.letters ?? [];
  const code = letter === undefined || others.length > 0 ? undefined : codeOf(question.codes, letter);
  return letter === undefined || code === undefined ? undefined : { question, letter, code, by: act?.by, at: act?.at };
}

/** The maximum number of answered questions that a comment keeps after its plan no longer asks them. */
const maxAnswered = 50;

/** The comments on a pull request, and the answers to the questions of a subject. */
interface AnsweredComments {
  readonly own: readonly FoundComment[];
  readonly others: readonly OtherComment[];
  /**
   * This token's comments whose first line the action wrote. Questions keep their numbers and times only from these.
   */
  readonly genuine: readonly FoundComment[];
  readonly answers: readonly CommentAnswer[];
}

/**
 * Reads the comments and answers before a plan comment is written. If the answers cannot be read, `unread` says why. A
 * comment with questions must then not be overwritten, because its ticks would be lost.
 */
export async function answeredComments(
  github: GitHub,
  pullRequest: number,
  { subject, redact }: { readonly subject: CommentSubject; readonly redact: (text: string) => string },
): Promise<AnsweredComments & { readonly unread?: string }> {
  try {
    return await answersOn(github, pullRequest, (marker) => isSameSubject(marker, subject));
  } catch (error) {
    const { own, others } = await github.comments(pullRequest);
    return {
      own,
      others,
      genuine: own,
      answers: [],
      unread: unread(`pull request ${pullRequest}`, redact(reasonOf(error))),
    };
  }
}

/** The start of a sentence about answers that could not be read. `where` is, for example, `pull request 7`. */
export function unread(where: string, why: string): string {
  return `The answers on ${where} could not be read (${why})`;
}

/** Returns a text that changes when answers may have changed. */
export function etagOf({ own, others }: Pick<AnsweredComments, 'own' | 'others'>, subject: CommentSubject): string {
  const ours = own.filter(({ marker }) => isSameSubject(marker, subject)).map(({ id, body }) => [id, body]);
  return JSON.stringify([ours, others.filter(isTyped).map(({ nodeId, body }) => [nodeId, body])]);
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
  /** Splits the plan's questions into those that were answered, and those that were not. */
  readonly questionsBy: (groupOf?: GroupOf) => readonly Question[];
}

/**
 * The questions of the next comment, with the answers that are still valid. If some resources of a question have been
 * answered, the question is split, so that the comment only asks about the others.
 */
export function nextQuestions(
  { subject, questionsBy }: NextPlan,
  { own, genuine, answers }: AnsweredComments,
  now: string,
): CommentQuestions {
  const twice = numbersUsedTwice(genuine);
  const asked = genuine.flatMap(({ marker }) => askedQuestions(marker));
  const used = own.flatMap(({ marker }) => [marker.lastNumber ?? 0, ...numbersOf(askedQuestions(marker))]);
  const last = Math.max(0, ...used);
  // After two runs used the same number, they must not choose the same number again.
  const step = twice.size === 0 ? 0 : own.findIndex(({ marker }) => isSameSubject(marker, subject)) + 1;
  const isKept = ({ number }: AskedQuestion) => !twice.has(number);
  const all = questionsBy();
  const given = answersByPart(all, answers);
  const { voided: before } = answersTo(all, givenAnswers({ asking: [], answers }, 0));
  const voided = new Map([...before].filter(([digest]) => !given.has(digest)));
  const questions = questionsBy(byAnswer(given, voided));
  const found = numbered(questions, { questions: asked.filter(isKept), last: last + step, voided }, now);
  const isAsked = new Set(found.flatMap((question) => [question.digest, ...digestsOf(question)]));
  const left = answers.flatMap((answer) => {
    const rest = digestsOf(answer.question).filter((digest) => !isAsked.has(digest));
    // Leaves out the other parts. Otherwise, their answer would come back after a person withdrew it.
    const parts = answer.question.parts === undefined ? {} : { parts: rest.join('') };
    return rest.length === 0 ? [] : [withAnswer({ ...answer.question, ...parts }, answer)];
  });
  return {
    questions: found.map((question) => withAnswer(question, given.get(digestsOf(question)[0] ?? ''))),
    // The newest ones come first.
    answered: left.slice(0, maxAnswered),
    hasNew: found.some(({ number }) => number > last),
    ...(found.length + last > 0 && { lastNumber: Math.max(last, ...numbersOf(found)) }),
  };
}

/** The newest answer about each resource, by the digest of the resource's part of a question. */
export function answersByPart(
  questions: readonly Question[],
  answers: readonly CommentAnswer[],
): ReadonlyMap<string, CommentAnswer> {
  const inOrder = answers.toSorted(byTime);
  const found = new Map(inOrder.flatMap((one) => digestsOf(one.question).map((digest) => [digest, one] as const)));
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

function withAnswer(question: AskedQuestion, answer: CommentAnswer | undefined): AskedQuestion {
  if (answer === undefined) return question;
  const { letter, by, at } = answer;
  return { ...question, answer: { letter, by, at } };
}

function numbersOf(questions: readonly AskedQuestion[]): number[] {
  return questions.map(({ number }) => number);
}
