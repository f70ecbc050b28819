import { createHash } from 'node:crypto';
import { keyAt, recordPath, recordsFolder } from '../record-text.ts';
import type { RecordKey } from '../store.ts';

/**
 * Where the record of a place lies on the branch, below the project's path: in one of 256 folders of its kind, because a commit
 * writes each folder that it changes anew, with all that is in it.
 */
export function pathOnBranch(key: RecordKey): string {
  const { environment, kind, name } = key;
  const fan = createHash('sha256').update(name).digest('hex').slice(0, 2);
  return `${recordsFolder}/${environment}/${kind}/${fan}/${name}.json`;
}

/** Every path at which a record may lie: that of today, and the one directly in the folder of its kind, of older versions. */
export function pathsOnBranch(key: RecordKey): readonly [path: string, older: string] {
  return [pathOnBranch(key), recordPath(key)];
}

/** Which record lies at a path on the branch, in whichever folder; undefined if none does. */
export function keyOnBranch(path: string): RecordKey | undefined {
  const parts = path.split('/');
  return keyAt(parts.length === depth ? parts.toSpliced(-2, 1).join('/') : path);
}

/** Parts of `pathOnBranch`. */
const depth = 6;
