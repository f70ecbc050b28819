import { AgentformError } from '../../errors.ts';
import { grouped } from '../../json/json.ts';
import { type NoticeFacts, type NoticeOf, notice } from '../../notices/notice.ts';
import { warning } from '../log.ts';
import { type Edit, type FoundComment, failedRead, type GitHub, type OtherComment } from './github.ts';
import {
  type AskedQuestion,
  belowStatus,
  type CommentSubject,
  isSameEnvironment,
  type Marker,
  parseMarker,
} from './marker.ts';
import { letterAt, ticksIn, typedAnswers } from './numbered-questions.ts';

export interface CommentAnswer {
  readonly question: AskedQuestion;
  readonly letter: string;
  readonly code: string;
  /** The person's login. This member is absent if GitHub does not name the person. */
  readonly by?: string | undefined;
  readonly at?: string | undefined;
}

/** A question whose newest act is not an answer, such as a cleared box. Older answers to it do not count again. */
export type Withdrawal = Pick<CommentAnswer, 'question' | 'by' | 'at'>;

/** The comments on a pull request, and the valid answers in these comments. */
export interface CommentAnswers extends AnsweredComments {
  /** The newest plan comment of each step of the environment. */
  readonly asking: readonly FoundComment[];
}

/** The edits of each comment, by node id, newest first. */
type Edits = ReadonlyMap<string, readonly Edit[]>;

/**
 * The ticked or typed letters for a question. Exactly one letter is an answer. No letter or several letters withdraw
 * the answer.
 */
interface Act {
  readonly letters: readonly string[];
  readonly by: string | undefined;
  readonly at: string | undefined;
}

/**
 * Reads the answers about an environment on a pull request. For each question, the newest tick or comment such as `1C
 * 2A` counts, regardless of which step's comment contains it. Ticks and comments by people without write access are
 * ignored. Throws if a request to GitHub fails, so that no answer counts by mistake.
 */
export async function answersOn(github: GitHub, pullRequest: number, subject: CommentSubject): Promise<CommentAnswers> {
  const { own, others } = await github.comments(pullRequest);
  const asking = newestOfEach(own.filter(({ marker }) => isSameEnvironment(marker, subject)));
  const foreign = foreignComments(others);
  const isAnswering = own.length + foreign.length > 0 ? isTyped : () => false;
  const given = others.filter(isAnswering);
  const mayWrite = accessCheck(github);
  const access = await accessOf(given, mayWrite);
  const typed = given.filter(({ author }) => access.get(author?.login ?? '') === true);
  const isTypedElsewhere = typed.length > 0 && !own.some(hasQuestions);
  const elsewhere = elsewhereIn(foreign, { subject, isTypedElsewhere });
  const found = { own, others, asking, foreign, elsewhere };
  if (!own.some(hasQuestions) && given.length === 0) return { ...found, ...noAnswers(own) };
  const edits = await editsOf(github, [...asking, ...own], typed);
  const genuine = own.filter((comment) => !isForged(comment, edits));
  const ambiguous = numbersUsedTwice(genuine);
  const boxes = asking.filter((one) => genuine.includes(one)).map((comment) => boxesOf(comment, edits));
  const asked = boxes.flatMap((box) => askedQuestions(box.comment.marker).map((question) => ({ question, box })));
  const answers: CommentAnswer[] = [];
  const withdrawn: Withdrawal[] = [];
  for (const same of grouped(asked, ({ question }) => question.digest).values()) {
    const acts = same.flatMap(({ question, box }) => [
      ...actsOnBoxes(question, box),
      ...(ambiguous.has(question.number) ? [] : typed).flatMap((one) => actIn(typedAct(one, { question, box }, edits))),
    ]);
    const { question } = same.find((one) => one.question.parts !== undefined) ?? same[0];
    const act = await newestThatCounts(acts, mayWrite);
    const answer = answerBy(act, question);
    if (answer !== undefined) answers.push(answer);
    else if (act !== undefined) withdrawn.push({ question, by: act.by, at: act.at });
  }
  const judged = { own, foreign, asked, ambiguous, edits, access, answers };
  const ignored = ignoredIn(given, { ...judged, isElsewhere: (marker) => !isSameEnvironment(marker, subject) });
  return { ...found, genuine, answers, withdrawn, ignored };
}

function noAnswers(own: readonly FoundComment[]) {
  return { genuine: own, answers: [], withdrawn: [], ignored: [] };
}

/** A comment with a marker, written with another token, for example before the workflow got the token of an app. */
type ForeignComment = OtherComment & Pick<FoundComment, 'marker'>;

/** Finds the comments of other tokens. Ignores outsiders, because anyone can imitate a plan comment. */
function foreignComments(others: readonly OtherComment[]): ForeignComment[] {
  return others.flatMap((one) => {
    const { author, isInsider, body } = one;
    if (author === undefined || author.isUs || (author.isPerson && !isInsider)) return [];
    const marker = readableMarker(body);
    return marker === undefined ? [] : [{ ...one, marker }];
  });
}

function readableMarker(body: string): Marker | undefined {
  try {
    return parseMarker(body);
  } catch (error) {
    // A newer version of agentform wrote the comment.
    if (error instanceof AgentformError) return undefined;
    throw error;
  }
}

/** Says that the boxes of another token's plan comment do not count, because anyone may have edited that comment. */
function elsewhereIn(
  foreign: readonly ForeignComment[],
  { subject, isTypedElsewhere }: { readonly subject: CommentSubject; readonly isTypedElsewhere: boolean },
): NoticeOf<'answers-elsewhere'> | undefined {
  const asking = foreign.filter(
    ({ marker }) => isSameEnvironment(marker, subject) && !marker.isApplied && (marker.questions ?? []).length > 0,
  );
  const newest = asking.at(-1);
  if (newest === undefined) return undefined;
  const isTicked = asking.some(({ body, marker }) => [...ticksOf(body, marker).values()].some(({ length }) => length));
  const isAnswered = isTicked || isTypedElsewhere;
  return notice('answers-elsewhere', { by: newest.author?.login ?? '', isAnswered });
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

type AccessCheck = (login: string) => Promise<boolean>;

/**
 * Returns a check that asks GitHub once for each person. Each reading of the answers asks again, because a person may
 * lose access before the apply.
 */
function accessCheck(github: GitHub): AccessCheck {
  const known = new Map<string, Promise<boolean>>();
  return (login) => {
    const found = known.get(login) ?? github.mayWrite(login);
    known.set(login, found);
    return found;
  };
}

/** The maximum number of people whose access is checked. Each check costs a request. */
const maxPeople = 50;

/**
 * Finds which authors of typed answers have write access. First checks people whom GitHub associates with the
 * repository, so that many other accounts cannot displace an answer.
 */
async function accessOf(typed: readonly OtherComment[], mayWrite: AccessCheck): Promise<ReadonlyMap<string, boolean>> {
  const inOrder = typed.toSorted((one, other) => Number(other.isInsider) - Number(one.isInsider));
  const people = [...new Set(inOrder.flatMap(({ author }) => author?.login ?? []))];
  const access = new Map<string, boolean>();
  for (const login of people.slice(0, maxPeople)) access.set(login, await mayWrite(login));
  if (people.length > maxPeople) {
    warning(
      `${people.length} people commented with answers. Only ${maxPeople} of them could be checked for write access.`,
    );
  }
  return access;
}

/** Finds the newest plan comment of each subject. */
function newestOfEach(own: readonly FoundComment[]): FoundComment[] {
  const first = own.filter(({ marker }) => marker.isResult !== true && (marker.part?.number ?? 1) === 1);
  const subjectOf = ({ marker: { environment, project, names = [] } }: FoundComment) =>
    JSON.stringify([environment, project, names]);
  return [...new Map(first.map((comment) => [subjectOf(comment), comment])).values()];
}

/** Returns the questions that a comment asks, then the answered questions that it no longer asks. */
export function askedQuestions({ questions = [], answered = [] }: Marker): AskedQuestion[] {
  return [...questions, ...answered];
}

/**
 * Finds numbers that stand for different questions, after simultaneous runs. Typed answers with these numbers are
 * ambiguous.
 */
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

function editsOf(github: GitHub, own: readonly FoundComment[], typed: readonly OtherComment[]): Promise<Edits> {
  const asked = [...new Set(own)].filter(hasQuestions).slice(0, maxComments);
  return github.editsOf([...asked, ...typed.slice(-maxComments)].map(({ nodeId }) => nodeId));
}

/** The maximum number of typed answers to read, and of comments by agentform to look up. GitHub accepts at most 100 ids. */
const maxComments = 50;

/** The ticked letters by question number. A question whose boxes were moved or removed is missing. */
type Ticks = ReturnType<typeof ticksIn>;

function ticksOf(body: string, { questions = [], ...marker }: Marker): Ticks {
  return ticksIn(belowStatus(body, marker), questions);
}

/** The ticks in a plan comment and, newest first, in its versions since the action wrote the questions. */
interface Boxes {
  readonly comment: FoundComment;
  readonly ticks: Ticks;
  /** A deleted version has no ticks. */
  readonly history: readonly (Edit & { readonly ticks: Ticks | undefined })[];
}

function boxesOf(comment: FoundComment, edits: Edits): Boxes {
  const { body, marker, nodeId } = comment;
  const history = versionsOf(comment, edits.get(nodeId) ?? []).map((edit) => {
    const { text } = edit;
    if (text === undefined) return { ...edit, ticks: undefined };
    return { ...edit, ticks: ticksOf(text, { ...(parseMarker(text) ?? marker), questions: marker.questions }) };
  });
  return { comment, ticks: ticksOf(body, marker), history };
}

/**
 * Whether another account may have written the current marker. The marker contains the questions, and who answered
 * them. Anyone who can tick a box can edit the marker and delete versions. The action itself never copies a marker that
 * others wrote.
 */
function isForged(comment: FoundComment, edits: Edits): boolean {
  if (!hasQuestions(comment)) return false;
  const history = edits.get(comment.nodeId);
  if (history === undefined) return true;
  const since = versionsOf(comment, history, (text) => text === undefined);
  return history.length > 0 && !since.some(({ by }) => by === undefined || by.isUs);
}

/** Returns the newest versions of a comment that all have its current marker. */
function versionsOf(
  { body }: FoundComment,
  history: readonly Edit[],
  isOther: (text: string | undefined) => boolean = () => false,
): readonly Edit[] {
  const marker = markerText(body);
  const other = history.findIndex(({ text }) => isOther(text) || (text !== undefined && markerText(text) !== marker));
  return other < 0 ? history : history.slice(0, other);
}

function markerText(body: string): string {
  return JSON.stringify({ ...parseMarker(body), statusLines: undefined, applied: undefined });
}

/**
 * Finds the answer to a question in a comment: the answer that the action wrote, or later ticks. If the comment no
 * longer asks the question, only the written answer counts. Otherwise, returns no answer if the boxes were moved or
 * removed, if an app ticked them, or if the earlier version is unknown.
 */
function actsOnBoxes(question: AskedQuestion, { comment, ticks: found, history }: Boxes): Act[] {
  const { marker, updatedAt: at } = comment;
  const { number } = question;
  const written = writtenAct(question);
  if (!marker.questions?.includes(question) || marker.isApplied) return written;
  const ticks = found.get(number);
  if (ticks === undefined) return [];
  const ticked = editThatTicked(number, ticks, history);
  // An app cannot answer questions.
  const isByApp = ticked?.by?.isPerson === false;
  if (isSame(ticks, written[0]?.letters ?? []) && (ticked === undefined || isByApp)) return written;
  // GitHub does not name the person.
  if (history.length === 0) return [{ letters: ticks, by: undefined, at }];
  if (ticked === undefined || isByApp) return [];
  return [{ letters: ticks, by: ticked.by?.login, at: ticked.at }];
}

/** Returns the answer or withdrawal that the action wrote into a comment. */
function writtenAct({ answer }: AskedQuestion): Act[] {
  if (answer === undefined) return [];
  const { letter, by, at } = answer;
  return [{ letters: letter === '' ? [] : [letter], by, at }];
}

/**
 * Returns the edit that gave a question its current ticks. Returns undefined if the version before that edit is
 * unknown, because an earlier editor may have ticked the box.
 */
function editThatTicked(number: number, ticks: readonly string[], history: Boxes['history']): Edit | undefined {
  const other = history.findIndex((edit) => !(edit.ticks && isSame(edit.ticks.get(number) ?? [], ticks)));
  return history[other]?.ticks === undefined ? undefined : history[other - 1];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}

type WhyIgnored = NoticeFacts['answer-ignored']['why'];

/**
 * Reads a comment's answer to a question, or why the comment does not answer it. Returns undefined if the comment does
 * not mention the question, or is too old to be read.
 */
function typedAct(
  { author, body, createdAt, nodeId }: OtherComment,
  { question, box: { comment, history: versions } }: QuestionIn,
  edits: Edits,
): Act | WhyIgnored | undefined {
  const { number, codes, since } = question;
  const letters = [...new Set(typedAnswers(body)?.get(number))];
  const history = edits.get(nodeId);
  if (history === undefined || letters.length === 0) return undefined;
  const { by, at } = history[0] ?? { by: author, at: createdAt };
  if (by?.login !== author?.login) return 'edited';
  if (!letters.every((letter) => codeOf(codes, letter) !== undefined)) return 'no-choice';
  if (millisecondsOf(at) < millisecondsOf(since)) return 'early';
  const isClosed = comment.marker.questions?.includes(question) !== true;
  const closedAt = versions.at(-1)?.at ?? comment.updatedAt;
  if (isClosed && millisecondsOf(at) > millisecondsOf(closedAt)) return 'closed';
  return { letters, by: author?.login, at };
}

function actIn(found: ReturnType<typeof typedAct>): Act[] {
  return typeof found === 'object' ? [found] : [];
}

interface QuestionIn {
  readonly question: AskedQuestion;
  readonly box: Boxes;
}

interface Judging extends Pick<AnsweredComments, 'own' | 'foreign' | 'answers'> {
  readonly asked: readonly QuestionIn[];
  readonly ambiguous: ReadonlySet<number>;
  readonly edits: Edits;
  readonly access: ReadonlyMap<string, boolean>;
  /** Whether another environment's runs read the answers to the questions of a comment. */
  readonly isElsewhere: (marker: Marker) => boolean;
}

/**
 * The maximum number of ignored answers to name, and of letters in each answer. Anyone can write any number of answers.
 */
const maxIgnored = { answers: 5, letters: 5 } as const;

/** Returns notices about typed answers that have no effect, with reasons. The newest answer comes last. */
function ignoredIn(typed: readonly OtherComment[], judging: Judging): NoticeOf<'answer-ignored'>[] {
  const all = typed.flatMap((comment) => {
    const found = [...(typedAnswers(comment.body) ?? [])].flatMap(([number, letters]) => {
      const why = whyIgnored(comment, { number, letters }, judging);
      return why === undefined ? [] : letters.map((letter) => ({ why, answer: `${number}${letter}` }));
    });
    return [...grouped(found, ({ why }) => why)].map(([why, same]) => {
      const answers = [...new Set(same.map(({ answer }) => answer))].slice(0, maxIgnored.letters);
      return notice('answer-ignored', { answers, by: comment.author?.login ?? '', why });
    });
  });
  const left = all.length - maxIgnored.answers;
  return all
    .slice(-maxIgnored.answers)
    .map((one, index) => (index === 0 && left > 0 ? { ...one, facts: { ...one.facts, earlier: left } } : one));
}

interface TypedLetters {
  readonly number: number;
  readonly letters: readonly string[];
}

/**
 * Returns why a typed answer has no effect. Returns undefined if the answer counts, or if a later answer to the
 * question counts.
 */
function whyIgnored(comment: OtherComment, typed: TypedLetters, judging: Judging): WhyIgnored | undefined {
  const { asked, ambiguous, edits, access, answers } = judging;
  const mayWrite = access.get(comment.author?.login ?? '');
  // `mayWrite` is undefined if there were too many people to check.
  if (mayWrite !== true) return mayWrite === false ? 'no-access' : undefined;
  const questions = asked.filter(({ question }) => question.number === typed.number);
  if (questions.length === 0) return whyUnasked(typed.number, judging);
  if (ambiguous.has(typed.number)) return 'ambiguous';
  const at = millisecondsOf(edits.get(comment.nodeId)?.[0]?.at ?? comment.createdAt);
  const digests = new Set(questions.map(({ question }) => question.digest));
  const isAnswered = answers.some((one) => digests.has(one.question.digest) && millisecondsOf(one.at) >= at);
  if (isAnswered) return undefined;
  const acts = questions.map((question) => typedAct(comment, question, edits));
  const [act] = acts.flatMap(actIn);
  if (act === undefined) return acts.find((one) => typeof one === 'string');
  return act.letters.length > 1 ? 'several' : undefined;
}

/**
 * Returns why no question of this environment has a number. Returns undefined if a question of another environment has
 * the number.
 */
function whyUnasked(number: number, { own, foreign, isElsewhere }: Judging): WhyIgnored | undefined {
  const numbersIn = ({ marker }: Pick<FoundComment, 'marker'>) => numbersOf(askedQuestions(marker));
  if (own.some((one) => isElsewhere(one.marker) && numbersIn(one).includes(number))) return undefined;
  return number <= lastNumberIn([...own, ...foreign]) ? 'closed' : 'unknown';
}

function codeOf(codes: readonly string[], letter: string): string | undefined {
  return codes.find((_, index) => letterAt(index) === letter);
}

export function millisecondsOf(at: string | undefined): number {
  return at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(at);
}

/** Finds the newest tick or answer whose author currently has write access, or is not named by GitHub. */
async function newestThatCounts(acts: readonly Act[], mayWrite: AccessCheck): Promise<Act | undefined> {
  const newest = [...acts].reverse().sort((one, other) => millisecondsOf(other.at) - millisecondsOf(one.at));
  for (const act of newest) {
    if (act.by === undefined || (await mayWrite(act.by))) return act;
  }
  return undefined;
}

function answerBy(act: Act | undefined, question: AskedQuestion): CommentAnswer | undefined {
  const [letter, ...others] = act?.letters ?? [];
  const code = letter === undefined || others.length > 0 ? undefined : codeOf(question.codes, letter);
  return letter === undefined || code === undefined ? undefined : { question, letter, code, by: act?.by, at: act?.at };
}

/** The comments on a pull request, and the answers to the questions of a subject. */
export interface AnsweredComments {
  readonly own: readonly FoundComment[];
  readonly others: readonly OtherComment[];
  /**
   * This token's comments whose first line the action wrote. Questions keep their numbers and times only from these
   * comments.
   */
  readonly genuine: readonly FoundComment[];
  readonly answers: readonly CommentAnswer[];
  readonly withdrawn: readonly Withdrawal[];
  /** Typed answers that have no effect. */
  readonly ignored: readonly NoticeOf<'answer-ignored'>[];
  /** Comments with markers, written with other tokens. Their answers do not count, but their numbers stay in use. */
  readonly foreign: readonly ForeignComment[];
  /** Set if such a comment asks questions about the environment, because they cannot be answered there. */
  readonly elsewhere?: NoticeOf<'answers-elsewhere'> | undefined;
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
    return await answersOn(github, pullRequest, subject);
  } catch (error) {
    const { own, others } = await github.comments(pullRequest);
    const why = unread(`pull request ${pullRequest}`, redact(failedRead(error)));
    return { own, others, foreign: foreignComments(others), ...noAnswers(own), unread: why };
  }
}

/** Returns the start of a sentence about answers that could not be read. `where` is, for example, `pull request 7`. */
export function unread(where: string, why: string): string {
  return `The answers on ${where} could not be read (${why})`;
}

/** Returns a text that changes when ticks in some comments, or typed answers, may have changed. */
export function etagOf(
  { own, others }: Pick<AnsweredComments, 'own' | 'others'>,
  ticked: readonly FoundComment[],
): string {
  const ids = new Set(ticked.map(({ id }) => id));
  const ours = own.filter(({ id }) => ids.has(id)).map(({ id, body }) => [id, body]);
  return JSON.stringify([ours, others.filter(isTyped).map(({ nodeId, body }) => [nodeId, body])]);
}

/** Returns the highest question number that the comments have ever used. */
export function lastNumberIn(comments: readonly Pick<FoundComment, 'marker'>[]): number {
  return Math.max(
    0,
    ...comments.flatMap(({ marker }) => [marker.lastNumber ?? 0, ...numbersOf(askedQuestions(marker))]),
  );
}

export function numbersOf(questions: readonly AskedQuestion[]): number[] {
  return questions.map(({ number }) => number);
}
