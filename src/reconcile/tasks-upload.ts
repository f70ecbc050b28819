import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { mask } from '../kinds/secret.ts';
import { type CsvReading, readTaskCsv } from '../manifest/tasks/csv-reading.ts';
import { type EnvironmentOptions, type OpenEnvironment, openEnvironment, withService } from './environment-session.ts';
import type { Host } from './host.ts';
import { CsvFile } from './tasks-csv-file.ts';
import { TasksInvalid } from './tasks-invalid.ts';
import { type FoundLedger, findLedgers, lockUpload, UploadLedger } from './tasks-ledger.ts';
import { type BatchLine, queuedRows, type UploadHead, unclearBatches } from './tasks-ledger-lines.ts';
import { ledgerToResume, type Upload } from './tasks-resume.ts';
import { type Sending, type SendMeans, sendBatches } from './tasks-send.ts';

/** Told while the file is checked, in bytes, and while it is uploaded, in rows. */
export interface UploadProgress {
  readonly phase: 'check' | 'upload';
  readonly done: number;
  readonly total: number;
}

export interface UploadOptions extends EnvironmentOptions {
  readonly file: string;
  /** Rows of a batch; 5,000 unless given, or as the upload was begun. */
  readonly batchRows?: number | undefined;
  readonly dryRun: boolean;
  readonly resume: boolean;
  readonly assume?: 'queued' | 'not-queued' | undefined;
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
/** A batch is held in memory while it is sent. */
const batchBytes = 8 * 1024 * 1024;
const mostBatches = 100_000;

/**
 * Checks a CSV of tasks from end to end, and only then uploads it batch by batch. What would queue a row twice is
 * refused before the file is checked.
 */
export async function uploadTasks(host: Host, options: UploadOptions): Promise<UploadResult> {
  const environment = await openEnvironment(host, options);
  const file = await CsvFile.open(options.file);
  try {
    const identity = identityOf(environment, { options, hash: await file.hash() });
    const found = options.dryRun ? undefined : await earlierUpload(identity, environment, options);
    const batchRows = found?.head.batchRows ?? options.batchRows ?? defaultBatchRows;
    const reading = await checkedReading(file, { batchRows, options, host });
    return await confirmedUpload({ host, options, environment, file, reading, found, identity, batchRows });
  } finally {
    await file.close();
  }
}

async function earlierUpload(
  identity: Upload,
  { project, name }: OpenEnvironment,
  { resume, assume, batchRows }: UploadOptions,
): Promise<FoundLedger | undefined> {
  return ledgerToResume(identity, await findLedgers(project.root, name), { resume, assume, batchRows });
}

/** Secrets of the query are left out: the ledger is kept. */
function identityOf(
  { project, connection, host }: OpenEnvironment,
  { options, hash }: { readonly options: UploadOptions; readonly hash: string },
): Upload {
  const way = relative(project.root, resolve(options.file));
  const isOutside = way.startsWith(`..${sep}`) || isAbsolute(way);
  const file = isOutside ? resolve(options.file) : way.split(sep).join('/');
  const query = Object.entries(connection.query).map(([name, value]) => {
    return [name, connection.sensitiveQuery?.has(name) ? mask : value] as const;
  });
  return { host, query: Object.fromEntries(query), file, hash };
}

async function checkedReading(
  file: CsvFile,
  { batchRows, options, host }: { readonly batchRows: number; readonly options: UploadOptions; readonly host: Host },
): Promise<CsvReading> {
  const total = file.size;
  const reading = await readTaskCsv(file.handle, {
    file: options.file,
    limits: { rows: batchRows, bytes: batchBytes },
    now: host.now().getTime() / 1000,
    onProgress: (done) => options.onProgress({ phase: 'check', done, total }),
  });
  if (reading.errors > 0) throw new TasksInvalid(errorSentence(reading, options.file), reading);
  if (reading.batches.length <= mostBatches) return reading;
  throw new AgentformError('usage', `--batch ${batchRows} makes more than ${mostBatches} requests; give more rows`);
}

function errorSentence({ errors, problems, rows }: CsvReading, file: string): string {
  const shown = errors > problems.length ? `, of which the first ${problems.length} are shown` : '';
  const count = `${errors.toLocaleString('en-US')} ${errors === 1 ? 'error' : 'errors'}`;
  return `${file} has ${count} in ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}${shown}; nothing was sent`;
}

interface Prepared {
  readonly host: Host;
  readonly options: UploadOptions;
  readonly environment: OpenEnvironment;
  readonly file: CsvFile;
  readonly reading: CsvReading;
  readonly found: FoundLedger | undefined;
  readonly identity: Upload;
  readonly batchRows: number;
}

async function confirmedUpload(prepared: Prepared): Promise<UploadResult> {
  const { options, environment, reading, found } = prepared;
  const { rows, types, past, batches } = reading;
  const before = found === undefined ? 0 : queuedRows(found);
  const file = options.file;
  const { dryRun, signal } = options;
  const left = rows - before - (options.assume === 'not-queued' ? 0 : undecidedRows(found));
  const upload = {
    file,
    environment: environment.name,
    rows,
    batches: batches.length,
    types,
    past,
    dryRun,
    before,
    left,
  };
  if (left > 0 && !(await options.confirm(upload))) throw new AgentformError('declined', 'nothing was sent');
  if (signal.aborted) throw new AgentformError('interrupted', 'interrupted before anything was sent');
  return dryRun
    ? { ...(await send(prepared, { states: new Map() })), upload, ledger: undefined }
    : { ...(await ledgered(prepared)), upload };
}

function undecidedRows(found: FoundLedger | undefined): number {
  const batches = found === undefined ? [] : unclearBatches(found);
  return batches.reduce((sum, { firstRow, lastRow }) => sum + lastRow - firstRow + 1, 0);
}

async function ledgered(prepared: Prepared): Promise<Sending & { readonly ledger: string }> {
  const { host, environment, reading, found, identity, batchRows } = prepared;
  const head: UploadHead = {
    formatVersion: 1,
    environment: environment.name,
    ...identity,
    rows: reading.rows,
    batchRows,
    startedAt: host.now().toISOString(),
  };
  const { root } = environment.project;
  const lock = await lockUpload(root, head);
  try {
    const ledger = found === undefined ? await UploadLedger.begin(root, head) : await UploadLedger.continue(found);
    try {
      const states = await decided(ledger, prepared);
      return { ...(await send(prepared, { ledger, states })), ledger: ledger.path };
    } finally {
      await ledger.close();
    }
  } finally {
    await lock.release();
  }
}

/** What the user found out about batches whose outcome was unclear goes into the ledger. */
async function decided(ledger: UploadLedger, { host, options, found }: Prepared): Promise<Map<number, BatchLine>> {
  const states = new Map(found?.batches ?? []);
  if (found === undefined || options.assume === undefined) return states;
  const state = options.assume === 'queued' ? 'done' : 'failed';
  for (const unclear of unclearBatches(found)) {
    const line: BatchLine = { ...unclear, state, at: host.now().toISOString(), assumed: true };
    await ledger.note(line);
    states.set(line.batch, line);
  }
  return states;
}

function send(prepared: Prepared, means: Pick<SendMeans, 'ledger' | 'states'>): Promise<Sending> {
  const { host, options, environment, file, reading } = prepared;
  const total = reading.rows;
  return withService(host, environment, (service, connection) =>
    sendBatches(reading.batches, {
      ...means,
      service,
      connection,
      file,
      fileName: basename(options.file),
      header: reading.header,
      dryRun: options.dryRun,
      redact: environment.redact,
      now: host.now,
      signal: options.signal,
      onProgress: (done) => options.onProgress({ phase: 'upload', done, total }),
    }),
  );
}
