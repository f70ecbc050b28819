import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../../errors.ts';
import { createFile, makeFolder, replaceFile } from '../../files/whole-file.ts';

export interface StarterFile {
  /** Folder that the path is told in. */
  readonly base: string;
  readonly path: string;
  readonly text: string;
  /** What becomes of a file that is there: left, replaced as a file of agentform's own, or replaced if told so. */
  readonly existing: 'leave' | 'replace' | 'replace-if-forced';
}

export interface StarterStep extends StarterFile {
  readonly step: 'create' | 'replace' | 'leave';
}

/** What would become of each file. Throws if one cannot be written where it should be; nothing is written. */
export async function stepsFor(
  files: readonly StarterFile[],
  { force }: { readonly force: boolean },
): Promise<StarterStep[]> {
  return Promise.all(
    files.map(async (file) => {
      await requireFolders(file);
      return { ...file, step: await stepFor(file, force) };
    }),
  );
}

/** Never writes through a file that came to be there meanwhile. */
export async function takeStep({ base, path, text, step }: StarterStep): Promise<void> {
  if (step === 'leave') return;
  try {
    await makeFolder(dirname(join(base, path)));
    await (step === 'create' ? createFile : replaceFile)(join(base, path), text);
  } catch (cause) {
    throw unwritable(path, reasonOf(cause), cause);
  }
}

async function stepFor({ base, path, text, existing }: StarterFile, force: boolean): Promise<StarterStep['step']> {
  const found = await lstat(join(base, path)).catch(() => undefined);
  if (found === undefined) return 'create';
  if (found.isDirectory()) throw unwritable(path, 'it is a folder');
  if ((await readFile(join(base, path), 'utf8').catch(() => undefined)) === text) return 'leave';
  return existing === 'replace' || (existing === 'replace-if-forced' && force) ? 'replace' : 'leave';
}

/** What is on the way to a file is a folder, or not there yet. */
async function requireFolders({ base, path }: StarterFile): Promise<void> {
  const steps = path.split('/').slice(0, -1);
  const folders = [base, ...steps.map((_, index) => join(base, ...steps.slice(0, index + 1)))];
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) throw unwritable(path, `${folder} is not a folder`);
  }
}

function unwritable(path: string, why: string, cause?: unknown): AgentformError {
  return new AgentformError('file-unwritable', `${path} cannot be written: ${why}`, { cause });
}
