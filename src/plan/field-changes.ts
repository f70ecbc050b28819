import type { Json } from '../json/json.ts';
import { type FieldPath, fieldPathOf, formatPath, isElement } from '../kinds/field-path.ts';
import { unsetValueAt } from '../kinds/kind.ts';
import type { Change, Coverage } from '../schemas/plan-types.ts';
import { causeOfDifference, causeOfUnreadable, type Verdict } from './causes.ts';
import { differingPaths, inSchemaOrder } from './differences.ts';
import { type FieldState, partsOf, type ResourceState } from './field-state.ts';
import type { PlanOptions } from './observation.ts';
import { shownAt, shownPath } from './shown-value.ts';

export interface FieldChanges {
  readonly changes: readonly Change[];
  readonly coverage: Coverage;
  /** Fields in doubt that are reported instead of sent. */
  readonly doubts: readonly string[];
}

export interface ChangeOptions extends PlanOptions {
  /** Live `lastUpdate` differs from the one seen right after the last apply. */
  readonly touched: boolean;
}

interface Context extends ChangeOptions {
  readonly state: ResourceState;
}

/**
 * The changes of one resource, in path order.
 *
 * What live shows is compared with live, the rest with what was last applied. An element that only one side of a keyed
 * list has is one change; the fields of an element that both have are their own.
 */
export function fieldChanges(state: ResourceState, options: ChangeOptions): FieldChanges {
  const context: Context = { ...options, state };
  const decided = [...differingPaths(state, 'live'), ...differingPaths(state, 'last')].flatMap((path) =>
    changeAt(context, path),
  );
  const doubted = state.fields.filter((field) => isDoubted(field, options));
  const onlyReported = options.unverified === 'report' && decided.length === 0;
  const sentAgain = onlyReported ? [] : doubted.flatMap((field) => changeAt(context, field.path));
  const changes = inSchemaOrder(state.kind, [...decided, ...sentAgain]);
  return {
    changes,
    coverage: coverageOf(state, changes),
    doubts: onlyReported ? doubted.map((field) => field.text) : [],
  };
}

/** The change at a place where the sides differ; none where that is not ours to change. */
function changeAt(context: Context, path: FieldPath): Change[] {
  const { state } = context;
  const parts = partsOf(state, path);
  const readable = state.isReadable(path);
  const verdict = readable ? comparedVerdict(state, path, parts) : darkVerdict(context, parts);
  if (verdict === undefined) return [];
  const knowledge = readable ? 'compared' : 'blind';
  if (verdict.op === 'unset' && !isSentWhole(state, path)) return [endOfManagement(context, path, verdict)];
  const text = shownPath(state, path, context.secrecy);
  return [
    { op: verdict.op, path: text, ...shownValues(context, path, verdict.cause), cause: verdict.cause, knowledge },
  ];
}

function comparedVerdict(state: ResourceState, path: FieldPath, parts: readonly FieldState[]): Verdict | undefined {
  const list = formatPath(state.kind, fieldPathOf(state.kind, path));
  if (state.recordedLists.has(list) && !state.declaredLists.has(list)) return undeclaredListVerdict(state, path);
  const inElement = isElement(state.kind, path);
  const relation = relationOf(parts, inElement ? state.liveElements.has(formatPath(state.kind, path)) : undefined);
  if (!inElement && !relation.wanted && parts.every((part) => part.liveIsUnset)) return undefined;
  const isForeign = inElement && !relation.wanted && !relation.last;
  if (isForeign) return { op: 'unset', cause: state.recordedLists.has(list) ? 'drift' : 'adopt' };
  return causeOfDifference(relation);
}

/** A list is one value when it is given up: emptying it takes away what others added, so that is a conflict. */
function undeclaredListVerdict(state: ResourceState, path: FieldPath): Verdict | undefined {
  const parts = partsOf(state, fieldPathOf(state.kind, path)).filter((field) => !field.isMarker);
  return causeOfDifference({ ...relationOf(parts), last: true, live: true, wanted: false });
}

function relationOf(parts: readonly FieldState[], live?: boolean) {
  return {
    wanted: parts.some((part) => part.wanted !== undefined),
    live: live ?? parts.some((part) => part.live !== undefined),
    last: parts.some((part) => part.last !== undefined),
    liveIsLast: parts.every((part) => part.liveIsLast),
    wantedIsLast: parts.every((part) => part.wantedIsLast),
  };
}

function darkVerdict({ touched }: Context, parts: readonly FieldState[]): Verdict | undefined {
  return causeOfUnreadable({ ...relationOf(parts), touched });
}

function isDoubted(field: FieldState, { touched }: ChangeOptions): boolean {
  return touched && !field.readable && !field.isMarker && field.wantedIsLast;
}

/** Whether the manifest still declares the list or object that the path leads into: it is sent as a whole. */
function isSentWhole(state: ResourceState, path: FieldPath): boolean {
  return partsOf(state, fieldPathOf(state.kind, path)).some((field) => field.wanted !== undefined);
}

/** What no longer is declared goes back to what the service documents; where that is nothing, it is released. */
function endOfManagement(context: Context, path: FieldPath, { cause }: Verdict): Change {
  const { state } = context;
  const to = unsetValueAt(state.kind, path);
  const knowledge = state.isReadable(path) ? 'compared' : 'blind';
  const at = to === undefined ? fieldPathOf(state.kind, path) : path;
  const { from, ...others } = shownValues(context, at, cause);
  const place = { path: shownPath(state, at, context.secrecy), ...(from !== undefined && { from }) };
  if (to === undefined) return { op: 'release', ...place, cause: 'manifest', knowledge };
  return { op: 'unset', ...place, ...(isElement(state.kind, path) ? {} : { to }), ...others, cause, knowledge };
}

/**
 * Before: live, or what was last applied where live is not shown; unknown if that is in doubt. After: wanted. A conflict
 * also has what both moved away from.
 */
function shownValues(
  context: Context,
  path: FieldPath,
  cause: Verdict['cause'],
): { readonly from?: Json; readonly to?: Json; readonly lastApplied?: Json } {
  const readable = context.state.isReadable(path);
  const before = (field: FieldState) => (readable ? field.live : field.last);
  const from = cause === 'unverified' ? undefined : shownAt(context.state, path, before);
  const to = shownAt(context.state, path, (field) => field.wanted);
  const last = cause === 'conflict' ? shownAt(context.state, path, (field) => field.last) : undefined;
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(last !== undefined && { lastApplied: last }),
  };
}

function coverageOf(state: ResourceState, changes: readonly Change[]): Coverage {
  const changed = new Set(changes.filter((change) => change.op !== 'release').map((change) => change.path));
  const isChanged = (field: FieldState) =>
    field.path.some((_, index) => changed.has(formatPath(state.kind, field.path.slice(0, index + 1))));
  const managed = state.fields.filter((field) => field.wanted !== undefined || isChanged(field));
  const dark = managed.filter((field) => !field.readable);
  const blind = dark.filter(isChanged).length;
  return { compared: managed.length - dark.length, blind, assumed: dark.length - blind };
}
