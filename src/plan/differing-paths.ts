import { type FieldPath, fieldPathOf, formatPath } from '../kinds/path.ts';
import { elementOf, type FieldState, type ResourceState, type Side } from './field-state.ts';
import { type ComparableTree, comparableTree, structuralDifferences } from './structural-diff.ts';

/** Where wanted differs from live, for the fields that live shows, or from last applied, for those it does not. */
export function differingPaths(state: ResourceState, other: 'live' | 'last'): FieldPath[] {
  const fields = state.fields.filter((field) => field.readable === (other === 'live'));
  // Both sides have them, so that no difference lies above a field or a list's element.
  const branches = fields.map((field) => fieldPathOf(state.kind, field.path));
  const [before, after] =
    other === 'live'
      ? [[...state.liveElements.values()], [...state.wantedElements.values()].filter(state.isReadable)]
      : [sharedElements(state), sharedElements(state)];
  return structuralDifferences(
    sideTree(fields, (field) => (other === 'last' ? field.last : alignedLive(field, state)), [...branches, ...before]),
    sideTree(fields, (field) => field.wanted, [...branches, ...after]),
  );
}

/**
 * Where live differs from last applied, for the fields that live shows. In a list that was applied, an element that
 * only live has counts too, because such a list was sent whole.
 */
export function movedPaths(state: ResourceState): FieldPath[] {
  const applied = state.fields.filter((field) => field.last !== undefined);
  const elements = applied.map((field) => elementOf(state.kind, field.path)).filter((path) => path !== undefined);
  const fields = applied.filter((field) => field.readable);
  const branches = fields.map((field) => fieldPathOf(state.kind, field.path));
  const inRecordedList = (path: FieldPath) =>
    state.recordedLists.has(formatPath(state.kind, fieldPathOf(state.kind, path)));
  return structuralDifferences(
    sideTree(fields, (field) => alignedLast(field, state), [...branches, ...elements.filter(state.isReadable)]),
    sideTree(fields, (field) => field.live, [...branches, ...[...state.liveElements.values()].filter(inRecordedList)]),
  );
}

function sideTree(
  fields: readonly FieldState[],
  sideOf: (field: FieldState) => Side | undefined,
  branches: readonly FieldPath[],
): ComparableTree {
  const leaves = fields.flatMap((field): [FieldPath, string][] => {
    const side = sideOf(field);
    return side === undefined || field.isMarker ? [] : [[field.path, side.key]];
  });
  return comparableTree(leaves, branches);
}

/** A live value that equals the wanted one under the comparison rules stands in its tree as the wanted one. */
function alignedLive(field: FieldState, state: ResourceState): Side | undefined {
  if (!field.liveIsWanted) return field.live;
  return isElementMissing(field, state) ? undefined : field.wanted;
}

/** A value last applied that equals the live one under the comparison rules stands in its tree as the live one. */
function alignedLast(field: FieldState, state: ResourceState): Side | undefined {
  return field.liveIsLast && !isElementMissing(field, state) ? field.live : field.last;
}

function isElementMissing(field: FieldState, state: ResourceState): boolean {
  const element = elementOf(state.kind, field.path);
  return element !== undefined && !state.liveElements.has(formatPath(state.kind, element));
}

/** Elements that wanted and live share: in them, a member that live does not show is a field of its own. */
function sharedElements(state: ResourceState): FieldPath[] {
  return [...state.wantedElements].flatMap(([text, path]) => (state.liveElements.has(text) ? [path] : []));
}
