import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An iterable yields the pieces of a text. */
type Content = string | Buffer | Iterable<string>;

interface WriteOptions {
  /** The mode of the file, regardless of the umask. Defaults to the usual mode for new files. */
  readonly mode?: number | undefined;
  /**
   * Whether to flush the content to disk before the file appears, so that it survives a system crash. Defaults to true.
   */
  readonly flush?: boolean;
}

/**
 * Writes a file beside its target and moves it there, so that a killed process leaves either the old or the new
 * content. A link at the path is replaced and never followed.
 */
export async function replaceFile(path: string, content: Content, options: WriteOptions = {}): Promise<void> {
  await viaTemporary(path, content, { options, move: rename });
}

/** Like `replaceFile`, but throws `EEXIST` if anything exists at the path, even a dangling link. */
export async function createFile(path: string, content: Content, options: WriteOptions = {}): Promise<void> {
  await viaTemporary(path, content, { options, move: link });
}

/** Returns a random path beside a file for a temporary file. No manifest pattern matches this path. */
export function temporaryPathOf(path: string): string {
  return join(dirname(path), `.agentform-${randomUUID()}.tmp`);
}

/** Whether a file name belongs to a write that was killed or is in progress. */
export function isTemporaryName(name: string): boolean {
  return /^\.agentform-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.test(name);
}

/** In milliseconds. Writes take seconds, so an older temporary file belongs to a run that was killed. */
const maxWriteTime = 60 * 60 * 1000;

/** Removes temporary files of killed runs from a folder. Skips links, and files that a run may still be writing. */
export async function removeLeftovers(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths = entries.flatMap((entry) =>
    entry.isFile() && isTemporaryName(entry.name) ? [join(folder, entry.name)] : [],
  );
  await Promise.all(
    paths.map(async (path) => {
      const found = await lstat(path).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs > maxWriteTime) await rm(path).catch(() => undefined);
    }),
  );
}

/** Writes a file that does not exist yet. Throws `EEXIST` if anything exists at the path. */
export async function writeNew(
  path: string,
  content: Content,
  { mode, flush = true }: WriteOptions = {},
): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    if (mode !== undefined) await file.chmod(mode);
    const pieces = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
    for (const piece of pieces) await file.writeFile(piece);
    if (flush) await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Makes a folder and its parents one by one, because Node's recursive mkdir never ends below kernel folders such as
 * /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch(async (error: unknown) => {
    if (!(await isFolder(folder))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

interface Reader {
  readonly options: WriteOptions;
  readonly move: (from: string, to: string) => Promise<void>;
}

async function viaTemporary(path: string, content: Content, { options, move }: Reader): Promise<void> {
  const beside = temporaryPathOf(path);
  try {
    await writeNew(beside, content, options);
    await move(beside, path);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}
