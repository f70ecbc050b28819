import { AgentformError } from '../../errors.ts';
import { isName, nameSyntax } from '../../json/check.ts';
import { addressOf, byAddress, commandIn } from '../../kinds/desired.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import type { Project } from '../../manifest/project/project.ts';
import { desiredOfAll } from '../../manifest/resolve/resolution.ts';
import { type MovedRecord, renamedRecord, renamedWithoutManifest } from '../../plan/records/moves.ts';
import { keepingHmac } from '../../plan/records/record-of.ts';
import { recordText } from '../../record/record-text.ts';
import type { RecordStore, StoredRecord } from '../../record/store.ts';
import { withStore } from '../../record/store-table.ts';
import { FingerprintKeys } from '../../session/fingerprint-keys.ts';
import {
  loadRecording,
  locked,
  type OpenRecords,
  type RecordHost,
  type RecordOptions,
  resolveRecorded,
} from '../../session/records/records.ts';
import { joinWithAnd } from '../../text/wording.ts';
import { refuseHeld } from './record.ts';

// This file moves or deletes the records of an environment that was renamed in or removed from agentform.yaml.

export interface RenameEnvironmentOptions extends Pick<RecordOptions, 'project' | 'signal'> {
  /** The former name of the environment. */
  readonly from: string;
  /** The environment's current name, in agentform.yaml. */
  readonly to: string;
}

export interface RenamedEnvironment {
  /** Addresses of the moved records. */
  readonly records: readonly string[];
  /** Paths of sensitive values whose fingerprints were dropped, keyed by address. */
  readonly lost: ReadonlyMap<string, readonly string[]>;
}

/**
 * Moves the records of a renamed environment. Writes all new records before removing old ones, so that an interrupted
 * move can be repeated.
 */
export async function renameEnvironment(
  host: RecordHost,
  { project: folder, from, to, signal }: RenameEnvironmentOptions,
): Promise<RenamedEnvironment> {
  const project = await loadRecording(host, folder);
  if (!project.environments.includes(to)) {
    const known = joinWithAnd(project.environments);
    throw new AgentformError(
      'environment-unknown',
      `agentform.yaml has no environment ${JSON.stringify(to)}; its environments are ${known}. To rename a single record, name its old and new Kind/name`,
    );
  }
  requireGone(project, from);
  const { env, allowedSecrets } = host;
  return withStore({ project, environment: to, env, allowedSecrets, signal }, (store) =>
    locked(store, { environment: to, signal }, () =>
      locked(store, { environment: from, signal }, async () => {
        const left = await recordsLeft(store, from);
        const moved = await movedTo({ project, environment: to }, left, host);
        await requireFree(store, moved);
        for (const { record } of moved)
          if ((await store.read(record)) === undefined) await store.save(record, undefined);
        await store.share(`Rename ${from} to ${to}`);
        for (const { record, version } of left) await store.remove(record, version);
        await store.share(`Rename ${from} to ${to}`);
        const lost = moved.filter((one) => one.lost.length > 0);
        return {
          records: moved.map(({ record }) => addressOf(record)),
          lost: new Map(lost.map((one) => [addressOf(one.record), one.lost])),
        };
      }),
    ),
  );
}

/**
 * Deletes all records of an environment that is no longer in agentform.yaml. Returns their addresses. Does not change
 * the service.
 */
export async function forgetEnvironment(
  host: RecordHost,
  { project: folder, environment, signal }: RecordOptions & { readonly environment: string },
): Promise<readonly string[]> {
  const project = await loadRecording(host, folder);
  requireGone(project, environment);
  const { env, allowedSecrets } = host;
  return withStore({ project, environment, env, allowedSecrets, signal }, (store) =>
    locked(store, { environment, signal }, async () => {
      const left = await recordsLeft(store, environment);
      for (const { record } of left) refuseHeld(record, host.now());
      for (const { record, version } of left) await store.remove(record, version);
      await store.share(`Forget ${environment}`);
      return left.map(({ record }) => addressOf(record));
    }),
  );
}

/**
 * Throws `usage` if agentform.yaml still has the environment, or if the name is invalid. An invalid name could be a
 * path to another folder.
 */
function requireGone({ environments }: Project, name: string): void {
  if (!isName(name))
    throw new AgentformError(
      'usage',
      `${JSON.stringify(name)} is not a valid name of an environment: expected ${nameSyntax}`,
    );
  if (!environments.includes(name)) return;
  throw new AgentformError(
    'usage',
    `agentform.yaml still has the environment ${name}; rename or delete it there first, or give a single record in the form Kind/name`,
  );
}

async function recordsLeft(store: RecordStore, environment: string): Promise<StoredRecord[]> {
  const left = await store.list(environment);
  // A repeated command has nothing left to do. An environment that never had records is more likely misspelt.
  if (left.length > 0 || (await store.history({ environment })).length > 0) return left;
  const known = joinWithAnd(await store.environments());
  throw new AgentformError(
    'record-unknown',
    `the environment ${JSON.stringify(environment)} has no records; ${known === '' ? 'no other environment has any' : `the environments with records are ${known}`}`,
  );
}

/**
 * Converts records to the new environment. Drops fingerprints if there is no manifest, or if a secret is unset or has
 * changed.
 */
async function movedTo(
  open: Pick<OpenRecords, 'project' | 'environment'>,
  left: readonly StoredRecord[],
  host: RecordHost,
): Promise<MovedRecord[]> {
  const { project, environment } = open;
  const addresses = new Set(left.map(({ record }) => addressOf(record)));
  const select = (address: string) => addresses.has(address);
  const resolved = await resolveRecorded(host, open, { secrets: 'values', select });
  const resolution = await new FingerprintKeys(project.root).resolution(resolved);
  const secrecy = secrecyOf(resolution.secrets);
  const declared = byAddress(desiredOfAll(resolution));
  return left.map(({ record }) => {
    const desired = declared.get(addressOf(record));
    const renamed =
      desired === undefined
        ? renamedWithoutManifest(record, { environment, name: record.name })
        : renamedRecord({ desired, record }, secrecy);
    return { ...renamed, record: keepingHmac(renamed.record, { before: record, key: desired?.target.key }) };
  });
}

/**
 * Throws `record-exists` if the new environment has a different record of a resource. An equal record is left over from
 * an interrupted move.
 */
async function requireFree(store: RecordStore, moved: readonly MovedRecord[]): Promise<void> {
  for (const { record } of moved) {
    const there = await store.read(record);
    if (there === undefined || recordText(there.record) === recordText(record)) continue;
    throw new AgentformError(
      'record-exists',
      `${record.environment} already has a different record of ${addressOf(record)}, so nothing was renamed; to drop that record, ` +
        `run ${commandIn(record.environment, `record forget ${addressOf(record)}`)}`,
    );
  }
}
