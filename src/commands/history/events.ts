import { isDeepStrictEqual } from 'node:util';
import { withoutUndefined } from '../../json/json.ts';
import { isWithin, parsePath } from '../../kinds/field-path.ts';
import { isUnclearRecord } from '../../plan/observation.ts';
import { changedValues, type RecordedChange } from '../../plan/records/record-of.ts';
import type { HistoryEntry } from '../../schemas/history-types.ts';
import type { AppliedField, Deed, KeptSettings, KeptValue, ResourceRecord } from '../../schemas/record-types.ts';
import { areOfOneKey } from '../../secrets/fingerprint.ts';

// Finds the events of a record by comparing each version with the previous version. Each version also contains the last
// apply, holds, renames and publications. Each of these has a person and a time.

/** A change to a setting, without the summary. Sensitive values are masked. */
export type RecordChange = Omit<HistoryEntry['changes'][number], 'summary'>;

export interface RecordEvent extends Omit<HistoryEntry, 'changes'> {
  readonly changes: readonly RecordChange[];
}

/** A version of a record. `version` is undefined if the record is not committed. */
export interface RecordState {
  readonly record: ResourceRecord;
  readonly version?: string;
}

/** The record before and after one apply. */
export interface RecordedApply {
  /** The record before the apply. This member is undefined if the first known version already contains the apply. */
  readonly before: ResourceRecord | undefined;
  readonly after: RecordState;
}

/** Follows one record through its versions, oldest first, under all of its names. */
export class RecordLife {
  readonly events: RecordEvent[] = [];
  readonly applies: RecordedApply[] = [];
  readonly #seen = new Set<string>();
  #last: RecordState | undefined;
  #open: RecordedApply | undefined;

  /**
   * Adds the next version. If an apply has several versions, the last version with changed fields contains the apply's
   * outcome. Later versions differ only in other parts, such as holds.
   */
  pass(state: RecordState): void {
    const last = this.#last?.record;
    const { appliedAt, name, fields } = state.record;
    const open = this.#open;
    if (open === undefined || open.after.record.appliedAt !== appliedAt || open.after.record.name !== name) {
      this.end();
      if (appliedAt !== undefined && last?.appliedAt !== appliedAt) this.#open = { before: last, after: state };
    } else if (!isDeepStrictEqual(open.after.record.fields, fields)) this.#open = { before: open.before, after: state };
    this.#add(deedsIn(state, last));
    this.#last = state;
  }

  /** Ends the life of a removed record. The life of a renamed record continues. */
  forget(at: string, by: string, removal: Pick<RecordEvent, 'commit' | 'version'>): void {
    this.end();
    const last = this.#last?.record;
    if (last === undefined) return;
    this.#add([{ ...namesOf(last), at, event: 'forget', ...(by !== '' && { by }), ...removal, changes: [] }]);
  }

  end(): void {
    if (this.#open === undefined) return;
    this.applies.push(this.#open);
    this.#add(eventsOf(this.#open));
    this.#open = undefined;
  }

  /** Adds the events that are not known yet. Versions repeat earlier events, such as renames. */
  #add(events: readonly RecordEvent[]): void {
    const isNew = (one: RecordEvent) => !this.#seen.has(`${one.event} ${one.at}`);
    const added = events.filter(isNew);
    for (const one of added) this.#seen.add(`${one.event} ${one.at}`);
    this.events.push(...added);
  }
}

/** The order of events with the same time. */
const order: readonly HistoryEntry['event'][] = [
  'rename',
  'adopt',
  'import',
  'create',
  'apply',
  'rollback',
  'edit-undone',
  'edit-kept',
  'unhold',
  'hold',
  'publish',
  'forget',
];

/** Sorts events by time, oldest first. */
export function eventsInOrder<Event extends Pick<RecordEvent, 'at' | 'event'>>(events: readonly Event[]): Event[] {
  return [...events].sort((one, other) => {
    if (one.at === other.at) return order.indexOf(one.event) - order.indexOf(other.event);
    return one.at < other.at ? -1 : 1;
  });
}

/** Returns all events in a version except applies. */
function deedsIn(state: RecordState, before: ResourceRecord | undefined): RecordEvent[] {
  const { record } = state;
  const { renames = [], adopted, publication, holds: { freeze, kept = [], released } = {} } = record;
  const on = (event: RecordEvent['event'], deed: Deed, more: Partial<RecordEvent> = {}): RecordEvent[] => {
    const at = normalisedTime(deed.at);
    return at === undefined ? [] : [{ ...aboutOf(state), ...doneBy(deed), at, event, changes: [], ...more }];
  };
  return [
    ...renames.flatMap(({ from, ...deed }, index) => {
      const to = renames[index + 1]?.from ?? record.name;
      return on('rename', deed, { name: to, changes: [{ path: 'name', op: 'set', from, to }] });
    }),
    ...(adopted === undefined ? [] : on('adopt', adopted)),
    ...kept.flatMap(({ by, since, reason, fields, values }) => {
      const changes = keptChanges(record, fields, values);
      // A failed apply, rather than a person in the dashboard, may have made the edit.
      const origin = isUnclearRecord(before) ? { isUnclear: true as const } : {};
      return on('edit-kept', { at: since, by }, { ...withoutUndefined({ reason }), ...origin, changes });
    }),
    ...(released === undefined ? [] : on('unhold', { at: released.at, by: released.by })),
    ...(freeze === undefined
      ? []
      : on('hold', { at: freeze.since, by: freeze.by }, withoutUndefined({ reason: freeze.reason }))),
    ...(publication === undefined ? [] : on('publish', publication)),
  ];
}

/** Returns the settings that a person decided to keep, as changes from the last applied value to the live value. */
function keptChanges(
  { fields }: ResourceRecord,
  kept: Readonly<Record<string, unknown>>,
  values: readonly KeptValue[] = [],
): RecordChange[] {
  const known = new Map(values.map((one) => [one.path, one]));
  return Object.keys(kept)
    .sort()
    .map((path) => {
      const now = known.get(path);
      const [from, to] = [valueAt(fields, path), now && shownValue(now)];
      return changeOf({ path, op: now !== undefined && to === undefined ? 'unset' : 'set', from, to });
    });
}

/** Returns the events of an apply: its changes, the edits that it undid, and the edits that it kept. */
function eventsOf({ before, after }: RecordedApply): RecordEvent[] {
  const { record } = after;
  const at = normalisedTime(record.appliedAt);
  if (at === undefined) return [];
  const about = { ...aboutOf(after), ...doneBy({ ...record, by: record.appliedBy }), at };
  const undone = replacedEdits(record);
  const origin = record.overwrote?.some(({ unclear }) => unclear) ? { isUnclear: true as const } : {};
  const isKept = isAmong(record.keptEdits ?? []);
  const changes = changedFields(before, record);
  const kept = changes.filter(({ path }) => isKept(path)).map((change) => changeTo(change, isAmong([])));
  const own = ownChanges(
    record,
    changes.filter(({ path }) => !isKept(path)),
  );
  const event = ownEvent(record, own);
  const decided = recordedKept(record).filter(({ since }) => recordedKept(before).every((one) => one.since !== since));
  const isOnlyAboutEdits = event === 'apply' && own.length === 0 && undone.length + kept.length + decided.length > 0;
  return [
    ...(event === undefined || isOnlyAboutEdits
      ? []
      : [
          {
            ...about,
            event,
            ...withoutUndefined({ reason: event === 'rollback' ? record.holds?.rollback?.reason : undefined }),
            changes: own,
            ...(isChangeUnknown(before, record) && { changesUnknown: true as const }),
          },
        ]),
    ...(undone.length === 0 ? [] : [{ ...about, ...origin, event: 'edit-undone' as const, changes: undone }]),
    ...(kept.length === 0 ? [] : [{ ...about, event: 'edit-kept' as const, changes: kept }]),
  ];
}

function recordedKept(record: ResourceRecord | undefined): readonly KeptSettings[] {
  return record?.holds?.kept ?? [];
}

/** Returns the event of the apply itself, or undefined for a `settle` event that neither set nor released a field. */
function ownEvent({ event = 'apply' }: ResourceRecord, own: readonly RecordChange[]): RecordEvent['event'] | undefined {
  if (event !== 'settle') return event;
  if (own.some(({ op }) => op === 'set')) return 'adopt';
  return own.some(({ op }) => op === 'release') ? 'apply' : undefined;
}

/** Whether the earlier version is missing, although the apply was not the first apply. */
function isChangeUnknown(before: ResourceRecord | undefined, { event }: ResourceRecord): boolean {
  return before === undefined && event !== 'create' && event !== 'adopt' && event !== 'import';
}

/** Returns the fields that an apply changed. Returns an empty list if the changes are unknown. */
function changedFields(before: ResourceRecord | undefined, record: ResourceRecord): RecordedChange[] {
  if (isChangeUnknown(before, record)) return [];
  const isRenamed = before !== undefined && before.name !== record.name;
  return changedValues(before, record).filter(({ from, to }) => {
    if (from?.fingerprint === undefined || to?.fingerprint === undefined) return true;
    // After a token rotation or rename, the same value has a different fingerprint.
    return !isRenamed && areOfOneKey(from.fingerprint, to.fingerprint);
  });
}

function ownChanges({ event, released = [], overwrote = [] }: ResourceRecord, changes: readonly RecordedChange[]) {
  const isReleased = isAmong(released);
  const found = new Map(overwrote.filter(({ cause }) => cause === 'adopt').map((one) => [one.path, one]));
  return changes.flatMap((change): RecordChange[] => {
    const { op, path, from, to } = changeTo(change, isReleased);
    // Dropping a value from the record does not unset the value on the service, because nothing is sent.
    if (event === 'settle' && op === 'unset') return [];
    const overwritten = found.get(path);
    return [changeOf({ path, op, from: overwritten === undefined ? from : shownValue(overwritten), to })];
  });
}

function changeTo({ path, from, to }: RecordedChange, isReleased: (path: string) => boolean): RecordChange {
  const op = to !== undefined ? 'set' : isReleased(path) ? 'release' : 'unset';
  return changeOf({ path, op, from: from && shownValue(from), to: to && shownValue(to) });
}

/** Returns the edits on the service that an apply replaced, as changes from the lost value to the new value. */
function replacedEdits({ overwrote = [], fields }: ResourceRecord): RecordChange[] {
  return overwrote
    .filter(({ cause }) => cause !== 'adopt')
    .map((one) => {
      const to = valueAt(fields, one.path);
      return changeOf({ path: one.path, op: to === undefined ? 'unset' : 'set', from: shownValue(one), to });
    });
}

function changeOf({ path, op, from, to }: { readonly [Part in keyof RecordChange]: RecordChange[Part] }): RecordChange {
  return { path, op, ...withoutUndefined({ from, to }) };
}

/** Returns the recorded value at a path. For an element or object, returns the values of all members. */
function valueAt(fields: ResourceRecord['fields'], path: string): unknown {
  const field = fields[path];
  if (field !== undefined) return shownValue(field);
  const steps = parsePath(path);
  const members = Object.entries(fields).flatMap(([text, one]): [string, unknown][] => {
    if (!text.startsWith(path)) return [];
    const at = parsePath(text);
    return isWithin(at, steps) ? [[at.slice(steps.length).join('.'), shownValue(one)]] : [];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function shownValue({ value, fingerprint }: Pick<AppliedField, 'value' | 'fingerprint'>): unknown {
  return fingerprint === undefined ? value : { sensitive: true, fingerprint };
}

/** Makes a test for paths that are equal to or inside one of `paths`. */
function isAmong(paths: readonly string[]): (path: string) => boolean {
  const known = new Set(paths);
  const holders = paths.map(parsePath);
  return (path) => known.has(path) || (holders.length > 0 && holders.some((one) => isWithin(parsePath(path), one)));
}

function aboutOf({ record, version }: RecordState) {
  return { ...namesOf(record), ...(version !== undefined && { version }) };
}

function namesOf({ kind, name, fields }: ResourceRecord) {
  const title = fields['settings.title']?.value;
  return { kind, name, ...(typeof title === 'string' && { title }) };
}

function doneBy({
  by,
  commit,
  pullRequest,
  run,
}: Pick<Deed, 'commit' | 'pullRequest' | 'run'> & { readonly by?: string | undefined }) {
  return {
    ...(by !== undefined && by !== '' && { by }),
    ...withoutUndefined({ commit, pullRequest, run }),
  };
}

/**
 * Formats a time as ISO 8601. Returns undefined for a text that is not a time, because a record can contain any text.
 */
export function normalisedTime(text: string | undefined): string | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
