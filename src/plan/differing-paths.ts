import { type FieldPath, fieldAt, fieldPathOf, formatPath } from '../kinds/path.ts';
import { elementOf, type FieldState, type ResourceState, type Side } from './field-state.ts';
import { type ComparableTree, comparableTree, structuralDifferences } from './structural-diff.ts';

/** Where wanted differs from live, for the fields that live shows, or from last applied, for those it does not. */
export function differingPaths(state: ResourceState, other: 'live' | 'last'): FieldPath[] {
  const fields = state.fields.filter((field) => field.readable === (other === 'live'));
  const branches = fields.map((field) => containerOf(state, field.path));
  const [before, after] =
    other === 'live'
      ? [[...state.liveElements.values()], [...state.wantedElements.values()].filter(state.isReadable)]
      : [sharedElements(state), sharedElements(state)];
  return structuralDifferences(
    sideTree(fields, (field) => (other === 'last' ? field.last : alignedLive(field, state)), [...branches, ...before]),
    sideTree(fields, (field) => field.wanted, [...branches, ...after]),
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
  const element = elementOf(state.kind, field.path);
  const isMissing = element !== undefined && !state.liveElements.has(formatPath(state.kind, element));
  return isMissing ? undefined : field.wanted;
}

/** Elements that wanted and live share: in them, a member that live does not show is a field of its own. */
function sharedElements(state: ResourceState): FieldPath[] {
  return [...state.wantedElements].flatMap(([text, path]) => (state.liveElements.has(text) ? [path] : []));
}

/** The branch that both sides have, so that no difference lies above a field or a list's element. */
function containerOf(state: ResourceState, path: FieldPath): FieldPath {
  const fieldPath = fieldPathOf(state.kind, path);
  return fieldAt(state.kind, path)?.members === undefined ? fieldPath.slice(0, -1) : fieldPath;
}
