import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';

/** Files that stand where they belong, and the way back. */
export interface PlacedFiles {
  /** Paths of those that were written; the others had this text already. */
  readonly written: readonly string[];
  readonly undo: () => Promise<void>;
}

interface Placing {
  readonly path: string;
  readonly target: string;
  readonly text: string;
  /** What was there before. */
  readonly before: Buffer | undefined;
}

/**
 * Writes all files or none, by path relative to the project folder: each beside its place first, then all are moved
 * there. A file that is there with another text is kept and is an error, unless `overwrite` is set.
 */
export async function placeFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  { overwrite }: { readonly overwrite: boolean },
): Promise<PlacedFiles> {
  const all = await Promise.all([...files].map(([path, text]) => lookAt(root, path, text)));
  const changed = all.filter(({ before, text }) => before === undefined || !before.equals(Buffer.from(text)));
  refuseOverwriting(changed.filter(({ before }) => before !== undefined && !overwrite));
  const placed: Placing[] = [];
  const undo = async () => {
    for (const one of placed.splice(0).reverse()) await putBack(one);
  };
  const besides = await writeBesides(changed);
  try {
    for (const [one, beside] of besides) {
      await moveIn(one, beside);
      placed.push(one);
    }
  } catch (cause) {
    await undo();
    throw cause instanceof AgentformError ? cause : unwritable(changed[placed.length]?.path ?? '', cause);
  } finally {
    await Promise.all([...besides.values()].map((beside) => rm(beside, { force: true })));
  }
  return { written: changed.map(({ path }) => path), undo };
}

async function lookAt(root: string, path: string, text: string): Promise<Placing> {
  const target = join(root, path);
  await refuseOutside(root, path);
  try {
    const before = await readFile(target).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    return { path, target, text, before };
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** A link on the way must not lead out of the project folder: what lies there is not read as part of it. */
async function refuseOutside(root: string, path: string): Promise<void> {
  const realRoot = await realpath(root);
  let folder = dirname(join(root, path));
  for (;;) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === realRoot || real?.startsWith(realRoot + sep)) return;
    if (real !== undefined) throw new AgentformError('import-refused', `${path} would lie outside the project folder`);
    folder = dirname(folder);
  }
}

function refuseOverwriting(existing: readonly Placing[]): void {
  if (existing.length === 0) return;
  const paths = existing.map(({ path }) => path).join(', ');
  const [verb, pronoun] = existing.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  throw new AgentformError(
    'import-refused',
    `${paths} ${verb} already with another text; move ${pronoun} away, or overwrite ${pronoun} with --force`,
  );
}

async function writeBesides(placings: readonly Placing[]): Promise<Map<Placing, string>> {
  const besides = new Map<Placing, string>();
  for (const one of placings) {
    const beside = join(dirname(one.target), `.${basename(one.target)}.${randomUUID()}.tmp`);
    besides.set(one, beside);
    try {
      await mkdir(dirname(one.target), { recursive: true });
      await writeFile(beside, one.text, { flag: 'wx' });
    } catch (cause) {
      await Promise.all([...besides.values()].map((written) => rm(written, { force: true })));
      throw unwritable(one.path, cause);
    }
  }
  return besides;
}

/** A link fails where a file has come to be meanwhile; a rename would replace it. */
async function moveIn(one: Placing, beside: string): Promise<void> {
  if (one.before !== undefined) return rename(beside, one.target);
  try {
    await link(beside, one.target);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) refuseOverwriting([one]);
    throw error;
  }
}

async function putBack({ target, before }: Placing): Promise<void> {
  if (before === undefined) await rm(target, { force: true });
  else await writeFile(target, before);
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unwritable(path: string, cause: unknown): AgentformError {
  return new AgentformError('file-unwritable', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
}
