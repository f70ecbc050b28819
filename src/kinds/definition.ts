import type { JsonObject } from '../json/json.ts';
import type { KindName } from '../schemas/fields.ts';
import type { components } from '../schemas/service-types.ts';
import type { KindIdentity } from './compare.ts';
import type { Desired } from './desired.ts';
import type { FieldPath } from './field-path.ts';
import type { PathMap } from './path-map.ts';
import { type BodyChange, requestBody } from './request-body.ts';

/** An agent as the service shows it: the object `campaign` of the read response. */
export type Campaign = components['schemas']['Campaign'];

/** What the read response shows of an agent, in the manifest's shape. */
export interface LiveAgent {
  readonly sections: JsonObject;
  /** Whether the answer shows the field: for one that it does not show there is no live value to compare with. */
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

/** What the answer to a write says. */
export interface WriteAnswer {
  /** The id of what was written, where the service gives one. */
  readonly id?: string | undefined;
  /** The fields that the answer shows as other than they were sent. */
  readonly otherwise?: PathMap<string>;
}

/** What is special about a kind, told in the one file that is named after it; everything else is the same for all kinds. */
export interface Kind {
  readonly name: KindName;
  /** How sentences call it. */
  readonly noun: string;
  /** Kinds of a lower rank are applied first. */
  readonly rank: number;
  /** What tells it from others of its kind on the service. */
  readonly identity: KindIdentity;
  /** The service gives it an id, which the record keeps. */
  readonly hasId: boolean;
  /** Its target may hold that id: `agentId`, and `campaignId` where an update answers with another one. */
  readonly hasIdInTarget: boolean;
  /** A write changes a draft, which a publish brings to callers. */
  readonly hasDrafts: boolean;
  /** Callers reach it, so that Tests may be about it. */
  readonly takesCalls?: true;
  /** It is an account: the calls of what names it as its `organization` act for it, by its id. */
  readonly isAccount: boolean;
  /** It is created under a reseller, whose `resellerId` the manifest or the environment gives. */
  readonly hasReseller: boolean;
  /** The member that names the manifest whose target its calls use; it has no target of its own then. */
  readonly owner?: { readonly member: 'agent'; readonly kind: KindName };
  /** What the service shows of it, in the manifest's shape; undefined for a kind that cannot be read at all. */
  readonly live?: (campaign: Campaign, extraKeys: readonly string[]) => LiveAgent;
  /**
   * Which writes add something, so that one whose answer was lost must not be repeated: the first one, which creates;
   * every one, where a later change is added to what is there; or none, where each replaces what is there.
   */
  readonly adds: 'first' | 'always' | 'never';
  /**
   * What an update with the same settings does: it `replaces` what is there by the same, so that it can be sent again;
   * or it `adds`, such as an invitation, or does not exist.
   */
  readonly update: 'replaces' | 'adds';
  /** The operations of the service that carry out its writes. */
  readonly operations: Readonly<Record<'create' | 'update', WriteOperation>>;
  /** The body of the write operation. */
  readonly body: (desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update') => JsonObject;
  /** What the service said to a body; nothing if left out. */
  readonly answered?: (answer: unknown, body: JsonObject) => WriteAnswer;
  /** Whether the manifest itself says that it is there already, so that the first write is an update too. */
  readonly isThere?: (desired: Desired) => boolean;
  /** Why a change after the creation cannot be sent; undefined if it can. */
  readonly updateObstacle?: (desired: Desired) => string | undefined;
}

/** Every declared field, and nothing besides. */
export const plainBody: Kind['body'] = ({ kind, sections }, changes) => requestBody(kind, sections, changes);
