import type { Lock } from '../files/lock.ts';
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

/** One commit that changed records. */
export interface HistoryEntry {
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly by: string;
  /** The first line of its message. */
  readonly what: string;
  /** The commit of the project that was applied, where the message names it. */
  readonly from?: string;
  readonly records: readonly (RecordKey & { readonly change: 'added' | 'changed' | 'removed' })[];
}

/** A version of a record that was committed and is newer than the record that is there. */
export interface NewerVersion {
  readonly commit: string;
  /** Whether the commit is in the history of what is checked out, and not only on another branch. */
  readonly inHistory: boolean;
  readonly id?: string;
  /** The command that brings it back. */
  readonly restore: string;
}

/**
 * Where last applied is kept. What is saved survives this process; `share` makes it known to everybody, which a store
 * of files has done already. Errors: `record-unreadable`, `record-newer`, `record-moved` (compare-and-set failed),
 * `record-locked`, and `record-unreachable` of a store that is elsewhere.
 */
export interface RecordStore {
  /** Whether a save is known to everybody at once, so that `share` has nothing to do. */
  readonly sharesAtOnce: boolean;
  /** The environments that have records. */
  environments(): Promise<string[]>;
  list(environment: string): Promise<StoredRecord[]>;
  read(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Saves if the stored version still is `expected` (undefined: there is none); returns the new version. */
  save(record: ResourceRecord, expected: string | undefined): Promise<string>;
  remove(key: RecordKey, expected: string): Promise<void>;
  lock(environment: string): Promise<Lock>;
  /** Throws if it can be told beforehand that saving, or sharing, will not be possible. */
  requireWritable(): Promise<void>;
  /**
   * Shares what was saved, with a few words that say what was done. `record-moved` names the records that somebody
   * else shared first, in its fact `records`; all others are shared then.
   */
  share(what: string): Promise<void>;
  /** What changed the records of an environment, or one of them, newest first. */
  history(of: Pick<RecordKey, 'environment'> | RecordKey): Promise<HistoryEntry[]>;
  /** A record as a commit had it. */
  readAt(key: RecordKey, commit: string): Promise<ResourceRecord | undefined>;
  /**
   * By address, which of these records are older than a version of themselves, as after a revert; of a record that is
   * not there, its last version. Nothing of a store whose history only goes on.
   */
  newerVersions(environment: string, keys: readonly RecordKey[]): Promise<ReadonlyMap<string, NewerVersion>>;
  close(): Promise<void>;
}
