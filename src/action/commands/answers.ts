import { join, resolve } from 'node:path';
import { plan } from '../../commands/plan/plan.ts';
import type { ManifestUpdates } from '../../commands/update/check.ts';
import { renderUpdateText } from '../../commands/update/text.ts';
import { update, updateNotes } from '../../commands/update/update.ts';
import { AgentformError, exitCodes, reasonOf } from '../../errors.ts';
import { pathUnder } from '../../files/plain-file.ts';
import { commitFiles, type FilesCommit } from '../../git/commit-files.ts';
import { authorIn } from '../../git/repository.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Remedy } from '../../notices/notice.ts';
import { splitQuestions } from '../../plan/questions.ts';
import { pushCommit, type Rejection } from '../../record/git/remote.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { firstFitting } from '../../report/markdown/fit.ts';
import type { Change, Plan, Question } from '../../schemas/plan-types.ts';
import { locateProject, locationOfProject, trackedFiles } from '../../session/base/repository.ts';
import { capitalised, joinWithAnd, listSome } from '../../text/wording.ts';
import { answersOn, type CommentAnswer, type CommentAnswers, unread } from '../github/answers.ts';
import { pushWith, refuseLinks, withHead } from '../github/checkout.ts';
import { writeStatus } from '../github/comment.ts';
import { aboutRun, type EventPullRequest } from '../github/event.ts';
import { failedRead, type GitHub } from '../github/github.ts';
import { type AskedQuestion, digestsOf, isSameSubject } from '../github/marker.ts';
import { answersByPart, byAnswer, type NewestAnswer, openAnswers } from '../github/newest-answers.ts';
import { bullets, checkedOut, pushProblem, withPatch } from '../github/proposal.ts';
import { logNotice, printQuoted } from '../log.ts';
import { setOutput, writeSummary } from '../outputs.ts';
import { remediesFor, remediesMarkdown, remedyTexts } from '../remedies.ts';
import { type ActionRun, inEnvironment, runnerSignal, type StartedRun, titleOf } from '../run.ts';
import { judgingCommit, requireOnline, trustOf } from '../trust.ts';
import { failureOfUpdate, type JobFailure } from '../verdict.ts';

/** The codes of answers for which files must change. The next plan then no longer asks the question. */
const inFiles = ['keep', 'both'];

/**
 * Carries out answers on a pull request by changing its files. With the input `push-token`, commits the changes to the
 * branch. Otherwise, shows the changes as a patch. Does nothing if the branch has a newer commit than the plan comment.
 * Treats the files of the pull request as data.
 */
export async function answersCommand(run: StartedRun): Promise<JobFailure | undefined> {
  const asked = await askedBy(run);
  if ('because' in asked) return nothingToDo(asked.because);
  const { pullRequest } = asked;
  const { top } = locationOfProject(run.inputs.project);
  // Either the project folder or the project file.
  const inside = pathUnder(top, resolve(run.inputs.project));
  const done = await withHead(top, pullRequest, async (folder) => {
    const project = join(folder, inside);
    refuseLinks(folder, inside);
    const { root } = locationOfProject(project);
    const host = { ...run.host, readable: await trackedFiles(root) };
    const inputs = { ...run.inputs, project };
    const located = await locateProject(host, inputs);
    const there = inEnvironment({ ...run, host, root, inputs }, located.environment);
    return { failure: await carryOut(await trustOf(there, located), asked) };
  });
  return done === undefined ? nothingToDo(moved(pullRequest)) : done.failure;
}

interface RequestedRun {
  readonly pullRequest: EventPullRequest;
  readonly github: GitHub;
}

/**
 * Checks whether the run may change files. Anyone can start the workflow with a comment, but only people with write
 * access may change files.
 */
async function askedBy(run: StartedRun): Promise<RequestedRun | { readonly because: string }> {
  const { event, github } = run;
  const { pullRequest, commenter } = event;
  if (pullRequest === undefined || github === undefined || commenter === undefined) {
    throw new AgentformError(
      'usage',
      'answers runs on the event issue_comment of a pull request; copy examples/github/answers.yml',
    );
  }
  const { number, isClosed, isFork } = pullRequest;
  if (isClosed) return { because: `pull request ${number} is closed` };
  if (isFork) return { because: `pull request ${number} comes from a fork, and agentform does not write to forks` };
  if (!(await orRefuse(run, number, github.mayWrite(commenter))))
    return { because: `${commenter} does not have write access to this repository` };
  return { pullRequest, github };
}

function moved({ number, branch }: EventPullRequest): string {
  return `pull request ${number} (${branch}) has a newer commit than its plan, so the answers no longer count; answer the next plan`;
}

function nothingToDo(because: string): undefined {
  logNotice(`Nothing to do: ${because}.`);
  return undefined;
}

async function carryOut(run: ActionRun, asked: RequestedRun): Promise<JobFailure | undefined> {
  requireOnline(run);
  const { head } = asked.pullRequest;
  const { wanted, asking, isUnplanned } = await wantedAnswers(run, asked);
  const isMoved = asking.some(({ marker }) => marker.commit !== head);
  if (isUnplanned && !isMoved) setOutput('plan-again', head);
  if (wanted.length === 0) return nothingToDo('no answer changes the files');
  if (isMoved) return nothingToDo(moved(asked.pullRequest));
  const changedSince = asking.find(({ marker }) => marker.changedSince !== undefined)?.marker.changedSince;
  const options = { ...run.inputs, changedSince, base: await judgingCommit(run) };
  const { plan: made } = await plan(run.host, options);
  const matched = matchedWith(made, wanted);
  if (matched.length === 0) return writeReport(run, { ...asked, text: voidText(wanted) });
  const results = await updateFiles(run, { made, matched: matched.filter(isJoinable) }).catch(ifOutdated);
  if (results === undefined) return writeReport(run, { ...asked, text: voidText(wanted) });
  // People may change their answers while the run reads the service.
  const current = answersByPart(made.questions, (await wantedAnswers(run, asked)).wanted);
  const isCurrent = ({ question, answer }: MatchedAnswer) =>
    question.digests.every((digest) => current.get(digest)?.code === answer.code);
  if (!matched.every(isCurrent)) return nothingToDo('the answers changed in the meantime');
  for (const result of results) {
    printQuoted(run.redact(renderUpdateText(result, { color: false, width: 120, state: 'written' })));
  }
  return offered(run, { ...asked, matched, results });
}

/**
 * Reads the answers that change files and belong to questions of the step's comment. As in an apply, a newer answer in
 * another step's comment counts instead.
 */
async function wantedAnswers(run: ActionRun, { github, pullRequest }: RequestedRun) {
  const { subject } = run;
  const { number } = pullRequest;
  const found = await orRefuse(run, number, answersOn(github, number, subject));
  const asking = found.asking.filter(({ marker }) => isSameSubject(marker, subject));
  const questions = asking.flatMap(({ marker }) => marker.questions ?? []);
  const asked = new Set(questions.flatMap((question) => [question.digest, ...digestsOf(question)]));
  const wanted = openAnswers(found).filter(
    ({ code, question, digests }) =>
      inFiles.includes(code) && [question.digest, ...digests].some((digest) => asked.has(digest)),
  );
  return { asking, wanted, isUnplanned: isUnplanned(found, questions) };
}

/**
 * Whether an answer or withdrawal is newer than the plan comment, so that only a new plan takes it into account. The
 * comment of the new plan then contains the answer, so a plan's own comment never leads to another plan.
 */
function isUnplanned({ answers, withdrawn }: CommentAnswers, questions: readonly AskedQuestion[]): boolean {
  const letters = new Map(answers.map(({ question, letter }) => [question.digest, letter]));
  for (const { question } of withdrawn) letters.set(question.digest, '');
  return questions.some(({ digest, answer }) => (letters.get(digest) ?? '') !== (answer?.letter ?? ''));
}

/** Throws `run-refused` if the request to GitHub fails. */
function orRefuse<Result>({ redact }: StartedRun, pullRequest: number, reading: Promise<Result>): Promise<Result> {
  return reading.catch((cause: unknown) => {
    throw new AgentformError('run-refused', unread(`pull request ${pullRequest}`, redact(failedRead(cause))), {
      cause,
    });
  });
}

interface MatchedAnswer {
  readonly answer: CommentAnswer;
  readonly question: Question;
}

/**
 * Finds the current questions that the answers are about, limited to resources that have not changed since they were
 * answered.
 */
function matchedWith(made: Plan, answers: readonly NewestAnswer[]): MatchedAnswer[] {
  const given = answersByPart(made.questions, answers);
  return splitQuestions(made, byAnswer(given)).flatMap((question) => {
    const answer = given.get(question.digests[0] ?? '');
    return answer === undefined ? [] : [{ answer, question }];
  });
}

/** Whether a command can carry out the answer. If both sides edited the same lines, a person must merge the texts. */
function isJoinable(one: MatchedAnswer): boolean {
  return one.answer.code !== 'both' || remediesOf(one).length > 0;
}

function remediesOf({ answer, question }: MatchedAnswer): Remedy[] {
  return question.choices.find(({ code }) => code === answer.code)?.remedies?.map((words) => [...words]) ?? [];
}

/**
 * Returns undefined if values have changed since they were shown to the person who answered. Any other error is
 * rethrown.
 */
function ifOutdated(error: unknown): undefined {
  if (error instanceof AgentformError && error.code === 'plan-mismatch') return undefined;
  throw error;
}

/** Updates the files. Resources with the same answer for the same settings are updated in one step. */
async function updateFiles(
  run: ActionRun,
  { made, matched }: { readonly made: Plan; readonly matched: readonly MatchedAnswer[] },
): Promise<ManifestUpdates[]> {
  const groups = new Map<string, { code: string; fields: string[]; answered: Map<string, readonly Change[]> }>();
  for (const { answer, question } of matched) {
    for (const address of question.resources) {
      const { changes = [], kept = [] } = made.resources.find((resource) => addressOf(resource) === address) ?? {};
      // With `unanswered: leave`, the plan already keeps the edits that the question is about.
      const asked = [...changes, ...kept].filter(({ path }) => question.paths.includes(path));
      const fields = asked.map(({ path }) => path);
      const key = JSON.stringify([answer.code, fields]);
      const group = groups.get(key) ?? { code: answer.code, fields, answered: new Map() };
      group.answered.set(address, asked);
      groups.set(key, group);
    }
  }
  const results: ManifestUpdates[] = [];
  const { project, environment, concurrency } = run.inputs;
  for (const { code, fields, answered } of groups.values()) {
    // Lets the update read the files that earlier updates wrote.
    const { readable } = run.host;
    const written = readable && { ...readable, paths: new Set([...readable.paths, ...filesOf(results)]) };
    const host = { ...run.host, readable: written };
    const choices = { fields, answered, favoured: 'theirs', isWhole: code === 'keep', dryRun: false } as const;
    const names = [...answered.keys()];
    // Needs no confirmation, because the patch and the next plan show what else changes.
    const confirm = async () => true;
    results.push(await update(host, { project, concurrency, environment, names, ...choices, confirm }));
  }
  return results;
}

function voidText(wanted: readonly CommentAnswer[]): string {
  const answers = escapeProse(`Answers: ${answersText(wanted)}.`);
  return `**${answers}** The answers are outdated, because the service or the files changed after this plan. Run the preview again.`;
}

/** Writes the report to the summary and above the plan. Each gets the longest version that fits. */
async function writeReport(
  run: ActionRun,
  { pullRequest, text, patched = [] }: RequestedRun & { readonly text: string; readonly patched?: readonly string[] },
): Promise<undefined> {
  const texts = [...patched, text].map((one) => one.trimEnd());
  const title = `### ${escapeProse(titleOf('answers', run))}\n\n`;
  await writeSummary((limit) => run.redact(`${title}${firstFitting(texts, limit - title.length)}\n`));
  const about = `\n\n<sub>${aboutRun(pullRequest.head)}</sub>`;
  const render = (limit: number) =>
    firstFitting(
      texts.map((one) => `${one}${about}`),
      limit,
    );
  await writeStatus(run, pullRequest.number, { commit: pullRequest.head, render });
}

interface UpdatedFiles extends RequestedRun {
  readonly matched: readonly MatchedAnswer[];
  readonly results: readonly ManifestUpdates[];
}

function filesOf(results: readonly ManifestUpdates[]): string[] {
  return [...new Set(results.flatMap(({ files }) => files))];
}

/** Pushes the files, or shows them as a patch above the plan and in the summary. */
async function offered(run: ActionRun, carried: UpdatedFiles): Promise<JobFailure | undefined> {
  const { pullRequest, matched, results } = carried;
  const commit = await committed(run, carried);
  // A commit on the default branch would not be reviewed.
  const isPushable = run.inputs.pushToken !== '' && pullRequest.branch !== run.event.defaultBranch;
  const isMine = commit !== undefined && isPushable;
  const { isRace, reason: problem } = (isMine && (await pushRejection(run, pullRequest, commit))) || {};
  const isPushed = isMine && problem === undefined;
  // The push or the newer commit starts a preview. Another run of the earlier preview would cancel it.
  if (isPushed || isRace) setOutput('plan-again', '');
  if (isRace) return nothingToDo(moved(pullRequest));
  if (isPushed) setOutput('branch', pullRequest.branch);
  const remedies = isPushed ? undefined : remediesFor({ remedies: matched.flatMap(remediesOf) }, run.inputs);
  const notes = results.flatMap(({ resources, environment }) =>
    resources.flatMap((one) => updateNotes(one, environment)),
  );
  const byPerson = matched.filter((one) => !isJoinable(one)).map(({ question }) => joinedByPerson(question));
  const outcome = outcomeText(commit?.commit, { isPushed, problem, files: filesOf(results) });
  const [text = '', short = text] = withPatch(isPushed ? undefined : commit, [
    `**${escapeProse(`Answers: ${answersText(matched.map(({ answer }) => answer))}.`)}** ${escapeProse(outcome)}`,
    ...(notes.length + byPerson.length === 0 ? [] : [bullets([...byPerson, ...notes])]),
    ...(remedies === undefined ? [] : [remediesMarkdown(remedyTexts(remedies))]),
  ]);
  await writeReport(run, { ...carried, text: short, patched: [text] });
  if (problem !== undefined) return { reason: 'failed', code: exitCodes.failed, message: problem };
  return results.map(failureOfUpdate).find((failure) => failure !== undefined);
}

function outcomeText(
  commit: string | undefined,
  {
    isPushed,
    problem,
    files,
  }: { readonly isPushed: boolean; readonly problem: string | undefined; readonly files: readonly string[] },
): string {
  if (commit === undefined) return 'No file was changed.';
  const copies = `copies the dashboard edits into ${listSome(files, 10)}.`;
  if (isPushed) return `✅ Commit ${commit.slice(0, 12)} ${copies}`;
  const failure = problem === undefined ? '' : `❌ ${capitalised(problem)}. `;
  return `${failure}The patch below ${copies} To apply it, run \`git apply\` on the branch of this pull request.`;
}

async function committed(
  run: ActionRun,
  { pullRequest, matched, results }: UpdatedFiles,
): Promise<FilesCommit | undefined> {
  const paths = filesOf(results);
  if (paths.length === 0) return undefined;
  const resources = matched.flatMap(({ question }) => question.resources);
  const subject = `Keep edits made in the dashboard: ${listSome(resources, 3)}`;
  return commitFiles(await checkedOut(run), {
    paths,
    parent: pullRequest.head,
    message: `${subject}\n\nAnswered in #${pullRequest.number}: ${answersText(matched.map(({ answer }) => answer))}.`,
    author: await authorIn(run.root, run.host.env),
  });
}

async function pushRejection(
  run: ActionRun,
  { branch, head }: EventPullRequest,
  { commit }: FilesCommit,
): Promise<Rejection | undefined> {
  pushWith(run.inputs.pushToken);
  const at = { repository: await checkedOut(run), remote: 'origin', branch };
  const push = pushCommit(at, commit, { expected: head, signal: runnerSignal() });
  const found = await push.catch((error: unknown) => ({ reason: reasonOf(error), isRace: false }));
  if (found === undefined) return undefined;
  const remedy = 'the token of the input push-token needs contents write';
  return { ...found, reason: pushProblem(branch, run.redact(found.reason), remedy) };
}

/** Names the answers and who gave them: `1A by ada, 3C`. */
function answersText(answers: readonly CommentAnswer[]): string {
  return answers
    .map(({ question, letter, by }) => `${question.number}${letter}${by === undefined ? '' : ` by ${by}`}`)
    .join(', ');
}

function joinedByPerson({ resources, paths }: Question): string {
  return `${listSome(resources, 3)}: the dashboard and this pull request changed the same lines of ${joinWithAnd(paths)}; combine both texts, and push the result`;
}
