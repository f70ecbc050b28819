import { withoutUndefined } from '../../json/json.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { parsePath } from '../../kinds/field-path.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import { type Notice, type NoticeOf, notice, redactedNotice, remedyIn } from '../../notices/notice.ts';
import type { Hold } from '../../schemas/notices-types.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { Holds, ResourceRecord, RollbackHold } from '../../schemas/record-types.ts';
import type { HoldStatus } from '../../schemas/status-types.ts';
import { isForeign } from '../../secrets/fingerprint.ts';
import { isOver } from '../../text/time.ts';
import { type ResourceState, resourceState } from '../fields/resource-state.ts';
import { asDeclared, holdsUnder, isMasked, sideDigest, standingKept } from '../kept-settings.ts';
import { type KeptSettings, type Observation, unclearApply } from '../observation.ts';

// Holds keep a resource or some of its settings unchanged although the manifest differs. Holds are stored in records.

interface HoldOptions {
  readonly secrecy: Secrecy;
  /** The current time, which decides whether a hold has ended. */
  readonly now?: Date | undefined;
}

/**
 * The holds of a record that have not ended. A freeze ends at its `until`, if it has one. A rollback's hold ends once
 * the manifest changes any rolled-back field. Changes cannot be detected in fingerprints made with another token, so
 * fields with such fingerprints never end the hold.
 */
export function standingHolds(
  { desired, record }: Pick<Observation, 'desired' | 'record'>,
  state: ResourceState,
  now: Date | undefined,
): Holds {
  const { freeze, rollback } = (record && holdsUnder(desired, record)) ?? {};
  const isFixed = rollback !== undefined && changedFields(rollback, state, desired).length > 0;
  return { ...(freeze && !isOver(freeze, now) && { freeze }), ...(rollback && !isFixed && { rollback }) };
}

/** The rolled-back fields for which the manifest has a new value. */
function changedFields({ fields }: RollbackHold, state: ResourceState, { target }: Desired): string[] {
  const isChanged = ([path, fingerprints]: [string, readonly string[]]) => {
    const wanted = sideDigest(state.byPath.get(parsePath(path)), 'wanted');
    return !fingerprints.includes(wanted) && !fingerprints.some((fingerprint) => isForeign(fingerprint, target.key));
  };
  return Object.entries(fields)
    .filter(isChanged)
    .map(([path]) => path);
}

/** Says that an apply ends a rollback's hold. The new values may still contain what was rolled back. */
export function endedHold(observation: Observation, state: ResourceState, secrecy: Secrecy): Notice[] {
  const { desired, record, restored } = observation;
  const rollback = record && holdsUnder(desired, record)?.rollback;
  if (rollback === undefined || restored !== undefined) return [];
  const paths = changedFields(rollback, declaredState(observation, state, secrecy), desired);
  if (paths.length === 0) return [];
  return [redactedNotice(notice('hold-ended', { hold: holdFacts({ rollback }), paths }), secrecy.redact)];
}

/** The state with the values of the manifest, even for settings that an apply leaves unchanged. */
function declaredState(observation: Observation, state: ResourceState, secrecy: Secrecy): ResourceState {
  return observation.kept === undefined ? state : resourceState(asDeclared(observation), secrecy);
}

/** Whether a record is on hold, judged without the manifest. In this case, a rollback's hold lasts until `unhold`. */
export function isOnHold({ holds }: ResourceRecord, now: Date | undefined): boolean {
  return holds?.rollback !== undefined || (holds?.freeze !== undefined && !isOver(holds.freeze, now));
}

/** Summarises a hold: person, beginning, reason and end. */
export function briefHold({
  by,
  since,
  reason,
  until,
}: Pick<RollbackHold, 'by' | 'since' | 'reason'> & { readonly until?: string }): HoldStatus {
  return { by, at: since, ...withoutUndefined({ reason, until }) };
}

/** A summary of a record's hold, judged without the manifest. Undefined if the record has no hold. */
export function recordedHold(record: ResourceRecord, now: Date): HoldStatus | undefined {
  const { freeze, rollback } = record.holds ?? {};
  const hold = freeze !== undefined && !isOver(freeze, now) ? freeze : rollback;
  return hold && briefHold(hold);
}

/** The reason against dropping a record on hold, with the command that ends the hold. Undefined if there is no hold. */
export function holdNotice(record: ResourceRecord, now: Date | undefined): NoticeOf<'record-held'> | undefined {
  if (!isOnHold(record, now)) return undefined;
  const address = addressOf(record);
  return notice('record-held', { record: address, hold: holdFacts(record.holds ?? {}) }, [
    remedyIn(record.environment, 'unhold', address),
  ]);
}

/** The hold in the first reason, which is the main reason for leaving out a resource. */
export function holdIn([reason]: readonly Notice[]): Hold | undefined {
  return reason !== undefined && 'hold' in reason.facts ? reason.facts.hold : undefined;
}

/** The facts about the hold that applies. A freeze takes precedence over a rollback's hold. */
function holdFacts({ freeze, rollback }: Holds): Hold {
  const { by, since, reason } = freeze ?? rollback ?? { by: '', since: '' };
  const isWordless = reason === undefined && rollback !== undefined;
  return { by, since, ...(reason !== undefined && { reason }), ...(isWordless && { version: rollback.to }) };
}

/** The reason against writing an agent that is on hold under another name or in another environment. */
export function heldElsewhere({ desired, record, heldAs }: Observation): NoticeOf<'held-elsewhere'> | undefined {
  if (heldAs === undefined) return undefined;
  const { environment, name } = heldAs;
  const isHere = environment === desired.environment;
  const mayBeRenamed = isHere && record === undefined && name !== desired.name;
  const holder = addressOf(heldAs);
  return notice(
    'held-elsewhere',
    {
      kind: desired.kind,
      holder,
      ...(!isHere && { environment }),
      hold: holdFacts(heldAs.holds ?? {}),
      ...(mayBeRenamed && { rename: { from: name, to: addressOf(desired) } }),
    },
    [remedyIn(environment, 'unhold', holder)],
  );
}

/**
 * The holds to record after a write: the holds that still apply, and the holds from answers. A rollback replaces an
 * earlier rollback's hold, and ends earlier decisions to keep settings. Undefined if there are no holds to record.
 */
export function keptHolds(given: Observation, { secrecy, now }: HoldOptions): Holds | undefined {
  const observation = asDeclared(given);
  const { desired, record, restored, answer } = observation;
  const made = restored !== undefined && 'hold' in restored ? restored.hold : undefined;
  const answered = answer?.keeps ?? [];
  if (record?.holds === undefined) {
    if (answered.length > 0) return { kept: [...answered] };
    return made && { rollback: made };
  }
  const state = resourceState(observation, secrecy);
  const standing = standingHolds(observation, state, now);
  const kept = restored === undefined ? standingKept(holdsUnder(desired, record)?.kept ?? [], state, desired) : [];
  const { released } = record.holds;
  const holds = {
    ...standing,
    ...(made && { rollback: made }),
    ...(kept.length + answered.length > 0 && { kept: [...kept, ...answered] }),
    ...(released && { released }),
  };
  return Object.keys(holds).length === 0 ? undefined : holds;
}

/** The hold that forbids changing a resource. A new rollback replaces an earlier rollback's hold, but not a freeze. */
export function holdOver(observation: Observation, state: ResourceState, { secrecy, now }: HoldOptions) {
  const { record, heldAs, restored } = observation;
  if (record?.holds === undefined && heldAs === undefined) return undefined;
  const { redact } = secrecy;
  const holds = standingHolds(observation, declaredState(observation, state, secrecy), now);
  const own = holds.freeze ?? (restored === undefined ? holds.rollback : undefined);
  const hold = own ?? heldAs?.holds?.freeze ?? heldAs?.holds?.rollback;
  const reason = own === undefined ? heldElsewhere(observation) : heldReason(observation.desired, holds);
  return hold && reason && { reason: redactedNotice(reason, redact), held: shownHold(hold, redact) };
}

/** The notice about a freeze that has not ended. A freeze also prevents publishing the draft. */
export function freezeNotice({ desired, record }: Observation, { secrecy, now }: HoldOptions): Notice | undefined {
  const { freeze } = (record && holdsUnder(desired, record)) ?? {};
  if (freeze === undefined || isOver(freeze, now)) return undefined;
  return redactedNotice(heldReason(desired, { freeze }), secrecy.redact);
}

type AnyHold = Pick<RollbackHold, 'by' | 'since' | 'reason'> &
  Partial<Pick<RollbackHold, 'fields'> & Pick<NonNullable<Holds['freeze']>, 'until'>>;

function shownHold(
  { by, since, reason, until, fields }: AnyHold,
  redact: Secrecy['redact'],
): NonNullable<ResourcePlan['held']> {
  const paths = fields && Object.keys(fields);
  return { by: redact(by), since, ...withoutUndefined({ reason: reason && redact(reason), until, fields: paths }) };
}

function heldReason({ environment, ...desired }: Desired, holds: Holds): Notice {
  const command = (name: string) => remedyIn(environment, name, addressOf(desired));
  const hold = holdFacts(holds);
  const { freeze, rollback } = holds;
  if (freeze !== undefined) {
    const until = freeze.until === undefined ? {} : { until: freeze.until };
    return notice('held', { hold, ...until }, [command('unhold')]);
  }
  const fields = Object.keys(rollback?.fields ?? {});
  return notice('held', { hold, fields }, [command('unhold'), command('update')]);
}

/**
 * The hold on a resource with kept settings that a request cannot send unchanged. Any request would change these
 * settings, so no request is sent.
 */
export function holdOverRest(observation: Observation, { redact }: Secrecy) {
  const { desired, kept } = observation;
  if (kept === undefined) return undefined;
  const [keptHold] = kept.holds.filter(({ paths }) => paths.some((path) => kept.unsendable.includes(path)));
  if (keptHold === undefined)
    return { reason: redactedNotice(leftReason(observation, kept, { isWhole: true }), redact) };
  const held = { ...shownHold(keptHold.hold, redact), fields: [...keptHold.paths] };
  return { reason: redactedNotice(keptReason(desired, keptHold, kept), redact), held };
}

/**
 * The reasons why settings stay unchanged on the service: one for each decision, and one for undecided edits. A hold on
 * the resource would also block undoing these edits.
 */
export function keptReasons(observation: Observation, state: ResourceState, options: HoldOptions): Notice[] {
  const { desired, kept } = observation;
  if (kept === undefined) return [];
  const over = holdOver(observation, state, options) ?? holdOverRest(observation, options.secrecy);
  return [
    ...kept.holds.map((one) => keptReason(desired, one, kept)),
    ...(kept.undecided.length === 0 ? [] : [leftReason(observation, kept, { over: over?.reason })]),
  ];
}

function keptReason(
  { environment, ...desired }: Desired,
  { hold, paths }: KeptSettings['holds'][number],
  { unsendable, changes }: KeptSettings,
): NoticeOf<'settings-kept'> {
  const { by, since, reason } = hold;
  const isWhole = paths.some((path) => unsendable.includes(path));
  const canCopy = !isWhole && isCopyable(paths, changes);
  const facts = { hold: { by, since, ...(reason !== undefined && { reason }) }, paths: [...paths] };
  return notice('settings-kept', { ...facts, ...(isWhole && { isWhole }) }, [
    remedyIn(environment, 'unhold', addressOf(desired)),
    ...(canCopy ? [remedyIn(environment, 'update', addressOf(desired))] : []),
  ]);
}

function leftReason(
  observation: Observation,
  { undecided, changes, isUndoRefused }: KeptSettings,
  { isWhole, over }: { readonly isWhole?: true; readonly over?: Notice | undefined },
): NoticeOf<'drift-left'> {
  const { environment, ...desired } = observation.desired;
  const isUnclear = unclearApply(observation) !== undefined;
  const about = { paths: [...undecided], ...(isUnclear && { isUnclear }) };
  if (over !== undefined && 'hold' in over.facts) {
    const unhold = over.remedies.filter(([command]) => command === 'unhold');
    return notice('drift-left', { ...about, hold: over.facts.hold }, unhold);
  }
  const facts = { ...about, ...(isWhole && { isWhole }), ...(isUndoRefused && { isUndoRefused }) };
  const canCopy = isCopyable(undecided, changes);
  return notice('drift-left', facts, canCopy ? [remedyIn(environment, 'update', addressOf(desired))] : []);
}

/** Whether `update` can copy all of the kept values, because none of them is masked. */
function isCopyable(paths: readonly string[], changes: KeptSettings['changes']): boolean {
  return !changes.some((change) => paths.includes(change.path) && isMasked(change));
}

/** The values that determine which fields a rollback puts on hold. */
interface RollbackSides {
  /** The desired state according to the manifest. */
  readonly manifest: Desired;
  readonly restored: Desired;
  readonly record: ResourceRecord;
  readonly secrecy: Secrecy;
}

/**
 * The fingerprints, by path, of the fields in which a rollback differs from the manifest or from the last applied
 * values. The last applied values are included because the checkout may be older than the last apply.
 */
export function rolledBackFields({ manifest, restored, record, secrecy }: RollbackSides): RollbackHold['fields'] {
  const before = resourceState({ desired: manifest, record }, secrecy);
  const after = resourceState({ desired: restored, record }, secrecy);
  const fields = new Map([...after.fields, ...before.fields].map((field) => [field.text, field]));
  const rolledBack = [...fields].flatMap(([text, { path }]): [string, string[]][] => {
    const old = before.byPath.get(path);
    const restoredFingerprint = sideDigest(after.byPath.get(path), 'wanted');
    const fingerprints = [...new Set([sideDigest(old, 'wanted'), sideDigest(old, 'last')])];
    return fingerprints.every((fingerprint) => fingerprint === restoredFingerprint) ? [] : [[text, fingerprints]];
  });
  return Object.fromEntries(rolledBack);
}
