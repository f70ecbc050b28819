import { setImmediate as turn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import pMap from 'p-map';
import type { PreparedResource } from '../../apply/resource-apply.ts';
import { requireUninterrupted, unattended } from '../../interruption.ts';
import { addressOf, type Desired, emulator } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import { type Decisions, isDecided } from '../../plan/decisions.ts';
import type { HeldRecords } from '../../plan/held-records.ts';
import {
  campaignIn,
  type Observation,
  type PlanOptions,
  type Reading,
  type Restoration,
  wasWrittenSince,
} from '../../plan/observation.ts';
import type { Orphan } from '../../plan/orphans.ts';
import { proofOfVersions } from '../../plan/record-hmac.ts';
import { type PlannedResource, planResource } from '../../plan/resource-plan.ts';
import { alteredReason } from '../../plan/verdicts/blocks.ts';
import { withWritten } from '../../plan/written.ts';
import type { NewerVersion, StoredRecord } from '../../record/store.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../host.ts';
import { isInAccount, waitingFor } from '../organizations.ts';
import type { KnownResources } from '../records/known-resources.ts';
import type { Session } from '../session.ts';
import { readLive } from './read-live.ts';

/** The facts of the resources before they are read. */
interface Circumstances extends Pick<KnownResources<StoredRecord>, 'records' | 'former' | 'organizations'> {
  readonly desired: readonly Desired[];
  /** Organizations that this project created and in which it has no agent yet. */
  readonly newAccounts: ReadonlySet<string>;
  /** By address, what environments have that agentform.yaml no longer has. */
  readonly vanished: ReadonlyMap<string, ResourceRecord>;
  readonly held: HeldRecords;
  /** By address, what a rollback came to. */
  readonly restoring?: ReadonlyMap<string, { readonly restored: Restoration }> | undefined;
}

interface ReadOptions {
  readonly concurrency: number;
  /** Aborted to read no further. */
  readonly signal?: AbortSignal | undefined;
  readonly decisions?: Decisions;
  readonly planning: PlanOptions & { readonly orphans: readonly Orphan[] };
  readonly host: Pick<Host, 'emit' | 'now'>;
}

/** The maximum number of responses that wait to be planned. */
const mostWaiting = 256;

export interface ReadResources {
  readonly resources: readonly (PreparedResource & PlannedResource)[];
  /** Resources written since the apply in their record. Without a plan of changes, it may be unknown. */
  readonly writtenSince: readonly Desired[];
}

/** Everything that the reading of one resource needs of the run. */
interface Run {
  readonly session: Session;
  readonly known: Circumstances;
  readonly options: ReadOptions;
  /** By address, what is committed and newer than the records. */
  readonly newer: Promise<ReadonlyMap<string, NewerVersion>>;
  readonly reading: LimitFunction;
  readonly planning: LimitFunction;
}

/** Each resource is planned as soon as it is read, one in a turn, so that responses do not wait for plans. */
export async function readResources(
  session: Session,
  known: Circumstances,
  options: ReadOptions,
): Promise<ReadResources> {
  const { concurrency, decisions, host } = options;
  const allowsOlder = isDecided(decisions, 'older-commit');
  const newer = allowsOlder ? Promise.resolve(new Map<string, NewerVersion>()) : newerThan(session, known);
  const run: Run = { session, known, options, newer, reading: pLimit(concurrency), planning: pLimit(1) };
  host.emit({ type: 'phase-started', phase: 'read', total: known.desired.length });
  const all = pMap(known.desired, (desired) => readAndPlan(desired, run), { concurrency: concurrency + mostWaiting });
  const [resources] = await Promise.all([all, newer]);
  host.emit({ type: 'phase-finished', phase: 'read' });
  const written = resources.filter(({ observation: one }) => campaignIn(one) !== undefined && wasWrittenSince(one));
  return {
    resources: await withProvenVersions(resources, session, host.now()),
    writtenSince: written.map(({ observation: { desired } }) => desired),
  };
}

/** With the version to restore of each record that was edited. */
async function withProvenVersions(
  resources: ReadResources['resources'],
  { store, environment }: Session,
  now: Date,
): Promise<ReadResources['resources']> {
  const isAltered = ({ planned }: PlannedResource) => planned.reasons?.some(({ code }) => code === 'record-altered');
  const sought = resources.filter(isAltered).flatMap(({ observation: { record, desired } }) => {
    const isProven = record && proofOfVersions(record, desired.target.key);
    return record === undefined || isProven === undefined ? [] : [{ ...record, isProven }];
  });
  if (sought.length === 0) return resources;
  const versions = await store.newerVersions(environment, sought);
  return resources.map((one) => {
    const { record } = one.observation;
    const newer = record && versions.get(addressOf(record));
    if (newer === undefined || !isAltered(one)) return one;
    const reasons = [alteredReason({ ...one.observation, newer }, now)];
    return { ...one, planned: { ...one.planned, reasons } };
  });
}

async function readAndPlan(desired: Desired, run: Run): Promise<PreparedResource & PlannedResource> {
  const { known, options, newer, reading, planning } = run;
  const address = addressOf(desired);
  const [found, former] = [known.records.get(address), known.former.get(address)];
  const observed = { desired, ...(found && { record: found.record }), ...circumstancesOf(desired, known) };
  const read = await reading(readOne, observed, run);
  const committed = (await newer).get(address);
  const observation = { ...observed, ...(read && { reading: read }), ...(committed && { newer: committed }) };
  const planned = await planning(async () => {
    await turn();
    return unattended(options.signal, () => planOne(observation, run));
  });
  return { ...planned, ...(found && found !== former && { stored: found }), ...(former && { former }) };
}

async function readOne(
  observed: Omit<Observation, 'reading'>,
  { session, options }: Run,
): Promise<Reading | undefined> {
  const { signal, host } = options;
  requireUninterrupted(signal);
  const reading = await readLive(session, observed);
  requireUninterrupted(signal);
  const { kind, name } = observed.desired;
  host.emit({ type: 'resource-read', kind, name, failed: reading !== undefined && 'failure' in reading });
  return reading;
}

/** If no file has the desired value, as in a rollback, no variable has it either. */
function planOne(observation: Observation, { session, known, options }: Run): PlannedResource {
  const planned = planResource(observation, options.planning);
  return known.restoring === undefined ? withWritten(planned, session.resolution) : planned;
}

/** The inputs of its plan besides the manifest, its own record and the read; empty for most resources. */
function circumstancesOf(desired: Desired, known: Circumstances): Omit<Observation, 'desired' | 'record' | 'reading'> {
  const address = addressOf(desired);
  const old = known.former.get(address);
  const vanished = known.vanished.get(address);
  const heldAs = known.held.over(desired, known.records.get(address)?.record);
  const waitsFor = waitingFor(desired, known.organizations);
  const isNewAccount = waitsFor !== undefined || isInAccount(desired, known.newAccounts);
  const restored = known.restoring?.get(address)?.restored;
  return {
    ...(old && { renamedFrom: old.record.name }),
    ...(vanished && { vanished }),
    ...(heldAs && { heldAs }),
    ...(waitsFor !== undefined && { waitsFor }),
    ...(isNewAccount && { isNewAccount: true as const }),
    ...(restored && { restored }),
  };
}

/** By address, what is committed and newer than the records of these resources; found while they are read. */
async function newerThan(
  { project, environment, store }: Session,
  { records, desired: resources }: Circumstances,
): Promise<ReadonlyMap<string, NewerVersion>> {
  if (isOnEmulator(project, environment)) return new Map();
  const keys = resources.map((desired) => records.get(addressOf(desired))?.record ?? desired);
  const newer = await store.newerVersions(environment, keys);
  const ids = new Set([...records.values()].map(({ record }) => record.id));
  return new Map(
    resources.flatMap((desired, index): [string, NewerVersion][] => {
      const address = addressOf(desired);
      const found = newer.get(addressOf(keys[index] ?? desired));
      // A record that went to another name is not missed.
      const isMissed = found?.id === undefined || !ids.has(found.id);
      return found !== undefined && (records.has(address) || isMissed) ? [[address, found]] : [];
    }),
  );
}

/** The embedded emulator is a place for trying things out, on one branch and then on another. */
export function isOnEmulator({ definitions }: Project, environment: string): boolean {
  return definitions.get(environment)?.baseUrl === emulator;
}
