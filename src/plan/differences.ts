import deepDiff from 'deep-diff';
import { type FieldPath, fieldAt, fieldPathOf, formatPath, parsePath } from '../kinds/field-path.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import { elementOf, type FieldState, type ResourceState, type Side } from './field-state.ts';

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

// The one place that knows deep-diff. It compares arrays by position, so it only ever sees trees of maps whose leaves
// are texts: two leaves are equal if and only if their texts are.

interface ComparableTree {
  [member: string]: ComparableTree | string;
}

/** The places where the trees differ: leaves, and whole branches that only one of them has. */
function structuralDifferences(before: ComparableTree, after: ComparableTree): FieldPath[] {
  return (deepDiff.diff(before, after) ?? []).map((difference) => (difference.path ?? []).map(String));
}

/** A tree of the given leaves; each of the `branches` is there even if no leaf lies in it. */
function comparableTree(leaves: Iterable<readonly [FieldPath, string]>, branches: Iterable<FieldPath>): ComparableTree {
  const tree: ComparableTree = Object.create(null);
  for (const path of branches) branchAt(tree, path);
  for (const [path, text] of leaves) {
    const name = path.at(-1);
    if (name !== undefined) branchAt(tree, path.slice(0, -1))[name] = text;
  }
  return tree;
}

function branchAt(tree: ComparableTree, path: FieldPath): ComparableTree {
  return path.reduce((branch, member) => {
    const found = branch[member];
    if (typeof found === 'object') return found;
    const created: ComparableTree = Object.create(null);
    branch[member] = created;
    return created;
  }, tree);
}

/** Each path once, in the order of the schema, which is that of the documentation, and by path within a list. */
export function inSchemaOrder<Placed extends { readonly path: string }>(
  kind: KindName,
  placed: readonly Placed[],
): Placed[] {
  const fields = fieldsByKind[kind];
  const rank = ({ path }: Placed) => {
    const field = fieldAt(kind, parsePath(path));
    return field === undefined ? fields.length : fields.indexOf(field);
  };
  return [...new Map(placed.map((each) => [each.path, each])).values()].sort(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1),
  );
}
