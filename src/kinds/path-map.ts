import { cached } from '../json/json.ts';
import type { FieldPath } from './field-path.ts';

interface Node<Value> {
  own?: { readonly value: Value };
  /** Absent if the node has no children, to save memory. */
  members?: Map<string, Node<Value>>;
}

/**
 * A map with field paths as keys, stored as a tree. The tree keeps lookups fast even if the service returns thousands
 * of list elements.
 */
export class PathMap<Value> {
  readonly #root: Node<Value> = {};

  constructor(entries: Iterable<readonly [FieldPath, Value]> = []) {
    for (const [path, value] of entries) this.set(path, value);
  }

  set(path: FieldPath, value: Value): void {
    this.#added(path).own = { value };
  }

  get(path: FieldPath): Value | undefined {
    return this.#found(path)?.own?.value;
  }

  has(path: FieldPath): boolean {
    return this.#found(path)?.own !== undefined;
  }

  getOrAdd(path: FieldPath, initial: () => Value): Value {
    const node = this.#added(path);
    node.own ??= { value: initial() };
    return node.own.value;
  }

  /** The values at the path and at its ancestors, starting with the outermost ancestor. */
  along(path: FieldPath): Value[] {
    const found: Value[] = [];
    let node: Node<Value> | undefined = this.#root;
    for (const member of path) {
      node = node?.members?.get(member);
      if (node?.own !== undefined) found.push(node.own.value);
    }
    return found;
  }

  /** The values at the path and inside it. Parents come before their children, and siblings are in insertion order. */
  within(path: FieldPath): Value[] {
    const start = this.#found(path);
    const found: Value[] = [];
    const open = start === undefined ? [] : [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.own !== undefined) found.push(node.own.value);
      for (const member of [...(node.members?.values() ?? [])].reverse()) open.push(member);
    }
    return found;
  }

  values(): Value[] {
    return this.within([]);
  }

  #found(path: FieldPath): Node<Value> | undefined {
    let node: Node<Value> | undefined = this.#root;
    for (const member of path) node = node?.members?.get(member);
    return node;
  }

  #added(path: FieldPath): Node<Value> {
    let node = this.#root;
    for (const member of path) {
      node.members ??= new Map();
      node = cached(node.members, member, () => ({}));
    }
    return node;
  }
}

/** Makes a map in which each path is its own value. */
export function pathSet(paths: Iterable<FieldPath>): PathMap<FieldPath> {
  return new PathMap([...paths].map((path) => [path, path] as const));
}
