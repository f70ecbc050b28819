import { publish } from '../../commands/publish/publish.ts';
import { storeOf } from '../../record/store-table.ts';
import { renderPublishMarkdown } from '../../report/ledger/markdown.ts';
import { renderPublishLedgerText, renderPublishPlanText } from '../../report/ledger/publish.ts';
import type { CommentSubject } from '../github/marker.ts';
import { filesNotice, notice, printQuoted } from '../log.ts';
import { needsOfLedger, remediesFor, remediesMarkdown, remediesText } from '../remedies.ts';
import { interruptSignal, titleOf } from '../run.ts';
import { showProblems, writeSummary } from '../summary.ts';
import { requireMerged, requireOnline, type Trust } from '../trust.ts';
import { type Failure, failureOfPublish } from '../verdict.ts';

const style = { color: false, width: 120 } as const;

/** Brings the drafts of the selected agents to callers. */
export async function publishCommand(trust: Trust, subject: CommentSubject): Promise<Failure | undefined> {
  const { run, project } = trust;
  const { inputs, host, redact } = run;
  requireMerged(run);
  requireOnline(trust);
  const ledger = await publish(host, {
    ...inputs,
    environment: subject.environment,
    allowPending: inputs.allowPending ?? false,
    signal: interruptSignal(),
    confirm: async (planned) => {
      showProblems({ problems: planned.warnings, sourceOf: planned.sourceOf }, run);
      printQuoted(redact(renderPublishPlanText(planned, style)));
      return true;
    },
  });
  printQuoted(redact(renderPublishLedgerText(ledger, style)));
  if (storeOf(project.record).isInProject) notice(filesNotice);
  const remedies = remediesFor(needsOfLedger({ entries: [], publishing: ledger.publishing }), inputs);
  const after = remedies === undefined ? '' : `\n${remediesMarkdown(remedies)}\n`;
  if (remedies !== undefined) printQuoted(redact(remediesText(remedies)));
  const title = titleOf('publish', subject);
  await writeSummary((limit) =>
    redact(`${renderPublishMarkdown(ledger, { limit: limit - after.length, title })}${after}`),
  );
  return failureOfPublish(ledger);
}
