import { basename } from 'node:path';
import { AgentformError, ServiceError } from '../../../errors.ts';
import { attended } from '../../../interruption.ts';
import { type NoticeOf, notice, problemOf } from '../../../notices/notice.ts';
import { messageOf } from '../../../service/answer.ts';
import type { Connection, ServiceClient } from '../../../service/client.ts';
import { quotable } from '../../../service/failure.ts';
import {
  type EnvironmentOptions,
  type OpenEnvironment,
  openEnvironment,
  withService,
} from '../../../session/environment.ts';
import type { Host } from '../../../session/host.ts';
import { counted } from '../../../text/wording.ts';
import { type Problem, ProblemsError } from '../../../yaml/problem.ts';
import { CsvFile } from './csv-file.ts';
import { type Batch, type CsvReading, type RowRange, readTaskCsv } from './csv-reading.ts';

/** A progress event: the number of bytes that were checked, or the rows of the next request. */
export type UploadStep =
  | { readonly phase: 'check'; readonly done: number; readonly total: number }
  | (RowRange & { readonly phase: 'send'; readonly rows: number; readonly dryRun: boolean });

export interface UploadOptions extends EnvironmentOptions {
  readonly file: string;
  readonly dryRun: boolean;
  /** The first row to send, if earlier rows are already queued. Defaults to 1. */
  readonly fromRow?: number | undefined;
  /** The maximum number of rows in a request. Defaults to 5,000. */
  readonly batchRows?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (step: UploadStep) => void;
  /** Asks for confirmation before the first request. A result of false ends the run. */
  readonly confirm: (upload: CheckedUpload) => Promise<boolean>;
}

/** A valid file that has not been sent yet. */
export interface CheckedUpload extends Pick<CsvReading, 'rows' | 'types' | 'past' | 'repeats'> {
  readonly file: string;
  readonly environment: string;
  readonly fromRow: number;
  readonly batches: number;
  readonly dryRun: boolean;
  /** The first warnings about repeated rows. */
  readonly warnings: readonly Problem[];
}

/** The result of an upload. Each row from `fromRow` on is in exactly one of the four ranges. */
export interface UploadResult {
  readonly upload: CheckedUpload;
  /** The rows that the service accepted. In a dry run, these rows are valid. Otherwise, they are queued. */
  readonly accepted?: RowRange;
  /** The rows of a failed request, none of which were queued. */
  readonly failed?: RowRange;
  /** The rows of a request with an unclear outcome. The service may have queued them. */
  readonly unclear?: RowRange;
  readonly notSent?: RowRange;
  /** Why the upload stopped. This member is absent if the upload completed. */
  readonly reason?: NoticeOf<'upload-stopped'>;
  /** The service's messages without duplicates, in the order of their first response. */
  readonly messages: ReadonlyArray<{ readonly message: string; readonly requests: number }>;
}

/** The maximum number of bytes in a batch, unless a single row is larger. */
const batchBytes = 8 * 1024 * 1024;
const maxBatches = 100_000;

/**
 * Checks a whole CSV of tasks, then sends it in batches, one after the other. Stops at the first request that is not
 * accepted. Keeps nothing between runs, because the result shows where to continue.
 */
export async function uploadTasks(host: Host, options: UploadOptions): Promise<UploadResult> {
  const environment = await openEnvironment(host, options);
  const file = await CsvFile.open(options.file);
  try {
    const csvReading = await checkedCsv(file, options, host.now());
    const { fromRow = 1, dryRun } = options;
    const { rows, batches, types, past, repeats, problems: warnings } = csvReading;
    const sent = { file: options.file, environment: environment.name, batches: batches.length, fromRow, dryRun };
    const upload = { ...sent, rows, types, past, repeats, warnings };
    if (!(await options.confirm(upload))) throw new AgentformError('declined', 'nothing was sent');
    refuseInterrupted(options);
    return await withService(host, environment, (service, connection) =>
      attended(options.signal, () =>
        sendBatches({ upload, csvReading, file, options, environment, service, connection }),
      ),
    );
  } finally {
    await file.close();
  }
}

/**
 * Reads and checks the file. Throws `tasks-invalid` if the file has errors, and `usage` if the options do not fit its
 * rows.
 */
async function checkedCsv(file: CsvFile, options: UploadOptions, now: Date): Promise<CsvReading> {
  const { file: path, fromRow = 1, batchRows = 5_000, onProgress } = options;
  const csvReading = await readTaskCsv(file.handle, {
    file: path,
    limits: { rows: batchRows, bytes: batchBytes },
    fromRow,
    now: now.getTime() / 1000,
    onProgress: (done) => {
      refuseInterrupted(options);
      onProgress({ phase: 'check', done, total: file.size });
    },
  });
  if (csvReading.errors > 0) throw new ProblemsError('tasks-invalid', errorSentence(csvReading, path), csvReading);
  if (fromRow > csvReading.rows) {
    throw usage(`--from-row is ${fromRow}, but ${path} has only ${counted(csvReading.rows, 'row')}; nothing was sent`);
  }
  if (csvReading.batches.length <= maxBatches) return csvReading;
  throw usage(`--batch ${batchRows} makes more than ${maxBatches} requests; use larger batches`);
}

function errorSentence({ errors, problems, rows }: CsvReading, file: string): string {
  const shown = errors > problems.length ? ` (showing the first ${problems.length})` : '';
  const where = rows === 0 ? '' : ` in ${counted(rows, 'row')}`;
  return `${file} has ${counted(errors, 'error')}${where}${shown}; nothing was sent`;
}

/** Stops an interrupted run before its first request. */
function refuseInterrupted({ signal }: UploadOptions): void {
  if (signal.aborted) throw new AgentformError('interrupted', 'interrupted before anything was sent');
}

function usage(message: string): AgentformError {
  return new AgentformError('usage', message);
}

interface Sending {
  readonly upload: CheckedUpload;
  readonly csvReading: CsvReading;
  readonly file: CsvFile;
  readonly options: UploadOptions;
  readonly environment: OpenEnvironment;
  readonly service: ServiceClient;
  readonly connection: Connection;
}

/** The members of the result that explain why the upload stopped. */
type Stop = Pick<UploadResult, 'failed' | 'unclear' | 'reason'>;

async function sendBatches(sending: Sending): Promise<UploadResult> {
  const { upload, csvReading } = sending;
  const { rows, fromRow } = upload;
  const said = new Map<string, number>();
  let next = fromRow;
  let stop: Stop = {};
  for (const batch of csvReading.batches) {
    const answer = await sendBatch(batch, sending);
    if ('stop' in answer) {
      stop = answer.stop;
      break;
    }
    next = batch.lastRow + 1;
    if (answer.message) said.set(answer.message, (said.get(answer.message) ?? 0) + 1);
  }
  const accepted = rangeOf(fromRow, next - 1);
  const notSent = rangeOf(((stop.failed ?? stop.unclear)?.lastRow ?? next - 1) + 1, rows);
  const messages = [...said].map(([message, requests]) => ({ message, requests }));
  return { upload, ...(accepted && { accepted }), ...(notSent && { notSent }), ...stop, messages };
}

type SentBatch = { readonly stop: Stop } | { readonly message: string | undefined };

async function sendBatch(batch: Batch, sending: Sending): Promise<SentBatch> {
  const { upload, csvReading, file, options, service, connection } = sending;
  const { dryRun, signal, onProgress } = options;
  if (signal.aborted) return { stop: { reason: notice('upload-stopped', { why: 'interrupted' }) } };
  const csv = await file.part(csvReading, batch);
  const changed = { changedFile: options.file };
  if (csv === undefined) return { stop: { reason: notice('upload-stopped', { why: 'file-changed', ...changed }) } };
  const { firstRow, lastRow } = batch;
  onProgress({ phase: 'send', firstRow, lastRow, rows: upload.rows, dryRun });
  try {
    const answer = await service.uploadTasks(connection, { csv, fileName: basename(options.file), dryRun });
    const message = messageOf(answer);
    return { message: message && quotable(message, sending.environment.redact) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const why = dryRun || error.outcome === 'clear' ? 'failed' : 'unclear';
    const facts = { why, ...problemOf(error), ...((await file.hasChanged()) && changed) } as const;
    return { stop: { [why]: { firstRow, lastRow }, reason: notice('upload-stopped', facts) } };
  }
}

function rangeOf(firstRow: number, lastRow: number): RowRange | undefined {
  return firstRow <= lastRow ? { firstRow, lastRow } : undefined;
}
