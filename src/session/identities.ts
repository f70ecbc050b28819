import { accountParameter, addressOf, idKey, knownAfterApply, organizationAddress } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import type { Identity } from '../kinds/shared-targets.ts';
import type { Resolution } from '../manifest/resolve/resolution.ts';
import { hmacState } from '../plan/records/record-of.ts';
import type { StoredRecord } from '../record/store.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { FingerprintKey } from '../secrets/fingerprint.ts';
import { asToken, referredSecret, Secret } from '../secrets/secret.ts';
import { secretValue } from '../secrets/secret-values.ts';
import type { Host } from './host.ts';
import type { Session } from './session.ts';

interface IdentitySources {
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** The ids of recorded organizations, keyed by address. */
  readonly organizations: ReadonlyMap<string, string>;
  readonly env: Host['env'];
}

/** Returns the targets of all manifests, completed from records, organizations and process variables. */
export function identitiesOf(
  { resolution, project, environment }: Pick<Session, 'project' | 'environment'> & { readonly resolution: Resolution },
  sources: IdentitySources,
): Identity[] {
  const tokens = new Map(resolution.selected.map((one) => [addressOf(one), one.target.token]));
  const baseUrl = project.definitions.get(environment)?.baseUrl ?? '';
  // Unselected resources do not need their tokens. A token that is set still helps to detect shared targets.
  const unselected = resolution.all.filter((identity) => !tokens.has(addressOf(identity)));
  const references = new Set(unselected.flatMap(({ token }) => token ?? []));
  const referred = new Map([...references].map((one) => [one, tokenIn(sources.env, referredSecret(one) ?? '')]));
  return resolution.all.map((identity) => {
    const { kind, name, token: reference, organization } = identity;
    const account = organization && organizationAddress(organization);
    const address = addressOf(identity);
    const agentId = identity.agentId ?? sources.records.get(address)?.record.id;
    const token = tokens.get(address) ?? referred.get(reference ?? '');
    return {
      kind,
      name,
      baseUrl,
      query: {
        ...identity.query,
        // Organizations that do not exist yet have no account id, but each will have its own account.
        ...(account && { [accountParameter]: sources.organizations.get(account) ?? `${knownAfterApply} ${account}` }),
      },
      tokenReference: reference ?? '',
      ...(agentId !== undefined && { agentId }),
      ...(token && { token }),
    };
  });
}

/** Returns the token in a secret. Returns undefined if the secret has no value. */
export function tokenIn(env: Host['env'], name: string): Secret | undefined {
  const value = secretValue(env, name);
  return value === undefined ? undefined : asToken(new Secret(value));
}

/**
 * Returns the ids of recorded organizations, keyed by address. Leaves out a record if one of the `keys` shows that the
 * record was altered, so that nothing is sent to the recorded account.
 */
export function organizationIds(
  records: ReadonlyMap<string, { readonly record: ResourceRecord }>,
  keys: readonly FingerprintKey[] = [],
): Map<string, string> {
  return new Map(
    [...records].flatMap(([address, { record }]): [string, string][] => {
      if (!kindOf(record)?.isAccount || record.id === undefined) return [];
      return keys.some((key) => hmacState(record, key) === 'altered') ? [] : [[address, record.id]];
    }),
  );
}

/**
 * Finds the accounts that this project created and that have neither a recorded agent nor an unfinished create. Returns
 * each account as `host id`. Creating an agent in one of these accounts writes the account's default agent.
 */
export function newAccounts(records: Iterable<StoredRecord>): ReadonlySet<string> {
  const all = [...records].map(({ record }) => record);
  const created = all.filter((record) => kindOf(record)?.isAccount && record.created && record.id !== undefined);
  const used = new Set(
    all.flatMap((record) => {
      const hasAgent = record.id !== undefined || record.intent !== undefined;
      return hasAgent && kindOf(record)?.live ? [idKey(record, record.query[accountParameter])] : [];
    }),
  );
  return new Set(created.map((record) => idKey(record, record.id)).filter((account) => !used.has(account)));
}
