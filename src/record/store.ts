import { AgentformError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import type { ProjectFile } from '../schemas/project-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { AllowedSecrets, Secret } from '../secrets/secret.ts';

/** A record's key: environment, kind and name. */
export interface RecordKey {
  readonly environment: string;
  readonly kind: string;
  readonly name: string;
}

/** A record to find in the history, with its HMAC if that counts. */
export interface SoughtRecord extends RecordKey {
  readonly hmac?: string;
  /** For an edited record: checks whether an apply wrote a version of it. Then the newest such version is found. */
  readonly isProven?: (version: ResourceRecord) => boolean;
}

/** A read record, with the version that must still be present at the next save. */
export interface StoredRecord {
  readonly record: ResourceRecord;
  readonly version: string;
}

/** Locks out other runs that write to an environment. */
export interface RecordLock extends Lock {
  /** Aborted, with an AgentformError as its reason, if the lock was lost before its release. */
  readonly lost?: AbortSignal;
}

/** A record at a commit, which need not be the commit that changed it. */
export interface RecordVersion extends RecordKey {
  /** The commit as in `HistoryEntry`; the beginning of its id is enough. */
  readonly commit: string;
}

/** The records of a history: all of an environment, or some. */
export interface HistoryQuery {
  readonly environment: string;
  readonly records?: readonly Pick<RecordKey, 'kind' | 'name'>[];
}

/** One commit that changed records, or its equivalent in a store without commits. */
export interface HistoryEntry {
  /** Its id, or the number of a change. */
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly by: string;
  /** The first line of its message. */
  readonly what: string;
  /** The applied commit of the project, if the message names it. */
  readonly from?: string;
  /** Whether the entry moved the records to another store or back, so removed records are not gone. */
  readonly isMove?: true;
  readonly records: readonly (RecordKey & { readonly change: 'added' | 'changed' | 'removed' })[];
}

/** Why the history is incomplete: a shallow clone lacks commits, or a store limits the number of changes. */
export type HistoryLimit = 'shallow' | 'length';

/** A change of another store, to keep with its original time and person. */
export interface PastChange extends Pick<HistoryEntry, 'date' | 'by' | 'what' | 'from'> {
  /** The records after the change. Removed records have no text. */
  readonly records: readonly (HistoryEntry['records'][number] & { readonly text: string | undefined })[];
}

/**
 * The new place of a store's records. The old store keeps this mark, so that an old checkout does not consider the
 * records lost.
 */
export interface MoveMark {
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
}

/** A committed version of a record that is newer than the present record. */
export interface NewerVersion {
  readonly commit: string;
  /** Whether the commit is in the history of the checkout, and not only on another branch. */
  readonly inHistory: boolean;
  readonly id?: string;
  /** The path of the record for git commands in the project folder. */
  readonly path: string;
  /** The holds of the resource in that version; without an end, until `unhold`. */
  readonly hold?: { readonly since: string; readonly until?: string };
}

/**
 * The store of last applied values. Saved records survive this process, and `share` publishes them unless the store
 * already does. Errors: `record-unreadable`, `record-newer`, `record-moved` (compare-and-set failed), `record-locked`,
 * and for remote stores `record-unreachable` or `record-denied`.
 */
export interface RecordStore {
  /** Whether a save is published immediately, so `share` has nothing to do. */
  readonly sharesAtOnce: boolean;
  /** The secret for the store, which is never shown; none by default. */
  readonly secrets?: readonly Secret[];
  /** The time of the local copy that is used if the store cannot be reached. */
  readonly asOf?: Date | undefined;
  /** The environments that have records. */
  environments(): Promise<string[]>;
  list(environment: string): Promise<StoredRecord[]>;
  /** Paths of ignored files beside the records of an environment, if they are unusual. */
  strays(environment: string): Promise<readonly string[]>;
  read(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Makes later reads include the changes of other runs. */
  refresh(environment: string): Promise<void>;
  /** Saves if the stored version is still `expected` (undefined: none); returns the new version. */
  save(record: ResourceRecord, expected: string | undefined): Promise<string>;
  remove(key: RecordKey, expected: string): Promise<void>;
  /** Locks an environment, which only has one lock at a time. */
  lock(environment: string): Promise<RecordLock>;
  /** Throws if it is clear in advance that saving or sharing will fail. */
  requireWritable(): Promise<void>;
  /**
   * Shares saved records with a short description. `record-moved` lists the records that another run shared first in
   * its fact `records`. All other records are shared.
   */
  share(what: string): Promise<void>;
  /** Changes of an environment's records, or of some of them, newest first. */
  history(of: HistoryQuery): Promise<HistoryEntry[]>;
  /** Why the history does not go back to the first version of each record; undefined if it does. */
  historyLimit(environment: string): Promise<HistoryLimit | undefined>;
  /**
   * Records at commits or changes, in the requested order; undefined if there was none. Throws `record-unknown` for an
   * unknown commit, and `record-unreadable` for an unreadable version.
   */
  readVersions(versions: readonly RecordVersion[]): Promise<(ResourceRecord | undefined)[]>;
  /**
   * Versions that are newer than these records, by address, as after a revert. For a missing record it is the last
   * version, and for an edited one the last proven version. Empty for a store whose history only grows.
   */
  newerVersions(environment: string, keys: readonly SoughtRecord[]): Promise<ReadonlyMap<string, NewerVersion>>;
  /** Where the records of this store were moved to; undefined if they are here. */
  movedTo(): Promise<MoveMark | undefined>;
  /** Leaves the mark of a move, or removes it. */
  markMoved(mark: MoveMark | undefined): Promise<void>;
  /**
   * Adds the changes of another store in their order, so that each record ends in its last state. A store of files has
   * no such method, because its history is the git history.
   */
  addHistory?(changes: AsyncIterable<PastChange>): Promise<void>;
  close(): Promise<void>;
}

/** The record settings of agentform.yaml. */
export type RecordSettings = NonNullable<ProjectFile['record']>;
export type StoreName = RecordSettings['store'];

/** The context for opening a store. */
export interface StoreContext {
  /** The project folder. */
  readonly root: string;
  readonly record: RecordSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted if the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a local copy, if there is one, replaces a store that does not answer. */
  readonly localAfter?: number | undefined;
  /** The process variables that may be read as secrets; all if omitted. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
}

/** The facts that distinguish stores. No other code does. */
export interface StoreDefinition {
  readonly name: StoreName;
  /** The description and hint of the store in a choice. */
  readonly label: string;
  readonly hint: string;
  /** Whether its records are files of the project, committed with it. A job loses files that it does not commit. */
  readonly isInProject: boolean;
  /** Whether other members of `record` locate its records, so that they are only found while it is configured. */
  readonly hasSettings: boolean;
  /** Whether its records are shared through the git remote of the project. */
  readonly needsRemote: boolean;
  /** The value of `record` in the agentform.yaml of a new project. */
  readonly starter: RecordSettings;
  /**
   * The members of `record` that locate its records, by name, with defaults; undefined ones are allowed in an unmerged
   * change.
   */
  readonly whereabouts: (record: RecordSettings | undefined) => Promise<Readonly<Record<string, string>>>;
  /** The name of the secret that it needs, if any. */
  readonly secretName: (record: RecordSettings) => string | undefined;
  /** The location of its records, as a noun. */
  readonly location: (record: RecordSettings) => Promise<string>;
  readonly open: (at: StoreContext) => Promise<RecordStore>;
  /**
   * Finds an environment's records without fetching. Returns their location as the end of "the records are ...", and
   * the remedy if they were removed; undefined if this machine knows none.
   */
  readonly find: (root: string, environment: string) => Promise<FoundRecords | undefined>;
}

export interface FoundRecords {
  readonly where: string;
  readonly ifGone?: string;
}

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
