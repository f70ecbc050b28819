import { type FieldPath, parsePath } from '../kinds/field-path.ts';
import type { Change } from '../schemas/plan-types.ts';

/** The changes of one resource at the path, in it or around it. */
export function changesAt(changes: readonly Change[], path: FieldPath): readonly Change[] {
  const { exact, within } = indexes.get(changes) ?? indexed(changes);
  const around = path.slice(0, -1).flatMap((_, length) => exact.get(keyOf(path.slice(0, length + 1))) ?? []);
  return [...around, ...(within.get(keyOf(path)) ?? [])];
}

interface ChangeIndex {
  /** By the path of each. */
  readonly exact: ReadonlyMap<string, readonly Change[]>;
  /** By the path of each and every path above it. */
  readonly within: ReadonlyMap<string, readonly Change[]>;
}

/** Asked for at every field: a service may show thousands of elements, and a search through all would be quadratic. */
const indexes = new WeakMap<readonly Change[], ChangeIndex>();

function indexed(changes: readonly Change[]): ChangeIndex {
  const exact = new Map<string, Change[]>();
  const within = new Map<string, Change[]>();
  for (const change of changes) {
    const path = parsePath(change.path);
    add(exact, keyOf(path), change);
    for (let length = 1; length <= path.length; length += 1) add(within, keyOf(path.slice(0, length)), change);
  }
  const index = { exact, within };
  indexes.set(changes, index);
  return index;
}

function add(groups: Map<string, Change[]>, key: string, change: Change): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [change]);
  else group.push(change);
}

function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}
