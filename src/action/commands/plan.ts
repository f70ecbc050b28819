import { planOffline } from '../../commands/plan/offline.ts';
import { plan } from '../../commands/plan/plan.ts';
import { validate } from '../../commands/validate/validate.ts';
import { exitCodes } from '../../errors.ts';
import { splitQuestions } from '../../plan/questions.ts';
import { asSentence } from '../../report/blocks.ts';
import { renderPlanHtml } from '../../report/html/plan.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { problemsMarkdown } from '../../report/markdown/failure.ts';
import { sentencesOf } from '../../report/notices.ts';
import { type PlanMarkdownOptions, planPages, renderPlanMarkdown, renderPlanText } from '../../report/plan.ts';
import { repositoryPath } from '../../report/problems/annotations.ts';
import { problemCounts } from '../../report/problems/problems-text.ts';
import { changedSinceSentences } from '../../report/wording.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { PlanResult } from '../../session/plans/plan-result.ts';
import { counted } from '../../text/wording.ts';
import { maxComments, type WrittenQuestions, writePlan } from '../github/comment.ts';
import { aboutRun, fileUrl, planFromOf } from '../github/event.ts';
import { type AskedQuestion, approvedBy, subjectDigest } from '../github/marker.ts';
import { withNumbers } from '../github/numbered-questions.ts';
import { selectionOf } from '../inputs.ts';
import { printQuoted, warning } from '../log.ts';
import { pageAddress, savePlanFile, setPlanOutputs, showProblems, writePage, writeSummary } from '../outputs.ts';
import { needsOfPlan, remediesFor, remedyTexts, tellRemedies } from '../remedies.ts';
import { type ActionRun, type Offline, type StartedRun, titleOf } from '../run.ts';
import { judgingCommit } from '../trust.ts';
import { failureOfPlan, type JobFailure } from '../verdict.ts';

/**
 * Makes a plan. Shows the plan in the log, in the summary and on the pull request, and sets outputs for later steps.
 */
export async function runPlan(run: ActionRun): Promise<JobFailure | undefined> {
  const { offline } = run;
  const planned = await (offline === undefined ? planOnline(run) : planWithoutService(run));
  const { plan: approved } = planned;
  const footer = footerOf(approved, run);
  const parts = { run, preface: offline && whyOffline(offline) };
  // The comment is written first, because it assigns numbers to the questions.
  const written = await writeComment(planned, { ...parts, footer });
  const made = numberedAs(planned, written.questions);
  showPlanned(run, { ...planned, plan: made });
  tellRemedies(needsOfPlan(made), run);
  setPlanOutputs(approved);
  await savePlanFile({ ...approved, questions: made.questions }, run);
  const linkTo = (file: string, line: number) => linkToSource(run)(file, { first: line, last: line });
  await writePage(run, () => renderPlanHtml(made, { title: titleOfPlan(made, run), linkTo }));
  const render = planRenderer(made, { ...parts, written });
  await writeSummary((limit) => `${run.redact(render(limit - footer.length - 2))}\n${footer}`);
  return failureOfPlan(made, run.inputs, written.questions);
}

/** Writes the comment. Returns the questions with their numbers on the pull request. */
async function writeComment(
  planned: PlanResult,
  { footer, ...parts }: PlanTexts & { readonly footer: string },
): Promise<WrittenQuestions> {
  const { run } = parts;
  const { pullRequest } = run.event;
  if (pullRequest === undefined) return { questions: [], ignored: [] };
  const { head, number } = pullRequest;
  return writePlan(run, number, {
    commit: head,
    digest: planned.plan.digest,
    approves: approvedBy(planned.plan),
    questionsBy: (groupOf = () => '') => splitQuestions(askingPlan(planned), groupOf),
    changedSince: planned.plan.changedSince?.commit,
    render: (written) => pagesRenderer(planned, parts, written),
    footer,
  });
}

/** Returns the plan before answers with its open questions, because answers are bound to the digests of this plan. */
function askingPlan({ plan: made, shown }: PlanResult): Plan {
  return { ...made, questions: shown.questions };
}

/** Returns the plan to show, with the questions as the comment splits and numbers them. */
function numberedAs(planned: PlanResult, asked: readonly AskedQuestion[]): Plan {
  return { ...planned.shown, questions: withNumbers(askingPlan(planned), asked).questions };
}

async function planOnline(run: ActionRun): Promise<PlanResult> {
  return plan(run.host, { ...run.inputs, planFrom: planFromOf(run.event), base: await judgingCommit(run) });
}

/** Compares the manifests with those of the base. Needs no secrets, and uses the network only for git. */
async function planWithoutService(run: ActionRun): Promise<PlanResult> {
  const { inputs, host, event } = run;
  const { project, environment } = inputs;
  const base = (await judgingCommit(run)) ?? event.commit;
  return planOffline(host, { ...selectionOf(inputs), planFrom: planFromOf(event), project, environment, base });
}

/** Writes the plan to the log, and annotates lines with its warnings. */
export function showPlanned(run: ActionRun, { plan: made, warnings, sourceOf }: PlanResult): void {
  showProblems({ problems: warnings, sourceOf }, run);
  printQuoted(run.redact(renderPlanText(made, { color: false, width: 120 })));
  for (const sentence of noAnswers(made, run)) warning(sentence);
}

/** Says that a run without a token reads no answers. Returns an empty list if the plan has no questions. */
function noAnswers({ questions }: Plan, { github }: ActionRun): string[] {
  if (github !== undefined || questions.length === 0) return [];
  const open = `${counted(questions.length, 'question')} ${questions.length === 1 ? 'has' : 'have'} no answer`;
  return [
    `The input token is empty, so this run reads no answers on pull requests, and ${open}. Set the input token, or answer with \`apply --answer\`.`,
  ];
}

interface PlanTexts {
  readonly run: ActionRun;
  /** Why the plan is offline. */
  readonly preface?: string | undefined;
  /** The questions and the typed answers on the pull request. They decide whether the check fails. */
  readonly written?: WrittenQuestions | undefined;
  /** Whether the plan is shown below the result of its apply. */
  readonly isApplied?: true | undefined;
}

/** Returns a function that renders the plan as Markdown within a limit in characters. */
export function planRenderer(made: Plan, texts: PlanTexts) {
  const options = markdownOptions(made, texts);
  return (limit: number) => renderPlanMarkdown(made, { ...options, limit });
}

/** Returns a function that renders the plan as pages, one for each comment. */
function pagesRenderer(planned: PlanResult, texts: PlanTexts, written: WrittenQuestions) {
  const { questions } = written;
  const made = numberedAs(planned, questions);
  const answers = new Map(
    questions.flatMap(({ number, answer }) => (answer?.letter ? [[number, answer.letter] as const] : [])),
  );
  const options = { ...markdownOptions(made, { ...texts, written }), answers, maxPages: maxComments };
  return (limit: number, taken: number) => planPages(made, { ...options, limit, taken });
}

function markdownOptions(made: Plan, { run, preface, written, isApplied }: PlanTexts): PlanMarkdownOptions {
  const title = titleOfPlan(made, run);
  const shared = { linkTo: linkToSource(run), ...(title !== undefined && { idScope: subjectDigest(run.subject) }) };
  if (isApplied) return { isApplied, ...shared };
  const failure = written && failureOfPlan(made, run.inputs, written.questions);
  return {
    ...shared,
    ...(title !== undefined && { title }),
    preface,
    consequence: failure && `This check fails: ${failure.because}.`,
    remarks: [...sentencesOf(written?.ignored ?? []).map(asSentence), ...noAnswers(made, run)],
    page: pageAddress(run),
    remedies: remedyTexts(remediesFor(needsOfPlan(made), run.inputs)),
  };
}

function linkToSource(run: ActionRun): NonNullable<PlanMarkdownOptions['linkTo']> {
  return (file, lines) => fileUrl(pullRequestHead(run), repositoryPath(file, run), lines);
}

/** Returns the plan's heading. Returns undefined if the default heading, with only the environment, is sufficient. */
function titleOfPlan({ offline }: Plan, run: ActionRun): string | undefined {
  const { project, names } = run.subject;
  const isPlain = project === '.' && names === undefined;
  return isPlain ? undefined : titleOf(offline === undefined ? 'plan' : 'offline plan', run);
}

/**
 * Returns the head commit of the pull request, not of GitHub's trial merge. If there is no pull request, returns the
 * commit of the run.
 */
function pullRequestHead({ event }: Pick<ActionRun, 'event'>): string {
  return event.pullRequest?.head ?? event.commit;
}

/**
 * Returns the footer: the commit, the run, and the digest that can approve the plan. An offline plan cannot be
 * approved.
 */
function footerOf({ digest, offline }: Plan, run: ActionRun): string {
  const about = `${aboutRun(pullRequestHead(run))}`;
  return offline === undefined ? `<sub>${about} Digest \`${digest}\`.</sub>` : `<sub>${about}</sub>`;
}

function whyOffline({ because, remedy }: Offline): string {
  const why = `Offline, because ${because}. An offline plan cannot approve an apply.`;
  return remedy === undefined ? why : `${why} ${remedy}`;
}

/**
 * Checks the selected manifests without the service or secrets, in the environment that the input names. Without this
 * input, checks all environments.
 */
export async function runValidate(run: StartedRun): Promise<JobFailure | undefined> {
  const { inputs, host, redact } = run;
  const result = await validate(host, { ...inputs, base: await judgingCommit(run) });
  const { problems, valid, manifests } = result;
  showProblems(result, run);
  const found = problems.length === 0 ? 'no problems' : problemCounts(problems);
  const since = result.changedSince === undefined ? '' : ` ${changedSinceSentences(result.changedSince, 'checked')}`;
  const sentence = `${counted(manifests, 'manifest')} checked: ${found}.`;
  const text = `### agentform validate\n\n${escapeProse(`${sentence}${since}`)}\n\n${redact(problemsMarkdown(problems))}\n`;
  await writeSummary(() => text);
  return valid ? undefined : { reason: 'invalid', code: exitCodes.failed, message: sentence, isAnnotated: true };
}
