import { AgentformError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import { addressOf, commandIn } from '../kinds/desired.ts';
import type { ProjectFile } from '../schemas/project-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { AllowedSecrets, Secret } from '../secrets/secret.ts';

export interface RecordKey {
  readonly environment: string;
  readonly kind: string;
  readonly name: string;
}

export interface SoughtRecord extends RecordKey {
  /** The record's HMAC. If the HMAC is omitted, a later hold in another version counts in any commit order. */
  readonly hmac?: string;
  /**
   * Checks whether an apply wrote a version. This check is set for an edited record, to find the last version that an
   * apply wrote.
   */
  readonly isProven?: (version: ResourceRecord) => boolean;
}

/** A record as it was read. The next save requires that this version is still current. */
export interface StoredRecord {
  readonly record: ResourceRecord;
  readonly version: string;
}

/** A copy of the records on this machine, which is used in place of the store. */
export interface LocalCopy {
  readonly from: Date;
  /** Why the store was not used, as a sentence without a final period. */
  readonly because: string;
}

/** A lock that excludes other runs from writing to an environment. */
export interface RecordLock extends Lock {
  /** This signal is aborted if the lock is lost before it is released. The reason is an AgentformError. */
  readonly lost?: AbortSignal;
}

/** Identifies a record at a commit. The commit need not have changed the record. */
export interface RecordVersion extends RecordKey {
  /** The commit, as in `HistoryEntry`. A prefix of a commit id is enough. */
  readonly commit: string;
}

export interface HistoryQuery {
  readonly environment: string;
  readonly records?: readonly Pick<RecordKey, 'kind' | 'name'>[];
}

/** One change to records: a commit, or its equivalent in other stores. */
export interface HistoryEntry {
  /** The id of the commit, or the number of the change. */
  readonly commit: string;
  /** The time in UTC, in ISO 8601 format. */
  readonly date: string;
  readonly by: string;
  /** A description on one line. For a commit, the first line of its message. */
  readonly what: string;
  /** The project commit that was applied, if known. */
  readonly from?: string;
  /**
   * True if the change moved records to or from another store. `removed` then means that the other store has the
   * record.
   */
  readonly isMove?: true;
  readonly records: readonly (RecordKey & { readonly change: 'added' | 'changed' | 'removed' })[];
}

/**
 * Why a history is incomplete. `shallow` means that the clone lacks commits, and `length` means that there are too many
 * changes.
 */
export type HistoryLimit = 'no-repository' | 'shallow' | 'length';

/** A change from another store, with its original time and author. */
export interface PastChange extends Pick<HistoryEntry, 'date' | 'by' | 'what' | 'from'> {
  /** The records after the change. A removed record has no text. */
  readonly records: readonly (HistoryEntry['records'][number] & { readonly text: string | undefined })[];
}

/**
 * Names the store to which records were moved. The mark remains in the old store, so that old checkouts do not treat
 * their agents as new.
 */
export interface MoveMark {
  readonly to: string;
  /** The time in UTC, in ISO 8601 format. */
  readonly at: string;
  readonly by: string;
}

/** A committed version that is newer than the current record. */
export interface NewerVersion {
  readonly commit: string;
  /** Whether HEAD's history contains the commit. Otherwise, only another branch contains it. */
  readonly inHistory: boolean;
  readonly id?: string;
  /** The pathspec of the record file, for git commands in the project folder. */
  readonly path: string;
  /** The hold in that version. Without `until`, it lasts until `unhold`. */
  readonly hold?: { readonly since: string; readonly until?: string };
}

/** Projects with records, whose folders are no longer projects. */
export interface FormerProjects {
  readonly folders: readonly { readonly folder: string; readonly records: readonly RecordKey[] }[];
  /** Makes the error `record-elsewhere` for a project that was probably moved from one of these folders. */
  readonly refusal: (folders: readonly string[]) => AgentformError;
}

/** A record that was on hold when its file was removed. */
export interface RemovedHold {
  readonly record: ResourceRecord;
  readonly version: NewerVersion;
}

/**
 * Stores records of the last applied values. Saves survive the end of the process. `share` makes saves visible to
 * others, unless the store has already done so. Errors: `record-unreadable`, `record-newer`, `record-moved`
 * (compare-and-set failed), `record-locked`. Remote stores also throw `record-unreachable` and `record-denied`.
 */
export interface RecordStore {
  /** Whether saves are visible to others immediately, so that `share` is not needed. */
  readonly sharesAtOnce: boolean;
  /** Secrets that give access to the store. These secrets are redacted in all output. */
  readonly secrets?: readonly Secret[];
  /** The local copy in use. Set only if the records cannot be read from the store. */
  readonly copy?: LocalCopy | undefined;
  /** Returns the environments that have records. Omits invalid names, which could be paths to other folders. */
  environments(): Promise<string[]>;
  list(environment: string): Promise<StoredRecord[]>;
  /**
   * Returns unexpected files beside the records of an environment. Only the git store has this method, because only a
   * record branch should contain nothing else.
   */
  strays?(environment: string): Promise<readonly string[]>;
  read(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Makes later reads include changes by other runs. */
  refresh(environment: string): Promise<void>;
  /**
   * Saves a record if its stored version is still `expected`, or if `expected` is undefined and there is no record.
   * Returns the new version.
   */
  save(record: ResourceRecord, expected: string | undefined): Promise<string>;
  remove(key: RecordKey, expected: string): Promise<void>;
  /** Locks an environment. Only one run can hold the lock. */
  lock(environment: string): Promise<RecordLock>;
  /**
   * Describes the running process that holds the lock. Returns undefined if there is none, as far as this machine can
   * see.
   */
  lockedBy(environment: string): Promise<string | undefined>;
  /** Throws if saves or `share` will certainly fail. */
  requireWritable(): Promise<void>;
  /**
   * Makes saves visible to others as one change. `what` describes the change. If the change moves records, `movedTo`
   * names the new store. If another run was the first to change some of the records, throws `record-moved` with these
   * records. All other records are published.
   */
  share(what: string, movedTo?: string): Promise<void>;
  /**
   * Returns the changes to an environment's records, newest first. The result can be limited to some records. Empty for
   * files outside git.
   */
  history(of: HistoryQuery): Promise<HistoryEntry[]>;
  /**
   * Returns the reason why the history does not reach back to the first version of each record. Returns undefined if the
   * history is complete.
   */
  historyLimit(environment: string): Promise<HistoryLimit | undefined>;
  /**
   * Reads records at commits, in the given order. The result is undefined for a record that did not exist. Throws
   * `record-unknown` for an unknown commit, and `record-unreadable` for an unreadable record.
   */
  readVersions(versions: readonly RecordVersion[]): Promise<(ResourceRecord | undefined)[]>;
  /**
   * Finds committed versions that are newer than these records, for example after a revert. Returns the versions by
   * address. For a missing record, returns its last version. For an edited record without a newer version, returns the
   * last version that an apply wrote. Only the file store has this method, because the history of other stores only
   * grows.
   */
  newerVersions?(environment: string, keys: readonly SoughtRecord[]): Promise<ReadonlyMap<string, NewerVersion>>;
  /**
   * Finds records that were on hold when a commit removed them, under any name. Only the file store has this method,
   * because in other stores only commands remove records, and these refuse to remove a record on hold.
   */
  removedHolds?(environment: string): Promise<readonly RemovedHold[]>;
  /**
   * If the project has no records, returns the records of projects that this checkout lacks. The project may have been
   * moved from one of their folders. Only the git store has this method, because only a record branch stores records
   * under the path of the project.
   */
  formerProjects?(): Promise<FormerProjects>;
  /**
   * Returns the folders of all projects with records, relative to the top of the repository. Only the git store has this
   * method.
   */
  projects?(): Promise<readonly string[]>;
  /** Returns the mark of a move to another store. Returns undefined if the records were not moved. */
  movedTo(): Promise<MoveMark | undefined>;
  /** Writes the mark of a move. If `mark` is undefined, removes the mark. */
  markMoved(mark: MoveMark | undefined): Promise<void>;
  /**
   * Adds changes from another store, in order. The last change to each record decides its state. The file store does
   * not have this method, because its history comes from git.
   */
  addHistory?(changes: AsyncIterable<PastChange>): Promise<void>;
  close(): Promise<void>;
}

/** The record settings in agentform.yaml. */
export type RecordSettings = NonNullable<ProjectFile['record']>;
export type StoreName = RecordSettings['store'];

export interface StoreContext {
  /** The project folder. */
  readonly root: string;
  readonly record: RecordSettings;
  /**
   * The former path of the project in its repository. If set, opens the records under this path. Only the git store has
   * such records.
   */
  readonly folder?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A signal that is aborted if the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum wait for a response, in milliseconds. After that, the store uses its local copy, if any. */
  readonly localAfter?: number | undefined;
  /** The process variables that may be read as secrets. If omitted, any variable may be read. */
  readonly allowedSecrets?: AllowedSecrets | undefined;
}

/**
 * Declares the properties in which a store differs from other stores. All other code treats all stores the same way.
 */
export interface StoreDefinition {
  readonly name: StoreName;
  /** The store's label and hint in a prompt. */
  readonly label: string;
  readonly hint: string;
  /** Whether records are project files that must be committed. A CI job loses files that it does not commit. */
  readonly isInProject: boolean;
  /**
   * Whether members of `record` other than `store` locate the records. If so, the records are found only while
   * agentform.yaml configures this store.
   */
  readonly hasSettings: boolean;
  /** Whether records are stored on a branch of the project's git remote, under the project's path. */
  readonly needsRemote: boolean;
  /** The initial value of `record` in a new agentform.yaml. */
  readonly starter: RecordSettings;
  /**
   * The members of `record` that locate the records, with defaults. Until a change is merged, it may set these members
   * only to the base's values or to the defaults.
   */
  readonly whereabouts: (record: RecordSettings | undefined) => Promise<Readonly<Record<string, string>>>;
  /** The name of the secret that gives access. Undefined if no secret is needed. */
  readonly secretName: (record: RecordSettings) => string | undefined;
  /** Describes where the records are, as a noun phrase. */
  readonly location: (record: RecordSettings) => Promise<string>;
  readonly open: (at: StoreContext) => Promise<RecordStore>;
  /**
   * Finds an environment's records without fetching. Returns their location as a text that completes "the records are
   * ...", and a remedy in case they were removed. Returns undefined if this machine has no records.
   */
  readonly find: (root: string, environment: string) => Promise<FoundRecords | undefined>;
}

export interface FoundRecords {
  readonly where: string;
  readonly ifGone?: string;
}

/**
 * Reads versions like `readVersions`, but returns undefined for an unreadable version and passes the version to
 * `onUnreadable`. Uses bisection to find the unreadable versions.
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

/** Returns the error for a record whose stored version is not the expected one. `place` is its path or its table row. */
export function changedMeanwhile(key: RecordKey, place: string): AgentformError {
  const message = `another run changed the record of ${addressOf(key)} after it was read; run again`;
  return new AgentformError('record-moved', message, { facts: { place, records: [addressOf(key)] } });
}

/** Returns the error for a version that the history lacks. `versions` names what `history` lists. */
export function unknownVersion(
  { commit, ...key }: RecordVersion,
  versions: 'commits' | 'changes',
  why: string,
): AgentformError {
  const hint = `run ${commandIn(key.environment, `history ${addressOf(key)}`)} to list the ${versions}`;
  return new AgentformError('record-unknown', `no record at ${JSON.stringify(commit)}: ${why}; ${hint}`);
}
