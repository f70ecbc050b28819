import { reasonOf } from '../../errors.ts';
import type { Notice } from '../../notices/notice.ts';
import type { GroupOf } from '../../plan/questions.ts';
import { maskedPages, type Pages } from '../../report/markdown/fit.ts';
import type { Question } from '../../schemas/plan-types.ts';
import { counted, present } from '../../text/wording.ts';
import { logNotice, warning } from '../log.ts';
import type { StartedRun } from '../run.ts';
import {
  type AnsweredComments,
  answeredComments,
  etagOf,
  genuineComments,
  hasQuestions,
  numbersUsedTwice,
} from './answers.ts';
import {
  type AppliedChanges,
  earlierApplies,
  earlierFolds,
  listedApplies,
  type NewApply,
  withChanges,
} from './applied.ts';
import { commentUrl } from './event.ts';
import { type FoundComment, type GitHub, isForbidden, isNotFound, isSameText } from './github.ts';
import {
  type Approvals,
  type AskedQuestion,
  belowStatus,
  type CommentSubject,
  formatMarker,
  isSameEnvironment,
  isSameSubject,
  type Marker,
} from './marker.ts';
import { type CommentQuestions, nextQuestions } from './newest-answers.ts';

/** The maximum length of a comment in characters. GitHub accepts 65,536. */
const maxCommentCharacters = 65_000;
/**
 * Characters reserved in a comment: for an apply's result, the rest of a marker, and the first questions and changes.
 */
const reserved = { status: 6_000, marker: 1_500, head: 15_000 } as const;
export const maxComments = 10;
const shortenedNote =
  '_This comment was shortened, so it cannot approve an apply. The run summary shows the whole plan._';

const summaryHint = 'The run summary contains the text';

interface CommentingRun extends Pick<StartedRun, 'github' | 'redact' | 'subject'> {
  readonly inputs: Pick<StartedRun['inputs'], 'comment'>;
  readonly host: Pick<StartedRun['host'], 'now'>;
}

interface AskingComment {
  readonly commit: string;
  /** Splits the plan's questions into those that were answered, and those that were not. */
  readonly questionsBy: (groupOf?: GroupOf) => readonly Question[];
}

interface PlanComment extends AskingComment {
  readonly digest: string;
  /** The changes that the comments approve together, if they show the complete plan. */
  readonly approves: Approvals;
  /** The commit of `changed-since`, if the plan is limited to changes since then. */
  readonly changedSince?: string | undefined;
  /**
   * Renders pages with the numbers and ticks of the questions. Each page has at most `limit` characters, and the first
   * page leaves room for `taken` characters.
   */
  readonly render: (written: WrittenQuestions) => (limit: number, taken: number) => Pages;
  /** A line at the end, such as the commit. */
  readonly footer: string;
}

/** What a comment shows about questions: the questions with their answers, and the typed answers without effect. */
export interface WrittenQuestions {
  readonly questions: readonly AskedQuestion[];
  readonly ignored: readonly Notice[];
}

/**
 * Writes the comments about a subject to a pull request: updates existing comments, adds missing comments, and deletes
 * superfluous comments. With `comment: new`, only adds comments. Writes nothing if the pull request has a newer commit,
 * or was applied, or if the answers to questions in the comments cannot be read. If writing fails, the run continues,
 * because the summary has the same text. Returns the questions with their numbers on the pull request.
 */
export async function writePlan(
  run: CommentingRun,
  pullRequest: number,
  comment: PlanComment,
): Promise<WrittenQuestions> {
  const { subject } = run;
  const replaces = (marker: Marker) => isSameSubject(marker, subject);
  const written = await commenting(run, pullRequest, async (github) => {
    const newer = await newerThanPlan(run, comment, { github, pullRequest });
    if (newer !== undefined) return void logNotice(`${newer}, so its comment was not changed. ${summaryHint}.`);
    return writeDraft(run, { github, pullRequest }, async ({ shown, added }: Attempts<AnsweringDraft>) => {
      const { known, next } = await nextOn(run, { github, pullRequest }, { ...comment, replaces, shown, added });
      if (commentsAbout(known.own, subject).some(hasQuestions) && known.unread !== undefined)
        return { known, next, writes: [], unread: known.unread };
      const isNew = run.inputs.comment === 'new';
      const doubled = isNew ? [] : doubledIn(known.own, added);
      const replaceable = isNew ? known.own.filter(({ id }) => added.has(id)) : known.own;
      const before = commentsAbout(
        replaceable.filter((one) => !doubled.includes(one)),
        subject,
      );
      const earlier = earlierApplies(known.genuine.filter(({ marker }) => replaces(marker)));
      const { bodies, lost } = planBodies(run, { ...comment, earlier }, next);
      return { known, next, lost, writes: [...writesOf(before, bodies), ...doubled.map((there) => ({ there }))] };
    });
  });
  if (written?.unread !== undefined)
    warning(`${written.unread}, so the comment keeps its boxes and still shows the earlier plan. ${summaryHint}.`);
  const { by } = written?.known.elsewhere?.facts ?? {};
  if (by !== undefined)
    warning(
      `On pull request ${pullRequest}, answers to the comment by ${by} do not count, because it was written with another token. Answer in the comment of this run.`,
    );
  return written?.next ?? { questions: [], ignored: [] };
}

/**
 * Returns a clause that says how the pull request is newer than the plan, or undefined if it is not. A plan can be
 * older because a person can repeat an old workflow run.
 */
async function newerThanPlan(
  { subject }: CommentingRun,
  { commit }: PlanComment,
  { github, pullRequest }: OnPullRequest,
): Promise<string | undefined> {
  const { head, isMerged } = await github.pullRequest(pullRequest);
  if (head !== commit) return `Pull request ${pullRequest} has a newer commit than this plan`;
  if (!isMerged) return undefined;
  const shown = commentsAbout((await github.comments(pullRequest)).own, subject);
  return shown.some(({ marker }) => marker.isApplied) ? `Pull request ${pullRequest} was applied` : undefined;
}

interface OnPullRequest {
  readonly github: GitHub;
  readonly pullRequest: number;
}

interface NextComment extends AskingComment, Attempts<AnsweringDraft> {
  readonly replaces: (marker: Marker) => boolean;
}

/**
 * Reads the answers on the pull request. Returns the questions of the next comment with these answers. If the answers
 * can no longer be read, but the comments are as this run wrote them, the answers of the written draft still count.
 */
async function nextOn(run: CommentingRun, { github, pullRequest }: OnPullRequest, comment: NextComment) {
  const { subject, redact } = run;
  const { shown } = comment;
  const read = await answeredComments(github, pullRequest, { subject, redact });
  const isKnown = read.unread !== undefined && shown !== undefined && isAsWritten(shown, read.own);
  const known = isKnown ? withNewComments(shown.known, read) : read;
  const { ignored, elsewhere } = known;
  const next = {
    ...nextQuestions({ ...comment, subject }, known, nowIn(run)),
    ignored: [...ignored, ...present(elsewhere)],
  };
  return { known, next };
}

function isAsWritten({ writes }: Draft, own: readonly FoundComment[]): boolean {
  return writes.every(({ body }) => body === undefined || own.some((one) => isSameText(one.body, body)));
}

/** Adds comments that were written since the answers were read. Forged comments stay excluded. */
function withNewComments(
  { unread: _, ...known }: Answered,
  { own, others }: Pick<AnsweredComments, 'own' | 'others'>,
): Answered {
  const forged = new Set(known.own.filter((one) => !known.genuine.includes(one)).map(({ id }) => id));
  return { ...known, own, others, genuine: own.filter(({ id }) => !forged.has(id)) };
}

/** A comment to add, to update or, without a text, to delete. */
type Write =
  | { readonly there: undefined; readonly body: string }
  | { readonly there: FoundComment; readonly body?: string };

/** The comments that a run will write, based on the comments that it has read. */
interface Draft {
  readonly known: Pick<AnsweredComments, 'own' | 'others'>;
  readonly writes: readonly Write[];
  /** The questions in the written comment. */
  readonly next?: CommentQuestions;
  /** Why nothing is written: the answers in the comments could not be read. */
  readonly unread?: string | undefined;
  /** Says which earlier answers the comments have no room for. */
  readonly lost?: string | undefined;
}

type Answered = Awaited<ReturnType<typeof answeredComments>>;

/** The results of earlier attempts of this run to write comments. */
interface Attempts<Made extends Draft> {
  readonly shown: Made | undefined;
  /** The numbers of the comments that the earlier attempts added. */
  readonly added: ReadonlySet<number>;
}

/** A draft that asks questions, or has the answers to earlier questions. */
interface AnsweringDraft extends Draft {
  readonly known: Answered;
  readonly next: CommentQuestions & WrittenQuestions;
}

/**
 * The maximum number of attempts to write comments with questions. People and other runs may change comments between
 * two attempts.
 */
const maxAttempts = 4;

/**
 * Writes a draft, and says in the log which earlier answers it has no room for. Without these answers, a later plan asks
 * their questions again.
 */
async function writeDraft<Made extends Draft>(...writing: Parameters<typeof lastDraft<Made>>): Promise<Made> {
  const made = await lastDraft(...writing);
  if (made.lost) warning(made.lost);
  return made;
}

/**
 * Makes and writes a draft. Makes another draft if the replaced comments were answered in the meantime, or if another
 * run wrote at the same moment. Returns the draft that the comments show, even if a further one fails.
 */
async function lastDraft<Made extends Draft>(
  run: CommentingRun,
  { github, pullRequest }: OnPullRequest,
  draft: (attempts: Attempts<Made>) => Promise<Made>,
): Promise<Made> {
  let shown: Made | undefined;
  const added = new Set<number>();
  try {
    for (let attempt = 1; ; attempt += 1) {
      const made = await draft({ shown, added });
      if (shown !== undefined && made.unread !== undefined) return shown;
      const { writes } = made;
      const isLast = attempt === maxAttempts;
      if (!isLast && (await wasAnswered(made, { github, pullRequest }))) continue;
      for (const write of writes) {
        const id = await writeOne(write, { github, pullRequest });
        if (id !== undefined) added.add(id);
        // The first comment contains the questions.
        shown = made;
      }
      if (isLast || !(await isCrossed(run, made, { github, pullRequest, added }))) return made;
    }
  } catch (error) {
    if (shown === undefined) throw error;
    warnOfFailure(run, pullRequest, error);
    return shown;
  }
}

/**
 * Whether another run wrote at the same moment. It then used one of the draft's new numbers, or added a comment with the
 * same part of the plan.
 */
async function isCrossed(
  { inputs }: CommentingRun,
  { writes, next }: Draft,
  { github, pullRequest, added }: OnPullRequest & { readonly added: ReadonlySet<number> },
): Promise<boolean> {
  const isAdded = inputs.comment !== 'new' && writes.some(({ there }) => there === undefined);
  if (writes.length === 0 || next === undefined || !(next.hasNew || isAdded)) return false;
  const { own } = await github.comments(pullRequest);
  const twice = numbersUsedTwice(own);
  const isDoubled = isAdded && doubledIn(own, added).length > 0;
  return isDoubled || next.questions.some(({ number }) => twice.has(number));
}

/**
 * Returns the comments that this run added although an older comment has the same part of the plan. If two runs add a
 * comment at the same moment, only the run with the newer comment must remove it.
 */
function doubledIn(own: readonly FoundComment[], added: ReadonlySet<number>): FoundComment[] {
  const isTwin = ({ id, marker }: FoundComment, other: FoundComment) =>
    other.id < id && isSameSubject(other.marker, marker) && other.marker.part?.number === marker.part?.number;
  return own.filter((one) => added.has(one.id) && own.some((other) => isTwin(one, other)));
}

/**
 * Whether someone may have ticked a box in the replaced comments since they were read. Writing now would remove the
 * tick.
 */
async function wasAnswered({ known, writes }: Draft, { github, pullRequest }: OnPullRequest): Promise<boolean> {
  const replaced = writes.flatMap(({ there }) => there ?? []);
  if (!replaced.some(hasQuestions)) return false;
  return etagOf(await github.comments(pullRequest), replaced) !== etagOf(known, replaced);
}

/**
 * Writes one comment. If someone deleted the comment after this run read it, adds it again. Returns the number of the
 * comment if it was added.
 */
async function writeOne({ there, body }: Write, { github, pullRequest }: OnPullRequest): Promise<number | undefined> {
  if (there === undefined) return github.createComment(pullRequest, body);
  try {
    if (body === undefined) await github.deleteComment(there.id);
    else await github.updateComment(there.id, body);
    return undefined;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return body === undefined ? undefined : github.createComment(pullRequest, body);
  }
}

function writesOf(before: readonly FoundComment[], bodies: readonly string[]): Write[] {
  const written = bodies.map((body, index) => ({ there: before[index], body }));
  return [
    ...written.filter(({ there, body }) => there === undefined || !isSameText(there.body, body)),
    ...before.slice(bodies.length).map((there) => ({ there })),
  ];
}

/** Returns the time without milliseconds, like the times from GitHub. */
function nowIn({ host }: CommentingRun): string {
  return host.now().toISOString().replace(/\.\d+/, '');
}

/** The result of `apply` or `answers`, or why the command was refused. */
interface StatusComment {
  readonly commit: string;
  /** What the apply changed, to show below the status. */
  readonly applied?: NewApply | undefined;
  /** Renders Markdown with at most this number of characters. */
  readonly render: (limit: number) => string;
}

/**
 * Writes the status above the plan of the step or environment. If there is no plan, or with `comment: new`, adds a
 * comment.
 */
export async function writeStatus(run: CommentingRun, pullRequest: number, status: StatusComment): Promise<void> {
  await commenting(run, pullRequest, (github) => addStatus(run, { github, pullRequest }, status));
}

function addStatus(run: CommentingRun, on: OnPullRequest, status: StatusComment): Promise<Draft> {
  return writeDraft(run, on, async () => {
    const known = await on.github.comments(on.pullRequest);
    const found = run.inputs.comment === 'new' ? [] : await commentsForStatus(on.github, known.own);
    return { known, writes: statusWrites(run, found, status) };
  });
}

function statusWrites(
  { subject, redact }: CommentingRun,
  found: readonly FoundComment[],
  { commit, render, applied }: StatusComment,
): Write[] {
  const ofStep = found.filter(({ marker }) => isSameSubject(marker, subject));
  const ofEnvironment = found.filter(({ marker }) => isSameEnvironment(marker, subject));
  const there = [...ofStep, ...ofEnvironment].find(isFirst);
  const before: Marker = there?.marker ?? { ...subject, commit, isResult: true };
  const earlier = earlierApplies(there === undefined ? [] : [there], applied);
  const marker = { ...before, ...listedApplies(earlier, applied) };
  const rest = there === undefined ? '' : belowStatus(there.body, before);
  const available = Math.max(maxCommentCharacters - reserved.marker - formatMarker(marker).length - rest.length, 500);
  // A result below the status contains the earlier applies, and a plan contains those before it.
  const isBelow = ({ changes }: AppliedChanges) => marker.isApplied || (!marker.isResult && changes === undefined);
  const applies = { added: applied, earlier: earlier.filter((one) => !isBelow(one)) };
  const limit = Math.min(available, marker.isResult ? maxCommentCharacters / 2 : reserved.status);
  const body = withStatus(marker, withChanges(render, applies, { limit, mask: redact }), rest);
  if (there !== undefined && applied === undefined && isSameStatus(there.body, body)) return [];
  return [{ there, body }];
}

/** The result of an apply. `questionsBy` returns the questions about resources that were left out. */
interface ResultComment extends AskingComment, Pick<StatusComment, 'applied'> {
  /** Renders the result and the questions with their numbers as Markdown with at most this number of characters. */
  readonly render: (asked: readonly AskedQuestion[]) => (limit: number) => string;
}

/**
 * Replaces the plans that an apply carried out with its result. The comment then has no boxes, but the questions keep
 * their numbers and answers, so that the next apply can carry out the remaining changes. If the answers cannot be read,
 * or if no comment shows only this plan, adds the result as a status.
 */
export async function writeResult(run: CommentingRun, pullRequest: number, result: ResultComment): Promise<void> {
  const { subject } = run;
  const { render } = result;
  const replaces = (marker: Marker) =>
    marker.isResult !== true &&
    (isSameSubject(marker, subject) || (subject.names === undefined && isSameEnvironment(marker, subject)));
  await commenting(run, pullRequest, async (github) => {
    const on = { github, pullRequest };
    const { writes } = await writeDraft(run, on, async (attempts: Attempts<AnsweringDraft>) => {
      const { known, next } = await nextOn(run, on, { ...result, ...attempts, replaces });
      const isKept = run.inputs.comment === 'new' || known.unread !== undefined;
      const plans = isKept ? [] : known.genuine.filter(({ marker }) => replaces(marker));
      const [first] = commentsAbout(plans, subject).concat(plans).filter(isFirst);
      if (first === undefined) return { known, next, writes: [], unread: known.unread };
      const { body, lost } = resultBody(first, { next, plans, result }, run);
      return { known, next, lost, writes: [{ there: first, body }, ...writesElsewhere(plans, first, pullRequest)] };
    });
    if (writes.length === 0) await addStatus(run, on, { ...result, render: render([]) });
  });
}

/** Replaces the other plans that an apply carried out with a link to its result. */
function writesElsewhere(plans: readonly FoundComment[], result: FoundComment, pullRequest: number): Write[] {
  const link = `The result of the apply is in [another comment](${commentUrl(pullRequest, result.id)}).`;
  return plans
    .filter(({ id }) => id !== result.id)
    .map((there) => ({ there, body: `${appliedMarker(there.marker)}\n${link}\n` }))
    .filter(({ there, body }) => !isSameStatus(there.body, body));
}

interface Replacing {
  readonly result: ResultComment;
  readonly next: CommentQuestions;
  /** The comments that the result replaces. */
  readonly plans: readonly FoundComment[];
}

function resultBody(
  { marker: { approvesShort, ...marker } }: FoundComment,
  { result: { render, applied }, next, plans }: Replacing,
  { redact }: CommentingRun,
) {
  const earlier = earlierApplies(plans, applied);
  const whole = { approvesShort, ...markerOf(next), ...listedApplies(earlier, applied) };
  const max = maxCommentCharacters - reserved.status - reserved.marker - reserved.head;
  const fits = (members: Partial<Marker>) => appliedMarker(marker, members).length <= max;
  const members = fittingMarker(whole, fits);
  const first = appliedMarker(marker, members);
  const lost = lostAnswers(next, members);
  const note = lost && `_${lost}_`;
  const limit = maxCommentCharacters - first.length - note.length - 3;
  const text = withChanges(render(next.questions), { added: applied, earlier }, { limit, mask: redact });
  return { body: `${first}\n${present(text, note).join('\n\n')}`, lost };
}

/**
 * Formats the marker of a plan that was applied. The marker still approves the plan, because an apply can be repeated.
 */
function appliedMarker(
  { questions: _, answered: __, statusLines: ___, applied: ____, ...marker }: Marker,
  members: Partial<Marker> = {},
): string {
  return formatMarker({ ...marker, ...members, isApplied: true });
}

/**
 * Returns the comments that can get a status. Excludes comments whose first line a person edited, because a status
 * would make that line look like the action's.
 */
async function commentsForStatus(github: GitHub, own: readonly FoundComment[]): Promise<FoundComment[]> {
  return genuineComments(github, own).catch(() => own.filter((comment) => !hasQuestions(comment)));
}

/** Runs `write`. Reports a failure as a warning. Returns undefined if nothing could be written. */
async function commenting<Written>(
  run: CommentingRun,
  pullRequest: number,
  write: (github: GitHub) => Promise<Written>,
): Promise<Written | undefined> {
  if (run.inputs.comment === 'off') return undefined;
  try {
    if (run.github === undefined) throw new Error('the input token is empty');
    return await write(run.github);
  } catch (error) {
    warnOfFailure(run, pullRequest, error);
    return undefined;
  }
}

function warnOfFailure({ redact }: CommentingRun, pullRequest: number, error: unknown): void {
  const remedy = isForbidden(error)
    ? ' Commenting needs `permissions: { pull-requests: write }`, which workflows do not get for pull requests from forks.'
    : '';
  warning(
    `The comment on pull request ${pullRequest} could not be written (${redact(reasonOf(error))}). ${summaryHint}.${remedy}`,
  );
}

/**
 * Finds the newest comment of each part, in part order. Earlier runs with `comment: new` may have left several comments
 * for one part.
 */
function commentsAbout(own: readonly FoundComment[], subject: CommentSubject): FoundComment[] {
  const found = own.filter(({ marker }) => isSameSubject(marker, subject));
  const byPart = new Map(found.map((comment) => [comment.marker.part?.number ?? 1, comment]));
  return [...byPart].sort(([one], [other]) => one - other).map(([, comment]) => comment);
}

/**
 * The maximum number of questions in a comment. The comment also needs room for the plan. Other questions are on the
 * web page, and can be answered at the terminal.
 */
const maxAsked = 50;

/** Returns the questions that a comment can ask: those with the lowest numbers. */
export function askedIn(questions: readonly AskedQuestion[]): AskedQuestion[] {
  const last = questions.map(({ number }) => number).sort((one, other) => one - other)[maxAsked - 1] ?? Infinity;
  return questions.filter(({ number }) => number <= last);
}

/**
 * Makes the questions shorter, for plans with thousands of resources. An answer then counts only while its whole
 * question stays the same.
 */
function withoutParts({ questions, ...marker }: Partial<Marker>): Partial<Marker> {
  const shorten = ({ parts: _, ...question }: AskedQuestion): AskedQuestion => question;
  return { ...marker, ...(questions && { questions: questions.map(shorten) }) };
}

/**
 * Returns the first of several markers that fits, or the last marker if no marker fits. Later markers contain less
 * information.
 */
function fittingMarker(whole: Partial<Marker>, fits: (marker: Partial<Marker>) => boolean): Partial<Marker> {
  const { approvesShort: _, ...brief } = whole;
  const { answered: __, ...minimal } = withoutParts(brief);
  return [whole, withoutParts(whole), brief, withoutParts(brief)].find(fits) ?? minimal;
}

/** The maximum number of answered questions that a comment keeps after its plan no longer asks them: the newest. */
const maxAnswered = 50;

function markerOf({ questions, answered, lastNumber }: CommentQuestions): Partial<Marker> {
  return {
    ...(questions.length > 0 && { questions: askedIn(questions) }),
    ...(answered.length > 0 && { answered: answered.slice(0, maxAnswered) }),
    ...(lastNumber !== undefined && { lastNumber }),
  };
}

/** Says that a comment has no room for earlier answers. Returns an empty text if it has. */
function lostAnswers({ answered }: CommentQuestions, { answered: kept = [] }: Partial<Marker>): string {
  const lost = answered.length - kept.length;
  if (lost === 0) return '';
  return `The comment on this pull request has no room for ${counted(lost, 'earlier answer')}. If a later plan asks ${lost === 1 ? 'its question' : 'their questions'} again, answer again.`;
}

/**
 * Builds the comment texts of a plan. The first text contains the questions, and what the comments approve together.
 * `lost` says which earlier answers have no room.
 */
function planBodies(
  { subject, redact }: CommentingRun,
  comment: PlanComment & { readonly earlier: readonly AppliedChanges[] },
  asked: CommentQuestions & WrittenQuestions,
) {
  const { commit, digest, changedSince, footer, earlier } = comment;
  const available = maxCommentCharacters - reserved.status - reserved.marker - footer.length - shortenedNote.length;
  const { questions } = asked;
  const whole: Partial<Marker> = {
    ...comment.approves,
    ...markerOf(asked),
    ...listedApplies(earlier),
    ...(questions.length > 0 && changedSince !== undefined && { changedSince }),
  };
  const lengthOf = (marker: Partial<Marker>) => formatMarker({ ...subject, commit, ...marker }).length;
  const fits = (marker: Partial<Marker>) => lengthOf(marker) <= available - reserved.head;
  const { approves, approvesShort, approvesPlan, ...first } = fittingMarker(whole, fits);
  const approved = { approves, approvesShort, approvesPlan };
  const lost = lostAnswers(asked, first);
  const notes = present(earlierFolds(earlier, 0), lost && `_${lost}_`);
  const taken = lengthOf({ ...approved, ...first }) + notes.join('\n\n').length;
  const render = comment.render(asked);
  const { pages, shortened } = maskedPages((limit) => render(limit, taken), { limit: available, taken, mask: redact });
  const bodies = pages.map((text, index) => {
    const part = pages.length === 1 ? {} : { part: { number: index + 1, of: pages.length, plan: digest } };
    const isFirstPage = index === 0;
    const approvals = shortened ? { shortened } : isFirstPage ? approved : {};
    const end = present(...(isFirstPage ? notes : []), shortened && shortenedNote, footer);
    const marker = formatMarker({ ...subject, commit, ...part, ...approvals, ...(isFirstPage && first) });
    return `${[marker, text.trimEnd(), ...end.flatMap((line) => ['', line])].join('\n')}\n`;
  });
  return { bodies, lost };
}

/** Whether a comment is the first part of its text. Only the first part can have a status. */
function isFirst({ marker }: FoundComment): boolean {
  return (marker.part?.number ?? 1) === 1;
}

function withStatus(marker: Marker, status: string, rest: string): string {
  const lines = [...status.trimEnd().split('\n'), ...(rest === '' ? [] : ['', '---', ''])];
  return [formatMarker({ ...marker, statusLines: lines.length }), ...lines, rest].join('\n');
}

/**
 * Whether two versions of a comment are equal, apart from the marker and the run that wrote them. An edit with a
 * person's token starts another run on `issue_comment`. Without this check, runs could start each other forever.
 */
function isSameStatus(one: string, other: string): boolean {
  const withoutRun = (text: string) => text.replace(/^.*/, '').replace(/\[run \d+\]\([^()\s]*\)/g, '');
  return isSameText(withoutRun(one), withoutRun(other));
}
