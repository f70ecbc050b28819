import type { Desired } from '../kinds/desired.ts';
import { type RecordParts, recordOf } from '../plan/record-of.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { Holds, ResourceRecord } from '../schemas/record-types.ts';

/** Keeps the record of one resource true: each save builds on the version that the last one left. */
export interface RecordKeeper {
  readonly current: () => ResourceRecord | undefined;
  /** Saves the record with these parts replaced; a part that is undefined is left out. */
  readonly save: (parts: RecordParts) => Promise<void>;
  /**
   * Gives the record under a former name the manifest's own: first the new one is there, then the old one goes, so that
   * at every moment one of the two is right. Does nothing where there is no other.
   */
  readonly move: (renamed: ResourceRecord) => Promise<void>;
  /** Puts back what was there when the keeper was made, under the name that it has since. */
  readonly restore: () => Promise<void>;
}

export interface KeptRecord {
  readonly stored?: StoredRecord | undefined;
  readonly former?: StoredRecord | undefined;
  /** What every save is to hold. */
  readonly holds?: Holds | undefined;
}

export function recordKeeper(
  store: Pick<RecordStore, 'save' | 'remove'>,
  desired: Desired,
  { holds, ...found }: KeptRecord,
): RecordKeeper {
  let { stored, former } = found;
  let latest = stored;
  const put = async (record: ResourceRecord) => {
    latest = { record, version: await store.save(record, latest?.version) };
  };
  return {
    current: () => latest?.record,
    save: (parts) => put(recordOf(desired, { ...parts, holds })),
    async move(renamed) {
      if (former === undefined) return;
      if (latest === undefined) {
        await put(renamed);
        stored = latest;
      }
      await store.remove(former.record, former.version);
      former = undefined;
    },
    async restore() {
      if (latest === undefined || latest === stored) return;
      if (stored !== undefined) return put(stored.record);
      await store.remove(latest.record, latest.version);
      latest = undefined;
    },
  };
}
