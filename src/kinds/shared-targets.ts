import { cached } from '../json/json.ts';
import type { Secret } from '../secrets/secret.ts';
import { addressOf } from './desired.ts';
import { kindOf } from './kind.ts';

/** The target of a manifest. It is used to detect manifests with the same target. */
export interface Identity {
  readonly kind: string;
  readonly name: string;
  /** The URL of the service. An environment has one base URL, so equal services have equal URLs. */
  readonly baseUrl: string;
  /**
   * The token's reference in the project, such as `${secret.AGENT_TOKEN}`. Equal references mean equal tokens, and so do
   * two empty texts. Undefined if the token is missing, so that the account is unknown.
   */
  readonly tokenReference: string | undefined;
  /** The token. Undefined if it was not resolved. */
  readonly token?: Secret;
  readonly query: Readonly<Record<string, string>>;
  readonly agentId?: string;
}

/** Two or more manifests with the same agent id, or with the same base URL, token and query. */
interface SharedTarget<Item> {
  /** The agent id that they share, if any. */
  readonly agentId?: string;
  readonly sharers: readonly [first: Item, ...others: Item[]];
}

/** Finds manifests that would overwrite each other, because they have the same target. */
export function sharedTargets<Item extends Identity>(identities: readonly Item[]): SharedTarget<Item>[] {
  const owners = new Map<string, Item>();
  const found = new Map<string, { readonly agentId?: string; readonly sharers: [Item, ...Item[]] }>();
  for (const identity of identities) {
    // Resources that are identified by settings, such as phone numbers, may share a target.
    if (kindOf(identity)?.identity.settings.length !== 0) continue;
    const claims = claimsOf(identity);
    const claimed = claims.find(({ key }) => owners.has(key));
    for (const { key } of claims) if (!owners.has(key)) owners.set(key, identity);
    const owner = claimed && owners.get(claimed.key);
    if (claimed === undefined || owner === undefined) continue;
    const { agentId } = claimed;
    const key = `${addressOf(owner)} ${agentId ?? ''}`;
    cached(found, key, () => ({ ...(agentId !== undefined && { agentId }), sharers: [owner] })).sharers.push(identity);
  }
  return [...found.values()];
}

/**
 * The values that must be unique to one manifest. Tokens count as equal if their references or their values are equal.
 */
function claimsOf({ baseUrl, query, agentId, token, tokenReference }: Identity) {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const endpoint = JSON.stringify([baseUrl, parameters]);
  const claims: { readonly key: string; readonly agentId?: string }[] = [
    ...(agentId === undefined ? [] : [{ agentId, key: `id ${JSON.stringify(baseUrl)} ${agentId}` }]),
    ...(tokenReference === undefined ? [] : [{ key: `reference ${endpoint} ${tokenReference}` }]),
    ...(token === undefined ? [] : [{ key: `token ${endpoint} ${token.reveal()}` }]),
  ];
  return claims;
}
