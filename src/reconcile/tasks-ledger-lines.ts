import { isJsonObject } from '../kinds/json.ts';

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
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [head, ...lines] = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed);
  if (!isHead(head) || !lines.every(isBatchLine)) return undefined;
  return { head, batches: new Map(lines.map((line) => [line.batch, line])), length: Buffer.byteLength(whole) };
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

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

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
