import type { ManifestUpdates, UpdatedResource } from '../../commands/update/check.ts';
import { favouredOf } from '../../commands/update/command.ts';
import { overlapLines, renderUpdateText, updateVerdict } from '../../commands/update/text.ts';
import { alsoSentences, unusedSentences, update, updateNotes } from '../../commands/update/update.ts';
import { notUpdatedRemedies } from '../../commands/update/wording.ts';
import { addressOf } from '../../kinds/desired.ts';
import { codeSpan, escapeProse, fencedDiffs } from '../../report/markdown/escape.ts';
import { firstFitting } from '../../report/markdown/fit.ts';
import { listSome } from '../../text/wording.ts';
import { bullets, failureOfProposal, nextStep, type Proposal, proposed, withPatch } from '../github/proposal.ts';
import { printQuoted } from '../log.ts';
import { writeSummary } from '../outputs.ts';
import { tellRemedies } from '../remedies.ts';
import { type ActionRun, titleOf } from '../run.ts';
import { failureOfUpdate, type JobFailure } from '../verdict.ts';

/**
 * Copies live values into the manifests on a new branch, for review in a pull request. The summary contains the change
 * as a patch, and links to the page that opens the pull request.
 */
export async function runUpdate(run: ActionRun): Promise<JobFailure | undefined> {
  const { inputs, host, redact } = run;
  const result = await update(host, {
    ...inputs,
    fields: inputs.field ?? [],
    favoured: favouredOf(inputs),
    dryRun: false,
    // Needs no confirmation, because the summary and the pull request list what else changes.
    confirm: async () => true,
  });
  printQuoted(redact(renderUpdateText(result, { color: false, width: 120, state: 'written' })));
  const { environment, files, resources } = result;
  const updated = resources.filter((resource) => resource.updated.length > 0).map(addressOf);
  const message = `Update ${listSome(updated, 3)} from ${environment}`;
  const proposal = await proposed(run, { files, message, name: `update-${environment}` });
  const needed = resources.flatMap((one) => notUpdatedRemedies(one, environment));
  const remedies = tellRemedies({ remedies: needed }, run);
  const title = titleOf('update', run);
  await writeSummary((limit) => redact(firstFitting(summariesOf(result, { title, proposal, remedies }), limit)));
  return failureOfProposal(proposal) ?? failureOfUpdate(result);
}

interface SummaryParts {
  readonly title: string;
  readonly proposal: Proposal | undefined;
  readonly remedies: string;
}

/** Returns versions of the summary, longest first: with the patch, if any, and without the patch. */
function summariesOf(result: ManifestUpdates, { title, proposal, remedies }: SummaryParts): string[] {
  const [heading, ...also] = alsoSentences(result);
  return withPatch(proposal, [
    `### ${escapeProse(title)}`,
    `**${escapeProse(updateVerdict(result, 'written'))}**`,
    ...nextStep(proposal),
    ...result.resources.flatMap((one) => notesBlock(one, result.environment)),
    ...(remedies === '' ? [] : [remedies]),
    ...(heading === undefined ? [] : [escapeProse(heading), bullets(also)]),
    ...unusedSentences(result).map(escapeProse),
  ]);
}

function notesBlock(resource: UpdatedResource, environment: string): string[] {
  const sentences = updateNotes(resource, environment);
  const overlaps = resource.refused.flatMap(overlapLines);
  return sentences.length === 0
    ? []
    : [`${codeSpan(addressOf(resource))}`, bullets(sentences), ...(overlaps.length > 0 ? fencedDiffs(overlaps) : [])];
}
