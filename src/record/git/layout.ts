import { hash } from 'node:crypto';
import { recordsFolder } from '../record-text.ts';
import type { RecordKey } from '../store.ts';

/**
 * The path of a record on the branch, below the project's path: in one of 256 folders of its kind, because a commit
 * rewrites each changed folder with all its entries.
 */
export function pathOnBranch(key: RecordKey): string {
  const { environment, kind, name } = key;
  return `${recordsFolder}/${environment}/${kind}/${hash('sha256', name, 'hex').slice(0, 2)}/${name}.json`;
}

/** The record that a path on the branch names, in the folder of its kind or one below; undefined for any other file. */
export function keyOnBranch(path: string): RecordKey | undefined {
  if (!path.startsWith(`${recordsFolder}/`)) return undefined;
  const [environment, kind, ...rest] = path.slice(recordsFolder.length + 1).split('/');
  const file = rest.at(-1);
  if (!environment || !kind || rest.length > 2 || rest[0] === '' || !file?.endsWith(extension)) return undefined;
  const name = file.slice(0, -extension.length);
  return name === '' ? undefined : { environment, kind, name };
}

const extension = '.json';
