import type { Json, JsonObject } from '../json/json.ts';
import type { FieldSchema, KindName } from '../schemas/fields.ts';
import { agentBody, type Campaign, type LiveAgent, liveAgent } from './agent.ts';
import type { KindIdentity } from './compare.ts';
import type { Desired } from './desired.ts';
import { type FieldPath, fieldAt } from './field-path.ts';
import { memberBody } from './member.ts';
import { type BodyChange, requestBody, settingNamed, unsetValue } from './request-body.ts';

/** What a kind knows about itself; everything else is the same for all kinds. */
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
  /** The body of the write operation. */
  readonly body: (desired: Desired, changes: readonly BodyChange[], write: 'create' | 'update') => JsonObject;
  /** Whether the manifest itself says that it is there already, so that the first write is an update too. */
  readonly isThere?: (desired: Desired) => boolean;
  /** Why a change after the creation cannot be sent; undefined if it can. */
  readonly updateObstacle?: (desired: Desired) => string | undefined;
}

const plainBody: Kind['body'] = ({ kind, sections }, changes) => requestBody(kind, sections, changes);

const kinds: Readonly<Record<KindName, Kind>> = {
  Organization: {
    name: 'Organization',
    noun: 'organization',
    rank: 1,
    identity: { settings: ['orgName'], within: 'target' },
    adds: 'first',
    update: 'adds',
    hasId: true,
    body: plainBody,
    updateObstacle: () => 'the service has no operation that updates an organization',
  },
  Member: {
    name: 'Member',
    noun: 'member',
    rank: 2,
    identity: { settings: ['email'], within: 'target', anyCase: true },
    adds: 'first',
    update: 'adds',
    hasId: false,
    body: memberBody,
    isThere: ({ memberId }) => memberId !== undefined,
    updateObstacle: ({ memberId }) =>
      memberId === undefined ? 'an update needs `memberId: N` in the manifest, the user id of the member' : undefined,
  },
  Agent: {
    name: 'Agent',
    noun: 'agent',
    rank: 3,
    identity: { settings: [], within: 'target' },
    hasId: true,
    live: liveAgent,
    adds: 'first',
    update: 'replaces',
    body: ({ sections }, changes) => agentBody(sections, changes),
  },
  AgentUrl: {
    name: 'AgentUrl',
    noun: 'agent URL',
    rank: 4,
    identity: { settings: ['targetUsername'], within: 'target' },
    adds: 'never',
    update: 'replaces',
    hasId: false,
    body: plainBody,
  },
  PhoneNumber: {
    name: 'PhoneNumber',
    noun: 'phone number',
    rank: 5,
    identity: { settings: ['number'], within: 'service' },
    adds: 'never',
    update: 'replaces',
    hasId: false,
    body: plainBody,
  },
  Context: {
    name: 'Context',
    noun: 'context',
    rank: 6,
    identity: { settings: ['target', 'context'], within: 'target' },
    adds: 'always',
    update: 'adds',
    hasId: false,
    body: plainBody,
  },
};

export function kindNamed(name: KindName): Kind {
  return kinds[name];
}

/** Whether a plan or a record names a kind that there is. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** The rank of a kind by its name in a plan. */
export function rankOf(name: string): number {
  return isKindName(name) ? kinds[name].rank : 0;
}

/** The field whose rules a path compares by; an extra setting compares as the setting of that name, if there is one. */
export function comparedAs(kind: KindName, path: FieldPath): FieldSchema | undefined {
  return path[0] === 'extraSettings' ? settingNamed(kind, path[1] ?? '') : fieldAt(kind, path);
}

/** The documented default at a path: the field's, or that of the member of an object or of a list's element. */
export function defaultAt(kind: KindName, path: FieldPath): unknown {
  const field = comparedAs(kind, path);
  if (field?.members === undefined) return field?.default;
  return field.members.find((member) => member.name === path.at(-1))?.default;
}

/** What an unset of this path sends; undefined where the service has no such value and the field is released. */
export function unsetValueAt(kind: KindName, path: FieldPath): Json | undefined {
  return unsetValue(comparedAs(kind, path));
}
