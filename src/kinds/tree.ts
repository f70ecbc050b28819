import { escapeStep, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { type FieldPath, fieldAt, isElement, isMapField } from './field-path.ts';

/** A value that compares as one. */
export class Leaf {
  readonly value: Json;
  /** It holds a secret: it is compared and shown by its fingerprint only. */
  readonly sensitive: boolean;

  constructor(value: Json, sensitive: boolean) {
    this.value = value;
    this.sensitive = sensitive;
  }
}

/** A resource's fields in the manifest's sections, with keyed lists as maps, so that nothing compares by position. */
export interface Tree {
  readonly [member: string]: Tree | Leaf;
}

interface Place {
  readonly value: Json;
  /** JSON pointer of the value in the sections. */
  readonly pointer: string;
}

/**
 * The tree of a resource's sections. A list that is declared empty is an empty map; members of an object that are left
 * out have their documented defaults.
 */
export function treeOf(kind: KindName, sections: JsonObject, sensitive: ReadonlySet<string> = new Set()): Tree {
  const leaf = ({ value, pointer }: Place) => new Leaf(value, holdsSensitive(sensitive, pointer));
  const tree: Record<string, Tree> = {};
  for (const [section, value] of Object.entries(sections)) {
    const place = { value, pointer: `/${escapeStep(section)}` };
    const field = fieldsByKind[kind].find((candidate) => candidate.isSection && candidate.section === section);
    tree[section] = field
      ? branchOf(field, place, leaf)
      : mapMembers(place, (member, name) => fieldTree(fieldAt(kind, [section, name]), member, leaf));
  }
  return tree;
}

function fieldTree(field: FieldSchema | undefined, place: Place, leaf: (place: Place) => Leaf): Tree | Leaf {
  const structured = field?.shape === 'map' || field?.shape === 'object';
  return structured ? branchOf(field, place, leaf) : leaf(place);
}

function branchOf(field: FieldSchema, place: Place, leaf: (place: Place) => Leaf): Tree {
  return field.shape === 'map' ? mapBranch(field, place, leaf) : objectBranch(field, place, leaf);
}

function mapBranch(field: FieldSchema, { value, pointer }: Place, leaf: (place: Place) => Leaf): Tree {
  const elements = Array.isArray(value) ? value : [];
  return Object.fromEntries(
    elements.flatMap((element, index): [string, Tree][] => {
      if (!isJsonObject(element)) return [];
      const { [field.mapKey ?? '']: key, ...members } = element;
      const memberLeaf = (member: Place, name: string) => declaredSensitive(field, name, leaf(member));
      return [[String(key), mapMembers({ value: members, pointer: `${pointer}/${index}` }, memberLeaf)]];
    }),
  );
}

/** A member that the schema calls sensitive is so whatever stands in it. */
function declaredSensitive(field: FieldSchema, name: string, leaf: Leaf): Leaf {
  const isSensitive = field.members?.some((member) => member.name === name && member.sensitive) === true;
  return isSensitive ? new Leaf(leaf.value, true) : leaf;
}

function objectBranch(field: FieldSchema, place: Place, leaf: (place: Place) => Leaf): Tree {
  const declared: Tree = isJsonObject(place.value)
    ? mapMembers(place, leaf)
    : { [field.shorthand ?? 'value']: leaf(place) };
  const missing = (field.members ?? []).filter((member) => member.default !== undefined && !(member.name in declared));
  const defaults = missing.map((member): [string, Leaf] => [member.name, new Leaf(member.default as Json, false)]);
  return { ...declared, ...Object.fromEntries(defaults) };
}

function mapMembers<Result>(
  { value, pointer }: Place,
  transform: (place: Place, name: string) => Result,
): Record<string, Result> {
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      transform({ value: member, pointer: `${pointer}/${escapeStep(name)}` }, name),
    ]),
  );
}

function holdsSensitive(sensitive: ReadonlySet<string>, pointer: string): boolean {
  for (const marked of sensitive) if (marked === pointer || marked.startsWith(`${pointer}/`)) return true;
  return false;
}

/**
 * Every leaf with its path, in the tree's order. An empty keyed list counts as the leaf `[]` and an element without
 * members as the leaf `{}`, so that their being there is not lost.
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
