import { type FieldSchema, fieldsByKind } from '../schemas/fields.ts';
import type { components } from '../schemas/service-types.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { type FieldPath, fieldAt, formatPath } from './path.ts';

const fields = fieldsByKind.Agent;

/** The only value of `type` in the specification. */
export const agentType = 'chatAgent';

/** An agent as the service shows it: the object `campaign` of the read response. */
export type Campaign = components['schemas']['Campaign'];

/** A change as far as the request body depends on it. */
export interface BodyChange {
  readonly op: 'set' | 'unset' | 'release';
  readonly path: FieldPath;
  /** Whether another value is known to have been there. */
  readonly replaces: boolean;
}

/** What the read response shows of an agent, in the manifest's shape. */
export interface LiveAgent {
  readonly sections: JsonObject;
  /** Whether the answer shows the field: for one that it does not show there is no live value to compare with. */
  readonly isReadable: (path: FieldPath) => boolean;
}

/**
 * The body of POST /api/v2/agent: the required fields and every declared setting; one that is sent on change only if it
 * changed; the unset value of what is no longer declared. Lists and objects are sent whole.
 */
export function agentBody(sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const changed = new Set(changes.map((change) => formatPath('Agent', change.path)));
  const body: Record<string, Json> = { type: agentType };
  for (const field of fields) {
    const declared = declaredValue(field, sections);
    if (declared === undefined) continue;
    if (field.sendOnChange && !changed.has(formatPath('Agent', pathOf(field)))) continue;
    body[field.name] = field.shape === 'object' ? withReplacedDefaults(field, declared, changes) : declared;
  }
  return { ...body, ...unsetValues(sections, changes), ...extraSettingsOf(sections) };
}

/** What is sent for a field that the manifest no longer declares; undefined if the service has no such value. */
export function unsetValue(field: FieldSchema | undefined): Json | undefined {
  if (field === undefined) return undefined;
  if (field.default !== undefined) return field.default as Json;
  if (field.types.includes('null')) return null;
  return field.types.includes('array') ? [] : undefined;
}

function unsetValues(sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const change of changes) {
    const field = unsetField(change);
    if (field === undefined || declaredValue(field, sections) !== undefined) continue;
    const value = unsetValue(field);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

function unsetField({ op, path }: BodyChange): FieldSchema | undefined {
  if (op !== 'unset') return undefined;
  return path[0] === 'extraSettings' ? settingNamed(path[1] ?? '') : fieldAt('Agent', path);
}

/** The field that the specification has under a name of the request body. */
export function settingNamed(name: string): FieldSchema | undefined {
  return fields.find((field) => field.name === name);
}

function declaredValue(field: FieldSchema, sections: JsonObject): Json | undefined {
  const section = sections[field.section];
  return field.isSection ? section : isJsonObject(section) ? section[field.name] : undefined;
}

/** A member that goes back to its default is sent, in case the service keeps the members that are left out. */
function withReplacedDefaults(field: FieldSchema, declared: Json, changes: readonly BodyChange[]): Json {
  const replaced = new Set(
    changes.filter((change) => change.replaces).map((change) => formatPath('Agent', change.path)),
  );
  const object = isJsonObject(declared) ? declared : { [field.shorthand ?? '']: declared };
  const missing = (field.members ?? []).filter(
    (member) =>
      member.default !== undefined &&
      !(member.name in object) &&
      replaced.has(formatPath('Agent', [...pathOf(field), member.name])),
  );
  if (missing.length === 0) return declared;
  return { ...object, ...Object.fromEntries(missing.map((member) => [member.name, member.default as Json])) };
}

function extraSettingsOf(sections: JsonObject): JsonObject {
  return isJsonObject(sections.extraSettings) ? sections.extraSettings : {};
}

function pathOf(field: FieldSchema): FieldPath {
  return field.isSection ? [field.section] : [field.section, field.name];
}

/**
 * The read response in the manifest's shape, without what the service calculates (`allowed`, `usable`, ...) and without
 * what is absent or null. `extraKeys` are the extraSettings of interest.
 */
export function liveAgent(campaign: Campaign, extraKeys: readonly string[]): LiveAgent {
  const sections: Record<string, Json> = {};
  const hidden = new Set<string>();
  for (const field of fields.filter((candidate) => candidate.readable)) {
    const value = liveValue(field, campaign);
    if (value === unreadable) hidden.add(formatPath('Agent', pathOf(field)));
    else if (value !== undefined) place(sections, field, value);
    for (const path of hiddenMembers(field, value)) hidden.add(path);
  }
  const extra = extraKeys.flatMap((key): [string, Json][] => {
    const value = liveExtra(key, campaign);
    return value === undefined ? [] : [[key, value]];
  });
  if (extra.length > 0) sections.extraSettings = Object.fromEntries(extra);
  return { sections, isReadable: (path) => isReadable(path, hidden, sections) };
}

const unreadable = Symbol('unreadable');

function liveValue(field: FieldSchema, campaign: Campaign): Json | undefined | typeof unreadable {
  const [member = '', elementMember] = field.readAs.split('[].');
  const value = (campaign as unknown as JsonObject)[member];
  if (value === undefined || value === null) return undefined;
  if (elementMember !== undefined) return elementsOf(value).map((element) => element[elementMember] ?? null);
  return field.shape === 'map' ? keyedElements(field, value) : value;
}

/** The specification does not show the items of `apps`: without its key an element cannot be told from another. */
function keyedElements(field: FieldSchema, value: Json): Json | typeof unreadable {
  const elements = elementsOf(value);
  const key = field.mapKey ?? '';
  if (elements.some((element) => typeof element[key] !== 'string')) return unreadable;
  const names = [key, ...(field.members ?? []).map((member) => member.name)];
  return elements.map((element) => pickPresent(element, names));
}

function elementsOf(value: Json): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function pickPresent(element: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = element[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function place(sections: Record<string, Json>, field: FieldSchema, value: Json): void {
  const section = sections[field.section];
  if (field.isSection) sections[field.section] = value;
  else sections[field.section] = { ...(isJsonObject(section) ? section : {}), [field.name]: value };
}

function hiddenMembers(field: FieldSchema, value: Json | undefined | typeof unreadable): string[] {
  if (field.shape !== 'map' || value === unreadable || value === undefined) return [];
  return elementsOf(value).flatMap((element) =>
    (field.members ?? [])
      .filter((member) => !(member.name in element))
      .map((member) => formatPath('Agent', [...pathOf(field), String(element[field.mapKey ?? '']), member.name])),
  );
}

/** An extra setting is compared where the read carries it; one that the specification knows, as that setting. */
function liveExtra(key: string, campaign: Campaign): Json | undefined {
  const field = settingNamed(key);
  const shown = campaign as unknown as JsonObject;
  if (field === undefined) return Object.hasOwn(shown, key) ? shown[key] : undefined;
  if (!field.readable) return undefined;
  const value = liveValue(field, campaign);
  if (value === undefined) return field.readAs in campaign ? null : undefined;
  return value === unreadable ? undefined : value;
}

function isReadable(path: FieldPath, hidden: ReadonlySet<string>, sections: JsonObject): boolean {
  if (path[0] === 'extraSettings') {
    return (
      isJsonObject(sections.extraSettings) && path[1] !== undefined && Object.hasOwn(sections.extraSettings, path[1])
    );
  }
  const field = fieldAt('Agent', path);
  if (field?.readable !== true || hidden.has(formatPath('Agent', pathOf(field)))) return false;
  return !hidden.has(formatPath('Agent', path));
}
