import { addressOf } from '../../kinds/desired.ts';
import type { Secrecy } from '../../kinds/sensitive.ts';
import type { AppliedField, Deed, ResourceRecord } from '../../schemas/record-types.ts';
import type { FieldState } from '../fields/field-state.ts';
import { resourceState } from '../fields/resource-state.ts';
import { foreignValues, holdsUnder } from '../kept-settings.ts';
import type { Observation } from '../observation.ts';
import { isRecordOfSame } from './orphans.ts';
import { hasOnlyDecisions, retargeted } from './target.ts';

/** The renames declared in manifests and the removals declared in agentform.yaml. */
interface DeclaredNames {
  readonly manifests: readonly {
    readonly kind: string;
    readonly name: string;
    readonly renamedFrom: readonly { readonly name: string }[];
  }[];
  /** The addresses that agentform.yaml lists under `removed`. */
  readonly removed: readonly string[];
}

/** The records of an environment, matched with manifests. */
export interface AssignedRecords<Stored> {
  /** The records by the address of their manifest. A record may still have a former name. */
  readonly records: ReadonlyMap<string, Stored>;
  /** The records under former names, to rename or left over from an interrupted rename, by manifest address. */
  readonly former: ReadonlyMap<string, Stored>;
  /** The new address of each renamed manifest, by its former address. */
  readonly renames: ReadonlyMap<string, string>;
  /** The records of resources that agentform.yaml lists under `removed`. */
  readonly removals: readonly Stored[];
  /** The records that match no manifest and are not removed. */
  readonly undeclared: readonly Stored[];
  /** The undeclared records whose resources were applied. */
  readonly orphans: readonly Stored[];
}

/**
 * Matches each record with a manifest. A manifest without a record gets the first record under a former name. If a
 * manifest has records under both names, `former` contains the old record if both describe the same resource, as after
 * an interrupted rename. If they describe different resources, the old record is an orphan, because only the user knows
 * which record is right.
 */
export function assignRecords<Stored extends { readonly record: ResourceRecord }>(
  stored: ReadonlyMap<string, Stored>,
  { manifests, removed }: DeclaredNames,
): AssignedRecords<Stored> {
  const records = new Map<string, Stored>();
  const former = new Map<string, Stored>();
  const renames = new Map<string, string>();
  for (const { kind, name, renamedFrom } of manifests) {
    const address = addressOf({ kind, name });
    const own = stored.get(address);
    const formerAddresses = renamedFrom.map((one) => addressOf({ kind, name: one.name }));
    for (const one of formerAddresses) renames.set(one, address);
    const old = formerAddresses.flatMap((one) => stored.get(one) ?? [])[0];
    const found = own ?? old;
    if (found !== undefined) records.set(address, found);
    if (old !== undefined && (own === undefined || isRecordOfSame(own.record, old.record))) former.set(address, old);
  }
  const taken = new Set([...records.values(), ...former.values()]);
  const rest = [...stored.values()].filter((one) => !taken.has(one));
  const isRemoved = ({ record }: Stored) => removed.includes(addressOf(record));
  const undeclared = rest.filter((one) => !isRemoved(one));
  const orphans = undeclared.filter(({ record }) => !hasOnlyDecisions(record));
  return { records, former, renames, removals: rest.filter(isRemoved), undeclared, orphans };
}

export interface MovedRecord {
  readonly record: ResourceRecord;
  /** The paths of sensitive fields that were dropped, because no new fingerprint could be made. */
  readonly lost: readonly string[];
}

/**
 * Moves a record to the manifest's current name and environment. Because fingerprints are salted with both, each
 * fingerprint is computed again from the manifest's value, provided that this value is still the applied value.
 * Otherwise, the field is dropped. A fingerprint made with another key is kept, because it cannot be compared under any
 * name.
 */
export function renamedRecord(
  { desired, ...observation }: Pick<Observation, 'desired' | 'reading'> & { readonly record: ResourceRecord },
  secrecy: Secrecy,
): MovedRecord {
  const { record } = observation;
  const { environment, name } = desired;
  if (record.name === name && record.environment === environment) return { record, lost: [] };
  const fields: ResourceRecord['fields'] = {};
  const lost: string[] = [];
  for (const field of resourceState({ desired, ...observation }, secrecy).fields) {
    if (field.applied === undefined) continue;
    const kept = appliedAgain(field.applied, field);
    if (kept === undefined) lost.push(field.text);
    else fields[field.text] = kept;
  }
  const moved = { ...record, ...retargeted(desired, record), environment, name, fields };
  return { record: { ...moved, ...movedFingerprints(record, desired) }, lost };
}

/** Moves a record without a manifest. Drops sensitive values, of which only fingerprints are known. */
export function renamedWithoutManifest(
  record: ResourceRecord,
  { environment, name }: { readonly environment: string; readonly name: string },
): MovedRecord {
  const fingerprints = Object.keys(record.fields).filter((path) => record.fields[path]?.fingerprint !== undefined);
  const fields = Object.fromEntries(Object.entries(record.fields).filter(([path]) => !fingerprints.includes(path)));
  const { fingerprint: _, ...named } = record.credentials;
  const isMoved = record.environment !== environment;
  const moved = { ...record, environment, name, fields, ...(isMoved && { credentials: named }) };
  return { record: { ...moved, ...movedFingerprints(record, { environment, name }) }, lost: fingerprints };
}

/** Marks fingerprints in holds and overwritten values as foreign, because their values are unknown. */
function movedFingerprints(
  record: ResourceRecord,
  to: Pick<ResourceRecord, 'environment' | 'name'>,
): Pick<ResourceRecord, 'holds' | 'overwrote'> {
  const holds = holdsUnder(to, record);
  const { overwrote } = record;
  return { ...(holds && { holds }), ...(overwrote && { overwrote: foreignValues(overwrote) }) };
}

/** Adds the earlier name to a renamed record. */
export function withRename(
  record: ResourceRecord,
  { name: from }: Pick<ResourceRecord, 'name'>,
  deed: Deed,
): ResourceRecord {
  return record.name === from
    ? record
    : { ...record, renames: [...(record.renames ?? []), { from, ...deed }].slice(-maxRenames) };
}

/** The maximum number of renames that a record keeps. Older renames are in earlier versions of the record. */
const maxRenames = 20;

function appliedAgain(applied: AppliedField, field: FieldState): AppliedField | undefined {
  const { fingerprint, readBackFingerprint, rules } = applied;
  if (fingerprint === undefined || field.lastIsForeign) return applied;
  const wanted = field.wantedIsLast ? field.wanted : undefined;
  if (wanted === undefined) return undefined;
  const readBack = readBackFingerprint !== undefined && field.liveIsLast ? field.live : undefined;
  if (readBack === undefined || rules === undefined) return { fingerprint: wanted.key };
  return { fingerprint: wanted.key, readBackFingerprint: readBack.key, rules };
}
