import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AgentformError, reasonOf } from '../../../errors.ts';
import { mask } from '../../../secrets/secret.ts';
import type { OpenEnvironment } from '../../../session/environment.ts';
import { counted } from '../../../text/wording.ts';
import { TasksInvalid } from '../errors.ts';
import type { Batch } from './batches.ts';
import { lowerCaseTruths } from './csv-cells.ts';
import { type CsvReading, piecesOf, readTaskCsv } from './csv-reading.ts';
import type { UploadIdentity } from './ledger.ts';

/** So many bytes at most make a batch, unless a single row has more. */
const batchBytes = 8 * 1024 * 1024;
const mostBatches = 100_000;

export interface CheckOptions {
  readonly path: string;
  readonly batchRows: number;
  readonly now: Date;
  /** In bytes. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Reads the file and throws with its problems if it has any. */
export async function checkedReading(
  file: CsvFile,
  { path, batchRows, now, onProgress }: CheckOptions,
): Promise<CsvReading> {
  const reading = await readTaskCsv(file.handle, {
    file: path,
    limits: { rows: batchRows, bytes: batchBytes },
    now: now.getTime() / 1000,
    onProgress: (done) => onProgress(done, file.size),
  });
  if (reading.errors > 0) throw new TasksInvalid(errorSentence(reading, path), reading);
  if (reading.batches.length <= mostBatches) return reading;
  throw new AgentformError('usage', `--batch ${batchRows} makes more than ${mostBatches} requests; use larger batches`);
}

function errorSentence({ errors, problems, rows }: CsvReading, file: string): string {
  const shown = errors > problems.length ? `, of which the first ${problems.length} are shown` : '';
  return `${file} has ${counted(errors, 'error')} in ${counted(rows, 'row')}${shown}; nothing was sent`;
}

/** What makes an upload the same as another. Secrets of the query are left out: the ledger is kept. */
export function identityOf(
  { project, name, connection, host }: OpenEnvironment,
  { path, hash }: { readonly path: string; readonly hash: string },
): UploadIdentity {
  const way = relative(project.root, resolve(path));
  const isOutside = way.startsWith(`..${sep}`) || isAbsolute(way);
  const file = isOutside ? resolve(path) : way.split(sep).join('/');
  const query = Object.entries(connection.query).map(([name, value]) => {
    return [name, connection.sensitiveQuery?.has(name) ? mask : value] as const;
  });
  return { environment: name, host, query: Object.fromEntries(query), file, hash };
}

interface Opened {
  readonly handle: FileHandle;
  readonly blob: Blob;
  readonly state: string;
}

/** An open CSV file, of which every stretch that is sent is the one that was checked. */
export class CsvFile {
  readonly handle: FileHandle;
  readonly #path: string;
  readonly #blob: Blob;
  readonly #state: string;

  private constructor(path: string, { handle, blob, state }: Opened) {
    this.handle = handle;
    this.#path = path;
    this.#blob = blob;
    this.#state = state;
  }

  static async open(path: string): Promise<CsvFile> {
    try {
      // Looked at before it is opened: opening a pipe would wait for somebody to write.
      if (!(await stat(path)).isFile()) throw new Error('it is not a regular file');
      const state = await stateOf(path);
      return new CsvFile(path, { handle: await open(path), blob: await openAsBlob(path), state });
    } catch (cause) {
      throw new TasksInvalid(`${path} cannot be read: ${reasonOf(cause)}`);
    }
  }

  /** In bytes. */
  get size(): number {
    return this.#blob.size;
  }

  /** SHA-256 of the whole file, in hexadecimal. */
  async hash(): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(this.handle)) hash.update(piece);
    return hash.digest('hex');
  }

  /**
   * A CSV of the header row and a batch of the others, which is read from the file only while it is sent. Throws if
   * the file is no longer what it was; should it change while it is read, the blob fails.
   */
  async part({ header, truths }: Pick<CsvReading, 'header' | 'truths'>, { stretches }: Batch): Promise<Blob> {
    if ((await stateOf(this.#path).catch(() => undefined)) !== this.#state) {
      throw new TasksInvalid(`${this.#path} changed during the upload; every row that was sent had been checked`);
    }
    const start = header.start === 0 && (await this.#hasMark()) ? 3 : header.start;
    const rows = new Blob(stretches.map((one) => this.#blob.slice(one.start, one.end)));
    const sent =
      truths === undefined ? rows : new Blob([lowerCaseTruths(Buffer.from(await rows.arrayBuffer()), truths)]);
    return new Blob([this.#blob.slice(start, header.end), sent]);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** Whether the file begins with the byte order mark of UTF-8. */
  async #hasMark(): Promise<boolean> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(3), 0, 3, 0);
    return bytesRead === 3 && buffer.equals(Buffer.from([0xef, 0xbb, 0xbf]));
  }
}

/** A text that changes when somebody writes to the file, or puts another in its place. */
async function stateOf(path: string): Promise<string> {
  const { ino, mtimeNs, size } = await stat(path, { bigint: true });
  return [ino, mtimeNs, size].join(':');
}
