import { type Aim, addressOf, organizationAddress, type Target } from '../kinds/desired.ts';
import type { StoredRecord } from '../record/store.ts';

/** Ids of the recorded organizations, by address. */
export function organizationIds(records: ReadonlyMap<string, StoredRecord>): Map<string, string> {
  const organizations = [...records.values()].map(({ record }) => record).filter(({ kind }) => kind === 'Organization');
  return new Map(organizations.flatMap((record) => (record.id === undefined ? [] : [[addressOf(record), record.id]])));
}

/** The organization in whose account it is to be, if that has no id yet. */
export function waitingFor({ organization }: Aim<Target>, ids: ReadonlyMap<string, string>): string | undefined {
  if (organization === undefined) return undefined;
  const address = organizationAddress(organization);
  return ids.has(address) ? undefined : address;
}
