import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';

/** Writes a file that the user asked for, with the folders on its way. */
export async function writeOutput(path: string, text: string): Promise<void> {
  await requireWritable(path);
  await orUnwritable(path, () => writeFile(path, text));
}

/** Finds out before anything else is done whether the file can be written, and makes the folders on its way. */
export async function requireWritable(path: string): Promise<void> {
  await orUnwritable(path, async () => {
    await makeFolder(dirname(resolve(path)));
    if (await isFolder(path)) throw new Error('it is a folder');
    await (await open(path, 'a')).close();
  });
}

/** Folder by folder: Node's recursive mkdir does not end below folders of the kernel's such as /proc. */
async function makeFolder(folder: string): Promise<void> {
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
    const why = reasonOf(cause);
    throw new AgentformError('file-unwritable', `${path} cannot be written: ${why}`, { cause });
  }
}
