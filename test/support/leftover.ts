import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { thisProcess } from '../../src/files/running-process.ts';
import { temporaryPathOf } from '../../src/files/whole-file.ts';

/** Creates a temporary file like that of a process that was killed while writing the file at `path`. */
export async function leaveTemporaryFile(path: string): Promise<void> {
  const { pid } = spawnSync('true');
  const own = `-${process.pid}-${thisProcess().started ?? 0}-`;
  await writeFile(temporaryPathOf(path).replace(own, `-${pid}-1-`), 'half');
}
