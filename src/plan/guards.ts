// Danger is a property of the plan: what refuses a whole run is decided here, and each message names what overrides it.
import { addressOf } from '../kinds/desired.ts';
import { canonicalJson } from '../kinds/json.ts';
import type { Refusal, ResourcePlan } from '../schemas/plan-types.ts';
import type { Identity } from './observation.ts';

export interface Limits {
  /** The most resources that one run may create. */
  readonly creates: number;
}

/** Manifests that would overwrite each other: the same base URL, token and query, or the same agent id. */
export function sharedTargets(identities: readonly Identity[]): Refusal[] {
  const owners = new Map<string, Identity>();
  return identities.flatMap((identity) => {
    const claims = claimsOf(identity);
    const clash = claims.find(({ key }) => owners.has(key));
    for (const { key } of claims) if (!owners.has(key)) owners.set(key, identity);
    const owner = clash && owners.get(clash.key);
    return owner === undefined ? [] : [sharedTarget(owner, identity, clash?.what ?? '')];
  });
}

function sharedTarget(one: Identity, other: Identity, what: string): Refusal {
  return {
    rule: 'shared-target',
    message:
      `${addressOf(one)} and ${addressOf(other)} have the same ${what}, so one would overwrite the other; ` +
      'give each its own `target` (a token, a query such as targetAccountId, or an agentId)',
  };
}

/** What only one manifest may have. A token counts as the same if its reference or its value is. */
function claimsOf({ baseUrl, query, agentId, token, tokenReference }: Identity) {
  const place = [baseUrl, canonicalJson(query)];
  const claim = (what: string, ...parts: readonly string[]) => ({ what, key: JSON.stringify(parts) });
  return [
    ...(agentId === undefined ? [] : [claim(`agent id ${agentId}`, 'id', baseUrl, agentId)]),
    claim('base URL, token and query', 'reference', ...place, tokenReference),
    ...(token === undefined ? [] : [claim('base URL, token and query', 'token', ...place, token.reveal())]),
  ];
}

/** More creates than the limit; the flag in the message overrides it. */
export function tooManyCreates(resources: readonly ResourcePlan[], limits: Limits): Refusal[] {
  const creates = resources.filter((resource) => resource.action === 'create').length;
  if (creates <= limits.creates) return [];
  return [
    {
      rule: 'limit-creates',
      message:
        `${creates} resources would be created and limits.creates is ${limits.creates}; ` +
        `if that is meant, run again with --allow-creates ${creates}`,
    },
  ];
}
