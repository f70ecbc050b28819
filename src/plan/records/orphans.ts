import { canonicalJson, grouped, isJsonObject, type Json } from '../../json/json.ts';
import { identifyingText } from '../../kinds/compare.ts';
import { addressOf, type Desired, hostKey } from '../../kinds/desired.ts';
import { isKindName, kindNamed } from '../../kinds/kind.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { recordedTarget } from './record-of.ts';

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
  /** The record of another resource whose manifest declares this orphan as its former name. */
  readonly claimedBy?: ResourceRecord;
  /** The manifests of the same kind and host without a record. The resource may continue under one of these. */
  readonly candidates?: readonly string[];
}

/** The facts that can show that a record and a manifest describe the same resource. */
type Described = Pick<ResourceRecord, 'kind' | 'host' | 'query' | 'id' | 'credentials' | 'resellerId' | 'fields'>;

/**
 * The kinds of evidence for a rename, strongest first: the id, the token, and the name of the token's secret. The
 * secret's name helps if the token was rotated in the same commit. The token and the secret's name count as evidence
 * only if the target and the identifying settings also match. Each function returns equal texts for an orphan and a
 * manifest of the same resource, and undefined if a part of the text is unknown.
 */
const evidences: readonly ((described: Described) => string | undefined)[] = [
  ({ kind, host, id }) => allOf(kind, hostKey(host), id),
  (described) => allOf(ownerOf(described), described.credentials.fingerprint, identityOf(described)),
  (described) => allOf(ownerOf(described), described.credentials.secret, identityOf(described)),
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
  const manifests =
    records.length === 0 ? [] : unrecorded.map((desired) => ({ desired, described: describe(desired) }));
  for (const evidenceOf of evidences) {
    const candidates = manifests.filter(({ desired }) => !found.has(desired));
    const byEvidence = grouped(candidates, ({ described }) => evidenceOf(described));
    const left = records.filter((record) => !renames.has(record));
    for (const [key, [record, ...others]] of grouped(left, evidenceOf)) {
      const [manifest, ...rivals] = byEvidence.get(key) ?? [];
      if (manifest === undefined || others.length + rivals.length > 0) continue;
      renames.set(record, addressOf(manifest.desired));
      found.add(manifest.desired);
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
      targetOf(record),
      identityOf(record),
      record.id ?? canonicalJson([record.credentials, record.resellerId ?? null]),
    );
  return targetText(one) !== undefined && targetText(one) === targetText(other);
}

/** The facts about a manifest, in the form of a record. */
function describe(desired: Desired): Described {
  const { kind, sections, target } = desired;
  const settings = isJsonObject(sections.settings) ? sections.settings : {};
  const names = kindNamed(kind).identity.settings.filter((name) => settings[name] !== undefined);
  const fields = Object.fromEntries(names.map((name) => [`settings.${name}`, { value: settings[name] }]));
  return { kind, ...(target.agentId !== undefined && { id: target.agentId }), ...recordedTarget(desired), fields };
}

function allOf(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function ownerOf(described: Described): string {
  return canonicalJson([targetOf(described), described.resellerId ?? null]);
}

function targetOf({ kind, host, query }: Described): string {
  return canonicalJson([kind, hostKey(host), query]);
}

/**
 * The settings that identify a resource among the resources at the same target, as JSON. Returns an empty list if the
 * target alone identifies the resource. Undefined if a value is unknown.
 */
function identityOf({ kind, fields }: Described): string | undefined {
  if (!isKindName(kind)) return undefined;
  const { identity } = kindNamed(kind);
  const values = identity.settings.map((name) => fields[`settings.${name}`]?.value as Json | undefined);
  return allOf(...values.map((value) => (value === undefined ? undefined : identifyingText(identity, value))));
}
