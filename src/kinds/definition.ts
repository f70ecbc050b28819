import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { components } from '../schemas/service-types.ts';
import type { KindIdentity } from './compare.ts';
import type { Desired } from './desired.ts';
import { type FieldPath, fieldAt, settingNamed } from './field-path.ts';
import { type PathMap, pathSet } from './path-map.ts';

/** An agent as returned by the service in the object `campaign`. */
export type Campaign = components['schemas']['Campaign'];

/** A live agent, converted to the shape of a manifest. */
export interface LiveAgent {
  readonly sections: JsonObject;
  /** Whether the service returns a field. A field that is not returned has no live value. */
  readonly isReadable: (path: FieldPath) => boolean;
}

/** The operations that write a resource, by their ids in schemas/service.openapi.json. */
type WriteOperation =
  | 'updateAgent'
  | 'createOrganization'
  | 'inviteMember'
  | 'updateMember'
  | 'setAgentUrl'
  | 'assignPhoneNumber'
  | 'addContext';

/** The data extracted from a write response. */
export interface WriteAnswer {
  /** The id of the written resource. Undefined if the service returns none. */
  readonly id?: string | undefined;
  /** The values in the response that differ from the sent values, by path. */
  readonly otherwise?: PathMap<string>;
}

/**
 * The definition of a kind. Each kind has a file with its name in `definitions/`. All other code treats all kinds the
 * same.
 */
export interface Kind {
  readonly name: KindName;
  /** The noun for a resource of this kind in sentences. */
  readonly noun: string;
  /** Kinds with a lower rank are applied first. */
  readonly rank: number;
  /** How the service identifies the kind's resources. */
  readonly identity: KindIdentity;
  /** Whether the service assigns an id to a resource. The record stores this id. */
  readonly hasId?: true;
  /** Whether a target may contain the id as `agentId`, and a `campaignId` if updates return a different id. */
  readonly hasIdInTarget?: true;
  /** Whether a write changes a draft. Callers reach the new version only after publishing. */
  readonly hasDrafts?: true;
  /** Whether callers can reach the resource. If so, Tests may include the resource. */
  readonly takesCalls?: true;
  /** Whether a resource has its own rollout step, or shares the step of its agent. */
  readonly rollsOut?: 'itself' | 'with-agent';
  /** The setting that contains the agent's user name. */
  readonly agentUsername?: string;
  /**
   * Whether a resource is an account. Calls for another resource act for this account if the other manifest names it in
   * `organization`.
   */
  readonly isAccount?: true;
  /**
   * Whether a resource is created under a reseller. In that case, `resellerId` in the manifest or environment names the
   * reseller.
   */
  readonly hasReseller?: true;
  /** The manifest property that names the owner. If a manifest has this property, calls use the owner's target. */
  readonly owner?: { readonly member: 'agent'; readonly kind: KindName };
  /** Converts a read response to the shape of a manifest. Undefined if the kind cannot be read. */
  readonly live?: (campaign: Campaign, extraKeys: readonly string[]) => LiveAgent;
  /**
   * Which writes add an object or send an invitation: the first, all, or none. These writes must not be repeated after
   * a lost response.
   */
  readonly adds: 'first' | 'always' | 'never';
  /**
   * The effect of an update. `replaces`: replaces settings, so the update can be repeated. `adds`: has a further effect
   * each time the update is sent, such as another invitation.
   */
  readonly update: 'replaces' | 'adds';
  readonly operations: Readonly<Record<'create' | 'update', WriteOperation>>;
  readonly body: (desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update') => JsonObject;
  /** Extracts the data from a write response. Omitted if the response contains no data. */
  readonly answered?: (answer: unknown, body: JsonObject) => WriteAnswer;
  /** Whether the manifest implies that the resource already exists. If so, the first write is an update. */
  readonly isThere?: (desired: Desired) => boolean;
  /** Why changes to an existing resource cannot be sent. Undefined if they can be sent. */
  readonly updateObstacle?: (desired: Desired) => 'no-operation' | 'member-id' | undefined;
}

/** Makes a request body that contains exactly the declared fields. */
export const plainBody: Kind['body'] = ({ kind, sections }, changes) => requestBody(kind, sections, changes);

/** The properties of a change that a request body depends on. */
export interface BodyChange {
  readonly op: 'set' | 'unset' | 'release';
  readonly path: FieldPath;
  /** Whether the change replaces a known value. */
  readonly replaces: boolean;
}

/**
 * Makes the JSON body of a write from the declared fields and the unset values of removed fields. Leaves out unchanged
 * on-change fields. Lists and objects are sent whole.
 */
export function requestBody(kind: KindName, sections: JsonObject, changes: readonly BodyChange[]): JsonObject {
  const changed = pathSet(changes.map(({ path }) => path));
  const body: Record<string, Json> = {};
  for (const field of fieldsByKind[kind]) {
    const declared = valueIn(sections, field);
    if (declared === undefined) continue;
    if (field.sendOnChange && !changed.has(field.path)) continue;
    body[field.name] = field.shape === 'object' ? withReplacedDefaults(field, declared, changes) : declared;
  }
  const { extraSettings } = sections;
  return { ...body, ...unsetValues(kind, sections, changes), ...(isJsonObject(extraSettings) && extraSettings) };
}

/** The value that unsets a field. Undefined if the field cannot be unset. */
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

export function valueIn(sections: JsonObject, field: FieldSchema): Json | undefined {
  const section = sections[field.section];
  return field.isSection ? section : isJsonObject(section) ? section[field.name] : undefined;
}

/** Adds the default values of removed members, because the service may keep the old values of omitted members. */
function withReplacedDefaults(field: FieldSchema, declared: Json, changes: readonly BodyChange[]): Json {
  const replaced = pathSet(changes.filter((change) => change.replaces).map(({ path }) => path));
  const object = isJsonObject(declared) ? declared : { [field.shorthand ?? '']: declared };
  const missing = (field.members ?? []).filter(
    (member) => member.default !== undefined && !(member.name in object) && replaced.has([...field.path, member.name]),
  );
  if (missing.length === 0) return declared;
  return { ...object, ...Object.fromEntries(missing.map((member) => [member.name, member.default as Json])) };
}
