import { existsSync } from 'node:fs';
import { link, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../errors.ts';
import { makeFolder, removeLeftoversBeside, replaceFile, temporaryPathOf, writeNew } from './whole-file.ts';

interface Swap {
  /** The file's name in messages. */
  readonly path: string;
  /** The real path of the file. */
  readonly target: string;
  readonly after: Buffer;
  /** The content and mode to restore. Undefined if the file must not exist yet. */
  readonly before: { readonly content: Buffer; readonly mode: number } | undefined;
}

/**
 * Writes all files or none. First writes each file beside its target, and then moves all files. Moves YAML files last,
 * so that they never name missing texts, even if the process is killed. If a move fails, restores the targets of earlier
 * moves. Returns a function that undoes the write. `failure` converts a file error to the error to throw.
 */
async function swapFiles(
  swaps: readonly Swap[],
  failure: (swap: Swap, cause: unknown) => Error,
): Promise<() => Promise<void>> {
  const done: Swap[] = [];
  const undo = async () => {
    for (const swap of done.splice(0).reverse()) await putBack(swap);
  };
  const isYaml = ({ path }: Swap) => Number(/\.ya?ml$/i.test(path));
  const ordered = [...swaps].sort((one, other) => isYaml(one) - isYaml(other));
  const besides = ordered.map((swap) => ({ swap, beside: temporaryPathOf(swap.target) }));
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

/**
 * Moves a file to its target. A new file is linked, because a rename would replace a file that was created in the
 * meantime.
 */
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

interface UndoableWrite {
  /** The paths of the written files. All other files already had the given content. */
  readonly written: readonly string[];
  readonly undo: () => Promise<void>;
}

/**
 * Writes all files or none. Paths are relative to the project folder. Throws `import-refused` for an existing file with
 * another text, unless `overwrite` is set. Also removes temporary files that killed runs left beside these files, even
 * beside files that such a run had finished.
 */
export async function putFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  { overwrite }: { readonly overwrite: boolean },
): Promise<UndoableWrite> {
  const realRoot = await realpath(root);
  const all = await Promise.all([...files].map(([path, text]) => newSwap(realRoot, path, text)));
  await removeLeftoversBeside(all.map(({ target }) => target));
  const changed = all.filter(({ before, after }) => before === undefined || !before.content.equals(after));
  const existing = changed.filter(({ before }) => before !== undefined && !overwrite);
  if (existing.length > 0) throw existsAlready(existing);
  const undo = await swapFiles(changed, (swap, cause) =>
    errorCodeOf(cause) === 'EEXIST' && existsSync(swap.target)
      ? existsAlready([swap])
      : unwritableTarget(swap.path, cause),
  );
  return { written: changed.map(({ path }) => path), undo };
}

async function newSwap(root: string, path: string, text: string): Promise<Swap> {
  const target = await realTarget(root, path);
  try {
    return { path, target, after: Buffer.from(text), before: await stateBefore(target) };
  } catch (cause) {
    throw unwritableTarget(path, cause);
  }
}

/** Resolves the target of a path. Throws `import-refused` if links lead out of the project folder. */
async function realTarget(root: string, path: string): Promise<string> {
  const joined = join(root, path);
  const found = await realpath(joined).catch(() => undefined);
  for (let folder = found ?? dirname(joined); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === root || real?.startsWith(root + sep)) return found ?? joined;
    if (real !== undefined) throw new AgentformError('import-refused', `${path} would be outside the project folder`);
  }
}

async function stateBefore(target: string): Promise<Swap['before']> {
  try {
    const content = await readFile(target);
    return { content, mode: (await stat(target)).mode };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function existsAlready(existing: readonly Swap[]): AgentformError {
  const paths = existing.map(({ path }) => path).join(', ');
  const [verb, pronoun] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  return new AgentformError(
    'import-refused',
    `${paths} already ${verb} with different contents; move ${pronoun} away, or overwrite ${pronoun} with --force`,
  );
}

function unwritableTarget(path: string, cause: unknown): AgentformError {
  return new AgentformError('file-unwritable', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
}

export interface ReplacedFile {
  /** The path of the file, relative to the project folder. */
  readonly path: string;
  /** The expected current text of the file, without a byte order mark. Undefined for a new file. */
  readonly before: string | undefined;
  /** The new text, without the file's byte order mark. A byte order mark at the start of this text is content. */
  readonly after: string;
}

const mark = Buffer.from('\ufeff');

/**
 * Replaces all files or none. Each file keeps its mode and its byte order mark, and symbolic links stay links. Also
 * removes temporary files that killed runs left beside these files. Returns a function that undoes the write.
 */
export async function replaceFiles(root: string, files: readonly ReplacedFile[]): Promise<() => Promise<void>> {
  const swaps: Swap[] = [];
  for (const file of files) swaps.push(await replacementOf(root, file));
  await removeLeftoversBeside(swaps.map(({ target }) => target));
  return swapFiles(swaps, ({ path }, cause) => unreplaceable(path, cause));
}

/** Returns the texts that `replaceFiles` would write, by path, with byte order marks. */
export async function replacements(root: string, files: readonly ReplacedFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const file of files) texts.set(file.path, (await replacementOf(root, file)).after.toString('utf8'));
  return texts;
}

async function replacementOf(root: string, file: ReplacedFile): Promise<Swap> {
  const { path, before } = file;
  if (before === undefined) return newFile(root, path, Buffer.from(file.after));
  const found = await currentFile(join(root, path)).catch((cause: unknown) => {
    throw unreplaceable(path, cause);
  });
  const { content } = found.before;
  const isMarked = content.subarray(0, mark.length).equals(mark);
  if (!content.subarray(isMarked ? mark.length : 0).equals(Buffer.from(before))) throw changedMeanwhile(path);
  const after = Buffer.from(file.after);
  // Readers drop one byte order mark, so a mark must precede a text that begins with a mark itself.
  const needsMark = isMarked || after.subarray(0, mark.length).equals(mark);
  return { path, ...found, after: needsMark ? Buffer.concat([mark, after]) : after };
}

async function newFile(root: string, path: string, after: Buffer): Promise<Swap> {
  const target = await realTarget(await realpath(root), path);
  if ((await stateBefore(target)) !== undefined) throw changedMeanwhile(path);
  return { path, target, after, before: undefined };
}

async function currentFile(path: string) {
  const target = await realpath(path);
  const content = await readFile(target);
  const { mode } = await stat(target);
  return { target, before: { content, mode } };
}

function unreplaceable(path: string, cause: unknown): AgentformError {
  const message = `nothing was written, because ${path} cannot be written: ${reasonOf(cause)}`;
  return new AgentformError('file-unwritable', message, { cause });
}

function changedMeanwhile(path: string): AgentformError {
  return new AgentformError('edit-refused', `nothing was written, because ${path} changed during the run; run again`);
}
