import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { piecesOf } from '../manifest/tasks/file-pieces.ts';
import { TasksInvalid } from './tasks-invalid.ts';

/** A stretch of a file in bytes. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** An open CSV file, of which every stretch that is sent is the one that was checked. */
export class CsvFile {
  readonly handle: FileHandle;
  readonly #path: string;
  readonly #state: string;

  private constructor(path: string, { handle, state }: { readonly handle: FileHandle; readonly state: string }) {
    this.handle = handle;
    this.#path = path;
    this.#state = state;
  }

  static async open(path: string): Promise<CsvFile> {
    try {
      // Looked at before it is opened: opening a pipe would wait for somebody to write.
      if (!(await stat(path)).isFile()) throw new Error('it is not a regular file');
      const handle = await open(path);
      return new CsvFile(path, { handle, state: await stateOf(handle) });
    } catch (cause) {
      throw new TasksInvalid(`${path} cannot be read: ${reasonOf(cause)}`);
    }
  }

  /** How long the file was when it was opened, in bytes. */
  async size(): Promise<number> {
    return (await this.handle.stat()).size;
  }

  /** SHA-256 of the whole file, in hexadecimal. */
  async hash(): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(this.handle)) hash.update(piece);
    return hash.digest('hex');
  }

  /** A CSV of the header row and a stretch of the others. */
  async part(header: Stretch, rows: Stretch): Promise<Blob> {
    const pieces = [await this.#read(header), await this.#read(rows)];
    // Looked at after reading: what was read before a change is whole.
    if ((await stateOf(this.handle)) !== this.#state) {
      throw new TasksInvalid(`${this.#path} changed while it was uploaded; what was sent so far is what was checked`);
    }
    return new Blob(pieces, { type: 'text/csv' });
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** Without the byte order mark that a header may begin with. */
  async #read({ start, end }: Stretch): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await this.handle.read(bytes, 0, bytes.length, start);
    const hasMark = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return bytes.subarray(hasMark ? 3 : 0, bytesRead);
  }
}

/** A text that changes when somebody writes to the file. */
async function stateOf(handle: FileHandle): Promise<string> {
  const { mtimeNs, size } = await handle.stat({ bigint: true });
  return `${mtimeNs}:${size}`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (!('code' in cause)) return cause.message;
  return cause.code === 'ENOENT' ? 'there is no such file' : `the system says ${String(cause.code)}`;
}
