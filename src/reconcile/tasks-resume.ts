import { AgentformError } from '../errors.ts';
import { type FoundLedger, placeOf } from './tasks-ledger.ts';
import { isFinished, queuedRows, type UploadIdentity, unclearBatches } from './tasks-ledger-lines.ts';

export interface ResumeOptions {
  readonly resume: boolean;
  /** What the user found out about the batches whose outcome was unclear. */
  readonly assume: 'queued' | 'not-queued' | undefined;
  /** Rows of a batch, if the user gave them; otherwise 5,000, or as the upload was begun. */
  readonly batchRows: number | undefined;
}

/**
 * The ledger to go on with, or undefined for a new upload. Refuses everything that could queue a row twice: what was
 * begun or finished before, and a file that changed in the middle of its upload.
 */
export function ledgerToResume(
  upload: UploadIdentity,
  ledgers: readonly FoundLedger[],
  options: ResumeOptions,
): FoundLedger | undefined {
  const here = ledgers.filter(({ head }) => placeOf(head) === placeOf(upload));
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
  { resume, assume, batchRows }: ResumeOptions,
): FoundLedger {
  const { head } = ledger;
  if (!resume) throw refusal(isFinished(ledger) ? finishedSentence(ledger) : begunSentence(ledger, file), ledger);
  if (batchRows !== undefined && batchRows !== head.batchRows) {
    throw new AgentformError(
      'usage',
      `the upload was begun with --batch ${head.batchRows}; leave --batch out to go on`,
    );
  }
  if (assume !== undefined && unclearBatches(ledger).length === 0) {
    throw new AgentformError(
      'usage',
      `--assume-${assume} is for rows of which it is unclear, and there are none; use --resume alone`,
    );
  }
  return ledger;
}

function finishedSentence({ head, path }: FoundLedger): string {
  return `all ${count(head.rows)} rows of ${head.file} were queued before, in the upload of ${head.startedAt}; to queue them once more, remove its ledger ${path}`;
}

function begunSentence(ledger: FoundLedger, file: string): string {
  const { head } = ledger;
  const name = head.file === file ? '' : ` as ${head.file}`;
  return `an upload of these rows was begun${name} on ${head.startedAt}, and ${count(queuedRows(ledger))} of ${count(head.rows)} are queued; go on with --resume`;
}

function changedSentence(ledger: FoundLedger): string {
  const { head, path } = ledger;
  return `${head.file} changed after its upload was begun on ${head.startedAt}, when ${count(queuedRows(ledger))} of ${count(head.rows)} rows were queued; restore the file and use --resume, or upload the rows that are left under another name. The ledger is ${path}`;
}

function refusal(message: string, { path }: FoundLedger): AgentformError {
  return new AgentformError('upload-refused', message, { facts: { ledger: path } });
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
