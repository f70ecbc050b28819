import { type FieldPath, fieldAt } from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Span } from '../../yaml/problem.ts';
import { headOf, type MapNode, type Node, nodeAt, textOf } from '../../yaml/tree.ts';

/** A key or value in a YAML file. */
export interface CursorNode {
  /** The keys and item indexes that lead to this key or value. */
  readonly steps: readonly string[];
  readonly at: Span;
  readonly isKey: boolean;
  readonly node: Node;
}

/** Returns the innermost key or value at an offset. */
export function cursorNodeAt(root: MapNode, offset: number): CursorNode | undefined {
  let found: CursorNode | undefined;
  let node: Node | undefined = root;
  let steps: readonly string[] = [];
  while (node !== undefined && node.type !== 'scalar') {
    const next: CursorNode | undefined =
      node.type === 'map' ? cursorMemberAt(node, steps, offset) : itemAt(node.items, steps, offset);
    if (next === undefined) return found;
    found = next;
    if (next.isKey) return found;
    steps = next.steps;
    node = next.node;
  }
  return found;
}

function cursorMemberAt(map: MapNode, steps: readonly string[], offset: number): CursorNode | undefined {
  for (const [name, { key, value }] of map.members) {
    const inner = [...steps, name];
    if (key.offset <= offset && offset <= key.end) return { steps: inner, at: key, isKey: true, node: value };
    // A value that is missing, merged or aliased is not at this place.
    if (value.at.offset >= key.end && value.at.offset <= offset && offset <= value.at.end) {
      return { steps: inner, at: value.type === 'scalar' ? value.at : headOf(value), isKey: false, node: value };
    }
  }
  return undefined;
}

function itemAt(items: readonly Node[], steps: readonly string[], offset: number): CursorNode | undefined {
  const index = items.findIndex(({ at }) => at.offset <= offset && offset <= at.end);
  const node = items[index];
  return node && { steps: [...steps, String(index)], at: headOf(node), isKey: false, node };
}

/** Converts a YAML path to a field path. A field path omits the overlay, and identifies list elements by key. */
export function fieldPathAt(kind: KindName, root: MapNode, steps: readonly string[]): FieldPath | undefined {
  const own = steps[0] === 'environments' && steps.length > 2 ? steps.slice(2) : steps;
  const field = fieldAt(kind, own);
  if (field === undefined) return undefined;
  const depth = field.path.length;
  if (own.length <= depth || field.shape !== 'map') {
    // An element of any other list belongs to the whole field.
    return field.shape === 'object' ? own : own.slice(0, depth);
  }
  const element = nodeAt(root, steps.slice(0, steps.length - own.length + depth + 1));
  const key = textOf(element, field.mapKey ?? '');
  return key === undefined ? undefined : [...own.slice(0, depth), key, ...own.slice(depth + 1)];
}
