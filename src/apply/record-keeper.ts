import type { Desired } from '../kinds/desired.ts';
import { keepingHmac, withHmac } from '../plan/records/record-hmac.ts';
import { type RecordParts, recordOf } from '../plan/records/record-of.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { Holds, ResourceRecord } from '../schemas/record-types.ts';

/** Keeps the record of one resource true: each save builds on the version that the last one left. */
export interface RecordKeeper {
  readonly current: () => ResourceRecord | undefined;
  /**
   * Saves a record with these parts, which describe what was applied; undefined parts are left out, and `created` and
   * the earlier names stay.
   */
  readonly save: (parts: RecordParts) => Promise<void>;
  /** Adds the failure of an apply to the present record, if there is one. */
  readonly noteFailure: (failure: ResourceRecord['failure']) => Promise<void>;
  /** Saves the present record with these parts replaced, none of which describes what was applied. */
  readonly amend: (parts: Partial<Omit<RecordParts, 'fields'>>) => Promise<void>;
  /**
   * Renames the record: first the new one is written, then the old one removed, so at every moment one of them is
   * right. Does nothing without a former record.
   */
  readonly move: (renamed: ResourceRecord) => Promise<void>;
  /** Restores the earlier record, under the present name. */
  readonly restore: () => Promise<void>;
}

export interface KeptRecord {
  readonly stored?: StoredRecord | undefined;
  readonly former?: StoredRecord | undefined;
  /** The members of every save. */
  readonly holds?: Holds | undefined;
}

export function recordKeeper(
  store: Pick<RecordStore, 'save' | 'remove'>,
  desired: Desired,
  { holds, ...found }: KeptRecord,
): RecordKeeper {
  let { stored, former } = found;
  let latest = stored;
  const { key } = desired.target;
  const put = async (record: ResourceRecord) => {
    latest = { record, version: await store.save(record, latest?.version) };
  };
  return {
    current: () => latest?.record,
    save(parts) {
      const { created, renames } = latest?.record ?? {};
      return put(withHmac(recordOf(desired, { created, renames, ...parts, holds }), key));
    },
    async noteFailure(failure) {
      const before = latest?.record;
      if (before !== undefined && failure !== undefined)
        await put(keepingHmac({ ...before, failure }, { before, key }));
    },
    async amend(parts) {
      const before = latest?.record;
      const amended = recordOf(desired, { fields: {}, ...before, ...parts, holds });
      await put(before === undefined ? withHmac(amended, key) : keepingHmac(amended, { before, key }));
    },
    async move(renamed) {
      if (former === undefined) return;
      if (latest === undefined) {
        await put(keepingHmac(renamed, { before: former.record, key }));
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
