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
import { PathMap, pathSet } from '../../kinds/path-map.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import { Leaf, leavesOf, treeOf } from '../../kinds/tree.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { AppliedField } from '../../schemas/record-types.ts';
import { type Observation, wasWrittenSince } from '../observation.ts';
import { recordedFields, withoutReadBacks } from '../records/record-of.ts';
import { isCreate } from '../target.ts';
import { type FieldSides, type FieldState, fieldState, type Side } from './field-state.ts';

/** The fields of one resource, each once, and the live elements of keyed lists. */
export interface ResourceState {
  readonly kind: KindName;
  /** Sorted by their displayed paths. */
  readonly fields: readonly FieldState[];
  /** The same fields by path. */
  readonly byPath: PathMap<FieldState>;
  /** The keyed lists that the manifest declares, and those in the record. */
  readonly declaredLists: PathMap<FieldPath>;
  readonly recordedLists: PathMap<FieldPath>;
  /** The elements of keyed lists, wanted and live. */
  readonly wantedElements: PathMap<FieldPath>;
  readonly liveElements: PathMap<FieldPath>;
  readonly isReadable: (path: FieldPath) => boolean;
  /** Settings that stay as they are on the service. Their last applied values stay in the record. */
  readonly kept: PathMap<FieldPath>;
}

type Placed<Value> = readonly (readonly [FieldPath, Value])[];

/**
 * Brings wanted, live and last applied of one resource together, field by field in path order.
 *
 * It only contains managed fields: those in the manifest or the record, and all live elements of a declared or recorded
 * keyed list, because such a list is sent whole.
 */
export function resourceState(observation: Observation, secrecy: Secrecy): ResourceState {
  return stateWith(observation, secrecy, liveSide(observation));
}

/**
 * The same with last applied in place of live, whatever the service shows. Sensitive values are then absent, because
 * the record does not have them.
 */
export function recordedState({ record, ...observed }: Observation, secrecy: Secrecy): ResourceState {
  const observation = record === undefined ? observed : { ...observed, record: withoutReadBacks(record) };
  const leaves = recordedFields(record).flatMap(([path, { fingerprint, value }]): [FieldPath, Leaf][] =>
    fingerprint === undefined ? [[path, new Leaf(value as Json, false)]] : [],
  );
  return stateWith(observation, secrecy, { leaves, isReadable: () => true });
}

function stateWith(observation: Observation, secrecy: Secrecy, { leaves, isReadable }: ShownSide): ResourceState {
  const { desired, record } = observation;
  const { kind } = desired;
  const creates = isCreate(desired, record);
  const counts = ([path]: readonly [FieldPath, unknown]) => creates || !isCreateOnly(kind, path);
  const wanted = leavesOf(kind, treeOf(kind, desired.sections, desired.sensitive)).filter(counts);
  const last = recordedFields(record).filter(counts);
  const declaredLists = keyedListsOf(kind, wanted);
  const recordedLists = keyedListsOf(kind, last);
  const managed = pathSet([...wanted, ...last].map(([path]) => path));
  const live = leaves.filter(([path]) => {
    const list = fieldPathOf(kind, path);
    return managed.has(path) || declaredLists.has(list) || recordedLists.has(list);
  });
  const touched = wasWrittenSince(observation);
  const circumstances = { desired, recorded: record ?? desired, secrecy, isReadable, touched };
  const fields = sidesOf(kind, { wanted, live, last }).map((sides) => fieldState(sides, circumstances));
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
  };
}

function sidesOf(
  kind: KindName,
  {
    wanted,
    live,
    last,
  }: { readonly wanted: Placed<Leaf>; readonly live: Placed<Leaf>; readonly last: Placed<AppliedField> },
): FieldSides[] {
  const sides = new PathMap<{ -readonly [Side in keyof FieldSides]: FieldSides[Side] }>();
  const sidesAt = (path: FieldPath) => sides.getOrAdd(path, () => ({ path, text: formatPath(kind, path) }));
  for (const [path, leaf] of wanted) sidesAt(path).wanted = leaf;
  for (const [path, leaf] of live) sidesAt(path).live = leaf;
  for (const [path, field] of last) sidesAt(path).last = field;
  return sides.values().sort((one, other) => (one.text < other.text ? -1 : 1));
}

/** Fields in the manifest or the record, including create-only ones. */
export function managedPaths({ desired: { kind, sections, sensitive }, record }: Observation): FieldPath[] {
  return [...leavesOf(kind, treeOf(kind, sections, sensitive)), ...recordedFields(record)].map(([path]) => path);
}

/** Members that only matter for the create are ignored once a record exists. */
export function isCreateOnly(kind: KindName, path: FieldPath): boolean {
  return fieldAt(kind, path)?.createOnly === true;
}

interface ShownSide {
  readonly leaves: Placed<Leaf>;
  readonly isReadable: (path: FieldPath) => boolean;
}

/** The live values, managed or not. */
export function liveSide({ desired, record, reading }: Observation): ShownSide {
  const { live: liveOf } = kindNamed(desired.kind);
  if (liveOf === undefined || reading === undefined || 'failure' in reading) {
    return { leaves: [], isReadable: () => false };
  }
  const recorded = recordedFields(record).flatMap(([[section, ...key]]) => (section === 'extraSettings' ? key : []));
  const extraKeys = new Set([...Object.keys(desired.sections.extraSettings ?? {}), ...recorded]);
  const live = liveOf(reading.campaign, [...extraKeys]);
  return { leaves: leavesOf(desired.kind, treeOf(desired.kind, live.sections)), isReadable: live.isReadable };
}

function keyedListsOf(kind: KindName, placed: Placed<unknown>): PathMap<FieldPath> {
  return pathSet(placed.map(([path]) => fieldPathOf(kind, path)).filter((path) => isMapField(kind, path)));
}

function elementsIn(kind: KindName, leaves: Placed<Leaf>): PathMap<FieldPath> {
  return pathSet(leaves.map(([path]) => elementOf(kind, path)).filter((path) => path !== undefined));
}

/** The element of a keyed list that the path names or leads into. */
export function elementOf(kind: KindName, path: FieldPath): FieldPath | undefined {
  const element = path.slice(0, fieldPathOf(kind, path).length + 1);
  return isElement(kind, element) ? element : undefined;
}

/**
 * One displayable side of a path: the value of a field, or the members of a list element. Undefined if the side has no
 * value there.
 */
export function shownAt(
  state: ResourceState,
  path: FieldPath,
  name: 'wanted' | 'live' | 'liveAsSent' | 'last' | 'readBack',
): Json | undefined {
  const shown = state.byPath.within(path).flatMap((field): [FieldState, Json][] => {
    const side = field[name];
    return side === undefined ? [] : [[field, shownSide(field, side)]];
  });
  const [whole] = shown.filter(([field]) => field.path.length === path.length);
  if (whole !== undefined) return whole[1];
  return shown.length === 0
    ? undefined
    : Object.fromEntries(shown.map(([field, value]) => [field.path.slice(path.length).join('.'), value]));
}

/** The displayed path. The key of an element that only live has comes from the service, and may contain a secret. */
export function shownPath(state: ResourceState, path: FieldPath, { redact }: Secrecy): string {
  const isTheirs = isElement(state.kind, path) && !state.wantedElements.has(path);
  return formatPath(state.kind, isTheirs ? path.map(redact) : path);
}

/** A sensitive value is masked completely, and its fingerprint distinguishes it from others. */
export function shownSide(field: FieldState, side: Side): Json {
  return field.sensitive ? { sensitive: true, fingerprint: side.key } : (side.value ?? null);
}

/**
 * The settings with a non-default live value that neither the manifest nor the record has. They are in the order of the
 * schema, and only contain the schema's own names, never a value or a list key.
 */
export function unmanagedSettings(observation: Observation): string[] {
  return settingsBeside(observation.desired.kind, liveSide(observation).leaves, managedPaths(observation));
}

/** The live settings with a non-default value that no managed path covers. */
export function settingsBeside(
  kind: KindName,
  live: readonly (readonly [FieldPath, Pick<Leaf, 'value'>])[],
  managed: readonly FieldPath[],
): string[] {
  const ours = pathSet(managed.map((path) => settingAt(kind, path)));
  // An element exists even if none of its members has a value.
  const isSet = (path: FieldPath, value: Json) =>
    elementOf(kind, path) !== undefined || !equalsAbsent(value, comparedAs(kind, path)?.default);
  const paths = live
    .filter(([path, { value }]) => isSet(path, value) && !ours.has(settingAt(kind, path)))
    .map(([path]) => formatPath(kind, fieldPathOf(kind, path)));
  return [...new Set(paths)];
}

/** An extra setting that the specification knows is sent as that setting. */
function settingAt(kind: KindName, path: FieldPath): FieldPath {
  return fieldPathOf(kind, settingPath(kind, path));
}
