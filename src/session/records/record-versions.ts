import { isDeepStrictEqual } from 'node:util';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';

/** A field of a record version that differs from the previous one. */
export interface RecordedChange {
  readonly path: string;
  /** The applied value, or the fingerprint of a sensitive one. Absent if that version does not have the field. */
  readonly from?: AppliedField;
  readonly to?: AppliedField;
}

/** The fields whose applied values differ, by path. The service's form of a value is not a difference. */
export function changedValues(
  before: Pick<ResourceRecord, 'fields'> | undefined,
  after: Pick<ResourceRecord, 'fields'> | undefined,
  isEqual: (from: AppliedField, to: AppliedField) => boolean = isSameValue,
): RecordedChange[] {
  const [old, now] = [before?.fields ?? {}, after?.fields ?? {}];
  const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    const [from, to] = [old[path], now[path]];
    if (from !== undefined && to !== undefined && isEqual(from, to)) return [];
    return [{ path, ...(from && { from }), ...(to && { to }) }];
  });
}

function isSameValue(from: AppliedField, to: AppliedField): boolean {
  return from.fingerprint === to.fingerprint && isDeepStrictEqual(from.value, to.value);
}
