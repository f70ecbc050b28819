import { drift } from '../../commands/drift/drift.ts';
import { renderDriftMarkdown } from '../../commands/drift/markdown.ts';
import { renderDriftText } from '../../commands/drift/text.ts';
import { sentencesOfDrift } from '../../commands/drift/wording.ts';
import { selectionOf } from '../inputs.ts';
import { printQuoted } from '../log.ts';
import type { CommentPlace } from '../marker.ts';
import { setDriftOutputs } from '../outputs.ts';
import { remediesIn, remediesMarkdown, remediesText } from '../remedies.ts';
import { concurrency, titleOf } from '../run.ts';
import { showProblems, writeSummary } from '../summary.ts';
import { requireOnline, type Trust } from '../trust.ts';
import { type Failure, failureOfDrift } from '../verdict.ts';

/** Tells what moved on the service since the last apply, in the log, in the summary and to later steps. */
export async function driftCommand(trust: Trust, place: CommentPlace): Promise<Failure | undefined> {
  requireOnline(trust);
  const { run } = trust;
  const { inputs, host, redact } = run;
  const { project } = inputs;
  const result = await drift(host, {
    ...selectionOf(inputs),
    project,
    environment: place.environment,
    concurrency,
  });
  showProblems({ problems: result.warnings, sourceOf: result.sourceOf }, run);
  const found = remediesIn(sentencesOfDrift(result.drift), inputs);
  // The log is whole: nobody can ask for more of it afterwards.
  printQuoted(redact(renderDriftText(result.drift, { color: false, width: 120, full: false, verbose: true })));
  if (found !== undefined) printQuoted(redact(remediesText(found)));
  setDriftOutputs(result);
  const title = titleOf('drift', place);
  const remedies = found && remediesMarkdown(found);
  await writeSummary((limit) => redact(renderDriftMarkdown(result.drift, { limit, title, remedies })));
  return failureOfDrift(result.drift, inputs);
}
