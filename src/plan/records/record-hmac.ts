import { canonicalJson } from '../../json/json.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { type FingerprintKey, fingerprintOf, isFingerprintOf, isForeign } from '../../secrets/fingerprint.ts';

// Anyone who can commit can write a record. Only a run with the token of the resource can make the HMAC of one, so that
// a record with it is what an apply wrote (docs/decisions/0082).

/** `foreign`: made under another token. `altered`: the record was changed since. `none`: saved without the token. */
export type HmacState = 'holds' | 'foreign' | 'altered' | 'none';

/** The record with an HMAC of everything else in it. */
export function withHmac(record: ResourceRecord, key: FingerprintKey): ResourceRecord {
  const rest = withoutHmac(record);
  return { ...rest, hmac: fingerprintOf(key, contextOf(rest), canonicalJson(rest)) };
}

/**
 * The record after a change of anything but what was applied, such as a hold or a new name. It keeps an HMAC only if
 * the token is available and the HMAC of the earlier record is valid.
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

/** For a record that was edited: whether an apply with this key wrote another version of it. */
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
