import { type Json, withoutUndefined } from '../../json/json.ts';
import { type FieldPath, fieldAt, fieldPathOf, isElement, isMapField } from '../../kinds/field-path.ts';
import { unsetValueAt } from '../../kinds/kind.ts';
import { PathMap, pathSet } from '../../kinds/path-map.ts';
import { fieldsByKind, type KindName } from '../../schemas/fields.ts';
import type { Change, Coverage } from '../../schemas/plan-types.ts';
import type { PlanContext } from '../observation.ts';
import { type CauseVerdict, causeOfDifference, causeOfUnreadable } from './causes.ts';
import { differingPaths } from './differences.ts';
import type { FieldState } from './field-state.ts';
import { type ResourceState, shownAt, shownPath } from './resource-state.ts';

/** A change as the plan shows it, with its path in structured form. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly change: Change;
}

export function unsetPaths(changes: readonly FieldChange[]): PathMap<FieldPath> {
  return pathSet(changes.filter(({ change }) => change.op === 'unset').map(({ path }) => path));
}

export interface FieldChanges {
  readonly changes: readonly FieldChange[];
  readonly coverage: Coverage;
  /** The declared write-only fields that are assumed to be unchanged, in path order. */
  readonly assumed: readonly string[];
  /** The write-only fields in doubt that are reported instead of resent (`unverified: report`). */
  readonly doubts: readonly string[];
}

interface ComparisonOptions extends PlanContext {
  /** Whether the agent may have been edited since the last apply. */
  readonly touched: boolean;
}

interface Context extends ComparisonOptions {
  readonly state: ResourceState;
  /** The verdict on each list that is no longer declared. The verdict applies to all elements of the list. */
  readonly givenUp: PathMap<CauseVerdict | undefined>;
}

/**
 * The changes of one resource, in schema order.
 *
 * A readable field is compared with its live value, and a write-only field with its last applied value. If only one
 * side of a keyed list has an element, the whole element is one change. If both sides have the element, each of its
 * fields is a separate change.
 */
export function fieldChanges(state: ResourceState, options: ComparisonOptions): FieldChanges {
  const context: Context = { ...options, state, givenUp: new PathMap() };
  const differing = [...differingPaths(state, 'live'), ...differingPaths(state, 'last')];
  const decided = differing.flatMap((path) => changeAt(context, path) ?? []);
  const doubted = options.touched ? state.fields.filter((field) => isDoubted(field, state)) : [];
  const onlyReported = options.unverified === 'report' && decided.length === 0;
  const sentAgain = onlyReported ? [] : doubted.flatMap((field) => changeAt(context, field.path) ?? []);
  const changes = inSchemaOrder(state.kind, [...decided, ...sentAgain], ({ change }) => change.path);
  return {
    changes,
    ...coverageOf(state, changes),
    doubts: onlyReported ? doubted.map((field) => field.text) : [],
  };
}

/** The change at a differing path. Returns undefined if no change is needed. */
function changeAt(context: Context, path: FieldPath): FieldChange | undefined {
  const { state } = context;
  const parts = state.byPath.within(path);
  const readable = state.isReadable(path);
  const verdict = readable
    ? comparedVerdict(context, path, parts)
    : causeOfUnreadable({ ...relationOf(parts), touched: context.touched });
  if (verdict === undefined) return undefined;
  if (verdict.op === 'unset' && !isSentWhole(state, path)) return endOfManagement(context, path, verdict);
  const text = shownPath(state, path);
  const values = shownValues(context, path, verdict.cause);
  const knowledge = readable ? 'compared' : 'blind';
  const isMergeable = verdict.cause === 'conflict' && state.byPath.get(path)?.isMergeable;
  const mergeable = isMergeable ? ({ mergeable: true } as const) : {};
  return { path, change: { op: verdict.op, path: text, ...values, cause: verdict.cause, knowledge, ...mergeable } };
}

function comparedVerdict(
  { state, givenUp }: Context,
  path: FieldPath,
  parts: readonly FieldState[],
): CauseVerdict | undefined {
  const list = fieldPathOf(state.kind, path);
  if (state.recordedLists.has(list) && !state.declaredLists.has(list)) {
    return givenUp.getOrAdd(list, () => undeclaredListVerdict(state, list));
  }
  const inElement = isElement(state.kind, path);
  const relation = relationOf(parts, inElement ? state.liveElements.has(path) : undefined);
  if (!inElement && !relation.wanted && parts.every((part) => part.liveIsUnset)) return undefined;
  const isForeign = inElement && !relation.wanted && !relation.last;
  if (isForeign) return { op: 'unset', cause: state.recordedLists.has(list) ? 'drift' : 'adopt' };
  return causeOfDifference(relation);
}

/**
 * The verdict on a list that is no longer declared. Unsetting the list would also remove elements that were added on
 * the service, so the change is a conflict if there are such elements.
 */
function undeclaredListVerdict(state: ResourceState, list: FieldPath): CauseVerdict | undefined {
  const parts = state.byPath.within(list).filter((field) => !field.isMarker);
  return causeOfDifference({ ...relationOf(parts), last: true, live: true, wanted: false });
}

function relationOf(parts: readonly FieldState[], live?: boolean) {
  return {
    wanted: parts.some((part) => part.wanted !== undefined),
    live: live ?? parts.some((part) => part.live !== undefined),
    last: parts.some((part) => part.last !== undefined),
    liveIsLast: parts.every((part) => part.liveIsLast),
    wantedIsLast: parts.every((part) => part.wantedIsLast),
    wantedHoldsLive: parts.length > 0 && parts.every((part) => part.liveIsLast || part.wantedHoldsLive),
  };
}

/** Whether an edit may have changed a write-only field unnoticed. Kept settings are not sent. */
function isDoubted(field: FieldState, { kept }: ResourceState): boolean {
  return !field.readable && !field.isMarker && field.wantedIsLast && kept.along(field.path).length === 0;
}

/** Whether the path is inside a list or object that the manifest still declares, and that is sent whole. */
function isSentWhole(state: ResourceState, path: FieldPath): boolean {
  const field = fieldPathOf(state.kind, path);
  if (isMapField(state.kind, field)) return state.declaredLists.has(field);
  return state.byPath.within(field).some(({ wanted }) => wanted !== undefined);
}

/** Unsets a field that is no longer declared to its documented default, or releases it without one. */
function endOfManagement(context: Context, path: FieldPath, { cause }: CauseVerdict): FieldChange {
  const { state } = context;
  const to = unsetValueAt(state.kind, path);
  const knowledge = state.isReadable(path) ? 'compared' : 'blind';
  const at = to === undefined ? fieldPathOf(state.kind, path) : path;
  const { from, ...others } = shownValues(context, at, cause);
  const before = { path: shownPath(state, at), ...(from !== undefined && { from }) };
  if (to === undefined) return { path: at, change: { op: 'release', ...before, cause: 'manifest', knowledge } };
  const after = isElement(state.kind, path) ? others : { to, ...others };
  return { path: at, change: { op: 'unset', ...before, ...after, cause, knowledge } };
}

/**
 * The values that a change shows. `from` is the live value, or the last applied value if the live value cannot be read.
 * A setting that is only resent has no `from`. `to` is the wanted value. A conflict also shows the last applied value.
 */
function shownValues(
  context: Context,
  path: FieldPath,
  cause: CauseVerdict['cause'],
): { readonly from?: Json; readonly to?: Json; readonly lastApplied?: Json } {
  const readable = context.state.isReadable(path);
  const from = cause === 'unverified' ? undefined : shownAt(context.state, path, readable ? 'liveAsSent' : 'last');
  const to = shownAt(context.state, path, 'wanted');
  const last = cause === 'conflict' ? shownAt(context.state, path, 'last') : undefined;
  return withoutUndefined({ from, to, lastApplied: last });
}

function coverageOf(state: ResourceState, changes: readonly FieldChange[]): Pick<FieldChanges, 'coverage' | 'assumed'> {
  const changed = pathSet(changes.filter(({ change }) => change.op !== 'release').map(({ path }) => path));
  const isChanged = (field: FieldState) => changed.along(field.path).length > 0;
  const managed = state.fields.filter((field) => field.wanted !== undefined || isChanged(field));
  const unreadable = managed.filter((field) => !field.readable);
  const kept = unreadable.filter((field) => !isChanged(field));
  return {
    coverage: {
      compared: managed.length - unreadable.length,
      blind: unreadable.length - kept.length,
      assumed: kept.length,
    },
    assumed: kept.map(({ text }) => text),
  };
}

/**
 * Sorts items in the order of the schema, and items of the same field by their text. Keeps only one item for each text.
 */
export function inSchemaOrder<Item extends { readonly path: FieldPath }>(
  kind: KindName,
  items: readonly Item[],
  textOf: (item: Item) => string,
): Item[] {
  const fields = fieldsByKind[kind];
  const ranked = items.map((each) => {
    const field = fieldAt(kind, each.path);
    return { each, text: textOf(each), rank: field === undefined ? fields.length : fields.indexOf(field) };
  });
  return [...new Map(ranked.map((one) => [one.text, one])).values()]
    .sort((one, other) => one.rank - other.rank || (one.text < other.text ? -1 : 1))
    .map(({ each }) => each);
}
