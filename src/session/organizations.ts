import { organizationAddress, type Target, type TargetedResource } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import type { StoredRecord } from '../record/store.ts';

/** Ids of the recorded organizations, by the addresses under which their records are given. */
export function organizationIds(records: ReadonlyMap<string, StoredRecord>): Map<string, string> {
  return new Map(
    [...records].flatMap(([address, { record }]) =>
      kindOf(record)?.isAccount && record.id !== undefined ? [[address, record.id]] : [],
    ),
  );
}

/** The organization in whose account it is to be, if that has no id yet. */
export function waitingFor(
  { organization }: TargetedResource<Target>,
  ids: ReadonlyMap<string, string>,
): string | undefined {
  if (organization === undefined) return undefined;
  const address = organizationAddress(organization);
  return ids.has(address) ? undefined : address;
}
