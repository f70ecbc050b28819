import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { type Swap, swapFiles } from './file-swap.ts';

/** Files that stand where they belong, and the way back. */
export interface PlacedFiles {
  /** Paths of those that were written; the others had this text already. */
  readonly written: readonly string[];
  readonly undo: () => Promise<void>;
}

/**
 * Writes all files or none, by path relative to the project folder. A file that is there with another text is kept
 * and is an error, unless `overwrite` is set.
 */
export async function placeFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  { overwrite }: { readonly overwrite: boolean },
): Promise<PlacedFiles> {
  const realRoot = await realpath(root);
  const all = await Promise.all([...files].map(([path, text]) => swapOf(realRoot, path, text)));
  const changed = all.filter(({ before, after }) => before === undefined || !before.content.equals(after));
  const existing = changed.filter(({ before }) => before !== undefined && !overwrite);
  if (existing.length > 0) throw existsAlready(existing);
  const undo = await swapFiles(changed, (swap, cause) =>
    hasCode(cause, 'EEXIST') ? existsAlready([swap]) : unwritable(swap.path, cause),
  );
  return { written: changed.map(({ path }) => path), undo };
}

async function swapOf(root: string, path: string, text: string): Promise<Swap> {
  const target = await targetOf(root, path);
  try {
    return { path, target, after: Buffer.from(text), before: await contentOf(target) };
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** A link on the way must not lead out of the project folder: what lies there is not read as part of it. */
async function targetOf(root: string, path: string): Promise<string> {
  const place = join(root, path);
  const found = await realpath(place).catch(() => undefined);
  for (let folder = found ?? dirname(place); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === root || real?.startsWith(root + sep)) return found ?? place;
    if (real !== undefined) throw new AgentformError('import-refused', `${path} would lie outside the project folder`);
  }
}

async function contentOf(target: string): Promise<Swap['before']> {
  try {
    const content = await readFile(target);
    return { content, mode: (await stat(target)).mode };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function existsAlready(existing: readonly Swap[]): AgentformError {
  const paths = existing.map(({ path }) => path).join(', ');
  const [verb, pronoun] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  return new AgentformError(
    'import-refused',
    `${paths} ${verb} already with another text; move ${pronoun} away, or overwrite ${pronoun} with --force`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unwritable(path: string, cause: unknown): AgentformError {
  return new AgentformError('file-unwritable', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
}
