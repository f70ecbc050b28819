import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentformError } from '../errors.ts';

/** Writes a file that the user asked for, with the folders on its way. */
export async function writeOutput(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AgentformError('file-unwritable', `${path} cannot be written: ${why}`, { cause });
  }
}
