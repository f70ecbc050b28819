import { isJsonObject, type Json } from '../json/json.ts';
import { comparable, identifyingText } from '../kinds/compare.ts';
import { type Desired, hostKey } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import { isFingerprintOf, isForeign } from '../secrets/fingerprint.ts';
import { isOtherReseller, isRecordedQuery, tokenFingerprint } from './target.ts';

/**
 * Whether a record may be of what the manifest asks for: the same kind, host, reseller, query, credentials and
 * identifying settings. A record that does not hold those, such as that of a create that was only begun, may be of
 * anything at the target.
 */
export function mayBeSame(desired: Desired, record: ResourceRecord): boolean {
  if (record.kind !== desired.kind || hostKey(record.host) !== hostKey(desired.target.host)) return false;
  if (isOtherReseller(desired, record)) return false;
  if (!isRecordedQuery(desired, record) || !mayBeSameCredentials(desired, record)) return false;
  return kindNamed(desired.kind).identity.settings.every((name) => {
    const applied = record.fields[`settings.${name}`];
    return applied === undefined || isSameValue({ desired, record, name }, applied);
  });
}

/** The secret may have got another value, or the value another secret: either is enough. */
function mayBeSameCredentials(desired: Desired, { credentials }: ResourceRecord): boolean {
  if (credentials.fingerprint === undefined) return true;
  return (
    (credentials.secret !== undefined && credentials.secret === desired.target.tokenName) ||
    credentials.fingerprint === tokenFingerprint(desired)
  );
}

interface Compared {
  readonly desired: Desired;
  readonly record: ResourceRecord;
  /** The path of a setting. */
  readonly name: string;
}

function isSameValue({ desired, record, name }: Compared, applied: AppliedField): boolean {
  const { settings } = desired.sections;
  const value = isJsonObject(settings) ? settings[name] : undefined;
  if (value === undefined) return false;
  if (applied.fingerprint !== undefined) {
    const place = { environment: record.environment, kind: record.kind, name: record.name, path: `settings.${name}` };
    const { key } = desired.target;
    const isUnknown = isForeign(applied.fingerprint, key);
    return isUnknown || isFingerprintOf(applied.fingerprint, comparable(value, undefined), place, key);
  }
  const { identity } = kindNamed(desired.kind);
  return identifyingText(identity, value) === identifyingText(identity, applied.value as Json);
}
