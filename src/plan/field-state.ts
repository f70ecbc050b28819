import { isJsonObject, type Json } from '../json/json.ts';
import { comparable, equalsAbsent } from '../kinds/compare.ts';
import type { Desired } from '../kinds/desired.ts';
import {
  type FieldPath,
  fieldAt,
  fieldPathOf,
  formatPath,
  isElement,
  isMapField,
  parsePath,
} from '../kinds/field-path.ts';
import { comparedAs, defaultAt, kindNamed } from '../kinds/kind.ts';
import type { Secrecy } from '../kinds/rules.ts';
import { type Leaf, leavesOf, treeOf } from '../kinds/tree.ts';
import type { KindName } from '../schemas/fields.ts';
import type { AppliedField } from '../schemas/record-types.ts';
import {
  ageOf,
  type FingerprintAge,
  type FingerprintKey,
  fingerprint,
  isFingerprintOf,
} from '../secrets/fingerprint.ts';
import { type Observation, wasWrittenSince } from './observation.ts';
import { isCreate } from './target.ts';

/** One side of a field: the value, and a text that is equal for equal values (a fingerprint if sensitive). */
export interface Side {
  readonly value: Json | undefined;
  readonly key: string;
}

/** What is known of one field: wanted, live and last applied, each undefined if absent. */
export interface FieldState {
  readonly path: FieldPath;
  /** The path as people read it. */
  readonly text: string;
  /** It stands for an empty keyed list or an element without members, not for a value. */
  readonly isMarker: boolean;
  readonly readable: boolean;
  readonly sensitive: boolean;
  readonly wanted: Side | undefined;
  readonly live: Side | undefined;
  readonly last: Side | undefined;
  /** Only a fingerprint of another key is recorded, so that last applied cannot be held against wanted and live. */
  readonly lastIsForeign: boolean;
  /** Whether two sides are equal under the comparison rules; false if the other side than live is absent. */
  readonly liveIsWanted: boolean;
  readonly liveIsLast: boolean;
  /** The same of these two, or both are absent. */
  readonly wantedIsLast: boolean;
  /** Live is absent, or already what an unset would send. */
  readonly liveIsUnset: boolean;
}

/** The fields of one resource, each once, and which elements of keyed lists live has. */
export interface ResourceState {
  readonly kind: KindName;
  readonly fields: readonly FieldState[];
  /** Formatted paths of the keyed lists that the manifest declares, and of those in the record. */
  readonly declaredLists: ReadonlySet<string>;
  readonly recordedLists: ReadonlySet<string>;
  /** The elements of keyed lists, wanted and live, by formatted path. */
  readonly wantedElements: ReadonlyMap<string, FieldPath>;
  readonly liveElements: ReadonlyMap<string, FieldPath>;
  readonly isReadable: (path: FieldPath) => boolean;
}

interface Sides {
  readonly wanted: ReadonlyMap<string, readonly [FieldPath, Leaf]>;
  readonly live: ReadonlyMap<string, readonly [FieldPath, Leaf]>;
  readonly last: Readonly<Record<string, AppliedField>>;
  readonly isReadable: (path: FieldPath) => boolean;
}

/**
 * Brings wanted, live and last applied of one resource together, field by field in path order.
 *
 * Only what is ours is there: fields that the manifest declares or the record holds, and what live has in a keyed list
 * that is declared or recorded, because such a list is sent whole.
 */
export function resourceState(observation: Observation, secrecy: Secrecy): ResourceState {
  const { desired, record } = observation;
  const creates = isCreate(desired, record);
  const counts = ([path]: readonly [FieldPath, unknown]) => creates || !isCreateOnly(desired.kind, path);
  const wanted = leafMap(desired.kind, treeOf(desired.kind, desired.sections, desired.sensitive));
  const last = Object.entries(record?.fields ?? {});
  const sides: Sides = {
    wanted: new Map([...wanted].filter(([, leaf]) => counts(leaf))),
    last: Object.fromEntries(last.filter(([text]) => counts([parsePath(text), text]))),
    ...liveSide(observation),
  };
  const lists = (paths: Iterable<FieldPath>) => new Set([...paths].flatMap((path) => keyedListsAt(desired.kind, path)));
  const declaredLists = lists([...sides.wanted.values()].map(([path]) => path));
  const recordedLists = lists(Object.keys(sides.last).map(parsePath));
  const ours = ([text, [path]]: readonly [string, readonly [FieldPath, Leaf]]) =>
    sides.wanted.has(text) ||
    text in sides.last ||
    keyedListsAt(desired.kind, path).some((list) => declaredLists.has(list) || recordedLists.has(list));
  const live = new Map([...sides.live].filter(ours));
  const texts = new Set([...sides.wanted.keys(), ...Object.keys(sides.last), ...live.keys()]);
  const known = {
    ...sides,
    live,
    secrecy,
    touched: wasWrittenSince(observation),
    ageOf: agesIn(sides.last, desired.target.key),
  };
  return {
    kind: desired.kind,
    fields: [...texts].sort().map((text) => fieldState(desired, text, known)),
    declaredLists,
    recordedLists,
    wantedElements: elementsIn(desired.kind, sides.wanted),
    liveElements: elementsIn(desired.kind, live),
    isReadable: sides.isReadable,
  };
}

/** What counted for the creation only is settled once there is a record. */
export function isCreateOnly(kind: KindName, path: FieldPath): boolean {
  return fieldAt(kind, path)?.createOnly === true;
}

/** What the service shows, by formatted path, whether it is ours or not. */
export function liveSide({ desired, record, reading }: Observation): Pick<Sides, 'live' | 'isReadable'> {
  const { live: liveOf } = kindNamed(desired.kind);
  if (liveOf === undefined || reading === undefined || 'failure' in reading) {
    return { live: new Map(), isReadable: () => false };
  }
  const live = liveOf(reading.campaign, extraKeys(desired, record?.fields ?? {}));
  return { live: leafMap(desired.kind, treeOf(desired.kind, live.sections)), isReadable: live.isReadable };
}

function extraKeys(desired: Desired, last: Readonly<Record<string, AppliedField>>): string[] {
  const declared = Object.keys(desired.sections.extraSettings ?? {});
  const recorded = Object.keys(last)
    .map(parsePath)
    .flatMap(([section, ...key]) => (section === 'extraSettings' ? key : []));
  return [...new Set([...declared, ...recorded])];
}

function leafMap(kind: KindName, tree: ReturnType<typeof treeOf>): Map<string, readonly [FieldPath, Leaf]> {
  return new Map(leavesOf(kind, tree).map(([path, leaf]) => [formatPath(kind, path), [path, leaf]]));
}

function keyedListsAt(kind: KindName, path: FieldPath): string[] {
  const fieldPath = fieldPathOf(kind, path);
  return isMapField(kind, fieldPath) ? [formatPath(kind, fieldPath)] : [];
}

function elementsIn(
  kind: KindName,
  leaves: ReadonlyMap<string, readonly [FieldPath, Leaf]>,
): ReadonlyMap<string, FieldPath> {
  const elements = [...leaves.values()].map(([path]) => elementOf(kind, path));
  return new Map(elements.flatMap((path) => (path === undefined ? [] : [[formatPath(kind, path), path]])));
}

/** The element of a keyed list that the path names or leads into. */
export function elementOf(kind: KindName, path: FieldPath): FieldPath | undefined {
  const element = path.slice(0, fieldPathOf(kind, path).length + 1);
  return isElement(kind, element) ? element : undefined;
}

/** The fields at a path: one, or those of a list's element. */
export function partsOf({ fields }: ResourceState, path: FieldPath): readonly FieldState[] {
  const known = partsByPath.get(fields) ?? indexed(fields);
  partsByPath.set(fields, known);
  return known.get(JSON.stringify(path)) ?? [];
}

/** Asked for at every change: a service may show thousands of elements, and a search through all would be quadratic. */
const partsByPath = new WeakMap<readonly FieldState[], ReadonlyMap<string, FieldState[]>>();

function indexed(fields: readonly FieldState[]): ReadonlyMap<string, FieldState[]> {
  const parts = new Map<string, FieldState[]>([['[]', [...fields]]]);
  for (const field of fields) {
    for (let length = 1; length <= field.path.length; length += 1) {
      const key = JSON.stringify(field.path.slice(0, length));
      const found = parts.get(key);
      if (found === undefined) parts.set(key, [field]);
      else found.push(field);
    }
  }
  return parts;
}

interface KnownSides extends Sides {
  readonly secrecy: Secrecy;
  readonly touched: boolean;
  readonly ageOf: (print: string) => FingerprintAge;
}

/** To compare an old fingerprint takes 28 ms; nobody has so many of them in one record, unless to make a run hang. */
const mostOld = 100;

function agesIn(fields: Sides['last'], key: FingerprintKey): KnownSides['ageOf'] {
  const prints = Object.values(fields).flatMap(({ fingerprint: print }) => print ?? []);
  const isComparable = prints.filter((print) => ageOf(print, key) === 'old').length <= mostOld;
  return (print) => {
    const age = ageOf(print, key);
    return age === 'old' && !isComparable ? 'foreign' : age;
  };
}

function fieldState(desired: Desired, text: string, sides: KnownSides): FieldState {
  const path = sides.wanted.get(text)?.[0] ?? sides.live.get(text)?.[0] ?? parsePath(text);
  const applied = sides.last[text];
  const wantedLeaf = sides.wanted.get(text)?.[1];
  const liveLeaf = sides.live.get(text)?.[1];
  // Most of the time all sides are the same text, which then is looked at once.
  const values = new Set<unknown>([wantedLeaf?.value, liveLeaf?.value, applied?.value, applied?.readBack]);
  const sensitive =
    isSensitive(wantedLeaf, applied) || [...values].some((value) => holds(value, sides.secrecy.holdsSecret));
  const newSide = (value: Json): Side => ({ value, key: keyOf(desired, path, { value, sensitive }) });
  const wanted = wantedLeaf && newSide(wantedLeaf.value);
  const sideOf = (value: Json) => (value === wanted?.value ? wanted : newSide(value));
  const live = liveLeaf && liveLeaf.value !== null ? sideOf(liveLeaf.value) : undefined;
  const readable = sides.isReadable(path);
  const known = { ...sides, desired, path, wanted, live, readable };
  const last = applied && appliedSide(applied.value as Json | undefined, applied.fingerprint, { ...known, sideOf });
  const readBack =
    applied && appliedSide(applied.readBack as Json | undefined, applied.readBackFingerprint, { ...known, sideOf });
  const equalsLive = (side: Side | undefined, leaf: Json | undefined) =>
    live === undefined
      ? leaf !== undefined && equalsAbsent(leaf, defaultAt(desired.kind, path))
      : side?.key === live.key;
  const wantedIsLast = wanted?.key === last?.key;
  const liveIsLast = equalsLive(last, last?.value) || (live !== undefined && readBack?.key === live.key);
  return {
    path,
    text,
    isMarker: isMapField(desired.kind, path) || isElement(desired.kind, path),
    readable,
    sensitive,
    wanted,
    live,
    last,
    lastIsForeign: applied?.fingerprint !== undefined && sides.ageOf(applied.fingerprint) === 'foreign',
    wantedIsLast,
    liveIsLast,
    liveIsUnset: liveLeaf === undefined || equalsAbsent(liveLeaf.value, defaultAt(desired.kind, path)),
    liveIsWanted: equalsLive(wanted, wantedLeaf?.value) || (wantedIsLast && liveIsLast),
  };
}

/** Declared to hold a secret, or recorded as such. */
function isSensitive(wanted: Leaf | undefined, applied: AppliedField | undefined): boolean {
  return wanted?.sensitive === true || applied?.fingerprint !== undefined;
}

/** Whether a value holds what is looked for in any of its texts, whoever put it there. */
function holds(value: unknown, isFound: (text: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((element) => holds(element, isFound));
  if (isJsonObject(value)) return holds(Object.entries(value).flat(), isFound);
  return value !== undefined && value !== null && isFound(String(value));
}

interface Applying extends Pick<FieldState, 'path' | 'readable' | 'wanted' | 'live'> {
  readonly desired: Desired;
  readonly touched: boolean;
  readonly ageOf: KnownSides['ageOf'];
  readonly sideOf: (value: Json) => Side;
}

function appliedSide(value: Json | undefined, print: string | undefined, applying: Applying): Side | undefined {
  if (print !== undefined) return { value: undefined, key: keyOfPrint(print, applying) };
  return value === undefined ? undefined : applying.sideOf(value);
}

/** The text by which a fingerprint of the record compares: that of the side whose value it is of, or else its own. */
function keyOfPrint(print: string, applying: Applying): string {
  const { desired, path, wanted, live } = applying;
  const { key } = desired.target;
  const age = applying.ageOf(print);
  if (age === 'current') return print;
  if (age === 'foreign') return keyOfForeign(print, applying);
  const isOf = ({ value }: Side) =>
    value !== undefined &&
    isFingerprintOf(print, comparable(value, comparedAs(desired.kind, path)), fieldPlace(desired, path), key);
  return [wanted, live].find((side) => side !== undefined && isOf(side))?.key ?? print;
}

/**
 * A fingerprint of another key cannot be compared, and what else is known has to do. What live shows as wanted counts
 * as applied, and so does what live shows of an agent that nobody touched. Of what cannot be read the manifest counts
 * as applied if sending it again would add something; otherwise it is sent again.
 */
function keyOfForeign(print: string, { desired, readable, wanted, live, touched }: Applying): string {
  if (!readable) return kindNamed(desired.kind).update === 'adds' ? (wanted?.key ?? print) : print;
  if (live === undefined || live.key === wanted?.key) return wanted?.key ?? print;
  return touched ? print : live.key;
}

function keyOf(
  desired: Desired,
  path: FieldPath,
  { value, sensitive }: { readonly value: Json; readonly sensitive: boolean },
): string {
  const text = comparable(value, comparedAs(desired.kind, path));
  return sensitive ? fingerprint(desired.target.key, fieldPlace(desired, path), text) : text;
}

function fieldPlace({ environment, kind, name }: Desired, path: FieldPath) {
  return { environment, kind, name, path: formatPath(kind, path) };
}
