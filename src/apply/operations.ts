import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Desired } from '../kinds/desired.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { BodyChange } from '../kinds/request-body.ts';
import { adoptCommand } from '../plan/blocks.ts';
import type { PlacedChange } from '../plan/field-changes.ts';
import type { KindName } from '../schemas/fields.ts';
import type { ResourceApply, ResourceOutcome } from './resource-apply.ts';

/** What the service said to a write. */
export interface Written {
  /** The id of what was written, where the service gives one. */
  readonly id?: string;
  /** The fields that the answer shows as other than they were sent, by path. */
  readonly otherwise?: PathMap<string>;
  readonly warnings?: ResourceOutcome['warnings'];
}

type Write = (task: ResourceApply, body: JsonObject, operation: 'create' | 'update') => Promise<Written>;

/** The operation that writes each kind. One that may be repeated after a lost answer is repeated by the client. */
export const writes: Readonly<Record<KindName, Write>> = {
  async Agent({ means, desired }, body, operation) {
    const options = { repeatable: operation === 'update' };
    return { id: (await means.service.updateAgent(means.connectionOf(desired), body, options)).campaignId };
  },
  async Organization({ means, desired }, body) {
    const reseller = { parameter: means.resellerParameter, id: desired.resellerId ?? '' };
    const answer: unknown = await means.service.createOrganization(means.connectionOf(desired), reseller, body);
    const id = organizationId(answer);
    // An id goes into the record and into plans, so that one which quotes a secret cannot be used.
    return id === undefined || means.planning.secrecy.exposes(id) ? { warnings: [withoutId(desired)] } : { id };
  },
  async Member({ means, desired }, body, operation) {
    const connection = means.connectionOf(desired);
    await (operation === 'create'
      ? means.service.inviteMember(connection, body)
      : means.service.updateMember(connection, body));
    return {};
  },
  async AgentUrl({ means, desired }, body) {
    const { slug } = await means.service.setAgentUrl(means.connectionOf(desired), body);
    return slug === body.slug ? {} : { otherwise: new PathMap([[['settings', 'slug'], slug]]) };
  },
  async PhoneNumber({ means, desired }, body) {
    await means.service.assignPhoneNumber(means.connectionOf(desired), body);
    return {};
  },
  async Context({ means, desired }, body) {
    await means.service.addContext(means.connectionOf(desired), body);
    return {};
  },
};

function withoutId(desired: Desired): string {
  return (
    'the response has no id of the organization, so nothing can be created in its account; look it up on the service ' +
    `and run ${adoptCommand(desired)}`
  );
}

/**
 * The specification does not show the organization's fields: the id is taken from the names that it may have, in the
 * object `organization` or beside it.
 */
function organizationId(answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return undefined;
  const names = ['id', 'orgId', 'organizationId', 'accountId', 'orgAccountId', '_id'];
  const places = [answer.organization, answer].filter((place) => isJsonObject(place));
  const values = places.flatMap((place) => names.map((name) => place[name]));
  const id = values.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return id === undefined ? undefined : String(id);
}

/** The changes of a plan as far as the request body depends on them. */
export function bodyChanges(changes: readonly PlacedChange[]): BodyChange[] {
  return changes.map(({ path, change: { op, from } }) => ({ op, path, replaces: from !== undefined }));
}
