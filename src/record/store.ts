import type { ResourceRecord } from '../schemas/record-types.ts';

/** Which record: one per environment, kind and name. */
export interface RecordKey {
  readonly environment: string;
  readonly kind: string;
  readonly name: string;
}

/** A record as it was read, with the version that a save must still find. */
export interface StoredRecord {
  readonly record: ResourceRecord;
  readonly version: string;
}

/** Holds off other applies of the environment until it is released. */
export interface RecordLock {
  release(): Promise<void>;
}

/**
 * Where last applied is kept. Errors: `record-unreadable`, `record-newer`, `record-moved` (compare-and-set failed) and
 * `record-locked`.
 */
export interface RecordStore {
  list(environment: string): Promise<StoredRecord[]>;
  read(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Saves if the stored version still is `expected` (undefined: there is none); returns the new version. */
  save(record: ResourceRecord, expected: string | undefined): Promise<string>;
  remove(key: RecordKey, expected: string): Promise<void>;
  lock(environment: string): Promise<RecordLock>;
}
