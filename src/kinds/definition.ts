import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { components } from '../schemas/service-types.ts';
import type { KindIdentity } from './compare.ts';
import type { Desired } from './desired.ts';
import { type FieldPath, fieldAt, pathOf, settingNamed } from './field-path.ts';
import { type PathMap, pathSet } from './path-map.ts';

/** An agent as the service shows it: the object `campaign` of the read response. */
export type Campaign = components['schemas']['Campaign'];

/** The read response of an agent, in the manifest's shape. */
export interface LiveAgent {
  readonly sections: JsonObject;
  /** Whether the response shows the field: other fields have no live value to compare with. */
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
  /** The id of what was written, where the service gives one. */
  readonly id?: string | undefined;
  /** The fields that the answer shows as other than they were sent. */
  readonly otherwise?: PathMap<string>;
}

/** The special facts of a kind, in the one file named after it; everything else is the same for all kinds. */
export interface Kind {
  readonly name: KindName;
  /** How sentences call it. */
  readonly noun: string;
  /** Kinds of a lower rank are applied first. */
  readonly rank: number;
  /** Its identity among its kind on the service. */
  readonly identity: KindIdentity;
  /** The service gives it an id, which the record keeps. */
  readonly hasId: boolean;
  /** Its target may hold that id: `agentId`, and `campaignId` where an update answers with another one. */
  readonly hasIdInTarget: boolean;
  /** A write changes a draft, which a publish brings to callers. */
  readonly hasDrafts: boolean;
  /** Callers reach it, so that Tests may be about it. */
  readonly takesCalls?: true;
  /** How it gets its step of a rollout: an agent has one, and other kinds have the step of their agent. */
  readonly rollsOut?: 'itself' | 'with-agent';
  /** The setting with the user name of the agent that it is for. */
  readonly agentUsername?: string;
  /** It is an account: calls of resources with it as `organization` act for it, by its id. */
  readonly isAccount: boolean;
  /** It is created under a reseller, with the `resellerId` of the manifest or the environment. */
  readonly hasReseller: boolean;
  /** The member that names the manifest whose target its calls use; it then has no own target. */
  readonly owner?: { readonly member: 'agent'; readonly kind: KindName };
  /** The read response, in the manifest's shape; undefined for a kind that cannot be read. */
  readonly live?: (campaign: Campaign, extraKeys: readonly string[]) => LiveAgent;
  /**
   * The writes that add something, so they must not be repeated after a lost response: the first one, every one, or
   * none if each replaces.
   */
  readonly adds: 'first' | 'always' | 'never';
  /**
   * The effect of an update with the same settings: it `replaces` them, so it can be sent again; or it `adds`, such as
   * an invitation; or there is none.
   */
  readonly update: 'replaces' | 'adds';
  /** The operations of the service that carry out its writes. */
  readonly operations: Readonly<Record<'create' | 'update', WriteOperation>>;
  /** The body of the write operation. */
  readonly body: (desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update') => JsonObject;
  /** The service's message about a body; empty if omitted. */
  readonly answered?: (answer: unknown, body: JsonObject) => WriteAnswer;
  /** Whether the manifest itself shows that it exists, so the first write is an update too. */
  readonly isThere?: (desired: Desired) => boolean;
  /** Why a change after the creation cannot be sent; undefined if it can. */
  readonly updateObstacle?: (desired: Desired) => 'no-operation' | 'member-id' | undefined;
}

/** Exactly the declared fields. */
export const plainBody: Kind['body'] = ({ kind, sections }, changes) => requestBody(kind, sections, changes);

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
