import type { Json } from '../../json/json.ts';
import { equalsAbsent } from '../../kinds/compare.ts';
import {
  type FieldPath,
  fieldAt,
  fieldPathOf,
  formatPath,
  isElement,
  isMapField,
  settingPath,
} from '../../kinds/field-path.ts';
import { comparedAs, kindNamed } from '../../kinds/kind.ts';
import { type Leaf, leavesOf } from '../../kinds/leaves.ts';
import { PathMap, pathSet } from '../../kinds/path-map.ts';
import { type Secrecy, withCredentials } from '../../kinds/sensitive.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { AppliedField } from '../../schemas/record-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import { type Observation, wasEditedSince } from '../observation.ts';
import { recordedFields, withoutReadBacks } from '../records/record-of.ts';
import { isCreate } from '../records/target.ts';
import { type FieldSides, type FieldState, fieldState, type Side } from './field-state.ts';

/** The fields of one resource and the elements of its keyed lists. */
export interface ResourceState {
  readonly kind: KindName;
  /** The fields, sorted by displayed path. */
  readonly fields: readonly FieldState[];
  readonly byPath: PathMap<FieldState>;
  /** The keyed lists in the manifest, and the keyed lists in the record. */
  readonly declaredLists: PathMap<FieldPath>;
  readonly recordedLists: PathMap<FieldPath>;
  /** The elements of keyed lists in the manifest, and the elements on the service. */
  readonly wantedElements: PathMap<FieldPath>;
  readonly liveElements: PathMap<FieldPath>;
  readonly isReadable: (path: FieldPath) => boolean;
  /** The settings that an apply leaves unchanged on the service. The record keeps their last applied values. */
  readonly kept: PathMap<FieldPath>;
  /** Redacts secrets and credentials in texts from the service. */
  readonly redact: Redact;
}

type PathEntries<Value> = readonly (readonly [FieldPath, Value])[];

/**
 * Combines the wanted, live and last applied values of one resource, field by field in path order.
 *
 * Includes only managed fields, which are the fields in the manifest or the record. A declared or recorded keyed list
 * is sent whole, so all of its live elements are included.
 */
export function resourceState(
  observation: Observation,
  known: Secrecy,
  { leaves, isReadable }: ShownSide = liveSide(observation),
): ResourceState {
  const { desired, record } = observation;
  const secrecy = withCredentials(known, observation.credentials);
  const { kind } = desired;
  const creates = isCreate(desired, record);
  // Create-only fields are sent only when the resource is created, so plans of existing resources ignore them.
  const counts = ([path]: readonly [FieldPath, unknown]) => creates || fieldAt(kind, path)?.createOnly !== true;
  const wanted = leavesOf(kind, desired.sections, desired.sensitive).filter(counts);
  const last = recordedFields(record).filter(counts);
  const declaredLists = keyedListsOf(kind, wanted);
  const recordedLists = keyedListsOf(kind, last);
  const managed = pathSet([...wanted, ...last].map(([path]) => path));
  const live = leaves.filter(([path]) => {
    const list = fieldPathOf(kind, path);
    return managed.has(path) || declaredLists.has(list) || recordedLists.has(list);
  });
  const touched = wasEditedSince(observation);
  const context = { desired, recorded: record ?? desired, secrecy, isReadable, touched };
  const fields = sidesOf(kind, { wanted, live, last }).map((sides) => fieldState(sides, context));
  return {
    kind,
    fields,
    byPath: new PathMap(fields.map((field) => [field.path, field])),
    declaredLists,
    recordedLists,
    wantedElements: elementsIn(kind, wanted),
    liveElements: elementsIn(kind, live),
    isReadable,
    kept: observation.kept?.paths ?? new PathMap(),
    redact: secrecy.redact,
  };
}

/**
 * Combines the manifest with the record, without live values. The last applied values are used as live values.
 * Sensitive live values are absent, because records do not store them.
 */
export function recordedState({ record, ...observed }: Observation, secrecy: Secrecy): ResourceState {
  const observation = record === undefined ? observed : { ...observed, record: withoutReadBacks(record) };
  const leaves = recordedFields(record).flatMap(([path, { fingerprint, value }]): [FieldPath, Leaf][] =>
    fingerprint === undefined ? [[path, { value: value as Json, sensitive: false }]] : [],
  );
  return resourceState(observation, secrecy, { leaves, isReadable: () => true });
}

function sidesOf(
  kind: KindName,
  {
    wanted,
    live,
    last,
  }: { readonly wanted: PathEntries<Leaf>; readonly live: PathEntries<Leaf>; readonly last: PathEntries<AppliedField> },
): FieldSides[] {
  const sides = new PathMap<{ -readonly [Side in keyof FieldSides]: FieldSides[Side] }>();
  const sidesAt = (path: FieldPath) => sides.getOrAdd(path, () => ({ path, text: formatPath(kind, path) }));
  for (const [path, leaf] of wanted) sidesAt(path).wanted = leaf;
  for (const [path, leaf] of live) sidesAt(path).live = leaf;
  for (const [path, field] of last) sidesAt(path).last = field;
  return sides.values().sort((one, other) => (one.text < other.text ? -1 : 1));
}

interface ShownSide {
  readonly leaves: PathEntries<Leaf>;
  readonly isReadable: (path: FieldPath) => boolean;
}

/** The live values of a resource, including settings that are not managed. Empty if the resource was not read. */
export function liveSide({ desired, record, reading }: Observation): ShownSide {
  const { live: liveOf } = kindNamed(desired.kind);
  if (liveOf === undefined || reading === undefined || 'failure' in reading) {
    return { leaves: [], isReadable: () => false };
  }
  const recorded = recordedFields(record).flatMap(([[section, ...key]]) => (section === 'extraSettings' ? key : []));
  const extraKeys = new Set([...Object.keys(desired.sections.extraSettings ?? {}), ...recorded]);
  const live = liveOf(reading.campaign, [...extraKeys]);
  return { leaves: leavesOf(desired.kind, live.sections), isReadable: live.isReadable };
}

function keyedListsOf(kind: KindName, entries: PathEntries<unknown>): PathMap<FieldPath> {
  return pathSet(entries.map(([path]) => fieldPathOf(kind, path)).filter((path) => isMapField(kind, path)));
}

function elementsIn(kind: KindName, leaves: PathEntries<Leaf>): PathMap<FieldPath> {
  return pathSet(leaves.map(([path]) => elementOf(kind, path)).filter((path) => path !== undefined));
}

/** The element of a keyed list that is at a path or contains the path. Undefined for other paths. */
export function elementOf(kind: KindName, path: FieldPath): FieldPath | undefined {
  const element = path.slice(0, fieldPathOf(kind, path).length + 1);
  return isElement(kind, element) ? element : undefined;
}

/** The value of one side at a path, ready for display. A list element has all its members. */
export function shownAt(
  state: ResourceState,
  path: FieldPath,
  name: 'wanted' | 'live' | 'liveAsSent' | 'last' | 'readBack',
): Json | undefined {
  return joinedAt(state, path, (field) => field[name] && shownSide(field, field[name]));
}

/** Joins the values of the fields at a path. For a list element, the result contains all members. */
export function joinedAt(
  state: ResourceState,
  path: FieldPath,
  read: (field: FieldState) => Json | undefined,
): Json | undefined {
  const values = state.byPath.within(path).flatMap((field): [FieldPath, Json][] => {
    const value = read(field);
    return value === undefined ? [] : [[field.path.slice(path.length), value]];
  });
  const [whole] = values.filter(([member]) => member.length === 0);
  if (whole !== undefined) return whole[1];
  return values.length === 0
    ? undefined
    : Object.fromEntries(values.map(([member, value]) => [member.join('.'), value]));
}

/** The displayed path. The key of a list element may come from the service and contain a secret. */
export function shownPath(state: ResourceState, path: FieldPath): string {
  const element = elementOf(state.kind, path);
  const isTheirs =
    element !== undefined && (!state.wantedElements.has(element) || state.kept.along(element).length > 0);
  return formatPath(state.kind, isTheirs ? path.map(state.redact) : path);
}

/** The displayed value of one side. A fingerprint replaces a sensitive value or credential. */
export function shownSide(field: FieldState, side: Side): Json {
  const fingerprint = field.sensitive ? side.key : side.maskedAs;
  return fingerprint === undefined ? (side.value ?? null) : { sensitive: true, fingerprint };
}

/**
 * The settings that neither the manifest nor the record contains, and whose live value is not the default. Contains
 * only names from the schema, in its order, so that no secret can leak through a list key.
 */
export function unmanagedSettings(observation: Observation): string[] {
  const { kind, sections, sensitive } = observation.desired;
  // Managed fields include create-only fields.
  const managed = [...leavesOf(kind, sections, sensitive), ...recordedFields(observation.record)];
  return settingsBeside(
    kind,
    liveSide(observation).leaves,
    managed.map(([path]) => path),
  );
}

/** The settings with a non-default live value that no managed path covers. */
export function settingsBeside(
  kind: KindName,
  live: readonly (readonly [FieldPath, Pick<Leaf, 'value'>])[],
  managed: readonly FieldPath[],
): string[] {
  const ours = pathSet(managed.map((path) => settingAt(kind, path)));
  // A list element counts as set even if all of its members are absent.
  const isSet = (path: FieldPath, value: Json) =>
    elementOf(kind, path) !== undefined || !equalsAbsent(value, comparedAs(kind, path)?.default);
  const paths = live
    .filter(([path, { value }]) => isSet(path, value) && !ours.has(settingAt(kind, path)))
    .map(([path]) => formatPath(kind, fieldPathOf(kind, path)));
  return [...new Set(paths)];
}

/**
 * The path of the setting under which a field is sent. An extra setting with the name of a known setting is sent as
 * that known setting.
 */
function settingAt(kind: KindName, path: FieldPath): FieldPath {
  return fieldPathOf(kind, settingPath(kind, path));
}
