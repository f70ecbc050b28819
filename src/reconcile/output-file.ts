import { mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { isJsonObject } from '../kinds/json.ts';

/** A kind of file that a command writes; one of the same kind, of any version, may be overwritten. */
export interface OutputForm {
  readonly noun: string;
  /** Members by which its JSON object is known. */
  readonly members: readonly string[];
}

export const savedPlanForm: OutputForm = { noun: 'a saved plan', members: ['digest', 'environment', 'resources'] };
export const ledgerForm: OutputForm = { noun: 'the ledger of an apply', members: ['environment', 'entries'] };

/** Writes a file that the user asked for, with the folders on its way. */
export async function writeOutput(path: string, form: OutputForm, text: string): Promise<void> {
  await requireWritable(path, form);
  await orUnwritable(path, () => writeFile(path, text));
}

/**
 * Finds out before anything else is done whether the file can be written, and makes the folders on its way. A slip of
 * the hand may name a manifest: what holds something else is not overwritten.
 */
export async function requireWritable(path: string, form: OutputForm): Promise<void> {
  await orUnwritable(path, async () => {
    await makeFolder(dirname(resolve(path)));
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) throw new Error('it is a folder');
    if (found?.isFile()) await refuseOther(path, form);
    await (await open(path, 'a')).close();
    if (found === undefined) await rm(path, { force: true });
  });
}

async function refuseOther(path: string, { noun, members }: OutputForm): Promise<void> {
  const text = await readFile(path, 'utf8');
  if (text.trim() === '') return;
  const json = parsed(text);
  if (isJsonObject(json) && members.every((name) => Object.hasOwn(json, name))) return;
  throw new AgentformError(
    'file-taken',
    `${path} is not overwritten, because it holds something else than ${noun}; name another file, or delete it first`,
    { facts: { path } },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Folder by folder: Node's recursive mkdir does not end below folders of the kernel's such as /proc. */
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

async function orUnwritable(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof AgentformError) throw cause;
    throw new AgentformError('file-unwritable', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
