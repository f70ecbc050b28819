import { AgentformError } from '../../errors.ts';
import type { Lock } from '../../files/lock.ts';
import { attended } from '../../interruption.ts';
import { addressOf } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { type MovedRecord, renamedRecord, renamedWithoutManifest, withRename } from '../../plan/records/moves.ts';
import { isRecordOfSame } from '../../plan/records/orphans.ts';
import { keepingHmac, proofOfVersions } from '../../plan/records/record-of.ts';
import { forgetCommand, lostHold } from '../../plan/verdicts/blocks.ts';
import { heldRecord, isOnHold } from '../../plan/verdicts/holds.ts';
import type { RecordKey, RecordStore, StoreDefinition, StoredRecord, StoreName } from '../../record/store.ts';
import { isOnlyHere, storeDefinitions, storeNamed, storeOf, withOpenStore } from '../../record/store-table.ts';
import { refusedBy, remedyText } from '../../report/notices.ts';
import type { Deed, ResourceRecord } from '../../schemas/record-types.ts';
import type { FingerprintKey } from '../../secrets/fingerprint.ts';
import { FingerprintKeys, keyedDesired } from '../../session/fingerprint-keys.ts';
import {
  changingRecords,
  deedIn,
  hideNamedSecrets,
  loadRecording,
  type OpenRecords,
  parseAddress,
  type RecordHost,
  type RecordOptions,
  withRecords,
} from '../../session/records/records.ts';
import { listSome } from '../../text/wording.ts';

/** A record, and whether it has a manifest. */
export interface ListedRecord {
  readonly record: ResourceRecord;
  readonly state: 'applied' | 'create unclear' | 'orphan';
}

/** Every record of an environment, by kind and name. */
export function listRecords(host: RecordHost, options: RecordOptions): Promise<ListedRecord[]> {
  return withRecords(host, options, async ({ project, environment, store }) => {
    const { all } = await resolveProject(project, { environment, secrets: 'form', select: () => false, env: host.env });
    const declared = new Set(all.map(addressOf));
    return (await store.list(environment)).map(({ record }) => ({ record, state: stateOf(record, declared) }));
  });
}

/** The present record; with `Kind/name@COMMIT`, the one of that commit. */
export function showRecord(
  host: RecordHost,
  options: RecordOptions & { readonly address: string },
): Promise<ResourceRecord> {
  const [address = '', commit] = options.address.split('@');
  return withRecords(host, options, async (open) => {
    if (commit === undefined) return (await requireRecord(open, address)).record;
    const { environment, store } = open;
    const [record] = await store.readVersions([{ environment, ...parseAddress(address), commit }]);
    if (record !== undefined) return record;
    throw new AgentformError(
      'record-unknown',
      `${commit} has no record of ${address} in the environment ${environment}`,
    );
  });
}

/** Drops a record. Nothing is sent, and the service keeps the resource. */
export function forgetRecord(
  host: RecordHost,
  options: RecordOptions & { readonly address: string },
): Promise<ResourceRecord> {
  return changingRecords(host, { ...options, what: 'Forget' }, async (open) => {
    const { record, version } = await requireRecord(open, options.address);
    const now = host.now();
    refuseHeld(record, now);
    await refuseLostHold(open.store, { key: record, record, signedWith: await keyOfRecord(host, open, record), now });
    await open.store.remove(record, version);
    return record;
  });
}

/** Renames the record of a renamed manifest. */
export function renameRecord(
  host: RecordHost,
  options: RecordOptions & { readonly from: string; readonly to: string },
): Promise<RenamedRecord> {
  return changingRecords(host, { ...options, what: 'Rename' }, async (open) => {
    const { project, environment, store } = open;
    const { record, version } = await requireRecord(open, options.from);
    const { kind, name } = parseAddress(options.to, record.kind);
    if (kind !== record.kind) {
      throw new AgentformError('usage', `a record cannot change its kind: ${options.from} cannot become ${options.to}`);
    }
    const taken = await store.read({ environment, kind, name });
    // Only a rename that was interrupted leaves both; what it saved first is right already.
    if (taken !== undefined && !isRecordOfSame(taken.record, record)) throw alreadyRecorded(taken.record, record);
    if (taken !== undefined && !isOnHold(taken.record, host.now())) refuseHeld(record, host.now());
    const result = await renamed({ project, record, name, host, deed: await deedIn(open, host) });
    if (taken === undefined) {
      await store.save(result.record, undefined);
    }
    await store.remove(record, version);
    return taken === undefined ? result : { ...result, record: taken.record, lost: [] };
  });
}

/** As after an apply that took the renamed manifest for a new one. */
function alreadyRecorded(taken: ResourceRecord, record: ResourceRecord): AgentformError {
  const [to, from] = [addressOf(taken), addressOf(record)];
  const remedies = [forgetCommand(record), forgetCommand(taken)];
  const [forget, forgetTaken] = remedies.map(remedyText);
  return new AgentformError(
    'record-exists',
    `${to} already has a record (${taken.id ?? 'no id'}); to keep that one, run ${forget}; to go ` +
      `back to that of ${from} (${record.id ?? 'no id'}), run ${forgetTaken} and rename again`,
    { remedies },
  );
}

export async function requireRecord({ store, environment }: OpenRecords, address: string): Promise<StoredRecord> {
  const stored = await store.read({ environment, ...parseAddress(address) });
  if (stored !== undefined) return stored;
  const known = (await store.list(environment)).map(({ record }) => addressOf(record));
  const listed = known.length === 0 ? 'it has none' : `it has ${listSome(known, 10)}`;
  throw new AgentformError('record-unknown', `${address} has no record in the environment ${environment}; ${listed}`);
}

export function stateOf(record: ResourceRecord, declared: ReadonlySet<string>): ListedRecord['state'] {
  if (!declared.has(addressOf(record))) return 'orphan';
  return record.intent === undefined ? 'applied' : 'create unclear';
}

export interface MoveOptions {
  readonly project: string;
  readonly to: StoreName;
  /** Aborted, so that the lock is not waited for. */
  readonly signal?: AbortSignal | undefined;
}

export interface MovedRecords {
  /** Addresses by environment, without those where nothing was left to move. */
  readonly moved: ReadonlyMap<string, readonly string[]>;
}

/**
 * Moves the records of all environments from one store to the other. First they are all at the new place, then they go
 * from the old one, so a move that was interrupted is simply run again.
 */
export async function moveRecords(
  host: RecordHost,
  { project: folder, to, signal }: MoveOptions,
): Promise<MovedRecords> {
  const project = await loadRecording(host, folder);
  const { root, record } = project;
  const at = { root, record, env: host.env, allowedSecrets: host.allowedSecrets, signal };
  return withOpenStore(sourceOfMove(record, to), at, (source) =>
    withOpenStore(storeNamed(to), at, async (target) => {
      const environments = (await source.environments()).filter((name) => !isOnlyHere(project, name));
      return attended(signal, async () => {
        const locks = await lockAll([source, target], environments);
        try {
          return { moved: await move({ source, target, environments }, `Move to ${to}`) };
        } finally {
          await Promise.all(locks.map((lock) => lock.release()));
        }
      });
    }),
  );
}

/**
 * The configured store, or the one that needs no configuration. A store with settings stays configured during the move.
 */
function sourceOfMove(record: Project['record'], to: StoreName): StoreDefinition {
  const configured = storeOf(record);
  const wanted = storeNamed(to);
  if (configured.hasSettings && wanted.hasSettings && configured !== wanted) throw notAtOnce(configured, wanted);
  const source =
    configured.name === to ? storeDefinitions.find((one) => one.name !== to && !one.hasSettings) : configured;
  if (source !== undefined && (configured.name === to || !wanted.hasSettings)) return source;
  const next =
    source === undefined
      ? 'until the records are moved, keep the store that has them, because its settings say where they are'
      : `first set \`record: { store: ${to} }\` there, with its other settings unless the defaults apply`;
  throw new AgentformError('record-elsewhere', `agentform.yaml sets \`store: ${configured.name}\`; ${next}`);
}

/** agentform.yaml configures one store, so the records of two such stores meet in a third. */
function notAtOnce(configured: StoreDefinition, wanted: StoreDefinition): AgentformError {
  const third = storeDefinitions.find((one) => !one.hasSettings)?.name;
  return new AgentformError(
    'record-elsewhere',
    `agentform.yaml sets \`store: ${configured.name}\`; first run \`agentform record move --to ${third}\`, then set ` +
      `\`record: { store: ${wanted.name} }\` there, and run \`agentform record move --to ${wanted.name}\``,
  );
}

async function lockAll(stores: readonly RecordStore[], environments: readonly string[]): Promise<Lock[]> {
  const locks: Lock[] = [];
  try {
    for (const store of stores) for (const environment of environments) locks.push(await store.lock(environment));
    return locks;
  } catch (error) {
    await Promise.all(locks.map((lock) => lock.release()));
    throw error;
  }
}

interface Route {
  readonly source: RecordStore;
  readonly target: RecordStore;
  readonly environments: readonly string[];
}

async function move({ source, target, environments }: Route, what: string): Promise<Map<string, string[]>> {
  const found = new Map<string, StoredRecord[]>();
  for (const environment of environments) found.set(environment, await source.list(environment));
  const all = [...found.values()].flat();
  await requireFree(target, all);
  for (const { record } of all) if ((await target.read(record)) === undefined) await target.save(record, undefined);
  await target.share(what);
  for (const { record, version } of all) await source.remove(record, version);
  await source.share(what);
  const moved = [...found].filter(([, stored]) => stored.length > 0);
  return new Map(moved.map(([environment, stored]) => [environment, stored.map(({ record }) => addressOf(record))]));
}

/** Existing records may come from an interrupted move; others are not overwritten. */
async function requireFree(target: RecordStore, records: readonly StoredRecord[]): Promise<void> {
  for (const { record, version } of records) {
    const there = await target.read(record);
    if (there === undefined || there.version === version) continue;
    throw new AgentformError(
      'record-exists',
      `the new store already has a different record of ${addressOf(record)} in ${record.environment}; nothing was moved; ` +
        'remove one of the two',
    );
  }
}

interface Renaming {
  readonly project: Project;
  readonly record: ResourceRecord;
  /** The new name. */
  readonly name: string;
  readonly deed: Deed;
  readonly host: RecordHost;
}

export interface RenamedRecord extends MovedRecord {
  /** A manifest has the new name. */
  readonly isDeclared: boolean;
}

/**
 * A record under another name, as an apply gives it to a manifest with `renamedFrom`. Secrets are needed only where the
 * record has fingerprints of them; without a manifest those are given up.
 */
async function renamed({ project, record, name, deed, host }: Renaming): Promise<RenamedRecord> {
  const { environment, kind, fields } = record;
  const fingerprints = Object.keys(fields).filter((path) => fields[path]?.fingerprint !== undefined);
  const secrets = fingerprints.length === 0 ? 'form' : 'values';
  const address = addressOf({ kind, name });
  const select = (candidate: string) => candidate === address;
  const keys = new FingerprintKeys(project.root);
  const { env, allowedSecrets } = host;
  const resolved = await resolveProject(project, { environment, secrets, select, env, allowedSecrets });
  hideNamedSecrets(host, resolved.secretNames);
  const resolution = await keys.resolution(resolved);
  const [declared] = keyedDesired(resolution);
  const desired = fingerprints.length === 0 ? undefined : declared;
  const secrecy = secrecyOf(resolution.secrets);
  const moved =
    desired === undefined
      ? renamedWithoutManifest(record, { environment, name })
      : renamedRecord({ desired, record }, secrecy);
  const key = declared && (await keys.atHand(declared.target, env));
  return {
    ...moved,
    record: keepingHmac(withRename(moved.record, record, deed), { before: record, key }),
    isDeclared: resolution.all.some((one) => addressOf(one) === address),
  };
}

/** Throws `record-held` if a record must not be dropped, because its hold would go with it. */
export function refuseHeld(record: ResourceRecord, now: Date): void {
  const held = heldRecord(record, now);
  if (held !== undefined) throw refusedBy('record-held', [held]);
}

interface LosingHold {
  readonly key: RecordKey;
  /** Undefined if it is gone. */
  readonly record: ResourceRecord | undefined;
  /** The key of its HMAC, which shows whether it was edited. */
  readonly signedWith: FingerprintKey | undefined;
  readonly now: Date;
}

/** Throws `record-held` if git has a hold that the record lost without `unhold`, because the hold would end with it. */
export async function refuseLostHold(store: RecordStore, { key, record, signedWith, now }: LosingHold): Promise<void> {
  const { environment, kind, name } = key;
  const isProven = record && signedWith && proofOfVersions(record, signedWith);
  const sought = { environment, kind, name, ...(isProven && { isProven }) };
  const newer = (await store.newerVersions(environment, [sought])).get(addressOf(key));
  const lost = newer && lostHold(key, { newer, ...(record && { record }) }, now);
  if (lost === undefined) return;
  // A record that went to another name took its hold along.
  const isElsewhere =
    record === undefined && (await store.list(environment)).some((one) => one.record.id === newer?.id);
  if (!isElsewhere) throw refusedBy('record-held', [lost]);
}

/** The key of a record's HMAC; undefined without its manifest or token. */
async function keyOfRecord(
  host: RecordHost,
  { project, environment }: Pick<OpenRecords, 'project' | 'environment'>,
  key: Pick<RecordKey, 'kind' | 'name'>,
): Promise<FingerprintKey | undefined> {
  const { env, allowedSecrets } = host;
  const select = (address: string) => address === addressOf(key);
  const resolving = { environment, secrets: 'form', select, env, allowedSecrets } as const;
  const { selected, secretNames } = await resolveProject(project, resolving);
  hideNamedSecrets(host, secretNames);
  const [declared] = selected;
  return declared && new FingerprintKeys(project.root).atHand(declared.target, env);
}
