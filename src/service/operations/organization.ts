import { isJsonObject, type Json, type JsonObject } from '../../kinds/json.ts';
import { isTelling } from '../../kinds/redact.ts';
import { Secret } from '../../kinds/secret.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import { serviceOrganizationCreated } from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';

export type OrganizationCreated = components['schemas']['OrganizationCreated'];

/** The reseller under which an organization is created, and the query parameter that says so. */
export interface Reseller {
  readonly parameter: string;
  readonly id: string;
}

const checkOrganizationCreated = checkedBy<OrganizationCreated>(serviceOrganizationCreated, { showTexts: false });

export function createOrganization({ parameter, id }: Reseller, body: JsonObject): Call<OrganizationCreated> {
  return {
    operation: 'createOrganization',
    words: 'creating the organization',
    method: 'POST',
    path: '/api/v2/createOrganization',
    query: { [parameter]: id },
    body,
    sensitive: credentialsIn(body),
    repeatable: false,
    check: checkOrganizationCreated,
  };
}

/** Texts and numbers of `numberingProviders[].config` and `integrations[].appData`. */
function credentialsIn({ numberingProviders, integrations }: JsonObject): string[] {
  const credentials = [...membersOf(numberingProviders, 'config'), ...membersOf(integrations, 'appData')];
  return credentials.flatMap(textsIn).filter((text) => isTelling(new Secret(text)));
}

function membersOf(list: Json | undefined, name: string): Json[] {
  return Array.isArray(list) ? list.map((item: Json) => (isJsonObject(item) ? (item[name] ?? null) : null)) : [];
}

function textsIn(value: Json): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
