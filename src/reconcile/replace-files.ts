import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { type Swap, swapFiles } from './file-swap.ts';

/** A file of the project and what becomes of it. */
export interface ReplacedFile {
  /** Relative to the project folder. */
  readonly path: string;
  /** The text that it must still have, without a byte order mark. */
  readonly before: string;
  readonly after: string;
}

const mark = Buffer.from('\ufeff');

/** Replaces files, all or none; each keeps its mode, its byte order mark, and its place behind a link. */
export async function replaceFiles(root: string, files: readonly ReplacedFile[]): Promise<void> {
  const swaps: Swap[] = [];
  for (const file of files) swaps.push(await swapOf(root, file));
  await swapFiles(swaps, ({ path }, cause) => unwritable(path, cause));
}

async function swapOf(root: string, file: ReplacedFile): Promise<Swap> {
  const { path } = file;
  const found = await lookAt(join(root, path)).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  const { content } = found.before;
  const kept = content.subarray(0, mark.length).equals(mark) ? mark : Buffer.alloc(0);
  if (!content.subarray(kept.length).equals(Buffer.from(file.before))) throw changedMeanwhile(path);
  return { path, ...found, after: Buffer.concat([kept, Buffer.from(file.after)]) };
}

async function lookAt(place: string) {
  const target = await realpath(place);
  const content = await readFile(target);
  const { mode } = await stat(target);
  return { target, before: { content, mode } };
}

function unwritable(path: string, cause: unknown): AgentformError {
  const message = `${path} cannot be written, so nothing was: ${reasonOf(cause)}`;
  return new AgentformError('file-unwritable', message, { cause });
}

function changedMeanwhile(path: string): AgentformError {
  return new AgentformError('edit-refused', `${path} was changed while this ran, so nothing was written; run again`);
}
