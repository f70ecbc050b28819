import { AgentformError } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import { desiredOfAll } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { isUnrecordedWrite, type NewerRecord } from '../../plan/observation.ts';
import { type MovedRecord, renamedRecord, renamedWithoutManifest, withRename } from '../../plan/records/moves.ts';
import { isRecordOfSame } from '../../plan/records/orphans.ts';
import { keepingHmac, proofOfVersions } from '../../plan/records/record-of.ts';
import { hasOnlyDecisions } from '../../plan/records/target.ts';
import { forgetCommand, lostHold } from '../../plan/verdicts/blocks.ts';
import { holdNotice, isOnHold, recordedHold } from '../../plan/verdicts/holds.ts';
import type { NewerVersion, RecordKey, RecordStore, StoredRecord } from '../../record/store.ts';
import { refusedBy, remedyText } from '../../report/notices.ts';
import type { Deed, ResourceRecord } from '../../schemas/record-types.ts';
import type { HoldStatus } from '../../schemas/status-types.ts';
import type { FingerprintKey } from '../../secrets/fingerprint.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import { requireKnownLabels } from '../../session/records/known-labels.ts';
import {
  changingRecords,
  deedIn,
  type OpenRecords,
  onlyNamed,
  parseAddress,
  possiblyNamed,
  type RecordHost,
  type RecordOptions,
  resolveRecorded,
  withRecords,
} from '../../session/records/records.ts';
import { nothingNamed, requireMatches, type Selection, selector } from '../../session/selection.ts';
import { hasWildcard } from '../../text/wildcard.ts';
import { joinWithOr, listSome } from '../../text/wording.ts';
import { type ForgetSelection, selectsNothing } from './forget-selection.ts';

/**
 * A record with its state. A resource that is `not applied` has a record that contains only an approval, with or
 * without a manifest. `create unclear`, `update unclear`: the last write may have been carried out, but was not recorded.
 * An `orphan` was applied, but has no manifest. `unknown`: no manifest declares the record, but a manifest with errors
 * may declare it.
 */
export interface ListedRecord {
  readonly record: ResourceRecord;
  readonly state: 'applied' | 'not applied' | 'create unclear' | 'update unclear' | 'orphan' | 'unknown';
  /** The hold, as far as it can be judged without the manifest. */
  readonly held?: HoldStatus;
}

export interface ListedRecords {
  readonly environment: string;
  readonly records: readonly ListedRecord[];
  /** The files with errors, if any record has the state `unknown`. */
  readonly unreadable: readonly string[];
}

/** Lists the selected records of an environment. Labels come from the manifests. */
export function listRecords(host: RecordHost, options: RecordOptions & Selection): Promise<ListedRecords> {
  return withRecords(host, options, async ({ project, environment, store }) => {
    const resolving = { environment, secrets: 'names', select: () => false, env: host.env } as const;
    const { all, problems } = await resolveProject(project, resolving);
    const declared = new Map(all.map((one) => [addressOf(one), one.labels]));
    const stored = (await store.list(environment)).map(({ record }) => record);
    const undeclared = stored.filter((record) => !declared.has(addressOf(record)));
    requireKnownLabels(options, { project, environment, undeclared, problems });
    const selectable = stored.map((one) => ({ ...one, labels: declared.get(addressOf(one)) ?? {} }));
    requireMatches(options, { environment, all: selectable, elsewhere: [], removed: [] });
    const isSelected = selector(options);
    const now = host.now();
    const errors = problems.filter(({ severity }) => severity === 'error');
    const without = errors.length > 0 ? 'unknown' : 'orphan';
    const records = stored.flatMap((record): ListedRecord[] => {
      const address = addressOf(record);
      if (!isSelected(address, declared.get(address))) return [];
      const held = recordedHold(record, now);
      const isKnown = declared.has(address) || hasOnlyDecisions(record);
      return [{ record, state: isKnown ? recordState(record) : without, ...(held && { held }) }];
    });
    const files = records.some(({ state }) => state === 'unknown') ? errors.flatMap(({ at }) => at?.file ?? []) : [];
    return { environment, records, unreadable: [...new Set(files)] };
  });
}

/** Reads a record. `Kind/name@COMMIT` reads the version at that commit. */
export function showRecord(
  host: RecordHost,
  options: RecordOptions & { readonly address: string },
): Promise<ResourceRecord> {
  const [address = '', commit] = options.address.split('@');
  return withRecords(host, options, async (open) => {
    if (commit === undefined) return (await requireRecord(open, address)).record;
    const { environment, store } = open;
    const versions = possiblyNamed(address).map((one) => ({ environment, ...one, commit }));
    const found = (await store.readVersions(versions)).flatMap((record) => record ?? []);
    const record = onlyNamed(address, found, addressOf);
    if (record !== undefined) return record;
    throw new AgentformError(
      'record-unknown',
      `the version ${commit} has no record of ${address} in the environment ${environment}`,
    );
  });
}

export interface ForgetOptions extends RecordOptions, Selection, Pick<ForgetSelection, 'unclear'> {}

export interface ForgottenRecords {
  readonly environment: string;
  readonly records: readonly ResourceRecord[];
  /** Addresses of selected resources without a matching record. */
  readonly unchanged: readonly string[];
}

/** Deletes the selected records, or none of them. Sends nothing, so the resources on the service do not change. */
export function forgetRecords(host: RecordHost, options: ForgetOptions): Promise<ForgottenRecords> {
  requireSelected(options);
  return changingRecords(host, { ...options, what: 'Forget' }, async (open) => {
    const { store } = open;
    const { stored, keyOf, found } = await selectedRecords(host, open, options);
    const now = host.now();
    for (const { record } of stored) {
      refuseHeld(record, now);
      await refuseLostHold(store, { key: record, record, signedWith: await keyOf(record), now });
    }
    for (const { record, version } of stored) await store.remove(record, version);
    return found;
  });
}

/** Returns the records that `forgetRecords` would delete. */
export function recordsToForget(host: RecordHost, options: ForgetOptions): Promise<ForgottenRecords> {
  requireSelected(options);
  return withRecords(host, options, async (open) => (await selectedRecords(host, open, options)).found);
}

function requireSelected(options: ForgetOptions): void {
  if (selectsNothing(options)) throw nothingNamed('record forget', options.environment);
}

async function selectedRecords(host: RecordHost, { project, environment, store }: OpenRecords, options: ForgetOptions) {
  const isSelected = selector(options);
  const resolution = await resolveRecorded(host, { project, environment }, { secrets: 'names', select: isSelected });
  const listed = await store.list(environment);
  const labels = new Map(resolution.all.map((one) => [addressOf(one), one.labels]));
  const undeclared = listed.map(({ record }) => record).filter((record) => !labels.has(addressOf(record)));
  requireKnownLabels(options, { ...resolution, undeclared, project, environment });
  const present = [...resolution.all, ...listed.map(({ record: { kind, name } }) => ({ kind, name }))];
  const known = [...present, ...(await forgottenKeys({ store, environment }, options.names, present))];
  requireMatches(options, { ...resolution, all: known, environment, removed: project.removed });
  const stored = listed.filter(({ record }) => {
    const address = addressOf(record);
    return isSelected(address, labels.get(address)) && (!options.unclear || record.intent !== undefined);
  });
  requireUnambiguous(options.names, stored);
  const records = stored.map(({ record }) => record);
  const addresses = new Set(records.map(addressOf));
  const unchanged = [...new Set(known.map(addressOf))].filter(
    (address) => isSelected(address, labels.get(address)) && !addresses.has(address),
  );
  const keyAt = new FingerprintKeys(project.root).finder(resolution, host);
  const keyOf = (record: ResourceRecord) => keyAt(addressOf(record));
  return { stored, keyOf, found: { environment, records, unchanged } };
}

/** Throws if a name without a kind selects several records. Deleting the wrong record would lose applied values. */
function requireUnambiguous(names: readonly string[], stored: readonly StoredRecord[]): void {
  for (const name of names.filter((one) => !one.includes('/') && !hasWildcard(one))) {
    const addresses = stored.filter(({ record }) => record.name === name).map(({ record }) => addressOf(record));
    if (addresses.length < 2) continue;
    throw new AgentformError('usage', `${name} can be ${joinWithOr(addresses)}; name one or more of them`);
  }
}

/**
 * Returns the named resources whose records were removed earlier. A repeated command names them again, although they
 * may no longer have a manifest. A name that never had a record is more likely misspelt. `present` contains the
 * resources with a manifest or a record.
 */
async function forgottenKeys(
  { store, environment }: Pick<OpenRecords, 'store' | 'environment'>,
  names: readonly string[],
  present: readonly Pick<RecordKey, 'kind' | 'name'>[],
): Promise<Pick<RecordKey, 'kind' | 'name'>[]> {
  const isPresent = new Set(present.flatMap((one) => [addressOf(one), one.name]));
  const gone = names.filter((name) => !hasWildcard(name) && !isPresent.has(name));
  // Reading the history can start git or fetch the branch.
  if (gone.length === 0) return [];
  const records = gone.flatMap(possiblyNamed);
  const wanted = new Set(records.map(addressOf));
  const changed = (await store.history({ environment, records })).flatMap((entry) => entry.records);
  const found = changed.filter((one) => wanted.has(addressOf(one)));
  return [...new Map(found.map(({ kind, name }) => [addressOf({ kind, name }), { kind, name }])).values()];
}

/** Renames the record of a renamed manifest. */
export function renameRecord(
  host: RecordHost,
  options: RecordOptions & { readonly from: string; readonly to: string },
): Promise<RenamedRecord> {
  return changingRecords(host, { ...options, what: 'Rename' }, async (open) => {
    const { project, environment, store } = open;
    const done = await completedRename(open, options);
    if (done !== undefined) return { record: done, lost: [], isDeclared: true, isUnchanged: true };
    const { record, version } = await requireRecord(open, options.from);
    const { kind, name } = parseAddress(options.to, record.kind);
    if (kind !== record.kind) {
      throw new AgentformError('usage', `a record cannot change its kind: ${options.from} cannot become ${options.to}`);
    }
    // With the same name, removing the old record would also remove the new record.
    if (name === record.name) {
      const message = `the record of ${addressOf(record)} already has this name; give a different one`;
      throw new AgentformError('usage', message);
    }
    const taken = await store.read({ environment, kind, name });
    // Only an interrupted rename leaves two records of one resource, and the new record is complete.
    if (taken !== undefined && !isRecordOfSame(taken.record, record)) throw alreadyRecorded(taken.record, record);
    if (taken !== undefined && !isOnHold(taken.record, host.now())) refuseHeld(record, host.now());
    const result = await renamed(host, record, { project, name, deed: await deedIn(open, host) });
    if (taken === undefined) await store.save(result.record, undefined);
    await store.remove(record, version);
    return taken === undefined ? result : { ...result, record: taken.record, lost: [] };
  });
}

/** Returns the record under the new name if an earlier run has already renamed it. */
async function completedRename(
  { environment, store }: OpenRecords,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ResourceRecord | undefined> {
  const found: ResourceRecord[] = [];
  for (const old of possiblyNamed(from)) {
    if ((await store.read({ environment, ...old })) !== undefined) return undefined;
    const { kind, name } = parseAddress(to, old.kind);
    const record = kind === old.kind ? (await store.read({ environment, kind, name }))?.record : undefined;
    if (record?.renames?.some((rename) => rename.from === old.name)) found.push(record);
  }
  return onlyNamed(from, found, addressOf);
}

/** Returns the error for a renamed manifest for which an apply already created a record. */
function alreadyRecorded(taken: ResourceRecord, record: ResourceRecord): AgentformError {
  const [to, from] = [addressOf(taken), addressOf(record)];
  const remedies = [forgetCommand(record), forgetCommand(taken)];
  const [forget, forgetTaken] = remedies.map(remedyText);
  return new AgentformError(
    'record-exists',
    `${to} already has a record (${taken.id ?? 'no id'}). To keep it, run ${forget}. To go back ` +
      `to the record of ${from} (${record.id ?? 'no id'}), run ${forgetTaken} and rename again`,
    { remedies },
  );
}

async function requireRecord({ store, environment }: OpenRecords, address: string): Promise<StoredRecord> {
  const read = await Promise.all(possiblyNamed(address).map((one) => store.read({ environment, ...one })));
  const found = read.flatMap((stored) => stored ?? []);
  const stored = onlyNamed(address, found, ({ record }) => addressOf(record));
  if (stored !== undefined) return stored;
  const known = (await store.list(environment)).map(({ record }) => addressOf(record));
  const listed = known.length === 0 ? 'the environment has no records' : `the environment has ${listSome(known, 10)}`;
  throw new AgentformError('record-unknown', `${address} has no record in the environment ${environment}; ${listed}`);
}

function recordState(record: ResourceRecord): ListedRecord['state'] {
  if (record.intent !== undefined) return 'create unclear';
  if (isUnrecordedWrite(record)) return 'update unclear';
  return hasOnlyDecisions(record) ? 'not applied' : 'applied';
}

export interface RenamedRecord extends MovedRecord {
  /** Whether a manifest has the new name. */
  readonly isDeclared: boolean;
  /** Set if an earlier run has already renamed the record. */
  readonly isUnchanged?: true;
}

/**
 * Moves a record to a new name, as an apply with `renamedFrom` does. Needs secrets only if the record has their
 * fingerprints. Drops the fingerprints if there is no manifest.
 */
async function renamed(
  host: RecordHost,
  record: ResourceRecord,
  { project, name, deed }: Pick<OpenRecords, 'project'> & { readonly name: string; readonly deed: Deed },
): Promise<RenamedRecord> {
  const { environment, kind, fields } = record;
  const fingerprints = Object.keys(fields).filter((path) => fields[path]?.fingerprint !== undefined);
  const secrets = fingerprints.length === 0 ? 'names' : 'values';
  const address = addressOf({ kind, name });
  const select = (candidate: string) => candidate === address;
  const keys = new FingerprintKeys(project.root);
  const resolution = await keys.resolution(await resolveRecorded(host, { project, environment }, { secrets, select }));
  const [declared] = desiredOfAll(resolution);
  const desired = fingerprints.length === 0 ? undefined : declared;
  const secrecy = secrecyOf(resolution.secrets);
  const moved =
    desired === undefined
      ? renamedWithoutManifest(record, { environment, name })
      : renamedRecord({ desired, record }, secrecy);
  const key = declared && (await keys.atHand(declared.target, host));
  return {
    ...moved,
    record: keepingHmac(withRename(moved.record, record, deed), { before: record, key }),
    isDeclared: resolution.all.some((one) => addressOf(one) === address),
  };
}

/** Throws `record-held` if deleting the record would lose a hold. */
export function refuseHeld(record: ResourceRecord, now: Date): void {
  const refusal = holdNotice(record, now);
  if (refusal !== undefined) throw refusedBy('record-held', [refusal]);
}

interface LosingHold {
  readonly key: RecordKey;
  /** The current record, or undefined if the record was removed. */
  readonly record: ResourceRecord | undefined;
  /** The id of the resource, to find its removed record under another name. */
  readonly id?: string | undefined;
  /** The key of the record's HMAC, to detect edits. */
  readonly signedWith: FingerprintKey | undefined;
  readonly now: Date;
}

/** Throws `record-held` if the record lost a hold without `unhold`, and git still has the hold. */
export async function refuseLostHold(
  store: RecordStore,
  { key, record, id, signedWith, now }: LosingHold,
): Promise<void> {
  const { environment, kind, name } = key;
  const isProven = record && signedWith && proofOfVersions(record, signedWith);
  const sought = { environment, kind, name, ...(isProven && { isProven }) };
  const own = (await store.newerVersions?.(environment, [sought]))?.get(addressOf(key));
  const newer = own ?? (record === undefined && id !== undefined ? await heldBefore(store, { ...key, id }) : undefined);
  const lost = newer && lostHold(key, { newer, ...(record && { record }) }, now);
  if (lost === undefined) return;
  // After a rename, the hold is in the renamed record.
  const isElsewhere =
    record === undefined && (await store.list(environment)).some((one) => one.record.id === newer?.id);
  if (!isElsewhere) throw refusedBy('record-held', [lost]);
}

/** Finds the last version of a removed record of a resource. Only a record that was on hold is found. */
async function heldBefore(
  store: RecordStore,
  { environment, kind, id }: RecordKey & { readonly id: string },
): Promise<(NewerVersion & NewerRecord) | undefined> {
  const removed = (await store.removedHolds?.(environment)) ?? [];
  const found = removed.find(({ record }) => record.kind === kind && record.id === id);
  return found && { ...found.version, of: addressOf(found.record) };
}
