import { type FieldPath, fieldPathOf } from '../../kinds/field-path.ts';
import { pathSet } from '../../kinds/path-map.ts';
import type { FieldState } from './field-state.ts';
import { elementOf, type ResourceState } from './resource-state.ts';

/** The paths where the wanted value differs from the live value or, if write-only, the last applied value. */
export function differingPaths(state: ResourceState, other: 'live' | 'last'): FieldPath[] {
  const fields = state.fields.filter((field) => field.readable === (other === 'live'));
  const wanted = state.wantedElements.values();
  // If an element is both in the manifest and on the service, a write-only member of the element is a separate field.
  const shared = other === 'last' ? wanted.filter((path) => state.liveElements.has(path)) : undefined;
  return differences(state, fields, {
    before: { side: other, elements: shared ?? state.liveElements.values() },
    after: { side: 'wanted', elements: shared ?? wanted.filter(state.isReadable) },
    equal: fields.filter((field) =>
      other === 'live' ? field.liveIsWanted && !isElementGone(field, state) : field.wantedIsLast,
    ),
  });
}

/**
 * The paths of readable fields whose live value differs from the last applied value. In an applied keyed list, elements
 * that only the service has also count as moved, because the last apply sent the whole list.
 */
export function movedPaths(state: ResourceState): FieldPath[] {
  const { kind, recordedLists } = state;
  const applied = state.fields.filter((field) => field.last !== undefined);
  const elements = applied.map((field) => elementOf(kind, field.path)).filter((path) => path !== undefined);
  const inRecordedList = (path: FieldPath) => recordedLists.has(fieldPathOf(kind, path));
  const readable = applied.filter((field) => field.readable);
  return differences(state, readable, {
    before: { side: 'last', elements: elements.filter(state.isReadable) },
    after: { side: 'live', elements: state.liveElements.values().filter(inRecordedList) },
    equal: readable.filter((field) => field.liveIsLast && !isElementGone(field, state)),
  });
}

interface ComparedSide {
  readonly side: 'wanted' | 'live' | 'last';
  /** The elements of this side's keyed lists, including elements without members. */
  readonly elements: readonly FieldPath[];
}

interface Comparison {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /**
   * The fields whose sides are equal under the comparison rules. A side without a value can equal the other side,
   * because an absent value counts as the documented default.
   */
  readonly equal: readonly FieldState[];
}

/** The paths of unequal fields, and of elements in keyed lists that only one side has. */
function differences(
  state: ResourceState,
  compared: readonly FieldState[],
  { before, after, ...comparison }: Comparison,
): FieldPath[] {
  const equal = new Set(comparison.equal.filter((field) => !field.isMarker));
  const unequal = compared.filter((field) => !field.isMarker && !equal.has(field));
  // Both sides include the ancestors of every field, so a difference is never reported above a field or a list element.
  const shared = compared.map((field) =>
    equal.has(field) ? field.path.slice(0, -1) : fieldPathOf(state.kind, field.path),
  );
  const [one, other] = [before, after].map(({ side, elements }) => {
    const holders = unequal.filter((field) => field[side] !== undefined).map(({ path }) => path.slice(0, -1));
    return pathSet([...shared, ...elements, ...holders].flatMap(branchesTo));
  });
  /** The outermost object or element on a path that only one side has. */
  const onlyBranch = (path: FieldPath) => branchesTo(path).find((branch) => one?.has(branch) !== other?.has(branch));
  const leaves = unequal.filter((field) => field[before.side] !== undefined || field[after.side] !== undefined);
  return pathSet([
    ...leaves.map(({ path }) => onlyBranch(path) ?? path),
    ...[...before.elements, ...after.elements].map(onlyBranch).filter((path) => path !== undefined),
  ]).values();
}

/** The path and each of its ancestors. */
function branchesTo(path: FieldPath): FieldPath[] {
  return path.map((_, index) => path.slice(0, index + 1));
}

/** Whether the service lacks the field's element. The whole element then differs, even from defaults. */
function isElementGone(field: FieldState, state: ResourceState): boolean {
  const element = elementOf(state.kind, field.path);
  return element !== undefined && !state.liveElements.has(element);
}
