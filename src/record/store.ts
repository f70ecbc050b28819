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

/** A record to find in the history, with its HMAC if there is one that counts. */
export interface SoughtRecord extends RecordKey {
  readonly hmac?: string;
  /** For a record that was edited: whether an apply wrote a version of it. The newest such version is found then. */
  readonly isProven?: (version: ResourceRecord) => boolean;
}

/** A read record, with the version that a save must still find. */
export interface StoredRecord {
  readonly record: ResourceRecord;
  readonly version: string;
}

/** Locks out other runs that write to an environment. */
export interface RecordLock extends Lock {
  /** Aborted, with an AgentformError as its reason, where the lock was lost before it was released. */
  readonly lost?: AbortSignal;
}

/** A record as a commit had it, which need not be the one that changed it. */
export interface RecordVersion extends RecordKey {
  /** As in `HistoryEntry`; the beginning of a commit's id is enough. */
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
  /** The commit of the project that was applied, where the message names it. */
  readonly from?: string;
  /** The records left for another store or came back: those that it removed are not gone. */
  readonly isMove?: true;
  readonly records: readonly (RecordKey & { readonly change: 'added' | 'changed' | 'removed' })[];
}

/** A shallow clone lacks earlier commits; a store may give only a number of changes. */
export type HistoryLimit = 'shallow' | 'length';

/** A change of another store, to be kept with the time and the person that it has there. */
export interface PastChange extends Pick<HistoryEntry, 'date' | 'by' | 'what' | 'from'> {
  /** Each record as the change left it; no text for one that it removed. */
  readonly records: readonly (HistoryEntry['records'][number] & { readonly text: string | undefined })[];
}

/** Where the records of a store went. The store keeps it, so that an old checkout does not consider them lost. */
export interface MoveMark {
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
}

/** A version of a record that was committed and is newer than the record that is there. */
export interface NewerVersion {
  readonly commit: string;
  /** Whether the commit is in the history of what is checked out, and not only on another branch. */
  readonly inHistory: boolean;
  readonly id?: string;
  /** The path of the record, as git accepts it in the project folder. */
  readonly path: string;
  /** The holds of the resource in that version; without an end, until `unhold`. */
  readonly hold?: { readonly since: string; readonly until?: string };
}

/**
 * The store of last applied. Saved records survive this process; `share` publishes them, which a store of files has
 * done already. Errors: `record-unreadable`, `record-newer`, `record-moved` (compare-and-set failed), `record-locked`,
 * and `record-unreachable` or `record-denied` of a store that is elsewhere.
 */
export interface RecordStore {
  /** Whether a save is published immediately, so `share` has nothing to do. */
  readonly sharesAtOnce: boolean;
  /** The secret that opens the store, never shown; none by default. */
  readonly secrets?: readonly Secret[];
  /** The time of the copy on this machine that is read because the store itself cannot be reached. */
  readonly asOf?: Date | undefined;
  /** The environments that have records. */
  environments(): Promise<string[]>;
  list(environment: string): Promise<StoredRecord[]>;
  /** Paths of ignored files beside the records of an environment, if they are unusual. */
  strays(environment: string): Promise<readonly string[]>;
  read(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Later reads include what others shared meanwhile. */
  refresh(environment: string): Promise<void>;
  /** Saves if the stored version is still `expected` (undefined: none); returns the new version. */
  save(record: ResourceRecord, expected: string | undefined): Promise<string>;
  remove(key: RecordKey, expected: string): Promise<void>;
  /** A store gives one lock of an environment at a time. */
  lock(environment: string): Promise<RecordLock>;
  /** Throws if it is clear in advance that saving or sharing will fail. */
  requireWritable(): Promise<void>;
  /**
   * Shares saved records, with a short description. `record-moved` lists the records that another run shared first, in
   * its fact `records`; all others are shared then.
   */
  share(what: string): Promise<void>;
  /** Changes of an environment's records, or of some of them, newest first. */
  history(of: HistoryQuery): Promise<HistoryEntry[]>;
  /** Why the history does not go back to the first version of each record; undefined if it does. */
  historyLimit(environment: string): Promise<HistoryLimit | undefined>;
  /**
   * Records as commits, or changes, had them, in the order asked for; undefined where there was none. `record-unknown`
   * is for an unknown commit, `record-unreadable` for an unreadable version.
   */
  readVersions(versions: readonly RecordVersion[]): Promise<(ResourceRecord | undefined)[]>;
  /**
   * By address, versions that are newer than these records, as after a revert. For a record that is gone it is the
   * last one, and for an edited record the last proven one. Empty for a store whose history only grows.
   */
  newerVersions(environment: string, keys: readonly SoughtRecord[]): Promise<ReadonlyMap<string, NewerVersion>>;
  /** Where the records of this store were moved to; undefined if they are here. */
  movedTo(): Promise<MoveMark | undefined>;
  /** Leaves the mark of a move, or removes it. */
  markMoved(mark: MoveMark | undefined): Promise<void>;
  /**
   * Adds the changes of another store in their order. Each record ends as its last change left it. A store that cannot
   * keep them has no such method: the history of files is the git history.
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
  /** Aborted where the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a store that does not answer is given up for the copy that this machine has, if it has one. */
  readonly localAfter?: number | undefined;
  /** The process variables that may be read as secrets; all if omitted. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
}

/** The special facts of a store. Other code does not distinguish stores. */
export interface StoreDefinition {
  readonly name: StoreName;
  /** As a choice: a description and a hint. */
  readonly label: string;
  readonly hint: string;
  /** Its records are files of the project, to be committed with it. A job loses the files that it does not commit. */
  readonly isInProject: boolean;
  /** Other members of `record` locate its records, so they are found only while it is configured. */
  readonly hasSettings: boolean;
  /** Its records are shared through the git remote of the project. */
  readonly needsRemote: boolean;
  /** The value of `record` in the agentform.yaml of a new project. */
  readonly starter: RecordSettings;
  /**
   * The members of `record` that locate its records, by name, with defaults; undefined ones are allowed in an unmerged
   * change.
   */
  readonly whereabouts: (record: RecordSettings | undefined) => Promise<Readonly<Record<string, string>>>;
  /** The name of the secret that it is opened with, if it needs one. */
  readonly secretName: (record: RecordSettings) => string | undefined;
  /** The location of its records, as a noun. */
  readonly location: (record: RecordSettings) => Promise<string>;
  readonly open: (at: StoreContext) => Promise<RecordStore>;
  /**
   * The location of an environment's records, as the end of "the records are ..."; undefined without any, as far as
   * this machine knows: nothing is fetched. And what to do if they are there no more.
   */
  readonly find: (root: string, environment: string) => Promise<FoundRecords | undefined>;
}

export interface FoundRecords {
  readonly where: string;
  readonly ifGone?: string;
}
