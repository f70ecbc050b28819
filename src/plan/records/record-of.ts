import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../json/json.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, parsePath } from '../../kinds/field-path.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import { type FingerprintKey, fingerprintOf, isFingerprintOf, isForeign } from '../../secrets/fingerprint.ts';
import { shownTarget, tokenFingerprint } from '../target.ts';

/** The parts of a record besides the identity and the target of its resource; undefined ones are omitted. */
export interface RecordParts {
  readonly id?: string | undefined;
  readonly created?: true | undefined;
  readonly fields: ResourceRecord['fields'];
  readonly lastUpdate?: number | undefined;
  readonly draft?: ResourceRecord['draft'] | undefined;
  readonly intent?: ResourceRecord['intent'] | undefined;
  readonly holds?: ResourceRecord['holds'] | undefined;
  readonly event?: ResourceRecord['event'] | undefined;
  readonly appliedAt?: string | undefined;
  readonly writtenAt?: string | undefined;
  readonly appliedBy?: string | undefined;
  readonly commit?: string | undefined;
  readonly pullRequest?: number | undefined;
  readonly run?: string | undefined;
  readonly declared?: ResourceRecord['declared'] | undefined;
  readonly content?: ResourceRecord['content'] | undefined;
  readonly revision?: string | undefined;
  readonly overlay?: string | undefined;
  readonly failure?: ResourceRecord['failure'] | undefined;
  readonly overwrote?: ResourceRecord['overwrote'] | undefined;
  readonly keptEdits?: ResourceRecord['keptEdits'] | undefined;
  readonly released?: ResourceRecord['released'] | undefined;
  readonly adopted?: ResourceRecord['adopted'] | undefined;
  readonly publication?: ResourceRecord['publication'] | undefined;
  readonly renames?: ResourceRecord['renames'] | undefined;
  readonly approval?: ResourceRecord['approval'] | undefined;
  readonly overruled?: ResourceRecord['overruled'] | undefined;
}

/** The record of a resource. */
export function recordOf(desired: Desired, parts: RecordParts): ResourceRecord {
  const { environment, kind, name } = desired;
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  return { ...given, formatVersion: 1, environment, kind, name, ...recordedTarget(desired), fields: parts.fields };
}

/** The target of the resource for its record, which later shows a rename or a rotation. */
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

/** The fields of a record by path. The record has paths as texts. */
export function recordedFields(record: Pick<ResourceRecord, 'fields'> | undefined): [FieldPath, AppliedField][] {
  return Object.entries(record?.fields ?? {}).map(([text, field]) => [parsePath(text), field]);
}

/** The record as if the service had stored every value as sent. */
export function withoutReadBacks(record: ResourceRecord): ResourceRecord {
  const fields = Object.entries(record.fields).map(([path, field]): [string, AppliedField] => {
    const { readBack: _, readBackFingerprint: __, rules: ___, ...sent } = field;
    return [path, sent];
  });
  return { ...record, fields: Object.fromEntries(fields) };
}

/** Whether the service stored another value than the sent one, right after the apply. */
export function hasValuesStoredOtherwise(record: Pick<ResourceRecord, 'fields'> | undefined): boolean {
  return Object.values(record?.fields ?? {}).some(({ readBack, readBackFingerprint, rules }) => {
    const isReadBack = readBack !== undefined || readBackFingerprint !== undefined;
    return isReadBack && rules === undefined;
  });
}

// Anyone who can commit can write a record. Only a run with the token of the resource can make its HMAC, so a valid
// HMAC proves that an apply wrote the record (docs/decisions/0082).

/** `foreign`: made under another token. `altered`: the record was changed since. `none`: saved without the token. */
export type HmacState = 'holds' | 'foreign' | 'altered' | 'none';

/** The record with an HMAC of its other members. */
export function withHmac(record: ResourceRecord, key: FingerprintKey): ResourceRecord {
  const rest = withoutHmac(record);
  return { ...rest, hmac: fingerprintOf(key, contextOf(rest), canonicalJson(rest)) };
}

/**
 * The record after a change other than an apply, such as a hold or a new name. It only keeps an HMAC if the token is
 * available and the HMAC of the earlier record is valid.
 */
export function keepingHmac(
  changed: ResourceRecord,
  { before, key }: { readonly before: ResourceRecord; readonly key: FingerprintKey | undefined },
): ResourceRecord {
  const isKept = key !== undefined && hmacState(before, key) === 'holds';
  return isKept ? withHmac(changed, key) : withoutHmac(changed);
}

/** Whether an apply with this key wrote this record. */
export function hmacState(record: ResourceRecord, key: FingerprintKey): HmacState {
  const { hmac } = record;
  if (hmac === undefined) return 'none';
  if (isForeign(hmac, key)) return 'foreign';
  const rest = withoutHmac(record);
  return isFingerprintOf(hmac, canonicalJson(rest), contextOf(rest), key) ? 'holds' : 'altered';
}

/** For an edited record: checks whether an apply with this key wrote another version of it. */
export function proofOfVersions(
  record: ResourceRecord,
  key: FingerprintKey,
): ((version: ResourceRecord) => boolean) | undefined {
  return hmacState(record, key) === 'altered' ? (version) => hmacState(version, key) === 'holds' : undefined;
}

function withoutHmac({ hmac: _, ...rest }: ResourceRecord): ResourceRecord {
  return rest;
}

/** No field has an empty path, so no fingerprint of a value equals the HMAC of a record. */
function contextOf({ environment, kind, name }: ResourceRecord) {
  return { environment, kind, name, path: '' };
}

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
