import { AgentformError } from '../../../errors.ts';
import { formatNumber } from '../../../text/wording.ts';
import { type Assumed, type Decision, decisionsOf } from './decisions.ts';
import { type FoundLedger, isFinished, queuedRows, type UploadIdentity, uploadPlace } from './ledger.ts';

export interface ResumeOptions {
  readonly resume: boolean;
  /** What the user found out about rows whose outcome was unclear. */
  readonly assumed: Assumed;
  /** Rows of a batch, if the user gave them; otherwise 5,000, or as the upload was begun. */
  readonly batchRows: number | undefined;
}

/** An upload to go on with, and what the user decided about its batches whose outcome was unclear. */
export interface Resumed extends FoundLedger {
  readonly decisions: readonly Decision[];
}

/**
 * The upload to go on with, or undefined for a new one. Refuses everything that could queue a row twice: what was
 * begun or finished before, a file that changed in the middle of its upload, and decisions that do not fit the ledger.
 */
export function ledgerToResume(
  upload: UploadIdentity,
  ledgers: readonly FoundLedger[],
  options: ResumeOptions,
): Resumed | undefined {
  const here = ledgers.filter(({ head }) => uploadPlace(head) === uploadPlace(upload));
  const same = here.find(({ head }) => head.hash === upload.hash);
  const changed = here.find((ledger) => ledger.head.file === upload.file && ledger !== same && !isFinished(ledger));
  if (same !== undefined) return resumed(same, upload, options);
  if (changed !== undefined) throw refusal(changedSentence(changed), changed);
  if (!options.resume) return undefined;
  throw new AgentformError(
    'usage',
    `there is nothing to resume: ${upload.file} was never uploaded to this environment`,
  );
}

function resumed(
  ledger: FoundLedger,
  { file }: UploadIdentity,
  { resume, assumed, batchRows }: ResumeOptions,
): Resumed {
  const { head } = ledger;
  if (!resume) throw refusal(isFinished(ledger) ? finishedSentence(ledger) : startedSentence(ledger, file), ledger);
  if (batchRows !== undefined && batchRows !== head.batchRows) {
    throw new AgentformError(
      'usage',
      `the upload was started with --batch ${head.batchRows}; omit --batch to continue it`,
    );
  }
  return { ...ledger, decisions: decisionsOf(ledger, assumed) };
}

function finishedSentence({ head, path }: FoundLedger): string {
  return `all ${formatNumber(head.rows)} rows of ${head.file} were already queued by the upload of ${head.startedAt}; to queue them again, remove its ledger ${path}`;
}

function startedSentence(ledger: FoundLedger, file: string): string {
  const { head } = ledger;
  const name = head.file === file ? '' : ` as ${head.file}`;
  return `an upload of these rows was started${name} at ${head.startedAt}, and ${formatNumber(queuedRows(ledger))} of ${formatNumber(head.rows)} are queued; continue it with --resume`;
}

function changedSentence(ledger: FoundLedger): string {
  const { head, path } = ledger;
  return `${head.file} changed after its upload was started at ${head.startedAt}; ${formatNumber(queuedRows(ledger))} of ${formatNumber(head.rows)} rows are queued. Restore the file and use --resume, or upload the remaining rows as another file. The ledger is ${path}`;
}

function refusal(message: string, { path }: FoundLedger): AgentformError {
  return new AgentformError('upload-refused', message, { facts: { ledger: path } });
}
