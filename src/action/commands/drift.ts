import { driftUpdate } from '../../commands/drift/branch.ts';
import { renderDriftHtml, renderDriftMarkdown, renderDriftText } from '../../commands/drift/document.ts';
import { drift } from '../../commands/drift/drift.ts';
import { driftRemedies, noticesOfDrift } from '../../commands/drift/wording.ts';
import { exitCodes } from '../../errors.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { joinBlocks } from '../../report/markdown/fit.ts';
import { capitalised } from '../../text/wording.ts';
import { type DriftPullRequest, keepPullRequest } from '../github/drift-pull-request.ts';
import { withPatch } from '../github/proposal.ts';
import { printQuoted, warning } from '../log.ts';
import { setDriftOutputs, showProblems, writePage, writeSummary } from '../outputs.ts';
import { loggedRemedies, needsOf } from '../remedies.ts';
import { type ActionRun, titleOf } from '../run.ts';
import { requireOnline } from '../trust.ts';
import { failureOfDrift, type JobFailure } from '../verdict.ts';

/** Reports the drift in the log, the summary and the outputs. If requested, maintains a pull request with the drift. */
export async function runDrift(run: ActionRun): Promise<JobFailure | undefined> {
  requireOnline(run);
  const { inputs, host, redact } = run;
  const update = inputs.pullRequest ? await driftUpdate(host, inputs) : undefined;
  const kept = update && (await keepPullRequest(run, update));
  const result = update ?? (await drift(host, inputs));
  showProblems({ problems: result.warnings, sourceOf: result.sourceOf }, run);
  const { keep, revert } = driftRemedies(result.drift);
  const needs = needsOf(noticesOfDrift(result.drift));
  const own = [keep, revert].filter((remedy) => remedy !== undefined);
  // The log shows all details, because its readers cannot ask for more.
  printQuoted(redact(renderDriftText(result.drift, { color: false, width: 120, full: false, verbose: true })));
  const remedies = loggedRemedies({ ...needs, remedies: [...own, ...needs.remedies] }, run);
  setDriftOutputs(result);
  await writePage(run, () => renderDriftHtml(result.drift));
  const title = titleOf('drift', run);
  await writeSummary((limit) => {
    const blocks = blocksOf(kept)
      .filter((block) => block.length < limit / 2)
      .slice(0, 1);
    const left = limit - blocks.join('').length - 2;
    return redact(joinBlocks([...blocks, renderDriftMarkdown(result.drift, { limit: left, title, remedies })]));
  });
  return failureOfPullRequest(kept) ?? failureOfDrift(result.drift, inputs);
}

/** Returns the descriptions of the pull request, longest first: with the patch, if any, and without the patch. */
function blocksOf(kept: DriftPullRequest | undefined): string[] {
  if (kept === undefined) return [];
  const { sentence, url, patch, isProblem } = kept;
  const text = `${isProblem ? '❌ ' : ''}${escapeProse(capitalised(sentence))}.`;
  const blocks = [url === undefined ? text : `${text} [Open it](${url}).`];
  return withPatch(patch === undefined ? undefined : { patch }, blocks);
}

/**
 * Returns the failure if the pull request could not be written. If commits by others kept the branch unchanged, only
 * prints a warning.
 */
function failureOfPullRequest(kept: DriftPullRequest | undefined): JobFailure | undefined {
  if (kept?.isProblem) return { reason: 'failed', code: exitCodes.failed, message: kept.sentence };
  if (kept?.patch !== undefined) warning(kept.sentence);
  return undefined;
}
