import { readObject } from '../git/objects.ts';
import { repositoryAround } from '../git/repository.ts';
import type { Project } from '../manifest/project/project.ts';
import { recordsAt } from '../record/git/branch-settings.ts';
import { parseRecord, pathOnBranch, recordSizeLimit } from '../record/record-text.ts';
import type { RecordKey } from '../record/store.ts';
import { storeDefinitions } from '../record/store-table.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';

/**
 * A record that can be read without a connection: from a file, or from the local copy of the record branch. The value
 * is `unread` if the record was not read.
 */
export type LocalRecord = { readonly record: ResourceRecord | undefined } | 'unread';

type RecordingProject = Pick<Project, 'root' | 'record'>;

/** Reads a record for an editor. */
export async function readLocalRecord({ root, record }: RecordingProject, key: RecordKey): Promise<LocalRecord> {
  const store = storeDefinitions[record.store];
  if (!store.isInProject) return store.needsRemote ? readOnBranch({ root, record }, key) : 'unread';
  const opened = await store.open({ root, record, env: {} });
  const found = await opened.read(key).catch(() => 'unread' as const);
  return found === 'unread' ? found : { record: found?.record };
}

/** Reads a record from the last fetched commit of the record branch. */
async function readOnBranch({ root, record }: RecordingProject, key: RecordKey): Promise<LocalRecord> {
  const repository = await repositoryAround(root);
  if (repository === undefined) return 'unread';
  const { remote, branch } = recordsAt(record);
  const tip = await readObject(root, `refs/remotes/${remote}/${branch}`);
  if (tip === undefined) return 'unread';
  const path = `${repository.prefix}${pathOnBranch(key)}`;
  const blob = await readObject(root, `${tip.oid}:${path}`, recordSizeLimit);
  if (blob === undefined) return { record: undefined };
  try {
    return { record: parseRecord(blob.bytes.toString('utf8'), path).record };
  } catch {
    return 'unread';
  }
}
