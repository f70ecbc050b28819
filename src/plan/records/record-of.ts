import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../json/json.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, parsePath } from '../../kinds/field-path.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import { type FingerprintKey, fingerprintOf, isForeign } from '../../secrets/fingerprint.ts';
import { shownTarget, tokenFingerprint } from './target.ts';

/** The members that identify a record and its target. They come from the desired state. */
type RecordIdentity = 'formatVersion' | 'environment' | 'kind' | 'name' | keyof ReturnType<typeof recordedTarget>;

/** The parts of a record that the caller decides. Undefined parts are omitted from the record. */
export type RecordParts = Pick<ResourceRecord, 'fields'> & {
  readonly [Part in Exclude<keyof ResourceRecord, RecordIdentity | 'fields' | 'hmac'>]?:
    | ResourceRecord[Part]
    | undefined;
};

/** Makes the record of a resource from its desired state and the given parts. */
export function recordOf(desired: Desired, parts: RecordParts): ResourceRecord {
  const { environment, kind, name } = desired;
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  return { ...given, formatVersion: 1, environment, kind, name, ...recordedTarget(desired), fields: parts.fields };
}

/** The target to store in a record, from which later runs detect a changed target or a rotated token. */
export function recordedTarget(
  desired: Desired,
): Pick<ResourceRecord, 'host' | 'query' | 'credentials' | 'resellerId'> {
  const {
    resellerId,
    target: { tokenName },
  } = desired;
  const credentials = { fingerprint: tokenFingerprint(desired), ...(tokenName !== undefined && { secret: tokenName }) };
  return { ...shownTarget(desired), credentials, ...(resellerId !== undefined && { resellerId }) };
}

/** The fields of a record, with structured paths. A record file stores paths as strings. */
export function recordedFields(record: Pick<ResourceRecord, 'fields'> | undefined): [FieldPath, AppliedField][] {
  return Object.entries(record?.fields ?? {}).map(([text, field]) => [parsePath(text), field]);
}

/** Removes read-back values from a record, as if the service had stored every value as sent. */
export function withoutReadBacks(record: ResourceRecord): ResourceRecord {
  const fields = Object.entries(record.fields).map(([path, field]): [string, AppliedField] => {
    const { readBack: _, readBackFingerprint: __, rules: ___, ...sent } = field;
    return [path, sent];
  });
  return { ...record, fields: Object.fromEntries(fields) };
}

/** Whether the service stored any other value, and not just another form of the sent value. */
export function hasValuesStoredOtherwise(record: Pick<ResourceRecord, 'fields'> | undefined): boolean {
  return Object.values(record?.fields ?? {}).some(({ readBack, readBackFingerprint, rules }) => {
    const isReadBack = readBack !== undefined || readBackFingerprint !== undefined;
    return isReadBack && rules === undefined;
  });
}

// Anyone who can commit can edit a record. However, computing the record's HMAC requires the resource's token. A valid
// HMAC therefore proves that a run with the token wrote the record (docs/decisions/0082).

/**
 * Whether a record's HMAC is valid. `foreign`: the HMAC was made with another token. `altered`: the record was edited.
 * `none`: the record has no HMAC.
 */
export type HmacState = 'holds' | 'foreign' | 'altered' | 'none';

/** Adds an HMAC of all other members to a record. */
export function withHmac(record: ResourceRecord, key: FingerprintKey): ResourceRecord {
  return { ...record, hmac: hmacOf(record, key) };
}

/**
 * Updates the HMAC of a record after a change other than an apply of values, such as a hold or a rename. The changed
 * record gets an HMAC only if the earlier HMAC was valid and the token is available.
 */
export function keepingHmac(
  changed: ResourceRecord,
  { before, key }: { readonly before: ResourceRecord; readonly key: FingerprintKey | undefined },
): ResourceRecord {
  const isKept = key !== undefined && hmacState(before, key) === 'holds';
  const { hmac: _, ...rest } = changed;
  return isKept ? withHmac(rest, key) : rest;
}

export function hmacState(record: ResourceRecord, key: FingerprintKey): HmacState {
  const { hmac } = record;
  if (hmac === undefined) return 'none';
  if (isForeign(hmac, key)) return 'foreign';
  return hmac === hmacOf(record, key) ? 'holds' : 'altered';
}

/** For an edited record, returns a function that checks whether a run with this key wrote a version. */
export function proofOfVersions(
  record: ResourceRecord,
  key: FingerprintKey,
): ((version: ResourceRecord) => boolean) | undefined {
  return hmacState(record, key) === 'altered' ? (version) => hmacState(version, key) === 'holds' : undefined;
}

/** The path in the context is empty, so that the fingerprint of a value can never be used as an HMAC. */
function hmacOf({ hmac: _, ...rest }: ResourceRecord, key: FingerprintKey): string {
  const { environment, kind, name } = rest;
  return fingerprintOf(key, { environment, kind, name, path: '' }, canonicalJson(rest));
}

/** A field whose applied value differs between two versions of a record. */
export interface RecordedChange {
  readonly path: string;
  /** The entry in the earlier version. Absent if that version lacks the field. */
  readonly from?: AppliedField;
  readonly to?: AppliedField;
}

/** Compares the applied values of two versions of a record. Ignores different read-back forms of the same value. */
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
