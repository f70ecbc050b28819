import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, truncate } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../../../errors.ts';
import { type Lock, lockFile } from '../../../files/lock.ts';
import { appendFlags, readPlainFile, requireNoLinks } from '../../../files/plain-file.ts';
import { createFile } from '../../../files/whole-file.ts';
import { parsedJson } from '../../../json/document.ts';
import { canonicalJson, isJsonObject } from '../../../json/json.ts';

/** What makes an upload: two with the same hash, host and query queue the same tasks. */
export interface UploadIdentity {
  readonly environment: string;
  readonly host: string;
  /** Query parameters; of those that hold a secret, only that they are there. */
  readonly query: Readonly<Record<string, string>>;
  /** Relative to the project folder if it lies inside. */
  readonly file: string;
  /** SHA-256 of the whole file. */
  readonly hash: string;
}

/** The first line of a ledger. */
export interface UploadHead extends UploadIdentity {
  readonly formatVersion: 1;
  readonly rows: number;
  /** Most rows of a batch. */
  readonly batchRows: number;
  readonly startedAt: string;
}

/**
 * `sent` is written before a request. `done`: queued. `failed`: not queued. `unclear`: one or the other, and so is
 * what was sent without anything being written after it.
 */
export type BatchState = 'sent' | 'done' | 'failed' | 'unclear';

/** What happened to a batch: every other line of a ledger. */
export interface BatchLine {
  /** From 1. */
  readonly batch: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly state: BatchState;
  readonly at: string;
  /** Somebody said so, who looked in the service. */
  readonly assumed?: true;
}

export interface LedgerLines {
  readonly head: UploadHead;
  /** The last line of each batch, by its number. */
  readonly batches: ReadonlyMap<number, BatchLine>;
  /** Length of the whole lines, in bytes. What is behind was not written to its end, and so never took effect. */
  readonly length: number;
}

/** Reads the text of a ledger; undefined if it is none that this agentform can read. */
export function readLedgerLines(text: string): LedgerLines | undefined {
  const batches = new Map<number, BatchLine>();
  let head: UploadHead | undefined;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    const line = text.slice(start, end);
    start = end + 1;
    if (line === '') continue;
    const value = line.length > longestLine ? undefined : parsedJson(line);
    if (head === undefined && isHead(value)) head = value;
    else if (head !== undefined && isBatchLine(value)) batches.set(value.batch, value);
    else return undefined;
  }
  return head && { head, batches, length: Buffer.byteLength(text.slice(0, start)) };
}

/** Characters: the head has a path and a query in it. */
const longestLine = 64 * 1024;

function isHead(value: unknown): value is UploadHead {
  if (!isJsonObject(value) || value.formatVersion !== 1 || !isJsonObject(value.query)) return false;
  const texts = ['environment', 'host', 'file', 'hash', 'startedAt'];
  const numbers = ['rows', 'batchRows'];
  return (
    texts.every((name) => typeof value[name] === 'string') && numbers.every((name) => typeof value[name] === 'number')
  );
}

function isBatchLine(value: unknown): value is BatchLine {
  if (!isJsonObject(value)) return false;
  const numbers = ['batch', 'firstRow', 'lastRow'];
  const isState = ['sent', 'done', 'failed', 'unclear'].some((state) => state === value.state);
  return isState && numbers.every((name) => typeof value[name] === 'number');
}

/** Whether every row is queued, as far as the ledger knows. */
export function isFinished({ head, batches }: LedgerLines): boolean {
  return queuedRows({ batches }) === head.rows;
}

export function queuedRows({ batches }: Pick<LedgerLines, 'batches'>): number {
  return rowsIn([...batches.values()].filter(({ state }) => state === 'done'));
}

export function rowsIn(lines: readonly Pick<BatchLine, 'firstRow' | 'lastRow'>[]): number {
  return lines.reduce((sum, { firstRow, lastRow }) => sum + lastRow - firstRow + 1, 0);
}

/** Batches of which it is not known whether they were queued, in order. */
export function unclearBatches({ batches }: Pick<LedgerLines, 'batches'>): BatchLine[] {
  return [...batches.values()]
    .filter(({ state }) => state === 'unclear' || state === 'sent')
    .sort((a, b) => a.batch - b.batch);
}

/** A ledger that was found, with the path of its file. */
export interface FoundLedger extends LedgerLines {
  readonly path: string;
}

/** Bytes of the largest ledger that is read: that of some hundred thousand batches. */
const ledgerSizeLimit = 64 * 1024 * 1024;

/** Every ledger of an environment. One that cannot be read stops the run: it may speak of the very same rows. */
export async function findLedgers(root: string, environment: string): Promise<FoundLedger[]> {
  const folder = folderOf(root, environment);
  const names = await namesIn(root, folder);
  const paths = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
  return paths.map(readLedger);
}

/** A folder that cannot be read is not one without uploads. */
async function namesIn(root: string, folder: string): Promise<string[]> {
  try {
    requireNoLinks(root, folder);
    return await readdir(folder);
  } catch (cause) {
    if (errorCodeOf(cause) === 'ENOENT') return [];
    const message = `the ledgers of uploads in ${folder} cannot be read: ${reasonOf(cause)}`;
    throw new AgentformError('ledger-unreadable', message, { cause });
  }
}

function readLedger(path: string): FoundLedger {
  const lines = readLedgerLines(ledgerText(path));
  if (lines !== undefined) return { ...lines, path };
  throw new AgentformError(
    'ledger-unreadable',
    `the ledger ${path} is damaged or was written by a newer agentform, so its rows are unknown; restore it, or move it away`,
  );
}

function ledgerText(path: string): string {
  try {
    return readPlainFile(path, ledgerSizeLimit)?.text ?? '';
  } catch (cause) {
    const why = reasonOf(cause);
    throw new AgentformError('ledger-unreadable', `the ledger ${path} cannot be read: ${why}`, { cause });
  }
}

/** The ledger of one upload, open for writing. A line is on the disk when `note` returns. */
export class UploadLedger {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Begins a ledger; refuses if there is one of the same upload. */
  static async begin(root: string, head: UploadHead): Promise<UploadLedger> {
    const path = ledgerPath(root, head);
    return orUnwritable(path, async () => {
      requireNoLinks(root, dirname(path));
      await mkdir(dirname(path), { recursive: true });
      await createFile(path, `${JSON.stringify(head)}\n`);
      return new UploadLedger(path, await open(path, appendFlags));
    });
  }

  /** Goes on with a ledger, without a last line that was not written to its end. */
  static async continue({ path, length }: FoundLedger): Promise<UploadLedger> {
    return orUnwritable(path, async () => {
      await truncate(path, length);
      return new UploadLedger(path, await open(path, appendFlags));
    });
  }

  async note(line: BatchLine): Promise<void> {
    await orUnwritable(this.path, async () => {
      await this.#handle.appendFile(`${JSON.stringify(line)}\n`);
      await this.#handle.datasync();
    });
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function orUnwritable<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const why = reasonOf(cause);
    throw new AgentformError('file-unwritable', `the ledger ${path} cannot be written: ${why}`, { cause });
  }
}

/** Keeps two runs from sending the same rows at a time, whatever the file is called. */
export function lockUpload(root: string, upload: UploadIdentity): Promise<Lock> {
  const name = contentsAndPlaceOf(upload);
  return lockFile(root, `.agentform/locks/upload-${upload.environment}-${name}`, {
    what: `the environment ${upload.environment}`,
  });
}

/** What an upload to the same place has in common with another. */
export function uploadPlace({ host, query }: Pick<UploadIdentity, 'host' | 'query'>): string {
  return canonicalJson({ host, query });
}

function folderOf(root: string, environment: string): string {
  return join(root, '.agentform', 'uploads', environment);
}

function ledgerPath(root: string, upload: UploadIdentity): string {
  const name = basename(upload.file).replace(/[^\w.-]/g, '_');
  return join(folderOf(root, upload.environment), `${name}-${contentsAndPlaceOf(upload)}.jsonl`);
}

function contentsAndPlaceOf(upload: UploadIdentity): string {
  const place = createHash('sha256').update(uploadPlace(upload)).digest('hex').slice(0, 6);
  return `${upload.hash.slice(0, 12)}-${place}`;
}
