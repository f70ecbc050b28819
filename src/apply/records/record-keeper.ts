import type { Desired } from '../../kinds/desired.ts';
import { keepingHmac, type RecordParts, recordOf, withHmac } from '../../plan/records/record-of.ts';
import type { RecordStore, StoredRecord } from '../../record/store.ts';
import type { Holds, ResourceRecord } from '../../schemas/record-types.ts';

interface KeptRecord {
  readonly stored?: StoredRecord | undefined;
  readonly former?: StoredRecord | undefined;
  /** The holds that `save` and `amend` store in the record. */
  readonly holds?: Holds | undefined;
}

/** Saves the record of one resource during an apply. Each save is a compare-and-set against the previous version. */
export class RecordKeeper {
  readonly #store: Pick<RecordStore, 'save' | 'remove'>;
  readonly #desired: Desired;
  readonly #holds: Holds | undefined;
  #stored: StoredRecord | undefined;
  #former: StoredRecord | undefined;
  #latest: StoredRecord | undefined;

  constructor(store: Pick<RecordStore, 'save' | 'remove'>, desired: Desired, { stored, former, holds }: KeptRecord) {
    this.#store = store;
    this.#desired = desired;
    this.#holds = holds;
    this.#stored = stored;
    this.#former = former;
    this.#latest = stored;
  }

  current(): ResourceRecord | undefined {
    return this.#latest?.record;
  }

  /** Saves a record with the given parts. By default, keeps `created` and `renames` of the current record. */
  save(parts: RecordParts): Promise<void> {
    const { created, renames } = this.current() ?? {};
    const record = recordOf(this.#desired, { created, renames, ...parts, holds: this.#holds });
    return this.#put(withHmac(record, this.#key));
  }

  /** Adds the failure of an apply to the record. Does nothing if there is no record. */
  async noteFailure(failure: ResourceRecord['failure']): Promise<void> {
    const before = this.current();
    if (before === undefined || failure === undefined) return;
    await this.#put(keepingHmac({ ...before, failure }, { before, key: this.#key }));
  }

  /**
   * Replaces parts of the current record, but not its fields. If there is no record, saves a record without fields. A
   * record under a former name keeps that name, because only a write of the resource renames its record.
   */
  async amend(parts: Partial<Omit<RecordParts, 'fields'>>): Promise<void> {
    const stored = this.#latest ?? this.#former;
    const before = stored?.record;
    const named = { ...this.#desired, name: before?.name ?? this.#desired.name };
    const amended = recordOf(named, { fields: {}, ...before, ...parts, holds: this.#holds });
    const key = this.#key;
    const record = before === undefined ? withHmac(amended, key) : keepingHmac(amended, { before, key });
    const saved = { record, version: await this.#store.save(record, stored?.version) };
    if (stored === this.#latest) this.#latest = saved;
    else this.#former = saved;
  }

  /**
   * Renames the record. Writes the new record before removing the old one, so that a correct record always exists. Does
   * nothing if there is no former record.
   */
  async move(renamed: ResourceRecord): Promise<void> {
    const former = this.#former;
    if (former === undefined) return;
    if (this.#latest === undefined) {
      await this.#put(keepingHmac(renamed, { before: former.record, key: this.#key }));
      this.#stored = this.#latest;
    }
    await this.#store.remove(former.record, former.version);
    this.#former = undefined;
  }

  /** Restores the earlier record under the current name, or removes the saved record if there was none. */
  async restore(): Promise<void> {
    const latest = this.#latest;
    if (latest === undefined || latest === this.#stored) return;
    if (this.#stored !== undefined) return this.#put(this.#stored.record);
    await this.#store.remove(latest.record, latest.version);
    this.#latest = undefined;
  }

  get #key() {
    return this.#desired.target.key;
  }

  async #put(record: ResourceRecord): Promise<void> {
    this.#latest = { record, version: await this.#store.save(record, this.#latest?.version) };
  }
}
