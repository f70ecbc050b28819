import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { FieldPath } from '../../../kinds/field-path.ts';
import { composeOptions } from '../../../manifest/syntax/parse-yaml.ts';

/** A map or a list as it stands in a file. */
export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;

/** Where a way ends in a document. */
export interface YamlPlace {
  /** What stands there, an alias unfollowed; null where a member has no value. */
  readonly node: ParsedNode | null;
  /** The map or list that holds it, wherever that stands; absent for the root. */
  readonly parent?: Collection;
  /** Which item of the parent it is; undefined if it comes in by a merge key. */
  readonly index?: number;
}

/** The first steps of a way that lead somewhere, and the place that they lead to. */
export interface ReachedPlace extends YamlPlace {
  readonly depth: number;
}

/** The document of a text, with everything that is needed to cut it up; undefined if it is not one sound document. */
export function editableDocument(text: string): Document.Parsed<ParsedNode> | undefined {
  const documents = [
    ...new Composer({ ...composeOptions, keepSourceTokens: true }).compose(new Parser().parse(text), true, text.length),
  ];
  const [document] = documents;
  if (document === undefined || documents.length > 1 || document.errors.length > 0) return undefined;
  return document.contents === null ? undefined : (document as Document.Parsed<ParsedNode>);
}

/** Finds the way of a declaration: members by name, the items of a list by the value of the member `mapKey`. */
export class YamlFinder {
  readonly #document: Document.Parsed<ParsedNode>;
  readonly #mapKey: string | undefined;

  constructor(document: Document.Parsed<ParsedNode>, mapKey: string | undefined) {
    this.#document = document;
    this.#mapKey = mapKey;
  }

  /** Follows the way as far as it goes. */
  reach(way: FieldPath): ReachedPlace {
    let place: YamlPlace = { node: this.#document.contents };
    for (const [depth, step] of way.entries()) {
      const next = this.#step(this.followed(place.node), step);
      if (next === undefined) return { ...place, depth };
      place = next;
    }
    return { ...place, depth: way.length };
  }

  find(way: FieldPath): YamlPlace | undefined {
    const reached = this.reach(way);
    return reached.depth === way.length ? reached : undefined;
  }

  /** What an alias stands for; anything else as it is. */
  followed(node: ParsedNode | null): ParsedNode | null {
    if (!isAlias(node)) return node;
    return (node.resolve(this.#document) as ParsedNode | undefined) ?? null;
  }

  /** The plain value of a node, its aliases and merge keys resolved. */
  valueOf(node: ParsedNode | null): unknown {
    const followed = this.followed(node);
    if (isScalar(followed)) return followed.value;
    if (isSeq(followed)) return followed.items.map((item) => this.valueOf(item as ParsedNode));
    if (!isMap(followed)) return null;
    const names = this.#names(followed as YAMLMap.Parsed);
    return Object.fromEntries(names.map((name) => [name, this.valueOf(this.#step(followed, name)?.node ?? null)]));
  }

  #step(node: ParsedNode | null, step: string): YamlPlace | undefined {
    if (isSeq(node)) {
      const list = node as YAMLSeq.Parsed;
      const index = list.items.findIndex((item) => this.#keyOf(item) === step);
      return index < 0 ? undefined : { node: list.items[index] ?? null, parent: list, index };
    }
    return isMap(node) ? this.#member(node as YAMLMap.Parsed, step) : undefined;
  }

  #member(map: YAMLMap.Parsed, name: string): YamlPlace | undefined {
    const index = map.items.findIndex((pair) => this.#nameOf(pair.key) === name);
    if (index >= 0) return { node: map.items[index]?.value ?? null, parent: map, index };
    for (const merged of this.#mergedMaps(map)) {
      const found = this.#member(merged, name);
      if (found !== undefined) return { node: found.node, parent: map };
    }
    return undefined;
  }

  #mergedMaps(map: YAMLMap.Parsed): YAMLMap.Parsed[] {
    const merges = map.items.filter(({ key }) => isMergeKey(key)).map(({ value }) => this.followed(value));
    const maps = merges.flatMap((node) =>
      isSeq(node) ? node.items.map((item) => this.followed(item as ParsedNode)) : [node],
    );
    return maps.filter((node): node is YAMLMap.Parsed => isMap(node));
  }

  #names(map: YAMLMap.Parsed): string[] {
    const own = map.items.filter(({ key }) => !isMergeKey(key)).map(({ key }) => this.#nameOf(key));
    return [...new Set([...own, ...this.#mergedMaps(map).flatMap((merged) => this.#names(merged))])];
  }

  #nameOf(key: ParsedNode): string {
    const node = this.followed(key);
    if (!isScalar(node)) return '';
    return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  }

  #keyOf(item: ParsedNode): unknown {
    const node = this.followed(item);
    if (!isMap(node) || this.#mapKey === undefined) return undefined;
    return this.valueOf(this.#member(node as YAMLMap.Parsed, this.#mapKey)?.node ?? null);
  }
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
