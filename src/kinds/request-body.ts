import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { type FieldPath, fieldAt, pathOf, settingNamed } from './field-path.ts';
import { pathSet } from './path-map.ts';

/** A change as far as the request body depends on it. */
export interface BodyChange {
  readonly op: 'set' | 'unset' | 'release';
  readonly path: FieldPath;
  /** Whether another value is known to have been there. */
  readonly replaces: boolean;
}

/**
 * The JSON body of a kind's write operation: every declared field; on-change fields only if they changed; the unset
 * values of released fields. Lists and objects are sent whole.
 */
export function requestBody(kind: KindName, sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const changed = pathSet(changes.map(({ path }) => path));
  const body: Record<string, Json> = {};
  for (const field of fieldsByKind[kind]) {
    const declared = declaredValue(field, sections);
    if (declared === undefined) continue;
    if (field.sendOnChange && !changed.has(pathOf(field))) continue;
    body[field.name] = field.shape === 'object' ? withReplacedDefaults(field, declared, changes) : declared;
  }
  return { ...body, ...unsetValues(kind, sections, changes), ...extraSettingsOf(sections) };
}

/** The value sent for a field that is no longer declared; undefined if there is none. */
export function unsetValue(field: FieldSchema | undefined): Json | undefined {
  if (field === undefined) return undefined;
  if (field.default !== undefined) return field.default as Json;
  if (field.types.includes('null')) return null;
  return field.types.includes('array') ? [] : undefined;
}

function unsetValues(kind: KindName, sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const change of changes) {
    const field = unsetField(kind, change);
    if (field === undefined || declaredValue(field, sections) !== undefined) continue;
    const value = unsetValue(field);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

function unsetField(kind: KindName, { op, path }: BodyChange): FieldSchema | undefined {
  if (op !== 'unset') return undefined;
  return path[0] === 'extraSettings' ? settingNamed(kind, path[1] ?? '') : fieldAt(kind, path);
}

function declaredValue(field: FieldSchema, sections: JsonObject): Json | undefined {
  const section = sections[field.section];
  return field.isSection ? section : isJsonObject(section) ? section[field.name] : undefined;
}

/** A member that goes back to its default is sent, in case the service keeps the members that are left out. */
function withReplacedDefaults(field: FieldSchema, declared: Json, changes: readonly BodyChange[]): Json {
  const replaced = pathSet(changes.filter((change) => change.replaces).map(({ path }) => path));
  const object = isJsonObject(declared) ? declared : { [field.shorthand ?? '']: declared };
  const missing = (field.members ?? []).filter(
    (member) =>
      member.default !== undefined && !(member.name in object) && replaced.has([...pathOf(field), member.name]),
  );
  if (missing.length === 0) return declared;
  return { ...object, ...Object.fromEntries(missing.map((member) => [member.name, member.default as Json])) };
}

function extraSettingsOf(sections: JsonObject): JsonObject {
  return isJsonObject(sections.extraSettings) ? sections.extraSettings : {};
}
