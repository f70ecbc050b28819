import { cached, escapeStep, isJsonObject, type Json, type JsonObject, setMember } from '../json/json.ts';
import type { FieldSchema, KindName } from '../schemas/fields.ts';
import { type FieldPath, fieldAt } from './field-path.ts';

/** A value that is compared as a whole. */
export interface Leaf {
  readonly value: Json;
  /** Whether the value contains a secret. If so, it is compared and shown only by its fingerprint. */
  readonly sensitive: boolean;
}

interface PlacedValue {
  readonly path: FieldPath;
  readonly value: Json;
  /** The JSON pointer of the value in the sections. */
  readonly pointer: string;
}

type Sensitive = ReadonlySet<string>;

/**
 * Lists the leaves of sections with their paths. The path of an element in a keyed list contains the element's key, so
 * that elements are not compared by position. An empty keyed list becomes the leaf `[]`, and an element without members
 * becomes the leaf `{}`. Omitted members of objects get their documented defaults.
 */
export function leavesOf(kind: KindName, sections: JsonObject, sensitive: Sensitive = new Set()): [FieldPath, Leaf][] {
  return Object.entries(sections).flatMap(([name, value]) => {
    const section = { path: [name], value, pointer: `/${escapeStep(name)}` };
    const field = fieldAt(kind, section.path);
    if (field !== undefined) return fieldLeaves(field, section, sensitive);
    return membersOf(section).flatMap((member) => fieldLeaves(fieldAt(kind, member.path), member, sensitive));
  });
}

function fieldLeaves(field: FieldSchema | undefined, placed: PlacedValue, sensitive: Sensitive): [FieldPath, Leaf][] {
  const { path, value } = placed;
  const { shape, mapKey = '', members = [], shorthand = 'value' } = field ?? {};
  if (shape === 'object') {
    const declared = isJsonObject(value) ? membersOf(placed) : [{ ...placed, path: [...path, shorthand] }];
    const names = new Set(declared.map((member) => member.path.at(-1)));
    const omitted = members.filter((member) => member.default !== undefined && !names.has(member.name));
    return [
      ...declared.map((member) => leafAt(member, sensitive)),
      ...omitted.map((member): [FieldPath, Leaf] => {
        return [[...path, member.name], { value: member.default as Json, sensitive: false }];
      }),
    ];
  }
  // A manifest that was not validated may have elements without a key. The list is then compared as a whole.
  const hasKeys =
    Array.isArray(value) && value.every((element) => isJsonObject(element) && typeof element[mapKey] === 'string');
  return field !== undefined && shape === 'map' && hasKeys
    ? elementLeaves(field, placed, sensitive)
    : [leafAt(placed, sensitive)];
}

function elementLeaves(
  { mapKey = '', members = [] }: FieldSchema,
  { path, value, pointer }: PlacedValue,
  sensitive: Sensitive,
): [FieldPath, Leaf][] {
  const elements = Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (elements.length === 0) return [[path, { value: [], sensitive: false }]];
  // Members that the schema marks as sensitive are sensitive regardless of their value.
  const marked = new Set(members.flatMap(({ name, sensitive: isMarked }) => (isMarked ? [name] : [])));
  // If elements share a key, use the last one.
  const indexes = Object.fromEntries(elements.map((element, index) => [String(element[mapKey]), index]));
  return Object.entries(indexes).flatMap(([key, index]): [FieldPath, Leaf][] => {
    const { [mapKey]: _, ...others } = elements[index] ?? {};
    const element = { path: [...path, key], value: others, pointer: `${pointer}/${index}` };
    const own = membersOf(element);
    if (own.length === 0) return [[element.path, { value: {}, sensitive: false }]];
    return own.map((member) => {
      const isMarked = marked.has(member.path.at(-1) ?? '');
      return isMarked ? [member.path, { value: member.value, sensitive: true }] : leafAt(member, sensitive);
    });
  });
}

function membersOf({ path, value, pointer }: PlacedValue): PlacedValue[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, member]) => {
    return { path: [...path, name], value: member, pointer: `${pointer}/${escapeStep(name)}` };
  });
}

function leafAt({ path, value, pointer }: PlacedValue, sensitive: Sensitive): [FieldPath, Leaf] {
  for (const marked of sensitive)
    if (marked === pointer || marked.startsWith(`${pointer}/`)) return [path, { value, sensitive: true }];
  return [path, { value, sensitive: false }];
}

/**
 * Converts leaves back to sections. List elements are in the order of the leaves. `sensitive` contains the JSON
 * pointers of sensitive values.
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

/** Builds sections from leaves. Indexes list elements by key, so that adding to a long list is fast. */
class SectionsBuilder {
  readonly #sections: Record<string, Json>;
  readonly #objects = new Map<string, Record<string, Json>>();
  readonly #lists = new Map<string, { readonly elements: Json[]; readonly indexes: Map<string, number> }>();

  constructor(sections: Record<string, Json>) {
    this.#sections = sections;
  }

  /** Sets a value, and returns the steps from the root of the sections to the value. */
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
    setMember(this.#objectAt(path.slice(0, -1)), name, value);
    return path;
  }

  #element(
    field: FieldSchema,
    own: FieldPath,
    { key, member, value }: { readonly key: string; readonly member: string | undefined; readonly value: Json },
  ): FieldPath {
    const { elements, indexes } = this.#listAt(own);
    const index = cached(indexes, key, () => elements.length);
    const at = [...own, String(index)];
    const element = cached(this.#objects, JSON.stringify(at), () => ({ [field.mapKey ?? '']: key }));
    elements[index] = element;
    if (member === undefined) return at;
    setMember(element, member, value);
    return [...at, member];
  }

  #listAt(own: FieldPath) {
    return cached(this.#lists, JSON.stringify(own), () => {
      const elements: Json[] = [];
      this.#set(own, elements);
      return { elements, indexes: new Map() };
    });
  }

  #objectAt(path: FieldPath): Record<string, Json> {
    const name = path.at(-1);
    if (name === undefined) return this.#sections;
    const pointed = JSON.stringify(path);
    const found = this.#objects.get(pointed);
    if (found !== undefined) return found;
    const made: Record<string, Json> = {};
    this.#objects.set(pointed, made);
    setMember(this.#objectAt(path.slice(0, -1)), name, made);
    return made;
  }
}
