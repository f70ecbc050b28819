import { basename } from 'node:path';
import { AgentformError } from '../../../errors.ts';
import { attended } from '../../../interruption.ts';
import {
  type EnvironmentOptions,
  type OpenEnvironment,
  openEnvironment,
  withService,
} from '../../../session/environment.ts';
import type { Host } from '../../../session/host.ts';
import { lastRowOf } from './batches.ts';
import { CsvFile, checkedReading, identityOf } from './checked-file.ts';
import type { CsvReading } from './csv-reading.ts';
import {
  type BatchLine,
  findLedgers,
  lockUpload,
  queuedRows,
  rowsIn,
  type UploadHead,
  UploadLedger,
  unclearBatches,
} from './ledger.ts';
import { ledgerToResume, type Resumed, type ResumeOptions } from './resume.ts';
import { type SendContext, type Sending, sendBatches } from './send.ts';

/** Told while the file is checked, in bytes, and while it is uploaded, in rows. */
export interface UploadProgress {
  readonly phase: 'check' | 'upload';
  readonly done: number;
  readonly total: number;
}

export interface UploadOptions extends EnvironmentOptions, ResumeOptions {
  readonly file: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
  /** Shown what is about to be sent; false ends the run before anything is. */
  readonly confirm: (upload: CheckedUpload) => Promise<boolean>;
}

/** A file without errors, before it is sent. */
export interface CheckedUpload {
  readonly file: string;
  readonly environment: string;
  readonly rows: number;
  readonly batches: number;
  readonly types: CsvReading['types'];
  readonly past: CsvReading['past'];
  readonly dryRun: boolean;
  /** Rows that are queued already, by the upload that this one goes on with. */
  readonly before: number;
  /** Rows that are to be sent. */
  readonly left: number;
}

export interface UploadResult extends Sending {
  readonly upload: CheckedUpload;
  /** Path of the ledger; a dry run has none. */
  readonly ledger: string | undefined;
}

const defaultBatchRows = 5_000;

/**
 * Checks a CSV of tasks from end to end, and only then uploads it batch by batch. What would queue a row twice is
 * refused before the file is checked.
 */
export async function uploadTasks(host: Host, options: UploadOptions): Promise<UploadResult> {
  const environment = await openEnvironment(host, options);
  const file = await CsvFile.open(options.file);
  const run = { host, options, environment, file };
  try {
    return await attended(options.signal, () => (options.dryRun ? unrecordedUpload(run) : recordedUpload(run)));
  } finally {
    await file.close();
  }
}

interface Run {
  readonly host: Host;
  readonly options: UploadOptions;
  readonly environment: OpenEnvironment;
  readonly file: CsvFile;
}

async function unrecordedUpload(run: Run): Promise<UploadResult> {
  const { reading, upload } = await checked(run, undefined);
  return { ...(await send(run, reading, { states: new Map() })), upload, ledger: undefined };
}

/** The ledgers are read only once nobody else can write to the one of this upload. */
async function recordedUpload(run: Run): Promise<UploadResult> {
  const { environment, file, options } = run;
  const { root } = environment.project;
  const identity = identityOf(environment, { path: options.file, hash: await file.hash() });
  const lock = await lockUpload(root, identity);
  try {
    const found = ledgerToResume(identity, await findLedgers(root, environment.name), options);
    const { reading, upload, batchRows } = await checked(run, found);
    const startedAt = run.host.now().toISOString();
    const head: UploadHead = { formatVersion: 1, ...identity, rows: reading.rows, batchRows, startedAt };
    const ledger = found === undefined ? await UploadLedger.begin(root, head) : await UploadLedger.continue(found);
    return { ...(await sendRecorded(run, { reading, ledger, found })), upload, ledger: ledger.path };
  } finally {
    await lock.release();
  }
}

interface Checked {
  readonly reading: CsvReading;
  readonly upload: CheckedUpload;
  readonly batchRows: number;
}

/** Reads the file and asks; returns if it may be sent. An upload that goes on keeps the batches it was begun with. */
async function checked({ host, options, environment, file }: Run, found: Resumed | undefined): Promise<Checked> {
  const batchRows = found?.head.batchRows ?? options.batchRows ?? defaultBatchRows;
  const reading = await checkedReading(file, {
    path: options.file,
    batchRows,
    now: host.now(),
    onProgress: (done, total) => {
      refuseInterrupted(options);
      options.onProgress({ phase: 'check', done, total });
    },
  });
  if (found !== undefined) requireSameBatches(found, reading);
  const upload = summaryOf(reading, { options, environment, found });
  if (upload.left > 0 && !(await options.confirm(upload))) throw new AgentformError('declined', 'nothing was sent');
  refuseInterrupted(options);
  return { reading, upload, batchRows };
}

/** The ledger speaks of batches by number, which is true only while the file is divided as it was then. */
function requireSameBatches({ path, batches }: Resumed, reading: CsvReading): void {
  const isSame = ({ batch, firstRow, lastRow }: BatchLine) => {
    const cut = reading.batches[batch - 1];
    return cut !== undefined && cut.firstRow === firstRow && lastRowOf(cut) === lastRow;
  };
  if ([...batches.values()].every(isSame)) return;
  const message = `the ledger ${path} is damaged, or another version split the file differently; restore the ledger, or upload the remaining rows as another file`;
  throw new AgentformError('ledger-unreadable', message);
}

/** Before the first request there is nothing to finish. */
function refuseInterrupted({ signal }: UploadOptions): void {
  if (signal.aborted) throw new AgentformError('interrupted', 'interrupted before anything was sent');
}

interface ToSend {
  readonly reading: CsvReading;
  readonly ledger: UploadLedger;
  readonly found: Resumed | undefined;
}

async function sendRecorded(run: Run, { reading, ledger, found }: ToSend): Promise<Sending> {
  try {
    const states = await decided(ledger, run, found);
    return await send(run, reading, { ledger, states });
  } finally {
    await ledger.close();
  }
}

function summaryOf(
  { rows, batches, types, past }: CsvReading,
  { options, environment, found }: Pick<Run, 'options' | 'environment'> & Pick<ToSend, 'found'>,
): CheckedUpload {
  const { file, dryRun } = options;
  const before = found === undefined ? 0 : queuedRows(found);
  const again = found?.decisions.filter(({ state }) => state === 'failed') ?? [];
  const unclear = found === undefined ? 0 : rowsIn(unclearBatches(found)) - rowsIn(again);
  const left = rows - before - unclear;
  return { file, environment: environment.name, rows, batches: batches.length, types, past, dryRun, before, left };
}

/** What the user decided about batches whose outcome was unclear goes into the ledger. */
async function decided(
  ledger: UploadLedger,
  { host }: Run,
  found: Resumed | undefined,
): Promise<Map<number, BatchLine>> {
  const states = new Map(found?.batches ?? []);
  for (const decision of found?.decisions ?? []) {
    const line: BatchLine = { ...decision, at: host.now().toISOString(), assumed: true };
    await ledger.note(line);
    states.set(line.batch, line);
  }
  return states;
}

function send(run: Run, reading: CsvReading, context: Pick<SendContext, 'ledger' | 'states'>): Promise<Sending> {
  const { host, options, environment, file } = run;
  const total = reading.rows;
  return withService(host, environment, (service, connection) =>
    sendBatches(reading.batches, {
      ...context,
      service,
      connection,
      file,
      fileName: basename(options.file),
      reading,
      dryRun: options.dryRun,
      redact: environment.redact,
      now: host.now,
      signal: options.signal,
      onProgress: (done) => options.onProgress({ phase: 'upload', done, total }),
    }),
  );
}
