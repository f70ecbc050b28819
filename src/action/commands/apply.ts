import { type ApplyPlanned, apply } from '../../commands/apply/apply.ts';
import { type Approval, requireApproved, unapproved } from '../../commands/apply/approvals.ts';
import { publish } from '../../commands/publish/publish.ts';
import { rollback, rollbackNotice, rollbackRemedies } from '../../commands/rollback/rollback.ts';
import { addressOf } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import { type Notice, notice, type Remedy } from '../../notices/notice.ts';
import { type GivenAnswer, type ReadAnswers, typedAnswer } from '../../plan/answers.ts';
import { planDigest } from '../../plan/digests.ts';
import { type GroupOf, leftOutUnanswered, splitQuestions } from '../../plan/questions.ts';
import type { Document } from '../../report/blocks.ts';
import {
  ledgerDocument,
  publishDocument,
  renderLedgerText,
  renderPublishLedgerText,
  renderPublishPlanText,
} from '../../report/ledger.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { renderResultsMarkdown } from '../../report/markdown/results.ts';
import { questionsInWords } from '../../report/plan/questions.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { capitalised, counted } from '../../text/wording.ts';
import { answersOn } from '../github/answers.ts';
import { approvalOf } from '../github/approvals.ts';
import { askedIn, writeResult } from '../github/comment.ts';
import { type ActionEvent, aboutRun, currentRun, planFromOf } from '../github/event.ts';
import { failedRead, type GitHub } from '../github/github.ts';
import type { AskedQuestion } from '../github/marker.ts';
import { givenAnswers } from '../github/newest-answers.ts';
import { withNumbers } from '../github/numbered-questions.ts';
import { printQuoted, warning } from '../log.ts';
import { noteRecordFiles, savePlanFile, setPlanOutputs, showProblems, writeSummary } from '../outputs.ts';
import { type Needs, needsOfLedger, tellRemedies } from '../remedies.ts';
import { type ActionRun, type RunOrigin, runnerSignal, titleOf } from '../run.ts';
import { judgingCommit } from '../trust.ts';
import { failureOfApply, failureOfPublish, type JobFailure } from '../verdict.ts';
import { planRenderer, showPlanned } from './plan.ts';

type Applied = Awaited<ReturnType<typeof apply>>;

const style = { color: false, width: 120 } as const;

/**
 * Plans again and applies the plan, provided that any required approval covers it. Shows the result above the plan on
 * the pull request.
 */
export async function runApply(run: ActionRun): Promise<JobFailure | undefined> {
  const { inputs, host } = run;
  const origin = await run.origin();
  if ('isProblem' in origin && origin.isProblem) warning(`${capitalised(origin.because)}.`);
  const approval = inputs.requireApprovedPlan ? await approvalOf(run, origin) : undefined;
  const typed = (inputs.answer ?? []).map(typedAnswer);
  let confirmedPlan: ApplyPlanned | undefined;
  const result = await apply(host, {
    ...inputs,
    planFrom: planFromOf(run.event, 'pullRequest' in origin ? origin.pullRequest : undefined),
    answers: typed,
    lateAnswers: () => answersFor(run, origin),
    base: await judgingCommit(run),
    approvedEach: inputs.approval === 'each' ? approval : undefined,
    approvedBy: approval,
    signal: runnerSignal(),
    savedPlan: inputs.plan,
    pullRequest: 'pullRequest' in origin ? origin.pullRequest.number : undefined,
    confirm: (planned) => {
      confirmedPlan = planned;
      return confirmed(planned, run, approval);
    },
  });
  if (result.ledger.entries.some(({ sent }) => sent)) noteRecordFiles(run);
  const { whole, shown = result.plan, isApprovedBefore } = confirmedPlan ?? {};
  const isApproved = approval === undefined || (whole !== undefined && approval.plans.has(whole.digest));
  const notBefore = result.plan.resources.filter((resource) => !isApprovedBefore?.(resource));
  const left = isApproved ? [] : unapproved({ ...result.plan, resources: notBefore }, approval);
  await tellResult(result, { run, left, shown });
  return failureOfApply(result, { isApproved: left.length === 0 });
}

async function answersFor(run: ActionRun, origin: RunOrigin): Promise<ReadAnswers> {
  const { github, event, subject } = run;
  if (github === undefined) return { answers: [] };
  if ('isProblem' in origin && origin.isProblem) {
    return { answers: [], unread: notice('answers-unread', { problem: origin.because }) };
  }
  const answers: GivenAnswer[] = [];
  const ignored: Notice[] = [];
  let elsewhere: Notice | undefined;
  let pullRequest: number | undefined;
  try {
    const numbers = await mergedNumbers(github, event, origin);
    for (pullRequest of numbers.slice(0, maxPullRequests)) {
      const answered = await answersOn(github, pullRequest, subject);
      answers.push(...givenAnswers(answered, pullRequest));
      ignored.push(...answered.ignored);
      const { facts } = answered.elsewhere ?? {};
      if (facts?.isAnswered) elsewhere = notice('answers-elsewhere', { ...facts, pullRequest });
    }
    if (numbers.length <= maxPullRequests) return { answers, ignored, ...(elsewhere && { unread: elsewhere }) };
    const problem = `the push merged ${numbers.length} pull requests, and agentform reads ${maxPullRequests} of them`;
    return { answers, ignored, unread: notice('answers-unread', { problem }) };
  } catch (error) {
    const problem = run.redact(failedRead(error));
    return { answers, ignored, unread: notice('answers-unread', { problem, ...(pullRequest && { pullRequest }) }) };
  }
}

/** The maximum number of pull requests to read. Reading a pull request takes several requests. */
const maxPullRequests = 20;

/**
 * Finds the pull requests whose answers count: the pull request of the run, and other pull requests that the same push
 * merged.
 */
async function mergedNumbers(github: GitHub, { pushed }: ActionEvent, origin: RunOrigin): Promise<readonly number[]> {
  const known = 'pullRequest' in origin ? [origin.pullRequest] : (origin.several ?? []);
  const others = pushed.size > 1 ? await github.mergedBy(pushed) : [];
  return [...new Set([...known.map(({ number }) => number), ...others])];
}

/** Shows the ledger and the remedies in the log, in the summary and on the pull request. */
async function tellResult(result: Applied, context: ResultContext): Promise<void> {
  const { run, left } = context;
  const { ledger, plan } = result;
  const needs = needsOfLedger(ledger);
  printQuoted(run.redact(renderLedgerText(ledger, { ...style, planAbove: plan })));
  const document = ledgerDocument(ledger);
  const after = await summarise(run, document, {
    title: titleOf('apply', run),
    needs: { ...needs, remedies: [...needs.remedies, ...approvalOfRest(result, left)] },
  });
  await commentResult(result, { ...context, document, after });
}

/** Logs the remedies, and writes the results and remedies to the summary. Returns the text below the results. */
async function summarise(
  run: ActionRun,
  document: Document,
  { title, needs, next = '' }: { readonly title: string; readonly needs: Needs; readonly next?: string },
): Promise<string> {
  const remedies = tellRemedies(needs, run);
  const after = `${next}${remedies === '' ? '' : `\n${remedies}\n`}`;
  await writeSummary((limit) =>
    run.redact(`${renderResultsMarkdown(document, { limit: limit - after.length, title })}${after}`),
  );
  return after;
}

/** Shows the result on the pull request, with the questions about resources that were left out. */
async function commentResult(
  { plan, ledger: { entries } }: Applied,
  { run, shown, document, after }: ResultContext & { readonly document: Document; readonly after: string },
): Promise<void> {
  const origin = await run.origin();
  if (!('pullRequest' in origin)) return;
  const { number, head: commit } = origin.pullRequest;
  const applied = new Set(entries.filter(({ outcome }) => outcome === 'applied').map(addressOf));
  const isApplied = (resource: ResourcePlan) => applied.has(addressOf(resource));
  const rest = { ...plan, resources: plan.resources.filter((resource) => !isApplied(resource)) };
  const done = { ...shown, questions: [], resources: shown.resources.filter(isApplied) };
  const leftOut = leftOutUnanswered(shown);
  const render = (asked: readonly AskedQuestion[]) => (limit: number) => {
    const open = openQuestionsOf(rest, { asked, leftOut });
    const numbers = new Set(askedIn(asked).map((question) => question.number));
    const listed = open.filter(({ number: one }) => numbers.has(one));
    const questions = listed.map(questionsInWords(listed, rest));
    const options = { about: aboutRun(run.event.commit), questions, others: open.length - questions.length };
    return `${renderResultsMarkdown(document, { ...options, limit: limit - after.length })}${after}`;
  };
  const apply = {
    at: run.host.now().toISOString(),
    commit: run.event.commit.slice(0, 12),
    what: counted(applied.size, nounOf(done.resources)),
    run: currentRun(),
  };
  const changed = applied.size > 0 && {
    applied: { apply, render: planRenderer(done, { run, isApplied: true }) },
  };
  const questionsBy = (groupOf: GroupOf = () => '') => splitQuestions(rest, groupOf);
  await writeResult(run, number, { commit, questionsBy, render, ...changed });
}

interface Asked {
  readonly asked: readonly AskedQuestion[];
  /** The addresses of resources that were left out because they lack a valid answer. */
  readonly leftOut: ReadonlySet<string>;
}

/**
 * Returns the comment's unanswered questions about resources that were left out. An answer cannot help a resource that
 * failed.
 */
function openQuestionsOf(rest: Plan, { asked, leftOut }: Asked): Plan['questions'] {
  const open = new Set(asked.filter(({ answer }) => !answer?.letter).map((question) => question.number));
  return withNumbers(rest, asked).questions.filter(
    ({ number, resources }) => open.has(number) && resources.some((address) => leftOut.has(address)),
  );
}

interface ResultContext {
  readonly run: ActionRun;
  /** Addresses of resources that were left out because they differ from the approval. */
  readonly left: readonly string[];
  /** The plan with the decisions of this run. */
  readonly shown: Plan;
}

/** Returns the remedy for resources that were left out: to approve the rest of the plan by its digest. */
function approvalOfRest({ plan, ledger }: Applied, left: readonly string[]): Remedy[] {
  if (left.length === 0) return [];
  const applied = new Set(ledger.entries.filter(({ outcome }) => outcome === 'applied').map(addressOf));
  return [['--approve-digest', planDigest(plan.resources.filter((resource) => !applied.has(addressOf(resource))))]];
}

/**
 * Shows the plan. With `approval: all`, throws `plan-not-approved` if a required approval does not cover all changes.
 */
async function confirmed(planned: ApplyPlanned, run: ActionRun, approval: Approval | undefined): Promise<boolean> {
  showPlanned(run, { ...planned, plan: planned.shown });
  setPlanOutputs(planned.plan);
  await savePlanFile(planned.plan, run);
  try {
    if (approval !== undefined && run.inputs.approval === 'all') {
      requireApproved(planned.whole, { ...approval, isApprovedBefore: planned.isApprovedBefore });
    }
  } catch (error) {
    const render = planRenderer(planned.shown, { run });
    await writeSummary((limit) => run.redact(render(limit)));
    throw error;
  }
  return true;
}

/** Publishes the selected agents' drafts. */
export async function runPublish(run: ActionRun): Promise<JobFailure | undefined> {
  const { inputs, host, redact } = run;
  const ledger = await publish(host, {
    ...inputs,
    allowPending: inputs.allowPending ?? false,
    signal: runnerSignal(),
    confirm: async (planned) => {
      showProblems({ problems: planned.warnings, sourceOf: planned.sourceOf }, run);
      printQuoted(redact(renderPublishPlanText(planned, style)));
      return true;
    },
  });
  printQuoted(redact(renderPublishLedgerText(ledger, style)));
  noteRecordFiles(run);
  await summarise(run, publishDocument(ledger), {
    title: titleOf('publish', run),
    needs: needsOfLedger({ entries: [], publishing: ledger.publishing }),
  });
  return failureOfPublish(ledger);
}

/** Restores earlier values. Needs no approval, because the person who started the workflow has made the decision. */
export async function runRollback(run: ActionRun): Promise<JobFailure | undefined> {
  const { inputs, host, redact } = run;
  const result = await rollback(host, {
    ...inputs,
    pullRequest: undefined,
    signal: runnerSignal(),
    confirm: async (planned) => {
      showPlanned(run, planned);
      setPlanOutputs(planned.plan);
      await savePlanFile(planned.plan, run);
      return true;
    },
  });
  noteRecordFiles(run);
  const { ledger } = result;
  const next = rollbackNotice(result);
  printQuoted(redact(`${renderLedgerText(ledger, { ...style, planAbove: result.plan })}${next}`));
  const needs = needsOfLedger(ledger);
  await summarise(run, ledgerDocument(ledger), {
    title: titleOf('rollback', run),
    needs: { ...needs, remedies: [...needs.remedies, ...rollbackRemedies(result)] },
    next: `\n${escapeProse(next)}\n`,
  });
  return failureOfApply(result, { isApproved: true });
}
