import { depthOf, fieldAt } from '../kinds/path.ts';
import type { FieldSchema, KindName } from '../schemas/fields.ts';
import type { Span } from './problem.ts';
import { mayInclude } from './sensitive-places.ts';
import { includedPath, type ListNode, type MapNode, type Member, type Node, textOf } from './tree.ts';

/**
 * Merges layers of a kind's sections, the farthest first.
 *
 * The nearer value wins; maps merge; keyed lists merge by key, in the farther list's order with new elements behind;
 * other lists are replaced. `null` and `{ file: ... }` are values like any other. A string in the place of an object
 * that has a shorthand counts as that object only when a nearer object merges over it.
 */
export function mergeLayers(kind: KindName, layers: readonly MapNode[]): MapNode {
  const merged = layers.reduce<Node | undefined>(
    (far, near) => (far === undefined ? near : merge(kind, far, near, [])),
    undefined,
  );
  if (merged?.type !== 'map') throw new RangeError('layers are maps, and at least one');
  return merged;
}

function merge(kind: KindName, far: Node, near: Node, path: readonly string[]): Node {
  const field = fieldWith(kind, path);
  const farther = near.type === 'map' && field?.shorthand !== undefined ? longForm(far, field.shorthand) : far;
  const isIncluded = (node: Node): boolean => includedPath(node) !== undefined && mayInclude(kind, path);
  if (near.type === 'map' && farther.type === 'map' && !isIncluded(near) && !isIncluded(farther)) {
    return { ...near, members: mergeMembers(kind, farther, near, path), over: placesOf(far) };
  }
  if (near.type === 'list' && farther.type === 'list' && field?.mapKey !== undefined) {
    return { ...near, items: mergeItems(kind, farther, near, [...path, field.mapKey]), over: placesOf(far) };
  }
  return { ...near, over: placesOf(far) };
}

function mergeMembers(kind: KindName, far: MapNode, near: MapNode, path: readonly string[]): Map<string, Member> {
  const members = new Map(far.members);
  for (const [name, member] of near.members) {
    const under = far.members.get(name);
    const value = under === undefined ? member.value : merge(kind, under.value, member.value, [...path, name]);
    members.set(name, { key: member.key, value });
  }
  return members;
}

function mergeItems(kind: KindName, far: ListNode, near: ListNode, path: readonly string[]): Node[] {
  const keyName = path.at(-1) ?? '';
  const nearer = new Map(near.items.map((item) => [textOf(item, keyName), item]));
  const kept = far.items.map((item) => {
    const key = textOf(item, keyName);
    const over = key === undefined ? undefined : nearer.get(key);
    return over === undefined ? item : merge(kind, item, over, path);
  });
  const known = new Set(far.items.map((item) => textOf(item, keyName)));
  return [...kept, ...near.items.filter((item) => isNew(textOf(item, keyName), known))];
}

function isNew(key: string | undefined, known: ReadonlySet<string | undefined>): boolean {
  return key === undefined || !known.has(key);
}

/** The field that stands exactly at the path. */
function fieldWith(kind: KindName, path: readonly string[]): FieldSchema | undefined {
  const field = fieldAt(kind, path);
  return field !== undefined && depthOf(field) === path.length ? field : undefined;
}

function longForm(node: Node, shorthand: string): Node {
  if (node.type !== 'scalar' || typeof node.value !== 'string') return node;
  return { type: 'map', at: node.at, members: new Map([[shorthand, { key: node.at, value: node }]]) };
}

function placesOf(node: Node): readonly Span[] {
  return [node.at, ...(node.over ?? [])];
}
