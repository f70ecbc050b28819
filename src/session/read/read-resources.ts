import { setImmediate as turn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import pMap from 'p-map';
import type { PreparedResource } from '../../apply/resource-apply.ts';
import { requireUninterrupted, unattended } from '../../interruption.ts';
import { lazily, mostManifests, type Packed, packer, withMembers } from '../../json/packed.ts';
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
import { isLiveEdit } from '../../plan/pending.ts';
import { type PlannedResource, planResource } from '../../plan/resource-plan.ts';
import { withWritten } from '../../plan/written.ts';
import type { NewerVersion, StoredRecord } from '../../record/store.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../host.ts';
import { isInAccount, waitingFor } from '../organizations.ts';
import type { KnownResources } from '../records/known-resources.ts';
import type { Session } from '../session.ts';
import { KeptChanges } from './kept-changes.ts';
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
  readonly forgetsReadings?: boolean | undefined;
  readonly planning: PlanOptions & { readonly orphans: readonly Orphan[] };
  readonly host: Pick<Host, 'emit'>;
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
  readonly oneByOne: LimitFunction;
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
  const run: Run = { session, known, options, newer, oneByOne: pLimit(1) };
  const limit = pLimit(concurrency);
  const keep = keeperOf(known.desired.length, options);
  const writtenSince: Desired[] = [];
  host.emit({ type: 'phase-started', phase: 'read', total: known.desired.length });
  const readAndPlan = async (desired: Desired) => {
    const read = await limit(readOne, desired, run);
    const planned = await planOne(read, run);
    if (campaignIn(read.observation) !== undefined && wasWrittenSince(read.observation)) writtenSince.push(desired);
    return keep(planned, read);
  };
  // Nor are answers heaped up before the plans.
  const all = pMap(known.desired, readAndPlan, { concurrency: concurrency + mostWaiting });
  const [resources] = await Promise.all([all, newer]);
  host.emit({ type: 'phase-finished', phase: 'read' });
  return { resources, writtenSince };
}

interface ReadResource extends Omit<PreparedResource, 'changes'> {
  /** The result of planning ahead. */
  readonly planned?: PlannedResource;
}

async function readOne(desired: Desired, { session, known, options, newer }: Run): Promise<ReadResource> {
  const { signal, planning, host } = options;
  requireUninterrupted(signal);
  const address = addressOf(desired);
  const [found, old] = [known.records.get(address), known.former.get(address)];
  const stored = found === old ? undefined : found;
  const circumstances = circumstancesOf(desired, known);
  const observed = { desired, ...(found && { record: found.record }), ...circumstances };
  const isAsAhead = Object.keys(circumstances).length === 0 && !(await newer).has(address);
  const ahead = isAsAhead ? await session.planAhead?.take(desired, stored, planning.secrecy) : undefined;
  const reading = ahead === undefined ? await readLive(session, observed) : ahead.reading?.again();
  requireUninterrupted(signal);
  host.emit({ type: 'resource-read', kind: desired.kind, name: desired.name, failed: isFailure(reading) });
  return {
    observation: { ...observed, ...(reading && { reading }) },
    ...(stored && { stored }),
    ...(old && { former: old }),
    ...(ahead?.planned && { planned: ahead.planned }),
  };
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

/** If no file has the desired value, as in a rollback, no variable has it either. */
async function planOne({ observation, planned }: ReadResource, run: Run): Promise<PlannedResource> {
  const { session, known, options, newer, oneByOne } = run;
  const found = (await newer).get(addressOf(observation.desired));
  if (planned !== undefined) return planned;
  return oneByOne(async () => {
    await turn();
    const observed = { ...observation, ...(found && { newer: found }) };
    const fresh = unattended(options.signal, () => planResource(observed, options.planning));
    return known.restoring === undefined ? withWritten(fresh, session.resolution) : fresh;
  });
}

/** Keeps of a planned resource what is needed later; of thousands, in little memory. */
function keeperOf(count: number, { forgetsReadings }: ReadOptions) {
  const isMany = count > mostManifests;
  const pack = packer<Reading>();
  const keeping = new KeptChanges();
  const kept = ({ observation, changes }: PlannedResource): Observation => {
    // Edits on the service may be copied into the manifests, which is tried after planning.
    if (forgetsReadings && !changes.some(({ change }) => isLiveEdit(change))) return withoutReading(observation);
    return isMany ? withPackedReading(observation, pack) : observation;
  };
  return (fresh: PlannedResource, { observation: _, planned: ahead, ...prepared }: ReadResource) => {
    const planned = isMany && ahead === undefined ? keeping.kept(fresh) : fresh;
    return withMembers(planned, { ...prepared, observation: kept(planned) });
  };
}

function withoutReading({ reading: _, ...observation }: Observation): Observation {
  return observation;
}

/** Thousands of answers are as large as everything else together. */
function withPackedReading(
  { reading, ...observation }: Observation,
  pack: (reading: Reading) => Packed<Reading>,
): Observation {
  if (reading === undefined) return observation;
  return withReading(observation, pack(reading));
}

const withReading = lazily<Packed<Reading>, { readonly reading: Reading }>({ reading: (packed) => packed.again() });

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

function isFailure(reading: Reading | undefined): boolean {
  return reading !== undefined && 'failure' in reading;
}
