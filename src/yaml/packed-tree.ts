import { type MapNode, type Member, mapNode, type Node } from './tree.ts';

// A tree as a text, which a cache can keep.

type Item = string | number | boolean | null;

/**
 * The tree of a file as JSON, without its path: of a list or a map a mark and how many there are, of every node its
 * place. A flat list is read back fastest. Undefined for a tree that JSON cannot hold, or that did not come from the
 * parser: merged and resolved trees are excluded.
 */
export function packTree(root: MapNode): string | undefined {
  const items: Item[] = [];
  return append(items, root) ? JSON.stringify(items) : undefined;
}

function append(items: Item[], node: Node): boolean {
  const { at, over } = node;
  if (over !== undefined) return false;
  const place = [at.line, at.column, at.offset, at.end];
  if (node.type === 'scalar') {
    const { value, source = null, from, raw, sensitive, opaque } = node;
    items.push('s', ...place, value, source);
    const isPlain = from === undefined && raw === undefined && sensitive === undefined && opaque === undefined;
    return isPlain && (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0)));
  }
  if (node.type === 'list') {
    items.push('l', ...place, node.items.length);
    return node.items.every((item) => append(items, item));
  }
  items.push('m', ...place, node.members.size);
  return [...node.members].every(([name, { key, value }]) => {
    items.push(name, key.line, key.column, key.offset, key.end);
    return append(items, value);
  });
}

/** The tree again, in a file of this path. Throws a TypeError or a SyntaxError for foreign data. */
export function unpackTree(packed: string, path: string): MapNode {
  const root = new Reader(JSON.parse(packed), path).node();
  if (root.type !== 'map') throw new TypeError('no map');
  return root;
}

/** Goes through the items of a tree. Throws a TypeError at the first invalid part. */
class Reader {
  readonly #items: readonly Item[];
  readonly #path: string;
  #next = 0;

  constructor(items: readonly Item[], path: string) {
    this.#items = items;
    this.#path = path;
  }

  node(): Node {
    const mark = this.#items[this.#next];
    this.#next += 1;
    const at = this.#span();
    if (mark === 's') {
      const value = this.#items[this.#next] ?? null;
      const source = this.#items[this.#next + 1];
      this.#next += 2;
      return typeof source === 'string' ? { type: 'scalar', at, value, source } : { type: 'scalar', at, value };
    }
    const count = this.#number();
    if (mark === 'l') return { type: 'list', at, items: Array.from({ length: count }, () => this.node()) };
    if (mark !== 'm') throw new TypeError('no node');
    const members = Array.from({ length: count }, (): readonly [string, Member] => {
      const name = this.#items[this.#next];
      this.#next += 1;
      if (typeof name !== 'string') throw new TypeError('no name');
      return [name, { key: this.#span(), value: this.node() }];
    });
    return mapNode(at, members);
  }

  #span() {
    return {
      file: this.#path,
      line: this.#number(),
      column: this.#number(),
      offset: this.#number(),
      end: this.#number(),
    };
  }

  #number(): number {
    const item = this.#items[this.#next];
    this.#next += 1;
    if (typeof item !== 'number') throw new TypeError('no number');
    return item;
  }
}
