import { isDeepStrictEqual } from 'node:util';
import { AgentformError } from '../../errors.ts';
import { cached } from '../../json/json.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { type Notice, type NoticeFacts, notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import { isUnrecordedWrite } from '../../plan/observation.ts';
import { changedValues, type HmacState, hmacState } from '../../plan/records/record-of.ts';
import type { HistoryEntry, HistoryLimit, RecordStore, StoredRecord } from '../../record/store.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import { isForeign } from '../../secrets/fingerprint.ts';
import { isDay, readTime } from '../../text/time.ts';
import { shortVersion } from '../../text/wording.ts';

/** Which version of each record to restore. */
export type WantedVersion =
  | { readonly at: 'previous' }
  | { readonly at: 'commit'; readonly commit: string }
  | { readonly at: 'time'; readonly time: Date };

/** The version to restore, or why there is none. */
export type ChosenVersion =
  | { readonly problem: Notice }
  | {
      /** The commit of the version, or words for a version that the history lacks. */
      readonly to: string;
      readonly record: ResourceRecord;
      /** Set if no valid HMAC proves that an apply wrote the version. */
      readonly doubt?: Notice;
    };

/**
 * The maximum time that a store's clock can be ahead of this machine's clock, in milliseconds. `--to` must accept the
 * times that `history` prints.
 */
const clocksApart = 24 * 60 * 60 * 1000;

/**
 * Parses `--to`: `previous`, a version of `history`, or a time. Throws `usage` for any other text, including a time in
 * the future.
 */
export function wantedVersion(text: string, now: Date): WantedVersion {
  if (text === 'previous') return { at: 'previous' };
  if (/^(?:\d+|[0-9a-f]{4,64})$/i.test(text)) return { at: 'commit', commit: text };
  // A day is refused, because it could mean the start or the end of the day.
  const time = isDay(text) ? undefined : readTime(text);
  if (time !== undefined && time.getTime() > now.getTime() + clocksApart)
    throw new AgentformError(
      'usage',
      `--to is ${JSON.stringify(text)}, which is in the future; name a time in the past`,
    );
  if (time !== undefined) return { at: 'time', time };
  throw new AgentformError(
    'usage',
    `--to is ${JSON.stringify(text)}: expected previous, a version that \`agentform history\` lists, or a time such as 2026-11-23T02:40Z`,
  );
}

interface Choosing {
  readonly store: RecordStore;
  readonly environment: string;
  /** The selected resources. Those without a record are skipped. */
  readonly desired: readonly Desired[];
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Finds a manifest's former names. Earlier versions of its record may have these names. */
  readonly formerNames: (address: string) => readonly string[];
}

/** Finds the version to restore for each record, keyed by address. */
export async function chooseVersions(
  wanted: WantedVersion,
  choosing: Choosing,
): Promise<ReadonlyMap<string, ChosenVersion>> {
  const subjects = choosing.desired.flatMap((desired): RestoreTask[] => {
    const current = choosing.records.get(addressOf(desired))?.record;
    if (current === undefined) return [];
    const { name } = current;
    const names = [...new Set([name, desired.name, ...choosing.formerNames(addressOf(desired))])];
    return [{ desired, current, names, tries: [], isReplaced: false }];
  });
  if (wanted.at === 'commit') {
    const { commit } = wanted;
    const everyName = ({ names }: RestoreTask) => names.map((name) => ({ name, commit }));
    return versionsAt(choosing, withTries(subjects, everyName), { at: 'commit' });
  }
  const entries = await lineageOf(choosing, subjects);
  const limit = await choosing.store.historyLimit(choosing.environment);
  const byRecord = entriesByRecord(entries);
  const triesOf = (subject: RestoreTask): readonly Try[] => {
    const own = ownEntries(subject, byRecord);
    if (wanted.at === 'time') {
      const until = own.filter(({ entry }) => Date.parse(entry.date) <= wanted.time.getTime());
      // Some stores save a rename as two entries, so search both names.
      const last = (subject.names.length > 1 && until.find((one) => isLeft(subject, one))) || until[0];
      // Includes earlier versions, because they can confirm the wanted version.
      return last === undefined ? [] : until.slice(until.indexOf(last)).map(tryOf);
    }
    return own.map(tryOf);
  };
  const searched = withTries(subjects, triesOf);
  if (wanted.at === 'time') return versionsAt(choosing, searched, { at: 'time', limit });
  return previousVersions(choosing, { subjects: searched, limit });
}

/**
 * Finds the previous version of each record. Records that a rollback still holds keep their values. Therefore,
 * repeating an interrupted rollback completes it, and does not restore an even earlier version.
 */
async function previousVersions(
  choosing: Choosing,
  { subjects, limit }: { readonly subjects: readonly RestoreTask[] } & Pick<Search, 'limit'>,
): Promise<ReadonlyMap<string, ChosenVersion>> {
  const left = subjects.filter(({ current }) => heldVersion(current) === undefined);
  const search = (tasks: readonly RestoreTask[]) => versionsAt(choosing, tasks, { at: 'previous', limit });
  const replaced = left.filter(({ current }) => mayBeReplaced(current)).map((one) => ({ ...one, isReplaced: true }));
  const found = new Map(await search(replaced));
  for (const { desired, current } of replaced)
    if (!isBeforeWrite(current, found.get(addressOf(desired)))) found.delete(addressOf(desired));
  const others = left.filter(({ desired }) => !found.has(addressOf(desired)));
  // After the hold has ended with `unhold` or a new manifest, the version that was rolled back still counts as undone.
  const searched = others.map((one) => (one.current.event === 'rollback' ? undoneBy(one, one.current) : one));
  for (const [address, chosen] of await search(searched)) found.set(address, chosen);
  return new Map(
    subjects.flatMap(({ desired, current }): [string, ChosenVersion][] => {
      const chosen = found.get(addressOf(desired)) ?? heldVersion(current);
      return chosen === undefined ? [] : [[addressOf(desired), chosen]];
    }),
  );
}

/**
 * Whether the chosen version is the one before a write that may not have been recorded. A hold in such a record comes
 * from an interrupted rollback. If this rollback restored another version, the record has the values that it undid.
 */
function isBeforeWrite({ holds }: ResourceRecord, chosen: ChosenVersion | undefined): boolean {
  const { rollback } = holds ?? {};
  return rollback === undefined || (chosen !== undefined && 'to' in chosen && chosen.to === rollback.to);
}

/**
 * Returns the current record as the version to restore, if a rollback restored its values and the hold has not ended.
 */
function heldVersion(current: ResourceRecord): ChosenVersion | undefined {
  const to = current.event === 'rollback' ? restoredBy(current) : undefined;
  return to === undefined ? undefined : { to, record: current };
}

/** A version to read: its commit, and the record's name in that commit. */
interface Try {
  readonly name: string;
  readonly commit: string;
}

/** A record to restore, with the versions to try, in order. */
interface RestoreTask {
  readonly desired: Desired;
  readonly current: ResourceRecord;
  /** All names of the record and the manifest, including former names. */
  readonly names: readonly string[];
  readonly tries: readonly Try[];
  /**
   * The rollback whose restored version is being searched for. Until that version is found, every other version is
   * skipped.
   */
  readonly undoing?: Undoing | undefined;
  /** Whether an apply may have replaced the current values, which then are the previous ones. */
  readonly isReplaced: boolean;
  /** Whether a rollback restored the current values. */
  readonly isRolledBack?: boolean;
  /** A version that an earlier version must confirm. */
  readonly doubted?: DoubtedVersion | undefined;
}

interface Undoing {
  /** A record that the rollback saved. */
  readonly record: ResourceRecord;
  /**
   * The commit that was restored, or undefined if the history lacks it. In that case, only values identify the version.
   */
  readonly to: string | undefined;
}

/** Whether the service may have newer values than the record, so that the recorded values are the previous ones. */
function mayBeReplaced(current: ResourceRecord): boolean {
  return isUnrecordedWrite(current) && isApplied(current);
}

function withTries(subjects: readonly RestoreTask[], triesOf: (subject: RestoreTask) => readonly Try[]): RestoreTask[] {
  return subjects.map((subject) => ({ ...subject, tries: triesOf(subject) }));
}

interface OwnEntry {
  readonly entry: IndexedEntry;
  readonly name: string;
}

function tryOf({ entry, name }: OwnEntry): Try {
  return { name, commit: entry.commit };
}

/**
 * Returns the record's history entries, newest first. If a rename is a single entry, follows the name that was not
 * removed.
 */
function ownEntries(subject: RestoreTask, byRecord: ReadonlyMap<string, readonly IndexedEntry[]>): OwnEntry[] {
  const { current, names } = subject;
  const { kind } = current;
  const found = names.flatMap((name) =>
    (byRecord.get(addressOf({ kind, name })) ?? []).map((entry) => ({ entry, name })),
  );
  const byCommit = new Map<string, OwnEntry>();
  for (const own of found) {
    const known = byCommit.get(own.entry.commit);
    if (known === undefined || (!isLeft(subject, known) && isLeft(subject, own))) byCommit.set(own.entry.commit, own);
  }
  return [...byCommit.values()].sort((one, other) => one.entry.index - other.entry.index);
}

function isLeft({ current: { kind } }: RestoreTask, { entry, name }: OwnEntry): boolean {
  return entry.records.some((one) => one.kind === kind && one.name === name && one.change !== 'removed');
}

/** Continues the search at the version that a rollback restored. */
function undoneBy(given: RestoreTask, record: ResourceRecord): RestoreTask {
  const subject = { ...given, isRolledBack: true };
  const { tries } = subject;
  const to = restoredBy(record);
  // The number of a change can be the prefix of another number.
  const exact = tries.findIndex(({ commit }) => commit === to);
  const index = exact >= 0 || to === undefined ? exact : tries.findIndex(({ commit }) => commit.startsWith(to));
  return index < 0
    ? { ...subject, undoing: { record, to: undefined } }
    : { ...subject, tries: tries.slice(index), undoing: { record, to: tries[index]?.commit } };
}

/**
 * Returns the version that a rollback restored, or undefined if the rollback's hold has ended. A hold that is newer
 * than the apply belongs to another rollback, whose write was interrupted.
 */
function restoredBy({ appliedAt = '', holds }: ResourceRecord): string | undefined {
  const { rollback } = holds ?? {};
  return rollback !== undefined && rollback.since <= appliedAt ? rollback.to : undefined;
}

/**
 * Skips a version that a rollback undid, or a version that a rollback restored. Returns undefined if the version
 * counts. Only proven versions can skip others, so that an edited version cannot choose what is restored.
 */
function skipped(subject: RestoreTask, { commit, record }: ReadVersion): RestoreTask | undefined {
  const { current, desired, undoing, isReplaced } = subject;
  if (isReplaced) return undefined;
  const isRollback = record?.event === 'rollback' && hmacState(record, desired.target.key) === 'holds';
  if (undoing === undefined)
    return isRollback && hasSameValues(record, current, desired) ? undoneBy(subject, record) : undefined;
  const { record: by, to } = undoing;
  const isSameApply = record?.appliedAt === by.appliedAt;
  const isRestored =
    to === undefined
      ? record !== undefined && !isSameApply && isApplied(record) && hasSameValues(record, by, desired)
      : commit === to;
  if (isRestored) return isRollback ? undoneBy(subject, record) : { ...subject, undoing: undefined };
  return isRollback && isSameApply ? undoneBy(subject, record) : subject;
}

async function lineageOf(
  { store, environment }: Choosing,
  subjects: readonly RestoreTask[],
): Promise<readonly HistoryEntry[]> {
  try {
    const keys = subjects.flatMap(({ current: { kind }, names }) => names.map((name) => ({ kind, name })));
    const entries = await store.history({ environment, records: keys });
    if (entries.length > 0 || subjects.length === 0) return entries;
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'record-unreachable') throw error;
    throw new AgentformError('record-unreachable', `${error.message}; ${fromPlan}`, { cause: error });
  }
  throw new AgentformError(
    'record-unknown',
    `no commit has a record of ${environment}, so its earlier values are unknown; ${fromPlan}. To roll back later applies, ` +
      'commit the records after each apply. The .gitignore of `agentform init` ignores records of the emulator',
  );
}

const fromPlan = 'to undo an apply whose plan was saved, run again with --from PLAN.json';

/** An entry with its index in the history. The newest entry has index 0. */
type IndexedEntry = HistoryEntry & { readonly index: number };

function entriesByRecord(entries: readonly HistoryEntry[]): ReadonlyMap<string, readonly IndexedEntry[]> {
  const byRecord = new Map<string, IndexedEntry[]>();
  for (const [index, entry] of entries.entries()) {
    const indexed = { ...entry, index };
    for (const { kind, name } of entry.records) {
      cached(byRecord, addressOf({ kind, name }), () => []).push(indexed);
    }
  }
  return byRecord;
}

/**
 * Reads versions in rounds. Each round reads a version of every record for which no version has been chosen yet. Most
 * records need one or two rounds, and each round is one query to the store.
 */
async function versionsAt(
  { store, environment }: Choosing,
  subjects: readonly RestoreTask[],
  search: Search,
): Promise<ReadonlyMap<string, ChosenVersion>> {
  const chosen = new Map<string, ChosenVersion>();
  let open = subjects;
  while (open.length > 0) {
    const tried = open.flatMap((subject) => subject.tries.slice(0, 1).map((wanted) => ({ subject, wanted })));
    const records = await store.readVersions(
      tried.map(({ subject, wanted }) => ({ environment, kind: subject.current.kind, ...wanted })),
    );
    const found = new Map(tried.map(({ subject, wanted }, index) => [subject, { ...wanted, record: records[index] }]));
    const left: RestoreTask[] = [];
    for (const subject of open) {
      const next = judged(subject, found.get(subject), search);
      if ('desired' in next) left.push(next);
      else chosen.set(addressOf(subject.desired), next);
    }
    open = left;
  }
  return chosen;
}

/** Judges a version that was read. Returns the subject with the versions left to try, or the version to restore. */
function judged(given: RestoreTask, read: ReadVersion | undefined, search: Search): RestoreTask | ChosenVersion {
  const subject = { ...given, tries: given.tries.slice(1) };
  const { doubted } = subject;
  if (doubted !== undefined) return confirmed(subject, doubted, { read, ...search }) ?? subject;
  if (read === undefined) return none(subject, search);
  const next = search.at === 'previous' ? skipped(subject, read) : undefined;
  if (next !== undefined) return next;
  const version = versionOf(subject, read, search.at) ?? subject;
  return 'state' in version ? { ...subject, doubted: version } : version;
}

interface Search {
  /** How the person named the version. */
  readonly at: WantedVersion['at'];
  /** Why the history that was searched is incomplete. */
  readonly limit?: HistoryLimit | undefined;
}

interface ReadVersion extends Try {
  readonly record: ResourceRecord | undefined;
}

/** A wanted version without proof that an apply wrote it. */
interface DoubtedVersion extends Try {
  readonly record: ResourceRecord;
  readonly state: Exclude<HmacState, 'holds'>;
}

/**
 * Returns the version to restore, or the version to confirm first. Returns undefined if the version is skipped. A search
 * for the previous version skips versions that have no values or the current values. A version that a person named by its
 * commit needs no confirmation, and its record may have had another name.
 */
function versionOf(
  subject: RestoreTask,
  { commit, name, record }: ReadVersion,
  at: Search['at'],
): ChosenVersion | DoubtedVersion | undefined {
  const { desired, current, tries } = subject;
  if (record !== undefined && isApplied(record)) {
    if (at === 'previous' && !isPrevious(record, subject)) return undefined;
    const state = hmacState(record, desired.target.key);
    if (state === 'holds') return { to: commit, record };
    if (at !== 'commit') return { name, commit, record, state };
    const doubt = notice('version-unconfirmed', { ...doubtOf({ commit, state }), effect: 'restored' });
    return { to: commit, record, doubt };
  }
  if (at === 'previous' || (record === undefined && at === 'commit' && tries.length > 0)) return undefined;
  const state = record === undefined ? 'absent' : 'empty';
  return { problem: notice('version-empty', { version: shortVersion(commit), state }, [historyRemedy(current)]) };
}

/**
 * Whether a version may be the previous one: it has other values than the current record. If an apply may have replaced
 * the current values, these are the previous ones, in their last version before that apply.
 */
function isPrevious(record: ResourceRecord, { desired, current, isReplaced }: RestoreTask): boolean {
  if (isReplaced) return !mayBeReplaced(record) && hasSameValues(record, current, desired);
  return !hasSameValues(record, current, desired);
}

/**
 * Confirms a doubted version with a proven earlier version that has the same values. Commands such as `hold` can run
 * without the token, and then save a record without an HMAC. Returns undefined if earlier versions must be read first.
 */
function confirmed(
  { desired, current }: RestoreTask,
  doubted: DoubtedVersion,
  { read, at }: Search & { readonly read: ReadVersion | undefined },
): ChosenVersion | undefined {
  if (read !== undefined) {
    const { commit: to, record } = read;
    if (record === undefined || !isApplied(record)) return undefined;
    if (hmacState(record, desired.target.key) !== 'holds') return undefined;
    if (hasSameValues(record, doubted.record, desired)) return { to, record };
    if (at === 'previous' && hasSameValues(record, current, desired)) return undefined;
  }
  const { commit, name } = doubted;
  const { environment, kind } = desired;
  const to = shortVersion(commit);
  const instead = read === undefined ? {} : { instead: shortVersion(read.commit) };
  return {
    problem: notice('version-unconfirmed', { ...doubtOf(doubted), effect: 'refused', ...instead }, [
      remedyIn(environment, 'record', 'show', `${addressOf({ kind, name })}@${to}`),
      remedyIn(environment, 'rollback', addressOf(desired), '--to', to),
    ]),
  };
}

/** Returns the facts about a version that no valid HMAC proves. */
function doubtOf({
  commit,
  state,
}: Pick<DoubtedVersion, 'commit' | 'state'>): Pick<NoticeFacts['version-unconfirmed'], 'version' | 'state'> {
  const isKnown = state === 'foreign' || state === 'altered';
  return { version: shortVersion(commit), state: isKnown ? state : 'unsigned' };
}

function hasSameValues(one: ResourceRecord, other: ResourceRecord, desired: Desired): boolean {
  // Fingerprints depend on the name, so they cannot be compared after a rename.
  const isRenamed = one.name !== other.name;
  const areHidden = (...fields: readonly AppliedField[]) =>
    fields.every(({ fingerprint }) => fingerprint !== undefined);
  const isSame = (from: AppliedField, to: AppliedField) =>
    (isRenamed && areHidden(from, to)) || isSameValue(from, to, desired);
  return changedValues(one, other, isSame).length === 0;
}

/** Returns the result if no version is left to try. */
function none(subject: RestoreTask, { at, limit }: Search): ChosenVersion {
  const { current, desired, isReplaced, isRolledBack = false } = subject;
  // The history lacks this version, for example because the file was not committed after its apply.
  if (at === 'previous' && isReplaced && hmacState(current, desired.target.key) === 'holds') {
    return { to: 'before the interrupted apply', record: current };
  }
  const wanted = at !== 'previous' ? 'time' : isRolledBack ? 'before-restored' : 'other-values';
  return { problem: notice('version-missing', { wanted, ...(limit && { limit }) }, [historyRemedy(current)]) };
}

function historyRemedy(record: ResourceRecord): Remedy {
  return remedyIn(record.environment, 'history', addressOf(record));
}

/** Whether a record has applied values. Records of unfinished creates and of adopted agents have no applied values. */
function isApplied({ intent, fields }: ResourceRecord): boolean {
  return intent === undefined && Object.keys(fields).length > 0;
}

/**
 * Whether two fields have the same value. A fingerprint of another token counts as equal, because a rotation does not
 * change values.
 */
function isSameValue(from: AppliedField, to: AppliedField, { target }: Desired): boolean {
  const isRotated = [from, to].some(({ fingerprint = '' }) => isForeign(fingerprint, target.key));
  return isRotated || (from.fingerprint === to.fingerprint && isDeepStrictEqual(from.value, to.value));
}
