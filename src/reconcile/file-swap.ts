import { link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { besideOf, makeFolder, replaceFile, writeNew } from '../files/whole-file.ts';

/** A file that is to get another content. */
export interface Swap {
  /** How messages name it. */
  readonly path: string;
  /** Where it lies, links followed. */
  readonly target: string;
  readonly after: Buffer;
  /** What is there; undefined where nothing may be. */
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
}

/**
 * Gives all files their contents or none: each is written whole beside its place first, then all are moved there; if
 * one cannot be, those before it are put back. Returns the way back. `failure` makes the error to throw.
 */
export async function swapFiles(
  swaps: readonly Swap[],
  failure: (swap: Swap, cause: unknown) => Error,
): Promise<() => Promise<void>> {
  const done: Swap[] = [];
  const undo = async () => {
    for (const swap of done.splice(0).reverse()) await putBack(swap);
  };
  const besides = swaps.map((swap) => ({ swap, beside: besideOf(swap.target) }));
  try {
    for (const { swap, beside } of besides) {
      await orFail(swap, failure, () => writeBeside(swap, beside));
    }
    for (const { swap, beside } of besides) {
      await orFail(swap, failure, () => moveIn(swap, beside));
      done.push(swap);
    }
    return undo;
  } catch (error) {
    await undo();
    throw error;
  } finally {
    await Promise.all(besides.map(({ beside }) => rm(beside, { force: true }).catch(() => undefined)));
  }
}

async function writeBeside({ target, after, before }: Swap, beside: string): Promise<void> {
  if (before === undefined) await makeFolder(dirname(target));
  await writeNew(beside, after, { mode: before?.mode });
}

/** A link fails where a file has come to be meanwhile; a rename would replace it. */
function moveIn({ target, before }: Swap, beside: string): Promise<void> {
  return before === undefined ? link(beside, target) : rename(beside, target);
}

function putBack({ target, before }: Swap): Promise<void> {
  if (before === undefined) return rm(target, { force: true });
  return replaceFile(target, before.content, { mode: before.mode });
}

async function orFail(swap: Swap, failure: (swap: Swap, cause: unknown) => Error, work: () => Promise<void>) {
  try {
    await work();
  } catch (cause) {
    throw failure(swap, cause);
  }
}
