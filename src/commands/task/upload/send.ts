import { ServiceError } from '../../../errors.ts';
import type { Redact } from '../../../secrets/redact.ts';
import type { Connection, ServiceClient } from '../../../service/client.ts';
import { quotable } from '../../../service/service-error.ts';
import { type Batch, lastRowOf } from './batches.ts';
import type { CsvFile } from './checked-file.ts';
import type { CsvReading } from './csv-reading.ts';
import type { RowRange } from './decisions.ts';
import type { BatchLine, BatchState, UploadLedger } from './ledger.ts';

/** Rows that went no further, and why. */
export interface FailedRows extends RowRange {
  /** `clear`: not queued. `unclear`: perhaps. */
  readonly outcome: 'clear' | 'unclear';
  readonly message: string;
}

/** How the sending of batches ended. */
export interface Sending {
  /** Rows that the service took in this run. */
  readonly sent: number;
  /** Rows that were queued before. */
  readonly before: number;
  /** Batches of earlier runs of which it still is not known whether they were queued; none of them is sent. */
  readonly undecided: readonly RowRange[];
  readonly failed: FailedRows | undefined;
  readonly interrupted: boolean;
  /** What the service said to the requests of this run, each sentence once, in order. */
  readonly messages: readonly ServiceMessage[];
}

/** A sentence of the service, and to how many requests it said it. */
export interface ServiceMessage {
  readonly message: string;
  readonly requests: number;
}

export interface SendContext {
  readonly service: ServiceClient;
  readonly connection: Connection;
  readonly file: CsvFile;
  readonly fileName: string;
  readonly reading: Pick<CsvReading, 'header' | 'truths'>;
  readonly dryRun: boolean;
  /** Absent for a dry run, which queues nothing. */
  readonly ledger?: UploadLedger;
  readonly states: ReadonlyMap<number, BatchLine>;
  readonly redact: Redact;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

/**
 * Sends the batches one after the other. The ledger is told before each and after, so that it is true whenever the run
 * ends. The first batch that is not taken ends the run: what befell it will befall the next.
 */
export async function sendBatches(batches: readonly Batch[], context: SendContext): Promise<Sending> {
  let [sent, before] = [0, 0];
  const isUndecided = (_: Batch, index: number) => unclearStates.has(context.states.get(index + 1)?.state);
  const undecided = batches.filter(isUndecided).map(rangeOf);
  const said = new Map<string, number>();
  const end = (how: Partial<Sending>): Sending => {
    const messages = [...said].map(([message, requests]) => ({ message, requests }));
    return { sent, before, undecided, messages, failed: undefined, interrupted: false, ...how };
  };
  for (const [index, batch] of batches.entries()) {
    if (context.states.get(index + 1)?.state === 'done') before += batch.rows;
    else if (!isUndecided(batch, index)) {
      if (context.signal.aborted) return end({ interrupted: true });
      const result = await sendBatch(batch, index + 1, context);
      if ('outcome' in result) return end({ failed: result });
      sent += batch.rows;
      if (result.message) said.set(result.message, (said.get(result.message) ?? 0) + 1);
    }
    context.onProgress(sent + before);
  }
  return end({});
}

const unclearStates: ReadonlySet<BatchState | undefined> = new Set(['unclear', 'sent']);

async function sendBatch(
  batch: Batch,
  number: number,
  context: SendContext,
): Promise<FailedRows | { readonly message: string | undefined }> {
  const { service, connection, file, fileName, reading, dryRun } = context;
  const csv = await file.part(reading, batch);
  const note = (state: BatchState) => context.ledger?.note(lineOf(batch, { number, state, at: context.now() }));
  await note('sent');
  try {
    const { message } = await service.uploadTasks(connection, { csv, fileName, dryRun });
    await note('done');
    return { message: typeof message === 'string' ? quotable(message, context.redact) : undefined };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const outcome = dryRun ? 'clear' : error.outcome;
    await note(outcome === 'clear' ? 'failed' : 'unclear');
    return { ...rangeOf(batch), outcome, message: error.message };
  }
}

export function lineOf(
  batch: Batch,
  { number, state, at }: { readonly number: number; readonly state: BatchState; readonly at: Date },
): BatchLine {
  return { batch: number, ...rangeOf(batch), state, at: at.toISOString() };
}

function rangeOf(batch: Batch): RowRange {
  return { firstRow: batch.firstRow, lastRow: lastRowOf(batch) };
}
