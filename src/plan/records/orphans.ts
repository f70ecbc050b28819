import { canonicalJson, grouped, isJsonObject, type Json } from '../../json/json.ts';
import { identifyingText } from '../../kinds/compare.ts';
import { addressOf, type Desired, hostKey } from '../../kinds/desired.ts';
import { isKindName, kindNamed } from '../../kinds/kind.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { shownTarget, tokenFingerprint } from './target.ts';

/** A record without a manifest. */
export interface Orphan {
  readonly record: ResourceRecord;
  /** Whether agentform.yaml lists the resource under `removed`, which makes the next apply drop the record. */
  readonly isRemoved?: true;
  /** The address of the manifest under which the resource continues, if there is evidence of a rename. */
  readonly renamedTo?: string;
  /** The address of a manifest whose own record describes the same resource. */
  readonly sameAs?: string;
  /** The environments in which the resource's manifest is valid. */
  readonly limitedTo?: readonly string[];
  /**
   * The record of a manifest that declares this orphan as its former name, if that record belongs to another resource.
   */
  readonly claimedBy?: ResourceRecord;
  /**
   * The addresses of manifests of the same kind and host that have no record. The resource may continue under one of
   * these manifests.
   */
  readonly candidates?: readonly string[];
}

/**
 * A kind of evidence: two functions that return equal texts for an orphan and a manifest of the same resource. A
 * function returns undefined if a part of the text is unknown.
 */
interface Evidence {
  readonly ofRecord: (record: ResourceRecord) => string | undefined;
  readonly ofManifest: (desired: Desired) => string | undefined;
}

/**
 * The kinds of evidence for a rename, strongest first: the id, the token, and the name of the token's secret. The
 * secret's name helps if the token was rotated in the same commit. The token and the secret's name count as evidence
 * only if the target and the identifying settings also match.
 */
const evidences: readonly Evidence[] = [
  {
    ofRecord: ({ kind, host, id }) => allOf(kind, hostKey(host), id),
    ofManifest: ({ kind, target: { host, agentId } }) => allOf(kind, hostKey(host), agentId),
  },
  {
    ofRecord: (record) => allOf(ownerOfRecord(record), record.credentials.fingerprint, identityOfRecord(record)),
    ofManifest: (desired) => allOf(ownerOfManifest(desired), tokenFingerprint(desired), identityOfManifest(desired)),
  },
  {
    ofRecord: (record) => allOf(ownerOfRecord(record), record.credentials.secret, identityOfRecord(record)),
    ofManifest: (desired) => allOf(ownerOfManifest(desired), desired.target.tokenName, identityOfManifest(desired)),
  },
];

/**
 * Explains each record without a manifest. A kind of evidence proves a rename only if it matches exactly one orphan and
 * one manifest.
 */
export function orphansOf(
  records: readonly ResourceRecord[],
  unrecorded: readonly Desired[],
  recorded: RecordedManifests = noRecords,
): Orphan[] {
  const renames = new Map<ResourceRecord, string>();
  const found = new Set<Desired>();
  for (const { ofRecord, ofManifest } of evidences) {
    const left = records.filter((record) => !renames.has(record));
    if (left.length === 0) break;
    const manifests = grouped(
      unrecorded.filter((desired) => !found.has(desired)),
      ofManifest,
    );
    for (const [key, [record, ...others]] of grouped(left, ofRecord)) {
      const [desired, ...rivals] = manifests.get(key) ?? [];
      if (desired === undefined || others.length + rivals.length > 0) continue;
      renames.set(record, addressOf(desired));
      found.add(desired);
    }
  }
  const left = unrecorded.filter((desired) => !found.has(desired));
  return records.map((record) => {
    const renamedTo = renames.get(record);
    return renamedTo === undefined ? { record, ...whatElse(record, left, recorded) } : { record, renamedTo };
  });
}

/** Facts about the other manifests that can explain an orphan. */
export interface RecordedManifests {
  readonly records: ReadonlyMap<string, { readonly record: ResourceRecord }>;
  /** The new address of each renamed manifest, by its former address. */
  readonly renames: ReadonlyMap<string, string>;
  /** The manifests that are valid only in other environments. */
  readonly elsewhere: readonly { readonly kind: string; readonly name: string; readonly onlyIn: readonly string[] }[];
}

const noRecords: RecordedManifests = { records: new Map(), renames: new Map(), elsewhere: [] };

/** Explains an orphan without evidence of a rename. */
function whatElse(
  record: ResourceRecord,
  unrecorded: readonly Desired[],
  { records, renames, elsewhere }: RecordedManifests,
): Omit<Orphan, 'record'> {
  const limited = elsewhere.find((one) => addressOf(one) === addressOf(record));
  if (limited !== undefined) return { limitedTo: limited.onlyIn };
  const same = [...records].find(([, { record: other }]) => isRecordOfSame(other, record));
  if (same !== undefined) return { sameAs: same[0] };
  const claimedBy = records.get(renames.get(addressOf(record)) ?? '')?.record;
  if (claimedBy !== undefined) return { claimedBy };
  const host = hostKey(record.host);
  const ofKind = unrecorded.filter(({ kind, target }) => kind === record.kind && hostKey(target.host) === host);
  return ofKind.length === 0 ? {} : { candidates: ofKind.map(addressOf) };
}

/** Whether two records describe the same resource on the service under two names. */
export function isRecordOfSame(one: ResourceRecord, other: ResourceRecord): boolean {
  const targetText = (record: ResourceRecord) =>
    allOf(
      recordTarget(record),
      identityOfRecord(record),
      record.id ?? canonicalJson([record.credentials, record.resellerId ?? null]),
    );
  return targetText(one) !== undefined && targetText(one) === targetText(other);
}

function allOf(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function ownerOfRecord(record: ResourceRecord): string {
  return canonicalJson([recordTarget(record), record.resellerId ?? null]);
}

function ownerOfManifest(desired: Desired): string {
  return canonicalJson([manifestTarget(desired), desired.resellerId ?? null]);
}

function recordTarget({ kind, host, query }: ResourceRecord): string {
  return canonicalJson([kind, hostKey(host), query]);
}

function manifestTarget(desired: Desired): string {
  const { host, query } = shownTarget(desired);
  return canonicalJson([desired.kind, hostKey(host), query]);
}

/**
 * The settings that identify a record's resource among the resources at the same target, as JSON. Returns an empty list
 * if the target alone identifies the resource. Undefined if a value is unknown.
 */
function identityOfRecord({ kind, fields }: ResourceRecord): string | undefined {
  if (!isKindName(kind)) return undefined;
  const { identity } = kindNamed(kind);
  const values = identity.settings.map((name) => fields[`settings.${name}`]?.value as Json | undefined);
  return textOfAll(values, (value) => identifyingText(identity, value));
}

function identityOfManifest({ kind, sections: { settings } }: Desired): string | undefined {
  const { identity } = kindNamed(kind);
  const values = identity.settings.map((name) => (isJsonObject(settings) ? settings[name] : undefined));
  return textOfAll(values, (value) => identifyingText(identity, value));
}

function textOfAll(values: readonly (Json | undefined)[], textOf: (value: Json) => string): string | undefined {
  const texts = values.flatMap((value) => (value === undefined ? [] : [textOf(value)]));
  return texts.length < values.length ? undefined : JSON.stringify(texts);
}
