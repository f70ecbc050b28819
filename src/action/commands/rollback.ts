import { rollback, rollbackNotice, rollbackRemedies } from '../../commands/rollback/rollback.ts';
import { storeOf } from '../../record/store-table.ts';
import { renderLedgerMarkdown } from '../../report/ledger/markdown.ts';
import { renderLedgerText } from '../../report/ledger/text.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import type { CommentSubject } from '../github/marker.ts';
import { filesNotice, notice, printQuoted } from '../log.ts';
import { savePlanFile, setPlanOutputs } from '../outputs.ts';
import { needsOfLedger, remediesFor, remediesMarkdown, remediesText } from '../remedies.ts';
import { interruptSignal, titleOf } from '../run.ts';
import { writeSummary } from '../summary.ts';
import { requireMerged, requireOnline, type Trust } from '../trust.ts';
import { type Failure, failureOfApply } from '../verdict.ts';
import { showPlanned } from './plan.ts';

/**
 * Restores what was applied earlier. The person who runs the workflow by hand has decided it: nothing has to be
 * approved.
 */
export async function rollbackCommand(trust: Trust, subject: CommentSubject): Promise<Failure | undefined> {
  const { run, project } = trust;
  const { inputs, host, redact } = run;
  requireMerged(run);
  requireOnline(trust);
  const result = await rollback(host, {
    ...inputs,
    pullRequest: undefined,
    environment: subject.environment,
    signal: interruptSignal(),
    confirm: async (planned) => {
      showPlanned(run, planned);
      setPlanOutputs(planned.plan);
      await savePlanFile(planned.plan, subject);
      return true;
    },
  });
  if (storeOf(project.record).isInProject) notice(filesNotice);
  const { ledger } = result;
  const next = rollbackNotice(result);
  printQuoted(redact(`${renderLedgerText(ledger, { color: false, width: 120, isBelowPlan: true })}${next}`));
  const needs = needsOfLedger(ledger);
  const remedies = remediesFor({ ...needs, remedies: [...needs.remedies, ...rollbackRemedies(result)] }, inputs);
  if (remedies !== undefined) printQuoted(redact(remediesText(remedies)));
  const after = `\n${escapeProse(next)}\n${remedies === undefined ? '' : `\n${remediesMarkdown(remedies)}\n`}`;
  const title = titleOf('rollback', subject);
  await writeSummary((limit) =>
    redact(`${renderLedgerMarkdown(ledger, { limit: limit - after.length, title })}${after}`),
  );
  return failureOfApply(result, { isApproved: true });
}
