import { createHash, randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRunning, type ProcessMark, thisProcess } from './running-process.ts';

/** The content of a file. An iterable yields the pieces of a text. */
type Content = string | Buffer | Iterable<string>;

interface WriteOptions {
  /** The mode of the file, regardless of the umask. Defaults to the usual mode for new files. */
  readonly mode?: number | undefined;
  /**
   * Whether to flush the content to disk before the file appears, so that the content survives a system crash. Defaults
   * to true.
   */
  readonly flush?: boolean;
}

/**
 * Writes a file beside its target and moves it there, so that a killed process leaves either the old or the new
 * content. A link at the path is replaced and never followed. The first write in a folder also removes temporary files
 * that killed runs left behind.
 */
export async function replaceFile(path: string, content: Content, options: WriteOptions = {}): Promise<void> {
  await viaTemporary(path, content, { options, move: rename });
}

/** Works like `replaceFile`, but throws `EEXIST` if anything exists at the path, even a dangling link. */
export async function createFile(path: string, content: Content, options: WriteOptions = {}): Promise<void> {
  await viaTemporary(path, content, { options, move: link });
}

/**
 * Returns a random path beside a file for a temporary file. No manifest pattern matches this path. The name identifies
 * this process, so that other runs can determine whether its temporary files are leftovers.
 */
export function temporaryPathOf(path: string): string {
  ownMark ??= nameMark(thisProcess());
  return join(dirname(path), `.agentform-${ownMark}-${randomBytes(8).toString('hex')}.tmp`);
}

let ownMark: string | undefined;

/** Formats a process for a file name: a hash of its host and namespace, its ID, and its start time or 0. */
function nameMark(mark: ProcessMark): string {
  return `${machineOf(mark)}-${mark.pid}-${mark.started ?? 0}`;
}

function machineOf({ host, namespace = '' }: ProcessMark): string {
  return createHash('sha256').update(`${host} ${namespace}`).digest('hex').slice(0, 16);
}

const temporaryName = /^\.agentform-([\da-f]{16})-(\d{1,10})-(\d{1,20})-[\da-f]{16}\.tmp$/;

/** Returns whether a file name belongs to a write that was killed or is in progress. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * The maximum duration of a write, in milliseconds. Writes take seconds, so an older temporary file belongs to a run
 * that was killed.
 */
const maxWriteTime = 60 * 60 * 1000;

const swept = new Set<string>();

/**
 * Removes temporary files of killed runs from a folder, once per folder in each process. Skips links, and files that a
 * run may still be writing.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => (entry.isFile() && isTemporaryName(entry.name) ? [entry.name] : []));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await lstat(path).catch(() => undefined);
      const isInUse = isOfRunning(name) ?? (found !== undefined && Date.now() - found.mtimeMs <= maxWriteTime);
      if (!isInUse) await rm(path).catch(() => undefined);
    }),
  );
}

/** Removes temporary files of killed runs beside these files, once per process and folder. */
export async function removeLeftoversBeside(paths: readonly string[]): Promise<void> {
  await Promise.all([...new Set(paths.map((path) => dirname(path)))].map(removeLeftovers));
}

/**
 * Returns whether the process that made a temporary file is running. Returns undefined if this cannot be determined.
 */
function isOfRunning(name: string): boolean | undefined {
  const [, machine, pid, started = ''] = temporaryName.exec(name) ?? [];
  const own = thisProcess();
  if (machine !== machineOf(own)) return undefined;
  return isRunning({ ...own, pid: Number(pid), ...(own.started !== undefined && { started }) });
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
 * Makes a folder and its parents one by one, because Node's recursive mkdir does not terminate in kernel folders such
 * as /proc.
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

interface Writer {
  readonly options: WriteOptions;
  readonly move: (from: string, to: string) => Promise<void>;
}

async function viaTemporary(path: string, content: Content, { options, move }: Writer): Promise<void> {
  await removeLeftovers(dirname(path));
  const beside = temporaryPathOf(path);
  try {
    await writeNew(beside, content, options);
    await move(beside, path);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}
