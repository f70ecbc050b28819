import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import type { Problem, Span } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { SourceFile } from './source-file.ts';
import { headOf, type Member, type Node, type ScalarNode } from './tree.ts';
import { quote } from './wording.ts';

/** How deep values may nest. The parser's own recursion must not meet a file that is made of brackets. */
export const maxDepth = 64;

/** How many values a file may have once its aliases are written out. The schema's check of lists takes quadratic time. */
const maxValues = 20_000;

/** Turns the document of one file into a tree: aliases and merge keys resolved, every value with its place. */
export class TreeBuilder {
  readonly problems: Problem[] = [];
  readonly #source: SourceFile;
  /** Undefined while the anchored value itself is being read. */
  readonly #anchors = new Map<string, Node | undefined>();
  /** Values below a node, itself included. Aliased nodes are shared, so that this may exceed the work done. */
  readonly #sizes = new Map<Node, number>();

  /** Levels of maps and lists in a node, itself included; aliases may make more of them than the file shows. */
  readonly #depths = new Map<Node, number>();
  /** Members that merge keys looked at so far. */
  #merged = 0;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  /** Undefined if the tree would be too large. */
  build(contents: ParsedNode): Node | undefined {
    const root = this.#node(contents, undefined);
    if ((this.#sizes.get(root) ?? 1) <= maxValues && this.#merged <= maxValues) return root;
    const message = `the file has more than ${maxValues.toLocaleString('en')} values, those of aliases and merge keys included`;
    this.problems.push(errorAt(this.#source.span(0, 0), 'yaml-aliases', message));
    return undefined;
  }

  #node(yaml: ParsedNode | null, key: Span | undefined): Node {
    if (isAlias(yaml)) return this.#alias(yaml.source, this.#span(yaml));
    const anchor = yaml !== null && 'anchor' in yaml ? yaml.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const node = this.#value(yaml, key);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #value(yaml: ParsedNode | null, key: Span | undefined): Node {
    if (isMap(yaml)) return this.#map(yaml);
    if (isSeq(yaml)) {
      const items = yaml.items.map((item) => this.#node(item as ParsedNode, undefined));
      return this.#sized({ type: 'list', at: this.#span(yaml), items }, items);
    }
    return isScalar(yaml)
      ? this.#scalar(yaml, key)
      : { type: 'scalar', at: key ?? this.#source.span(0, 0), value: null };
  }

  #alias(anchor: string, at: Span): Node {
    const node = this.#anchors.get(anchor);
    if (node !== undefined) return node;
    const reason = this.#anchors.has(anchor) ? 'stands inside the value it names' : 'has no anchor before it';
    this.problems.push(errorAt(at, 'yaml-alias', `the alias ${quote(`*${anchor}`)} ${reason}`));
    return nothing(at);
  }

  #scalar(yaml: Scalar.Parsed, key: Span | undefined): ScalarNode {
    const [start, end] = yaml.range;
    const at = start === end && key !== undefined ? key : this.#source.span(start, end);
    const { value } = yaml;
    if (value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value)) {
      const source = yaml.type === 'PLAIN' && yaml.source !== undefined ? { source: yaml.source } : {};
      return { type: 'scalar', at, value: value as ScalarNode['value'], ...source };
    }
    this.problems.push(errorAt(at, 'yaml-value', `${quote(yaml.source)} is not a value that JSON can hold`));
    return nothing(at);
  }

  #map(yaml: YAMLMap.Parsed): Node {
    const members = new Map<string, Member>();
    const merged: Node[] = [];
    for (const pair of yaml.items) {
      const key = this.#key(pair.key);
      if (key === undefined) continue;
      const value = this.#node(pair.value, key.at);
      if (key.isMerge) for (const map of this.#mergedMaps(value, key.at)) merged.push(map);
      else if (members.has(key.name)) this.#duplicate(key.name, key.at, members.get(key.name)?.key);
      else members.set(key.name, { key: key.at, value });
    }
    // The map's own members win over merged ones, an earlier merged map over a later one.
    for (const node of merged) {
      this.#merged += node.type === 'map' ? node.members.size + 1 : 0;
      if (this.#merged > maxValues) break;
      addMissing(members, node);
    }
    const values = [...members.values()].map(({ value }) => value);
    return this.#sized({ type: 'map', at: this.#span(yaml), members }, values);
  }

  #key(yaml: ParsedNode): { readonly name: string; readonly at: Span; readonly isMerge: boolean } | undefined {
    const at = this.#span(yaml);
    const key = isAlias(yaml) ? this.#alias(yaml.source, at) : this.#node(yaml, undefined);
    if (key.type === 'scalar' && key.value !== null) {
      const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
      return { name, at, isMerge: name === '<<' && key.source !== undefined };
    }
    this.problems.push(errorAt(at, 'yaml-key', 'a key of a map should be a text'));
    return undefined;
  }

  #mergedMaps(value: Node, at: Span): Node[] {
    const maps = value.type === 'list' ? [...value.items] : [value];
    if (maps.every(({ type }) => type === 'map')) return maps;
    this.problems.push(errorAt(at, 'yaml-merge', "the merge key '<<' takes a map or a list of maps"));
    return [];
  }

  #duplicate(name: string, at: Span, first: Span | undefined): void {
    const problem = errorAt(at, 'yaml-duplicate-key', `the key ${quote(name)} is there twice`);
    this.problems.push(first === undefined ? problem : { ...problem, also: { message: 'first here', at: first } });
  }

  #span(yaml: ParsedNode): Span {
    const [start, end] = yaml.range;
    return this.#source.span(start, Math.max(end, start + 1));
  }

  #sized<N extends Node>(node: N, children: readonly Node[]): N {
    this.#sizes.set(
      node,
      children.reduce((sum, child) => sum + (this.#sizes.get(child) ?? 1), 1),
    );
    const depth = children.reduce((most, child) => Math.max(most, this.#depths.get(child) ?? 0), 0) + 1;
    this.#depths.set(node, depth);
    if (depth !== maxDepth + 1) return node;
    this.problems.push(errorAt(headOf(node), 'yaml-depth', `values nest more than ${maxDepth} levels deep`));
    return node;
  }
}

function addMissing(members: Map<string, Member>, node: Node): void {
  if (node.type !== 'map') return;
  for (const [name, member] of node.members) if (!members.has(name)) members.set(name, member);
}

/** Stands where a value could not be read, so that nothing more is said of it. */
function nothing(at: Span): ScalarNode {
  return { type: 'scalar', at, value: null, opaque: true };
}
