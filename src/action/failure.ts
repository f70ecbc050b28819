import { AgentformError } from '../errors.ts';
import { renderFailureMarkdown } from '../report/markdown/failure.ts';
import { type FoundProblems, foundBy, renderFailure } from '../report/problems/error-text.ts';
import { writeComment } from './comment.ts';
import { sayQuoted } from './log.ts';
import type { CommentPlace } from './marker.ts';
import { type ActionRun, titleOf } from './run.ts';
import { annotate, writeSummary } from './summary.ts';
import { type Failure, reasonOfError } from './verdict.ts';

/** Tells why a command came to no end, everywhere where it would have told its result. */
export async function tellFailure(error: unknown, run: ActionRun, place: CommentPlace | undefined): Promise<Failure> {
  const reason = reasonOfError(error);
  sayQuoted(renderFailure(error, { color: false, redact: run.redact }));
  if (!(error instanceof AgentformError)) {
    return { reason, message: 'this is a bug in agentform; the log has the details' };
  }
  const found = foundBy(error) ?? { problems: [], sourceOf: () => undefined };
  annotate(found, run);
  const { command } = run.inputs;
  const title = place === undefined ? `agentform ${command}` : titleOf(command, place);
  const text = run.redact(renderFailureMarkdown(error, { title, problems: found.problems }));
  await writeSummary(() => text);
  // The comment with the plan stays as it is when an apply is refused: it says what was approved.
  const { pullRequest } = run.event;
  if (command === 'plan' && place !== undefined && pullRequest !== undefined) {
    const render = () => ({ text, shortened: false });
    const markerOf = () => ({ ...place, commit: pullRequest.head });
    await writeComment(run, pullRequest.number, { place, render, markerOf });
  }
  return { reason, message: error.message, isAnnotated: hasErrors(found) };
}

function hasErrors({ problems }: FoundProblems): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
