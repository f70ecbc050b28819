import { hash } from 'node:crypto';
import { recordPath, recordsFolder } from '../record-text.ts';
import type { RecordKey } from '../store.ts';

/**
 * Where the record of a place lies on the branch, below the project's path: in one of 256 folders of its kind, because a commit
 * writes each folder that it changes anew, with all that is in it.
 */
export function pathOnBranch(key: RecordKey): string {
  const { environment, kind, name } = key;
  return `${recordsFolder}/${environment}/${kind}/${fanOf(name)}/${name}.json`;
}

function fanOf(name: string): string {
  return hash('sha256', name, 'hex').slice(0, 2);
}

/** Whether the path at which a record was found is the one of `pathOnBranch`. */
export function isInPlace(path: string, { name }: RecordKey): boolean {
  const end = path.length - name.length - extension.length;
  return path.slice(end - 4, end) === `/${fanOf(name)}/`;
}

/** Every path at which a record may lie: that of today, and the one directly in the folder of its kind, of older versions. */
export function pathsOnBranch(key: RecordKey): readonly [path: string, older: string] {
  return [pathOnBranch(key), recordPath(key)];
}

/** Which record lies at a path on the branch, in whichever folder; undefined if none does. */
export function keyOnBranch(path: string): RecordKey | undefined {
  if (!path.startsWith(`${recordsFolder}/`)) return undefined;
  const [environment, kind, ...rest] = path.slice(recordsFolder.length + 1).split('/');
  const file = rest.at(-1);
  if (!environment || !kind || rest.length > 2 || rest[0] === '' || !file?.endsWith(extension)) return undefined;
  const name = file.slice(0, -extension.length);
  return name === '' ? undefined : { environment, kind, name };
}

const extension = '.json';
