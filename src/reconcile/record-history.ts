import type { HistoryEntry } from '../record/store.ts';
import { parseAddress, type RecordHost, type RecordOptions, withRecords } from './records.ts';

export type { HistoryEntry } from '../record/store.ts';

/** What changed the records of an environment, or the one of a resource, newest first. */
export function recordLog(
  host: RecordHost,
  options: RecordOptions & { readonly address?: string | undefined },
): Promise<HistoryEntry[]> {
  const { address } = options;
  return withRecords(host, options, ({ environment, store }) =>
    store.history(address === undefined ? { environment } : { environment, ...parseAddress(address) }),
  );
}
