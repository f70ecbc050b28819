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
import { cached } from '../../json/json.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { composeOptions } from '../parse-yaml.ts';
import { listKeys } from '../tree.ts';

/** A map or a list in a file. */
export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;

/** A value in a document, and its position. */
export interface PathTarget {
  /** The value, without following an alias. Null if a member has no value. */
  readonly node: ParsedNode | null;
  /** The map or list that contains the value, possibly through aliases or merge keys. Absent at the root. */
  readonly parent?: Collection;
  /** The index in the parent. Undefined at the root, or if the value comes from a merge key. */
  readonly index?: number;
}

/**
 * A valid YAML document, prepared for editing. Finds paths in it: members by name, and list items by the value of the
 * member that identifies them.
 */
export class EditableDocument {
  readonly #document: Document.Parsed<ParsedNode>;
  /** The index of each member or item, by step. For duplicate names, the index of the first. */
  readonly #indexes = new WeakMap<Collection, ReadonlyMap<string | undefined, number>>();

  private constructor(document: Document.Parsed<ParsedNode>) {
    this.#document = document;
  }

  /** Parses a text. Undefined if the text is not a single valid document. */
  static of(text: string): EditableDocument | undefined {
    const composer = new Composer({ ...composeOptions, keepSourceTokens: true });
    const [document, ...more] = [...composer.compose(new Parser().parse(text), true, text.length)];
    if (document === undefined || more.length > 0 || document.errors.length > 0) return undefined;
    return document.contents === null ? undefined : new EditableDocument(document as Document.Parsed<ParsedNode>);
  }

  /** Follows a path to the deepest existing value. */
  reach(yamlPath: FieldPath): PathTarget & { readonly depth: number } {
    let target: PathTarget = { node: this.#document.contents };
    for (const [depth, step] of yamlPath.entries()) {
      const next = this.#step(this.followed(target.node), step);
      if (next === undefined) return { ...target, depth };
      target = next;
    }
    return { ...target, depth: yamlPath.length };
  }

  find(yamlPath: FieldPath): PathTarget | undefined {
    const reached = this.reach(yamlPath);
    return reached.depth === yamlPath.length ? reached : undefined;
  }

  followed(node: ParsedNode | null): ParsedNode | null {
    if (!isAlias(node)) return node;
    return (node.resolve(this.#document) as ParsedNode | undefined) ?? null;
  }

  /** The plain value of a node. Resolves aliases and merge keys. */
  valueOf(node: ParsedNode | null): unknown {
    const followed = this.followed(node);
    if (isScalar(followed)) return followed.value;
    if (isSeq(followed)) return followed.items.map((item) => this.valueOf(item as ParsedNode));
    if (!isMap(followed)) return null;
    const names = this.#names(followed as YAMLMap.Parsed);
    return Object.fromEntries(names.map((name) => [name, this.valueOf(this.#step(followed, name)?.node ?? null)]));
  }

  #step(node: ParsedNode | null, step: string): PathTarget | undefined {
    if (isSeq(node)) {
      const list = node as YAMLSeq.Parsed;
      const index = this.#indexOf(list, step);
      return index === undefined ? undefined : { node: list.items[index] ?? null, parent: list, index };
    }
    return isMap(node) ? this.#member(node as YAMLMap.Parsed, step) : undefined;
  }

  #member(map: YAMLMap.Parsed, name: string): PathTarget | undefined {
    const index = this.#indexOf(map, name);
    if (index !== undefined) return { node: map.items[index]?.value ?? null, parent: map, index };
    for (const merged of this.#mergedMaps(map)) {
      const found = this.#member(merged, name);
      if (found !== undefined) return { node: found.node, parent: map };
    }
    return undefined;
  }

  #indexOf(collection: Collection, step: string): number | undefined {
    const known = cached(this.#indexes, collection, () => this.#indexed(collection));
    return known.get(step);
  }

  #indexed(collection: Collection): ReadonlyMap<string | undefined, number> {
    const names = isMap(collection)
      ? collection.items.map(({ key }) => this.#nameOf(key))
      : collection.items.map((item) => this.#keyOf(item));
    return new Map(names.map((name, index) => [name, index] as const).toReversed());
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

  #keyOf(item: ParsedNode): string | undefined {
    const node = this.followed(item);
    if (!isMap(node)) return undefined;
    const [key] = listKeys.flatMap((name) => this.#member(node as YAMLMap.Parsed, name) ?? []);
    return key && String(this.valueOf(key.node));
  }
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
