import { isDeepStrictEqual } from 'node:util';
import { AgentformError } from '../../errors.ts';
import { addressOf, commandIn, type Desired } from '../../kinds/desired.ts';
import type { HistoryEntry, RecordStore, StoredRecord } from '../../record/store.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import { ageOf } from '../../secrets/fingerprint.ts';
import { changedValues } from '../../session/record-versions.ts';

/** Which version of each record is wanted. */
export type WantedVersion =
  | { readonly at: 'previous' }
  | { readonly at: 'commit'; readonly commit: string }
  | { readonly at: 'time'; readonly time: Date };

/** An earlier version of one record, or why there is none, as the end of a sentence. */
export type ChosenVersion = { readonly problem: string } | { readonly to: string; readonly record: ResourceRecord };

/** Reads what `--to` says: `previous`, a version that `record log` lists, or a time. Throws `usage` for anything else. */
export function wantedVersion(text: string): WantedVersion {
  if (text === 'previous') return { at: 'previous' };
  if (/^(?:\d+|[0-9a-f]{4,64})$/i.test(text)) return { at: 'commit', commit: text };
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const date = new Date(`${day}T${time}${zone}`);
  if (!Number.isNaN(date.getTime())) return { at: 'time', time: date };
  throw new AgentformError(
    'usage',
    `--to is ${JSON.stringify(text)}; it takes previous, a version that \`agentform record log\` lists, or a time such as 2026-11-23T02:40Z`,
  );
}

interface Choosing {
  readonly store: RecordStore;
  readonly environment: string;
  /** Those that have a record. */
  readonly desired: readonly Desired[];
  /** By address. */
  readonly records: ReadonlyMap<string, StoredRecord>;
}

/** The wanted version of each record, by address. */
export async function chooseVersions(
  wanted: WantedVersion,
  choosing: Choosing,
): Promise<ReadonlyMap<string, ChosenVersion>> {
  const subjects = choosing.desired.flatMap((desired): Subject[] => {
    const current = choosing.records.get(addressOf(desired))?.record;
    return current === undefined ? [] : [{ desired, current, commits: [] }];
  });
  if (wanted.at === 'commit')
    return versionsAt(
      choosing,
      withCommits(subjects, () => [wanted.commit]),
    );
  const entries = await historyOf(choosing, subjects);
  const byRecord = entriesByRecord(entries);
  const commitsOf = ({ current }: Subject): readonly string[] => {
    const own = byRecord.get(addressOf(current)) ?? [];
    if (wanted.at === 'time')
      return own
        .filter((one) => Date.parse(one.date) <= wanted.time.getTime())
        .slice(0, 1)
        .map(idOf);
    return own.map(idOf).slice(afterRollback(own, current));
  };
  return versionsAt(choosing, withCommits(subjects, commitsOf), wanted.at === 'previous');
}

/** A record that is to go back, with the versions to try, newest first. */
interface Subject {
  readonly desired: Desired;
  readonly current: ResourceRecord;
  readonly commits: readonly string[];
}

function withCommits(subjects: readonly Subject[], commitsOf: (subject: Subject) => readonly string[]): Subject[] {
  return subjects.map((subject) => ({ ...subject, commits: commitsOf(subject) }));
}

function idOf({ commit }: HistoryEntry): string {
  return commit;
}

/** What was rolled back is not gone back to: a second rollback goes on into the past. */
function afterRollback(entries: readonly HistoryEntry[], { holds }: ResourceRecord): number {
  const to = holds?.rollback?.to;
  return to === undefined
    ? 0
    : Math.max(
        0,
        entries.findIndex(({ commit }) => commit.startsWith(to)),
      );
}

async function historyOf(
  { store, environment }: Choosing,
  subjects: readonly Subject[],
): Promise<readonly HistoryEntry[]> {
  try {
    const entries = await store.history({ environment, records: subjects.map(({ current }) => current) });
    if (entries.length > 0 || subjects.length === 0) return entries;
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'record-unreachable') throw error;
    throw new AgentformError('record-unreachable', `${error.message}; ${fromPlan}`, { cause: error });
  }
  throw new AgentformError(
    'record-unknown',
    `no commit has a record of ${environment}, so its earlier values are unknown; ${fromPlan}; from now on, commit the records after each apply`,
  );
}

const fromPlan = 'to undo an apply whose plan was saved, run again with --from PLAN.json';

function entriesByRecord(entries: readonly HistoryEntry[]): ReadonlyMap<string, HistoryEntry[]> {
  const byRecord = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    for (const { kind, name } of entry.records) {
      const address = addressOf({ kind, name });
      const known = byRecord.get(address);
      if (known === undefined) byRecord.set(address, [entry]);
      else known.push(entry);
    }
  }
  return byRecord;
}

/**
 * Reads the versions in rounds, each for all records that have none yet: a round takes as long as the store takes to
 * answer once, and most records are done after one or two.
 */
async function versionsAt(
  { store, environment }: Choosing,
  subjects: readonly Subject[],
  onlyOther = false,
): Promise<ReadonlyMap<string, ChosenVersion>> {
  const chosen = new Map<string, ChosenVersion>();
  let open = subjects;
  for (let round = 0; open.length > 0; round += 1) {
    const tried = open.filter(({ commits }) => commits[round] !== undefined);
    const records = await store.readVersions(
      tried.map(({ current: { kind, name }, commits }) => ({ environment, kind, name, commit: commits[round] ?? '' })),
    );
    const found = new Map(tried.map((subject, index) => [subject, records[index]]));
    for (const subject of open) {
      const to = subject.commits[round];
      const record = found.get(subject);
      const version = to === undefined ? none(subject, { onlyOther }) : versionOf(subject, { to, record, onlyOther });
      if (version !== undefined) chosen.set(addressOf(subject.desired), version);
    }
    open = open.filter(({ desired }) => !chosen.has(addressOf(desired)));
  }
  return chosen;
}

/** Undefined where the version is passed over because it is not what "previous" means. */
function versionOf(
  { desired, current }: Subject,
  {
    to,
    record,
    onlyOther,
  }: { readonly to: string; readonly record: ResourceRecord | undefined; readonly onlyOther: boolean },
): ChosenVersion | undefined {
  if (record !== undefined && isApplied(record)) {
    const isSame = changedValues(record, current, (from, then) => isSameValue(from, then, desired)).length === 0;
    return onlyOther && isSame ? undefined : { to, record };
  }
  if (onlyOther) return undefined;
  const what = record === undefined ? 'did not exist' : 'held no values';
  return { problem: `its record ${what} at ${to}; ${listed(current)}` };
}

function none({ current }: Subject, { onlyOther }: { readonly onlyOther: boolean }): ChosenVersion {
  const what = onlyOther ? 'no earlier version with other values' : 'no version of that time';
  return { problem: `its record has ${what}; ${listed(current)}` };
}

function listed(record: ResourceRecord): string {
  return `to list its versions, run ${commandIn(record.environment, `record log ${addressOf(record)}`)}`;
}

/** A create that was only begun, and a record that was adopted, hold nothing that was applied. */
function isApplied({ intent, fields }: ResourceRecord): boolean {
  return intent === undefined && Object.keys(fields).length > 0;
}

/** Of fingerprints under another token nobody knows whether they differ, and a rotation is no change of values. */
function isSameValue(from: AppliedField, to: AppliedField, { target }: Desired): boolean {
  const isForeign = [from, to].some(
    ({ fingerprint }) => fingerprint !== undefined && ageOf(fingerprint, target.key) !== 'current',
  );
  return isForeign || (from.fingerprint === to.fingerprint && isDeepStrictEqual(from.value, to.value));
}
