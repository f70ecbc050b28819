import { AgentformError } from '../errors.ts';
import { renderFailureMarkdown, renderFailureStatus } from '../report/markdown/failure.ts';
import { firstFitting } from '../report/markdown/fit.ts';
import { type FoundProblems, foundBy, renderFailure } from '../report/problems/error-text.ts';
import { writePlan, writeStatus } from './github/comment.ts';
import type { CommentSubject } from './github/marker.ts';
import { aboutRun } from './github/run-link.ts';
import { printQuoted } from './log.ts';
import { needsOfError, remediesFor, remediesMarkdown, remediesText } from './remedies.ts';
import { type ActionRun, titleOf } from './run.ts';
import { annotate, writeSummary } from './summary.ts';
import { exitCodeOfError, type Failure, reasonOfError } from './verdict.ts';

/** Shows why a command failed, in all places of its result. */
export async function tellFailure(error: unknown, run: ActionRun, subject: CommentSubject): Promise<Failure> {
  const ending = { reason: reasonOfError(error), code: exitCodeOfError(error) };
  printQuoted(renderFailure(error, { color: false, redact: run.redact }));
  if (!(error instanceof AgentformError)) {
    return { ...ending, message: 'this is a bug in agentform; the log has the details' };
  }
  const found = foundBy(error) ?? { problems: [], sourceOf: () => undefined };
  annotate(found, run);
  const remedies = remediesFor(needsOfError(error, found.problems), run.inputs);
  if (remedies !== undefined) printQuoted(run.redact(remediesText(remedies)));
  const after = remedies === undefined ? '' : `\n${remediesMarkdown(remedies)}\n`;
  const title = titleOf(run.inputs.command, subject);
  const text = `${renderFailureMarkdown(error, { title, problems: found.problems })}${after}`;
  await writeSummary(() => run.redact(text));
  const about = aboutRun(run.event.commit);
  const status = renderFailureStatus(error, { ...found, about });
  const short = renderFailureStatus(error, { problems: [], about });
  await comment(run, subject, { plan: text, status: [`${status}${after}`, status, short] });
  return { ...ending, message: error.message, isAnnotated: hasErrors(found) };
}

interface FailureTexts {
  /** Replaces a plan. */
  readonly plan: string;
  /** Above the plan that should have been applied: the longest first. */
  readonly status: readonly string[];
}

/** A plan that failed replaces the previous one; an apply keeps the plan, which shows what was approved. */
async function comment(run: ActionRun, subject: CommentSubject, { plan, status }: FailureTexts): Promise<void> {
  const { pullRequest, commit } = run.event;
  const { command } = run.inputs;
  if (command === 'plan' && pullRequest !== undefined) {
    const render = () => () => ({ pages: [{ text: plan }], shortened: false });
    const footer = `<sub>${aboutRun(pullRequest.head)}</sub>`;
    const { head, number } = pullRequest;
    await writePlan(run, number, {
      subject,
      commit: head,
      digest: commit,
      approves: {},
      questions: [],
      render,
      footer,
    });
  }
  if (command !== 'apply' && command !== 'answers') return;
  const origin = await run.origin();
  if (!('pullRequest' in origin)) return;
  const { number, head } = origin.pullRequest;
  await writeStatus(run, number, { subject, commit: head, render: (limit) => firstFitting(status, limit) });
}

function hasErrors({ problems }: FoundProblems): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
