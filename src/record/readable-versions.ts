import { AgentformError } from '../errors.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { RecordStore, RecordVersion } from './store.ts';

/**
 * Reads versions like `readVersions`, but an unreadable version does not prevent reading the others. It is undefined,
 * and passed to `onUnreadable`. Among many versions, it is found by halving.
 */
export async function readableVersions(
  store: Pick<RecordStore, 'readVersions'>,
  versions: readonly RecordVersion[],
  onUnreadable: (version: RecordVersion) => void,
): Promise<(ResourceRecord | undefined)[]> {
  try {
    return await store.readVersions(versions);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const [only, ...others] = versions;
    if (only === undefined) throw error;
    if (others.length === 0) {
      onUnreadable(only);
      return [undefined];
    }
    const half = Math.ceil(versions.length / 2);
    return [
      ...(await readableVersions(store, versions.slice(0, half), onUnreadable)),
      ...(await readableVersions(store, versions.slice(half), onUnreadable)),
    ];
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AgentformError && (error.code === 'record-unreadable' || error.code === 'record-newer');
}
