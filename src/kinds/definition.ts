import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { components } from '../schemas/service-types.ts';
import type { KindIdentity } from './compare.ts';
import type { Desired } from './desired.ts';
import { type FieldPath, fieldAt, pathOf, settingNamed } from './field-path.ts';
import { type PathMap, pathSet } from './path-map.ts';

/** An agent in the read response of the service: the object `campaign`. */
export type Campaign = components['schemas']['Campaign'];

/** The read response of an agent, in the manifest's shape. */
export interface LiveAgent {
  readonly sections: JsonObject;
  /** Whether the response shows the field. Other fields have no live value to compare with. */
  readonly isReadable: (path: FieldPath) => boolean;
}

/** The operations that write a resource, by their ids in schemas/service.openapi.json. */
export type WriteOperation =
  | 'updateAgent'
  | 'createOrganization'
  | 'inviteMember'
  | 'updateMember'
  | 'setAgentUrl'
  | 'assignPhoneNumber'
  | 'addContext';

/** The content of the response to a write. */
export interface WriteAnswer {
  /** The id of the written resource, if the service returns one. */
  readonly id?: string | undefined;
  /** The fields whose value in the answer differs from the sent one. */
  readonly otherwise?: PathMap<string>;
}

/** The facts that distinguish a kind, in the file named after it. Everything else is the same for all kinds. */
export interface Kind {
  readonly name: KindName;
  /** Its noun in sentences. */
  readonly noun: string;
  /** Kinds of a lower rank are applied first. */
  readonly rank: number;
  /** Its identity among its kind on the service. */
  readonly identity: KindIdentity;
  /** Whether the service gives it an id, which the record keeps. */
  readonly hasId: boolean;
  /** Whether its target may contain that id: `agentId`, and `campaignId` if an update answers with another one. */
  readonly hasIdInTarget: boolean;
  /** Whether a write changes a draft, which a publish brings to callers. */
  readonly hasDrafts: boolean;
  /** Whether callers reach it, so that Tests may include it. */
  readonly takesCalls?: true;
  /** How it gets its step of a rollout: an agent has a step, and other kinds have that of their agent. */
  readonly rollsOut?: 'itself' | 'with-agent';
  /** The setting with the user name of its agent. */
  readonly agentUsername?: string;
  /** Whether it is an account. Calls of resources with this `organization` act for it, by its id. */
  readonly isAccount: boolean;
  /** Whether it is created under a reseller, with the `resellerId` of the manifest or the environment. */
  readonly hasReseller: boolean;
  /** The member that names the manifest whose target its calls use, in place of a separate target. */
  readonly owner?: { readonly member: 'agent'; readonly kind: KindName };
  /** Converts the read response to the manifest's shape; undefined for a kind that cannot be read. */
  readonly live?: (campaign: Campaign, extraKeys: readonly string[]) => LiveAgent;
  /**
   * The writes that add something, and so must not be repeated after a lost response: the first one, every one, or
   * none.
   */
  readonly adds: 'first' | 'always' | 'never';
  /**
   * The effect of an update with the same settings: if it `replaces` them, it can be sent again; if it `adds`
   * something, such as an invitation, it cannot.
   */
  readonly update: 'replaces' | 'adds';
  /** The operations of the service that carry out its writes. */
  readonly operations: Readonly<Record<'create' | 'update', WriteOperation>>;
  /** The body of the write operation. */
  readonly body: (desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update') => JsonObject;
  /** The service's message about a body; empty if omitted. */
  readonly answered?: (answer: unknown, body: JsonObject) => WriteAnswer;
  /** Whether the manifest itself shows that it exists, so that the first write is also an update. */
  readonly isThere?: (desired: Desired) => boolean;
  /** Why a change after the creation cannot be sent; undefined if it can. */
  readonly updateObstacle?: (desired: Desired) => 'no-operation' | 'member-id' | undefined;
}

/** Exactly the declared fields. */
export const plainBody: Kind['body'] = ({ kind, sections }, changes) => requestBody(kind, sections, changes);

/** A change with the facts that the request body depends on. */
export interface BodyChange {
  readonly op: 'set' | 'unset' | 'release';
  readonly path: FieldPath;
  /** Whether the change replaces a known other value. */
  readonly replaces: boolean;
}

/**
 * The JSON body of a kind's write operation: every declared field, on-change fields only if they changed, and the unset
 * values of removed fields. Lists and objects are sent whole.
 */
export function requestBody(kind: KindName, sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const changed = pathSet(changes.map(({ path }) => path));
  const body: Record<string, Json> = {};
  for (const field of fieldsByKind[kind]) {
    const declared = valueIn(sections, field);
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
    if (field === undefined || valueIn(sections, field) !== undefined) continue;
    const value = unsetValue(field);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

function unsetField(kind: KindName, { op, path }: BodyChange): FieldSchema | undefined {
  if (op !== 'unset') return undefined;
  return path[0] === 'extraSettings' ? settingNamed(kind, path[1] ?? '') : fieldAt(kind, path);
}

/** The value of a field in sections. */
export function valueIn(sections: JsonObject, field: FieldSchema): Json | undefined {
  const section = sections[field.section];
  return field.isSection ? section : isJsonObject(section) ? section[field.name] : undefined;
}

/** Adds members that return to their defaults, in case the service keeps omitted members. */
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
