import { reasonOf } from '../../errors.ts';
import type { Notice } from '../../notices/notice.ts';
import type { GroupOf } from '../../plan/questions.ts';
import { maskedPages, maskedWithin, type Pages } from '../../report/markdown/fit.ts';
import type { Question } from '../../schemas/plan-types.ts';
import { warning } from '../log.ts';
import type { ActionRun } from '../run.ts';
import {
  answeredComments,
  type CommentQuestions,
  etagOf,
  genuineComments,
  hasQuestions,
  nextQuestions,
  numbersUsedTwice,
} from './answers.ts';
import { commentUrl } from './event.ts';
import type { FoundComment, GitHub } from './github.ts';
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

/** The maximum length of a comment in characters. GitHub accepts 65,536. */
const maxCommentCharacters = 65_000;
/**
 * Characters reserved in a comment: for an apply's result, the rest of a marker, and the first questions and changes.
 */
const reserved = { status: 6_000, marker: 1_500, head: 15_000 } as const;
/** The maximum number of comments for a plan. */
export const maxComments = 10;
const shortenedNote =
  '_This comment was shortened, so it cannot approve an apply. The run summary shows the whole plan._';

const summaryHint = 'The run summary contains the text';

interface CommentingRun extends Pick<ActionRun, 'github' | 'redact'> {
  readonly inputs: Pick<ActionRun['inputs'], 'comment'>;
  readonly host: Pick<ActionRun['host'], 'now'>;
}

interface AskingComment {
  readonly subject: CommentSubject;
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
   * one leaves room for `taken` characters.
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
 * Writes the comments about a subject to a pull request: updates existing ones, adds missing ones, and deletes
 * superfluous ones. With `comment: new`, only adds comments. If earlier comments contain questions whose answers cannot
 * be read, writes nothing. A failure does not fail the run, because the summary has the text. Returns the questions of
 * the last completed write, with their numbers on the pull request.
 */
export async function writePlan(
  run: CommentingRun,
  pullRequest: number,
  comment: PlanComment,
): Promise<WrittenQuestions> {
  const { subject } = comment;
  const isNew = run.inputs.comment === 'new';
  let written: WrittenQuestions = { questions: [], ignored: [] };
  await commenting(run, pullRequest, async (github) => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const known = await answeredComments(github, pullRequest, { subject, redact: run.redact });
      const replaces = (marker: Marker) => isSameSubject(marker, subject);
      const next = { ...nextQuestions({ ...comment, replaces }, known, nowIn(run)), ignored: known.ignored };
      const about = commentsAbout(known.own, subject);
      if (known.unread !== undefined && about.some(hasQuestions)) {
        warning(`${known.unread}, so the comment keeps its boxes and still shows the earlier plan. ${summaryHint}.`);
        written = next;
        return;
      }
      const before = isNew ? [] : about;
      const bodies = planBodies(comment, next, run.redact);
      const isLast = isNew || attempt === maxAttempts;
      const canLose = before.length > 0 && next.questions.length + known.answers.length > 0;
      if (canLose && !isLast && !areSameTexts(before, bodies)) {
        const now = await github.comments(pullRequest);
        // Someone may have ticked a box in the meantime. Writing now would remove the tick.
        if (etagOf(now, subject) !== etagOf(known, subject)) continue;
      }
      await writeBodies(github, pullRequest, { before, bodies });
      written = next;
      if (!next.hasNew || isLast) return;
      const twice = numbersUsedTwice((await github.comments(pullRequest)).own);
      if (!next.questions.some(({ number }) => twice.has(number))) return;
    }
  });
  return written;
}

interface Writing {
  readonly before: readonly FoundComment[];
  readonly bodies: readonly string[];
}

async function writeBodies(github: GitHub, pullRequest: number, { before, bodies }: Writing): Promise<void> {
  for (const [index, body] of bodies.entries()) {
    const there = before[index];
    if (there === undefined) await github.createComment(pullRequest, body);
    else if (!isSameText(there.body, body)) await github.updateComment(there.id, body);
  }
  for (const { id } of before.slice(bodies.length)) await github.deleteComment(id);
}

function areSameTexts(before: readonly FoundComment[], bodies: readonly string[]): boolean {
  return before.length === bodies.length && before.every(({ body }, index) => isSameText(body, bodies[index] ?? ''));
}

/** Returns the time without milliseconds, like the times from GitHub. */
function nowIn({ host }: CommentingRun): string {
  return host.now().toISOString().replace(/\.\d+/, '');
}

/**
 * The maximum number of attempts to write a plan with questions. People and other runs may change comments meanwhile.
 */
const maxAttempts = 4;

/** The result of `apply` or `answers`, or why the command was refused. */
interface StatusComment {
  readonly subject: CommentSubject;
  readonly commit: string;
  /** Renders Markdown with at most this number of characters. */
  readonly render: (limit: number) => string;
}

/**
 * Writes the status above the plan of the step or environment. If there is no plan, or with `comment: new`, adds a
 * comment.
 */
export function writeStatus(run: CommentingRun, pullRequest: number, status: StatusComment): Promise<void> {
  return commenting(run, pullRequest, (github) => addStatus(run, { github, pullRequest }, status));
}

interface OnPullRequest {
  readonly github: GitHub;
  readonly pullRequest: number;
}

async function addStatus(
  run: CommentingRun,
  { github, pullRequest }: OnPullRequest,
  { subject, commit, render }: StatusComment,
): Promise<void> {
  const found = run.inputs.comment === 'new' ? [] : await commentsForStatus(github, pullRequest);
  const ofStep = found.filter(({ marker }) => isSameSubject(marker, subject));
  const ofEnvironment = found.filter(({ marker }) => isSameEnvironment(marker, subject));
  const comment = [...ofStep, ...ofEnvironment].find(isFirst);
  const marker: Marker = comment?.marker ?? { ...subject, commit, isResult: true };
  const rest = comment === undefined ? '' : belowStatus(comment.body, comment.marker);
  const available = Math.max(maxCommentCharacters - reserved.marker - formatMarker(marker).length - rest.length, 500);
  const text = maskedWithin(render, {
    limit: Math.min(available, marker.isResult ? maxCommentCharacters / 2 : reserved.status),
    mask: run.redact,
  });
  const body = withStatus(marker, text, rest);
  if (comment === undefined) await github.createComment(pullRequest, body);
  else if (!isSameStatus(comment.body, body)) await github.updateComment(comment.id, body);
}

/** The result of an apply. `questionsBy` returns the questions about resources that were left out. */
interface ResultComment extends AskingComment {
  /** Renders the result and the questions with their numbers as Markdown with at most this number of characters. */
  readonly render: (asked: readonly AskedQuestion[]) => (limit: number) => string;
}

/**
 * Replaces the plans that an apply carried out with its result. The comment then has no boxes, but the questions keep
 * their numbers and answers, so that the next apply can carry out the rest. If the answers cannot be read, or if no
 * comment shows only this plan, adds the result as a status.
 */
export function writeResult(run: CommentingRun, pullRequest: number, result: ResultComment): Promise<void> {
  const { subject, render } = result;
  return commenting(run, pullRequest, async (github) => {
    const known = await answeredComments(github, pullRequest, { subject, redact: run.redact });
    const replaces = (marker: Marker) =>
      marker.isResult !== true &&
      (isSameSubject(marker, subject) || (subject.names === undefined && isSameEnvironment(marker, subject)));
    const isKept = run.inputs.comment === 'new' || known.unread !== undefined;
    const plans = isKept ? [] : known.genuine.filter(({ marker }) => replaces(marker));
    const [comment] = commentsAbout(plans, subject).concat(plans).filter(isFirst);
    if (comment === undefined) return addStatus(run, { github, pullRequest }, { ...result, render: render([]) });
    const { questions, ...next } = nextQuestions({ ...result, replaces }, known, nowIn(run));
    await github.updateComment(comment.id, resultBody(comment, { ...next, questions, text: render(questions) }, run));
    const elsewhere = `The result of the apply is in [another comment](${commentUrl(pullRequest, comment.id)}).`;
    for (const { id, body, marker } of plans) {
      const text = `${appliedMarker(marker)}\n${elsewhere}\n`;
      if (id !== comment.id && !isSameStatus(body, text)) await github.updateComment(id, text);
    }
  });
}

function resultBody(
  { marker }: FoundComment,
  { text, ...asked }: CommentQuestions & { readonly text: (limit: number) => string },
  { redact }: CommentingRun,
): string {
  const fits = (members: Partial<Marker>) => appliedMarker(marker, members).length <= maxCommentCharacters / 2;
  const first = appliedMarker(marker, fittingMarker(markerOf(asked), fits));
  const limit = maxCommentCharacters - first.length - 1;
  return `${first}\n${maskedWithin(text, { limit, mask: redact })}`;
}

/**
 * Formats the marker of a plan that was applied. The marker still approves the plan, because an apply can be repeated.
 */
function appliedMarker(
  { questions: _, answered: __, statusLines: ___, ...marker }: Marker,
  asked: Partial<Marker> = {},
): string {
  return formatMarker({ ...marker, ...asked, isApplied: true });
}

/**
 * Returns the comments that can get a status. Excludes comments whose first line a person edited, because a status
 * would make that line look like the action's.
 */
async function commentsForStatus(github: GitHub, pullRequest: number): Promise<FoundComment[]> {
  const { own } = await github.comments(pullRequest);
  return genuineComments(github, own).catch(() => own.filter((comment) => !hasQuestions(comment)));
}

async function commenting(
  run: CommentingRun,
  pullRequest: number,
  write: (github: GitHub) => Promise<void>,
): Promise<void> {
  if (run.inputs.comment === 'off') return;
  try {
    if (run.github === undefined) throw new Error('the input token is empty');
    await write(run.github);
  } catch (error) {
    warning(
      `The comment on pull request ${pullRequest} could not be written (${run.redact(reasonOf(error))}). ${summaryHint}. ` +
        'Commenting needs `permissions: { pull-requests: write }`, which workflows do not get for pull requests from forks.',
    );
  }
}

/** Finds the newest comment of each part, in part order. Earlier runs with `comment: new` may have left several. */
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

/** Returns the questions that the comment shows: those with the lowest numbers. */
function askedIn(questions: readonly AskedQuestion[]): AskedQuestion[] {
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
 * Returns the first of several markers that fits, or the last marker if none fits. Later markers contain less
 * information.
 */
function fittingMarker(whole: Partial<Marker>, fits: (marker: Partial<Marker>) => boolean): Partial<Marker> {
  const { approvesShort: _, ...brief } = whole;
  const { answered: __, ...minimal } = withoutParts(brief);
  return [whole, withoutParts(whole), brief, withoutParts(brief)].find(fits) ?? minimal;
}

function markerOf({ questions, answered, lastNumber }: CommentQuestions): Partial<Marker> {
  return {
    ...(questions.length > 0 && { questions: askedIn(questions) }),
    ...(answered.length > 0 && { answered }),
    ...(lastNumber !== undefined && { lastNumber }),
  };
}

/**
 * Builds the comment texts of a plan. The first text contains the questions, and what the comments approve together.
 */
function planBodies(
  comment: PlanComment,
  asked: CommentQuestions & WrittenQuestions,
  redact: ActionRun['redact'],
): string[] {
  const { subject, commit, digest, changedSince, footer } = comment;
  const available = maxCommentCharacters - reserved.status - reserved.marker - footer.length - shortenedNote.length;
  const { questions } = asked;
  const whole: Partial<Marker> = {
    ...comment.approves,
    ...markerOf(asked),
    ...(questions.length > 0 && changedSince !== undefined && { changedSince }),
  };
  const lengthOf = (marker: Partial<Marker>) => formatMarker({ ...subject, commit, ...marker }).length;
  const fits = (marker: Partial<Marker>) => lengthOf(marker) <= available - reserved.head;
  const { approves, approvesShort, approvesPlan, ...first } = fittingMarker(whole, fits);
  const approved = { approves, approvesShort, approvesPlan };
  const taken = lengthOf({ ...approved, ...first });
  const render = comment.render(asked);
  const { pages, shortened } = maskedPages((limit) => render(limit, taken), { limit: available, taken, mask: redact });
  return pages.map((text, index) => {
    const part = pages.length === 1 ? {} : { part: { number: index + 1, of: pages.length, plan: digest } };
    const isFirstPage = index === 0;
    const approvals = shortened ? { shortened } : isFirstPage ? approved : {};
    const end = [...(shortened ? [shortenedNote] : []), ...(footer === '' ? [] : [footer])];
    const marker = formatMarker({ ...subject, commit, ...part, ...approvals, ...(isFirstPage && first) });
    return `${[marker, text.trimEnd(), ...end.flatMap((line) => ['', line])].join('\n')}\n`;
  });
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

/** Whether two texts are equal, apart from the type of line breaks and trailing blanks. GitHub may change both. */
function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n/g, '\n').trimEnd();
  return plain(one) === plain(other);
}
