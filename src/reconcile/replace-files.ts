import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';

/** A file of the project and what becomes of it. */
export interface ReplacedFile {
  /** Relative to the project folder. */
  readonly path: string;
  /** The text that it must still have, without a byte order mark. */
  readonly before: string;
  readonly after: string;
}

interface Prepared extends ReplacedFile {
  /** Where links lead. */
  readonly target: string;
  readonly beside: string;
  readonly original: Buffer;
  readonly mode: number;
}

const mark = Buffer.from('\ufeff');

/**
 * Replaces files, each whole or not at all. All are written beside and checked first; if one cannot be put in its
 * place after all, those before it are put back.
 */
export async function replaceFiles(root: string, files: readonly ReplacedFile[]): Promise<void> {
  const prepared: Prepared[] = [];
  try {
    for (const file of files) prepared.push(await writeBeside(root, file));
    await putInPlace(prepared);
  } finally {
    await Promise.all(prepared.map(({ beside }) => rm(beside, { force: true })));
  }
}

async function writeBeside(root: string, file: ReplacedFile): Promise<Prepared> {
  return orUnwritable(file.path, async () => {
    const target = await realpath(join(root, file.path));
    const original = await readFile(target);
    const hasMark = original.subarray(0, mark.length).equals(mark);
    if (!original.subarray(hasMark ? mark.length : 0).equals(Buffer.from(file.before)))
      throw changedMeanwhile(file.path);
    const { mode } = await stat(target);
    const beside = `${target}.${randomUUID()}.tmp`;
    const text = hasMark ? Buffer.concat([mark, Buffer.from(file.after)]) : Buffer.from(file.after);
    await writeWhole(beside, text, mode);
    return { ...file, target, beside, original, mode };
  });
}

async function putInPlace(files: readonly Prepared[]): Promise<void> {
  const done: Prepared[] = [];
  for (const file of files) {
    try {
      await rename(file.beside, file.target);
      done.push(file);
    } catch (cause) {
      for (const one of done) {
        await writeWhole(one.beside, one.original, one.mode);
        await rename(one.beside, one.target);
      }
      throw unwritable(file.path, cause);
    }
  }
}

async function writeWhole(path: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function orUnwritable<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AgentformError) throw cause;
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): AgentformError {
  const message = `${path} cannot be written, so nothing was: ${reasonOf(cause)}`;
  return new AgentformError('file-unwritable', message, { cause });
}

function changedMeanwhile(path: string): AgentformError {
  return new AgentformError('edit-refused', `${path} was changed while this ran, so nothing was written; run again`);
}
