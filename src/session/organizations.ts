import { accountParameter, idKey, organizationAddress, type Target, type TargetedResource } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import type { StoredRecord } from '../record/store.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';

/** Ids of the recorded organizations, by the addresses under which their records are given. */
export function organizationIds(
  records: ReadonlyMap<string, { readonly record: ResourceRecord }>,
): Map<string, string> {
  return new Map(
    [...records].flatMap(([address, { record }]) =>
      kindOf(record)?.isAccount && record.id !== undefined ? [[address, record.id]] : [],
    ),
  );
}

/**
 * The accounts that this project created and in which no record has an agent, as `host id`. A create there hits the
 * default agent of the account.
 */
export function newAccounts(records: Iterable<StoredRecord>): ReadonlySet<string> {
  const all = [...records].map(({ record }) => record);
  const created = all.filter((record) => kindOf(record)?.isAccount && record.created && record.id !== undefined);
  const used = new Set(
    all.flatMap((record) =>
      kindOf(record)?.live === undefined ? [] : [idKey(record, record.query[accountParameter])],
    ),
  );
  return new Set(created.map((record) => idKey(record, record.id)).filter((account) => !used.has(account)));
}

/** Whether its calls act for one of these accounts. */
export function isInAccount({ target }: TargetedResource<Target>, accounts: ReadonlySet<string>): boolean {
  return accounts.has(idKey(target, target.query[accountParameter]));
}

/** The organization of its future account, if it has no id yet. */
export function waitingFor(
  { organization }: TargetedResource<Target>,
  ids: ReadonlyMap<string, string>,
): string | undefined {
  if (organization === undefined) return undefined;
  const address = organizationAddress(organization);
  return ids.has(address) ? undefined : address;
}
