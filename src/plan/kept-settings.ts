import { createHash } from 'node:crypto';
import { isJsonObject } from '../json/json.ts';
import type { Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldAt, isElement, isMapField, parsePath } from '../kinds/field-path.ts';
import { type Leaf, leavesOf, sectionsOf } from '../kinds/leaves.ts';
import { type PathMap, pathSet } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import type { Change } from '../schemas/plan-types.ts';
import type { Holds, KeptSettings as KeptHold, ResourceRecord } from '../schemas/record-types.ts';
import { asForeign, isForeign } from '../secrets/fingerprint.ts';
import { type FieldChange, fieldChanges } from './fields/field-changes.ts';
import type { FieldState } from './fields/field-state.ts';
import { type ResourceState, resourceState } from './fields/resource-state.ts';
import { campaignIn, type KeptSettings, type Observation, type PlanContext, wasEditedSince } from './observation.ts';
import { areSameChanges } from './pending.ts';
import { shrunkPrompts } from './verdicts/shrunk-prompts.ts';

// This file handles settings that an apply leaves unchanged on the service, because of a person's decision or because
// of `unanswered: leave`. A request contains every declared setting. The live value therefore replaces the manifest's
// value before the comparison, so that the request sends the live value.

/** Replaces the manifest's values of kept settings with live values. */
export function withKeptSettings(given: Observation, options: PlanContext): Observation {
  const observation = asDeclared(given);
  const { record, answer, restored } = observation;
  const holds = [...((record && holdsUnder(observation.desired, record)?.kept) ?? []), ...(answer?.keeps ?? [])];
  const leaves = options.unanswered === 'leave' && answer?.undoes !== true;
  const isIgnored = options.ignores !== undefined || restored !== undefined;
  const isUnread = options.offline === true || campaignIn(observation) === undefined;
  if (isIgnored || isUnread || (holds.length === 0 && !leaves)) return observation;
  const state = resourceState(observation, options.secrecy);
  const kept = keptIn(observation, { state, holds, leaves, options });
  return kept === undefined
    ? observation
    : { ...observation, kept, desired: withLive(observation.desired, state, kept) };
}

/** Whether two observations keep the same settings, with the same live values. */
export function hasSameKept(one: Observation, other: Observation): boolean {
  return areSameChanges(one.kept?.changes ?? [], other.kept?.changes ?? []);
}

/** The observation with the manifest's values restored. */
export function asDeclared({ kept, ...observation }: Observation): Observation {
  if (kept === undefined) return observation;
  return { ...observation, desired: { ...observation.desired, ...kept.declared } };
}

interface Keeping {
  readonly state: ResourceState;
  readonly holds: readonly KeptHold[];
  readonly leaves: boolean;
  readonly options: PlanContext;
}

/** Finds the settings to keep. Returns undefined if none of these settings differs from the manifest. */
function keptIn(observation: Observation, { state, holds, leaves, options }: Keeping): KeptSettings | undefined {
  const { desired } = observation;
  const changes = fieldChanges(state, { ...options, touched: wasEditedSince(observation) }).changes;
  const standing = standingKept(holds, state, desired);
  const keptHolds = standing.map(({ fields, ...hold }) => ({
    hold,
    paths: changesAt(pathSet(Object.keys(fields).map(parsePath)), changes),
  }));
  const decided = pathSet(keptHolds.flatMap(({ paths }) => paths.map(({ path }) => path)));
  const isUndecided = ({ path, change }: FieldChange) =>
    change.cause === 'drift' && change.op !== 'release' && decided.along(path).length === 0;
  const undecided = leaves ? changes.filter(isUndecided) : [];
  const all = [...keptHolds.flatMap(({ paths }) => paths), ...undecided];
  if (all.length === 0) return undefined;
  const chosen = new Set(all);
  return {
    paths: pathSet(all.map(({ path }) => path)),
    changes: changes.filter((one) => chosen.has(one)).map(({ change }) => change),
    holds: keptHolds.flatMap(({ hold, paths }) => (paths.length === 0 ? [] : [{ hold, paths: textsOf(paths) }])),
    undecided: textsOf(undecided),
    isUndoRefused: options.shrunkPrompts === 'error' && shrunkPrompts(state, undecided).length > 0,
    unsendable: textsOf(
      all.filter(({ path, change }) => change.knowledge !== 'compared' || losesMembers(state.kind, path, change)),
    ),
    declared: { sections: desired.sections, sensitive: desired.sensitive },
  };
}

function changesAt(paths: PathMap<FieldPath>, changes: readonly FieldChange[]): FieldChange[] {
  return changes.filter(
    ({ path, change }) => change.op !== 'release' && (paths.along(path).length > 0 || paths.within(path).length > 0),
  );
}

function textsOf(changes: readonly FieldChange[]): string[] {
  return changes.map(({ change }) => change.path);
}

/**
 * Whether sending back the live value would lose members that cannot be read. This can happen only if an apply would
 * unset a keyed list, or an element with write-only members.
 */
export function losesMembers(
  kind: Desired['kind'],
  path: FieldPath,
  { op, from }: Pick<Change, 'op' | 'from'>,
): boolean {
  if (op !== 'unset') return false;
  if (isMapField(kind, path)) return true;
  const members = isElement(kind, path) ? (fieldAt(kind, path)?.members ?? []) : [];
  return members.some(({ name }) => !isJsonObject(from) || !(name in from));
}

export function isMasked({ from, to }: Pick<Change, 'from' | 'to'>): boolean {
  return [from, to].some((value) => isJsonObject(value) && 'sensitive' in value);
}

/**
 * Replaces the wanted values of kept settings with live values. A write-only setting keeps the manifest's value,
 * because its resource is not sent.
 */
function withLive(desired: Desired, state: ResourceState, { paths }: KeptSettings): Desired {
  const isKept = (path: FieldPath) => paths.along(path).length > 0 && state.isReadable(path);
  const declared = leavesOf(desired.kind, desired.sections, desired.sensitive);
  const live = state.fields.flatMap(({ path, liveAsSent, sensitive }): [FieldPath, Leaf][] => {
    const value = isKept(path) ? liveAsSent?.value : undefined;
    return value === undefined ? [] : [[path, { value, sensitive }]];
  });
  const leaves = [...declared.filter(([path]) => !isKept(path)), ...live];
  const filled = pathSet(leaves.map(([path]) => path));
  const emptied = state.declaredLists
    .values()
    .filter((list) => filled.within(list).length === 0)
    .map((list): [FieldPath, Leaf] => [list, { value: [], sensitive: false }]);
  return { ...desired, ...sectionsOf(desired.kind, [...leaves, ...emptied]) };
}

/**
 * The holds of a record, adapted to the manifest's current name and environment. Fingerprints are salted with the name
 * and environment, so after a rename they are marked as foreign.
 */
export function holdsUnder(
  { environment, name }: Pick<ResourceRecord, 'environment' | 'name'>,
  record: ResourceRecord,
): Holds | undefined {
  const { holds } = record;
  const { rollback, kept } = holds ?? {};
  if (record.name === name && record.environment === environment) return holds;
  return (
    holds && {
      ...holds,
      ...(rollback && { rollback: asForeignHold(rollback) }),
      ...(kept && { kept: kept.map(asForeignHold) }),
    }
  );
}

function asForeignHold<Hold extends Pick<KeptHold, 'fields' | 'values'>>(hold: Hold): Hold {
  const fields = Object.entries(hold.fields).map(([path, fingerprints]) => [path, fingerprints.map(asForeign)]);
  return { ...hold, fields: Object.fromEntries(fields), ...(hold.values && { values: foreignValues(hold.values) }) };
}

/** Marks the fingerprints of recorded values as foreign. */
export function foreignValues<Value extends { readonly fingerprint?: string }>(values: readonly Value[]): Value[] {
  return values.map((one) =>
    one.fingerprint === undefined ? one : { ...one, fingerprint: asForeign(one.fingerprint) },
  );
}

/**
 * The holds that still apply. A setting is kept until the manifest changes it. If the manifest changes one write-only
 * setting of a hold, the hold ends for all its write-only settings. The reason is that a single request sends all
 * write-only settings.
 */
export function standingKept(holds: readonly KeptHold[], state: ResourceState, { target }: Desired): KeptHold[] {
  return holds.flatMap((hold) => {
    const fields = Object.entries(hold.fields).map(([text, fingerprints]) => {
      const path = parsePath(text);
      const now = fingerprintsAt(state, path);
      const isSame =
        now.length === fingerprints.length &&
        fingerprints.every((one, index) => one === now[index] || isForeign(one, target.key));
      return { entry: [text, fingerprints] as const, isSame, isReadable: state.isReadable(path) };
    });
    const isUnreadableChanged = fields.some(({ isSame, isReadable }) => !isSame && !isReadable);
    const left = fields.filter(({ isSame, isReadable }) => isSame && (isReadable || !isUnreadableChanged));
    return left.length === 0 ? [] : [withFields(hold, Object.fromEntries(left.map(({ entry }) => entry)))];
  });
}

/** The part of a hold that covers the given fields, with only the values of these fields. */
function withFields({ values = [], ...hold }: KeptHold, fields: KeptHold['fields']): KeptHold {
  const left = values.filter(({ path }) => Object.hasOwn(fields, path));
  return { ...hold, fields, ...(left.length > 0 && { values: left }) };
}

/** The fingerprints to store in a hold on the given settings, by path. */
export function keptFields(observation: Observation, paths: readonly string[], secrecy: Secrecy): KeptHold['fields'] {
  const state = resourceState(asDeclared(observation), secrecy);
  return Object.fromEntries(paths.map((text) => [text, fingerprintsAt(state, parsePath(text))]));
}

function fingerprintsAt(state: ResourceState, path: FieldPath): string[] {
  return state.byPath
    .within(path)
    .flatMap((field) => (field.wanted === undefined ? [] : [sideDigest(field, 'wanted')]));
}

/** Makes a fingerprint of one side, so that a hold stores neither long prompts nor secrets. */
export function sideDigest(field: FieldState | undefined, side: 'wanted' | 'last'): string {
  const value = field?.[side];
  if (value === undefined) return '';
  return field?.sensitive ? value.key : `sha256:${createHash('sha256').update(value.key).digest('base64url')}`;
}
