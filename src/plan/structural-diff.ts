// The one place that knows deep-diff. It compares arrays by position, so it only ever sees trees of maps whose leaves
// are texts: two leaves are equal if and only if their texts are.
import deepDiff from 'deep-diff';
import type { FieldPath } from '../kinds/path.ts';

export interface ComparableTree {
  [member: string]: ComparableTree | string;
}

/** The places where the trees differ: leaves, and whole branches that only one of them has. */
export function structuralDifferences(before: ComparableTree, after: ComparableTree): FieldPath[] {
  return (deepDiff.diff(before, after) ?? []).map((difference) => (difference.path ?? []).map(String));
}

/** A tree of the given leaves; each of the `branches` is there even if no leaf lies in it. */
export function comparableTree(
  leaves: Iterable<readonly [FieldPath, string]>,
  branches: Iterable<FieldPath>,
): ComparableTree {
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
