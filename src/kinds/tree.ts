import { escapeStep, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { type FieldPath, fieldAt, isElement, isMapField } from './field-path.ts';

/** A value that is compared as a whole. */
export class Leaf {
  readonly value: Json;
  /** Whether the value contains a secret. It is then compared and shown by fingerprint only. */
  readonly sensitive: boolean;

  constructor(value: Json, sensitive: boolean) {
    this.value = value;
    this.sensitive = sensitive;
  }
}

/** The fields of a resource as a tree. Keyed lists are maps, so that nothing is compared by position. */
export interface Tree {
  readonly [member: string]: Tree | Leaf;
}

interface PointedValue {
  readonly value: Json;
  /** The JSON pointer of the value in the sections. */
  readonly pointer: string;
}

/**
 * Builds the tree of sections. An empty keyed list is an empty map. Omitted members of objects get their documented
 * defaults.
 */
export function treeOf(kind: KindName, sections: JsonObject, sensitive: ReadonlySet<string> = new Set()): Tree {
  const tree: Record<string, Tree | Leaf> = {};
  for (const [section, value] of Object.entries(sections)) {
    const pointed = { value, pointer: `/${escapeStep(section)}` };
    const field = fieldsByKind[kind].find((candidate) => candidate.isSection && candidate.section === section);
    tree[section] = field
      ? fieldTree(field, pointed, sensitive)
      : mapMembers(pointed, (member, name) => fieldTree(fieldAt(kind, [section, name]), member, sensitive));
  }
  return tree;
}

function fieldTree(field: FieldSchema | undefined, pointed: PointedValue, sensitive: ReadonlySet<string>): Tree | Leaf {
  if (field?.shape === 'object') return objectBranch(field, pointed, sensitive);
  const elements = field?.shape === 'map' && Array.isArray(pointed.value) ? pointed.value : undefined;
  // Without validation, an element may lack its key. The list is then one value.
  const hasKeys = elements?.every((one) => isJsonObject(one) && typeof one[field?.mapKey ?? ''] === 'string');
  return field !== undefined && hasKeys ? mapBranch(field, pointed, sensitive) : leafOf(pointed, sensitive);
}

function mapBranch(field: FieldSchema, { value, pointer }: PointedValue, sensitive: ReadonlySet<string>): Tree {
  const elements = Array.isArray(value) ? value : [];
  return Object.fromEntries(
    elements.flatMap((element, index): [string, Tree][] => {
      if (!isJsonObject(element)) return [];
      const { [field.mapKey ?? '']: key, ...members } = element;
      // Members that the schema marks as sensitive are sensitive whatever their value.
      const marked = new Set(field.members?.flatMap((member) => (member.sensitive ? [member.name] : [])));
      const leaves = mapMembers({ value: members, pointer: `${pointer}/${index}` }, (member, name) =>
        marked.has(name) ? new Leaf(member.value, true) : leafOf(member, sensitive),
      );
      return [[String(key), leaves]];
    }),
  );
}

function objectBranch(field: FieldSchema, pointed: PointedValue, sensitive: ReadonlySet<string>): Tree {
  const declared: Tree = isJsonObject(pointed.value)
    ? mapMembers(pointed, (member) => leafOf(member, sensitive))
    : { [field.shorthand ?? 'value']: leafOf(pointed, sensitive) };
  const missing = (field.members ?? []).filter((member) => member.default !== undefined && !(member.name in declared));
  const defaults = missing.map((member): [string, Leaf] => [member.name, new Leaf(member.default as Json, false)]);
  return { ...declared, ...Object.fromEntries(defaults) };
}

function mapMembers<Result>(
  { value, pointer }: PointedValue,
  transform: (pointed: PointedValue, name: string) => Result,
): Record<string, Result> {
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      transform({ value: member, pointer: `${pointer}/${escapeStep(name)}` }, name),
    ]),
  );
}

function leafOf({ value, pointer }: PointedValue, sensitive: ReadonlySet<string>): Leaf {
  for (const marked of sensitive)
    if (marked === pointer || marked.startsWith(`${pointer}/`)) return new Leaf(value, true);
  return new Leaf(value, false);
}

/**
 * Lists the leaves of a tree with their paths. An empty keyed list becomes the leaf `[]`, and an element without
 * members the leaf `{}`, so that neither is lost.
 */
export function leavesOf(kind: KindName, tree: Tree, path: FieldPath = []): [FieldPath, Leaf][] {
  return Object.entries(tree).flatMap(([name, node]): [FieldPath, Leaf][] => {
    const at = [...path, name];
    if (node instanceof Leaf) return [[at, node]];
    if (Object.keys(node).length > 0) return leavesOf(kind, node, at);
    if (isMapField(kind, at)) return [[at, new Leaf([], false)]];
    return isElement(kind, at) ? [[at, new Leaf({}, false)]] : [];
  });
}

/**
 * Converts leaves back to sections. List elements have the order of the leaves. `sensitive` contains the JSON pointers
 * of sensitive values.
 */
export function sectionsOf(
  kind: KindName,
  leaves: readonly (readonly [FieldPath, Leaf])[],
): { readonly sections: JsonObject; readonly sensitive: ReadonlySet<string> } {
  const sections: Record<string, Json> = {};
  const sensitive = new Set<string>();
  const builder = new SectionsBuilder(sections);
  for (const [path, leaf] of leaves) {
    const steps = builder.put(fieldAt(kind, path), path, leaf.value);
    if (leaf.sensitive) sensitive.add(steps.map((step) => `/${escapeStep(step)}`).join(''));
  }
  return { sections, sensitive };
}

/** Builds sections from leaves. An index of places makes adding to a long list fast. */
class SectionsBuilder {
  readonly #sections: Record<string, Json>;
  readonly #objects = new Map<string, Record<string, Json>>();
  readonly #lists = new Map<string, { readonly elements: Json[]; readonly indexes: Map<string, number> }>();

  constructor(sections: Record<string, Json>) {
    this.#sections = sections;
  }

  /** Sets a value, and returns the steps to it. */
  put(field: FieldSchema | undefined, path: FieldPath, value: Json): FieldPath {
    const depth = field === undefined ? path.length : field.path.length;
    const [key, member] = path.slice(depth);
    if (field === undefined || key === undefined) return this.#set(path, value);
    const own = path.slice(0, depth);
    if (field.shape === 'map') return this.#element(field, own, { key, member, value });
    return this.#set(path, value);
  }

  #set(path: FieldPath, value: Json): FieldPath {
    const name = path.at(-1) ?? '';
    this.#objectAt(path.slice(0, -1))[name] = value;
    return path;
  }

  #element(
    field: FieldSchema,
    own: FieldPath,
    { key, member, value }: { readonly key: string; readonly member: string | undefined; readonly value: Json },
  ): FieldPath {
    const { elements, indexes } = this.#listAt(own);
    const index = indexes.get(key) ?? elements.length;
    indexes.set(key, index);
    const at = [...own, String(index)];
    const element = this.#objects.get(JSON.stringify(at)) ?? { [field.mapKey ?? '']: key };
    this.#objects.set(JSON.stringify(at), element);
    elements[index] = element;
    if (member === undefined) return at;
    element[member] = value;
    return [...at, member];
  }

  #listAt(own: FieldPath) {
    const pointed = JSON.stringify(own);
    const list = this.#lists.get(pointed) ?? { elements: [], indexes: new Map<string, number>() };
    if (!this.#lists.has(pointed)) this.#set(own, list.elements);
    this.#lists.set(pointed, list);
    return list;
  }

  #objectAt(path: FieldPath): Record<string, Json> {
    const name = path.at(-1);
    if (name === undefined) return this.#sections;
    const pointed = JSON.stringify(path);
    const found = this.#objects.get(pointed);
    if (found !== undefined) return found;
    const made: Record<string, Json> = {};
    this.#objects.set(pointed, made);
    this.#objectAt(path.slice(0, -1))[name] = made;
    return made;
  }
}
