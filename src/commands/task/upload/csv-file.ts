import { openAsBlob } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { reasonOf } from '../../../errors.ts';
import { ProblemsError } from '../../../yaml/problem.ts';
import { isShoutedTruth } from './csv-checks.ts';
import type { Batch, CsvReading } from './csv-reading.ts';

interface Opened {
  readonly handle: FileHandle;
  readonly blob: Blob;
  readonly state: string;
}

/** Matches the paths of standard input. The command-line parser turns `-` into an empty string. */
const standardInput = /^(?:-?|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** An open CSV file. Only the content that was checked is sent. */
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
      // Only regular files are accepted, because rows are read twice, and again to resume an upload. The check is done
      // before the file is opened, because opening a pipe would block.
      if (standardInput.test(path)) throw new Error('standard input can only be read once; save the rows to a file');
      if (!(await stat(path)).isFile()) throw new Error('it is not a regular file');
      const state = await fileState(path);
      return new CsvFile(path, { handle: await open(path), blob: await openAsBlob(path), state });
    } catch (cause) {
      throw new ProblemsError('tasks-invalid', `${path || '-'} cannot be read: ${reasonOf(cause)}`);
    }
  }

  /** The size in bytes. */
  get size(): number {
    return this.#blob.size;
  }

  async hasChanged(): Promise<boolean> {
    return (await fileState(this.#path).catch(() => undefined)) !== this.#state;
  }

  /**
   * Makes a CSV of the header and one batch. Returns undefined if the file has changed. If the file changes later,
   * reading the CSV fails or returns the checked content.
   */
  async part(
    { header, truths }: Pick<CsvReading, 'header' | 'truths'>,
    { stretches }: Batch,
  ): Promise<Blob | undefined> {
    if (await this.hasChanged()) return undefined;
    const rows = new Blob(stretches.map(({ start, end }) => this.#blob.slice(start, end)));
    const bytes = truths === undefined ? undefined : await rows.arrayBuffer().catch(() => undefined);
    if (truths !== undefined && bytes === undefined) return undefined;
    const sent = bytes === undefined ? rows : new Blob([lowerCaseTruths(Buffer.from(bytes), truths ?? -1)]);
    const start = Math.max(header.start, (await this.#hasMark()) ? 3 : 0);
    return sent && new Blob([this.#blob.slice(start, header.end), sent]);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** Whether the file begins with a UTF-8 byte order mark. */
  async #hasMark(): Promise<boolean> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(3), 0, 3, 0);
    return bytesRead === 3 && buffer.equals(Buffer.from([0xef, 0xbb, 0xbf]));
  }
}

/** Returns a key that changes if the file is edited or replaced. */
async function fileState(path: string): Promise<string> {
  const { ino, mtimeNs, size } = await stat(path, { bigint: true });
  return [ino, mtimeNs, size].join(':');
}

/**
 * Converts booleans in one column to lower case, because spreadsheets write `TRUE` and the service expects `true`.
 * Changes bytes in place, so that all other bytes are sent unchanged.
 */
function lowerCaseTruths(rows: Buffer, column: number): Buffer {
  let [field, start, isQuoted] = [0, 0, false];
  for (let at = 0; at <= rows.length; at += 1) {
    const character = at === rows.length ? '\n' : String.fromCharCode(rows[at] ?? 0);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || !',\r\n'.includes(character)) continue;
    if (field === column) {
      const cell = rows.toString('latin1', start, at);
      if (isShoutedTruth(cell.replaceAll('"', ''))) rows.write(cell.toLowerCase(), start, 'latin1');
    }
    field = character === ',' ? field + 1 : 0;
    start = at + 1;
  }
  return rows;
}
