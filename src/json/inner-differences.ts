import deepDiff from 'deep-diff';
import { canonicalJson, isJsonObject, type Json, memberIn } from './json.ts';

// Only this file uses deep-diff. Lists are passed as maps of their elements, because deep-diff compares lists by
// position.

/** A place inside two values where they differ. If a side has no value at this place, `from` or `to` is absent. */
interface InnerDifference {
  /** The names of the members on the path to the place. Elements of a list have the path of the list. */
  readonly path: readonly string[];
  readonly from?: Json;
  readonly to?: Json;
}

/** deep-diff takes quadratic time for the members of a map, and recurses at each level. */
const limits = { members: 2_000, depth: 20 } as const;

interface ComparableTree {
  [member: string]: ComparableTree | string;
}

/**
 * Finds the object members and list elements in which two values differ. The order of list elements does not matter. A
 * value for which `isWhole` is true, such as a masked one, is not compared inside. Undefined for values with too many
 * members.
 */
export function innerDifferences(
  from: Json,
  to: Json,
  isWhole: (value: Json) => boolean,
): InnerDifference[] | undefined {
  const comparing = { isWhole, members: 0 };
  const [before, after] = comparableTrees(from, to, comparing, 0);
  if (comparing.members > limits.members) return undefined;
  return (deepDiff.diff(before, after) ?? []).map(({ path = [] }) => differenceAt(path.map(String), from, to));
}

function differenceAt(path: readonly string[], from: Json, to: Json): InnerDifference {
  let [before, after]: [Json | undefined, Json | undefined] = [from, to];
  for (const [index, member] of path.entries()) {
    if (Array.isArray(before) && Array.isArray(after)) {
      const isGone = elementsOf(before).has(member);
      const element = (isGone ? elementsOf(before) : elementsOf(after)).get(member);
      return { path: path.slice(0, index), ...(element !== undefined && { [isGone ? 'from' : 'to']: element }) };
    }
    [before, after] = [memberIn(before, member), memberIn(after, member)];
  }
  return { path, ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) };
}

/** The elements of a list as a map. The nth of several equal elements has the same key on both sides. */
function elementsOf(list: readonly Json[]): Map<string, Json> {
  const counts = new Map<string, number>();
  return new Map(
    list.map((element) => {
      const text = canonicalJson(element);
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return [`${count} ${text}`, element];
    }),
  );
}

interface Comparing {
  readonly isWhole: (value: Json) => boolean;
  members: number;
}

type Comparable = ComparableTree | string;

/** Makes two trees that are equal where the values are equal. Only objects and lists on both sides get branches. */
function comparableTrees(from: Json, to: Json, comparing: Comparing, depth: number): [Comparable, Comparable] {
  const leaves: [string, string] = [canonicalJson(from), canonicalJson(to)];
  if (leaves[0] === leaves[1] || depth >= limits.depth || comparing.isWhole(from) || comparing.isWhole(to))
    return leaves;
  if (Array.isArray(from) && Array.isArray(to)) return [elementTree(from, comparing), elementTree(to, comparing)];
  if (!isJsonObject(from) || !isJsonObject(to)) return leaves;
  const trees: [ComparableTree, ComparableTree] = [Object.create(null), Object.create(null)];
  for (const member of new Set([...Object.keys(from), ...Object.keys(to)])) {
    comparing.members += 1;
    if (comparing.members > limits.members) break;
    const [one, other] = [memberIn(from, member), memberIn(to, member)];
    if (one === undefined) trees[1][member] = '';
    else if (other === undefined) trees[0][member] = '';
    else [trees[0][member], trees[1][member]] = comparableTrees(one, other, comparing, depth + 1);
  }
  return trees;
}

function elementTree(list: readonly Json[], comparing: Comparing): ComparableTree {
  comparing.members += list.length;
  const tree: ComparableTree = Object.create(null);
  if (comparing.members <= limits.members) for (const key of elementsOf(list).keys()) tree[key] = '';
  return tree;
}
