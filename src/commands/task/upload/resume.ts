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
    `there is nothing to resume: no upload of ${upload.file} to this environment was begun`,
  );
}

function resumed(
  ledger: FoundLedger,
  { file }: UploadIdentity,
  { resume, assumed, batchRows }: ResumeOptions,
): Resumed {
  const { head } = ledger;
  if (!resume) throw refusal(isFinished(ledger) ? finishedSentence(ledger) : begunSentence(ledger, file), ledger);
  if (batchRows !== undefined && batchRows !== head.batchRows) {
    throw new AgentformError(
      'usage',
      `the upload was begun with --batch ${head.batchRows}; leave --batch out to go on`,
    );
  }
  return { ...ledger, decisions: decisionsOf(ledger, assumed) };
}

function finishedSentence({ head, path }: FoundLedger): string {
  return `all ${formatNumber(head.rows)} rows of ${head.file} were queued before, in the upload of ${head.startedAt}; to queue them once more, remove its ledger ${path}`;
}

function begunSentence(ledger: FoundLedger, file: string): string {
  const { head } = ledger;
  const name = head.file === file ? '' : ` as ${head.file}`;
  return `an upload of these rows was begun${name} on ${head.startedAt}, and ${formatNumber(queuedRows(ledger))} of ${formatNumber(head.rows)} are queued; go on with --resume`;
}

function changedSentence(ledger: FoundLedger): string {
  const { head, path } = ledger;
  return `${head.file} changed after its upload was begun on ${head.startedAt}, when ${formatNumber(queuedRows(ledger))} of ${formatNumber(head.rows)} rows were queued; restore the file and use --resume, or upload the rows that are left under another name. The ledger is ${path}`;
}

function refusal(message: string, { path }: FoundLedger): AgentformError {
  return new AgentformError('upload-refused', message, { facts: { ledger: path } });
}
