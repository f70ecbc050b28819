import { setImmediate as turn } from 'node:timers/promises';
import pLimit from 'p-limit';
import pMap from 'p-map';
import type { PreparedResource } from '../../apply/resource-apply.ts';
import { requireUninterrupted, unattended } from '../../interruption.ts';
import { lazily, mostManifests, type Packed, packer, withMembers } from '../../json/packed.ts';
import { addressOf, type Desired, emulator } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
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
import { type Written, withWritten } from '../../plan/written.ts';
import type { NewerVersion, StoredRecord } from '../../record/store.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Host } from '../host.ts';
import { isInAccount, waitingFor } from '../organizations.ts';
import type { Session } from '../session.ts';
import { KeptChanges } from './kept-changes.ts';
import { readLive } from './read-live.ts';

/** The facts of the resources before they are read. */
export interface KnownResources {
  readonly desired: readonly Desired[];
  /** By the address of the manifest, as are those under former names. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly former: ReadonlyMap<string, StoredRecord>;
  readonly organizations: ReadonlyMap<string, string>;
  /** Those that this project created and in which it has no agent yet. */
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
  readonly allowOlder?: boolean | undefined;
  readonly forgetsReadings?: boolean | undefined;
  readonly planning: PlanOptions & { readonly orphans: readonly Orphan[] };
  /** Undefined where no file says what is desired. */
  readonly written?: Written | undefined;
  readonly host: Pick<Host, 'emit'>;
}

/** So many answers may wait for their turn to be planned. */
const mostWaiting = 256;

export interface ReadResources {
  readonly resources: readonly (PreparedResource & PlannedResource)[];
  /** Those that were written since the apply that their record is from. Without a plan of changes, it may be unknown. */
  readonly writtenSince: readonly Desired[];
}

/** Each resource is planned as soon as it is read, one in a turn, so that answers are not kept waiting for plans. */
export async function readResources(
  session: Session,
  { desired: resources, records, former, organizations, newAccounts, vanished, held, restoring }: KnownResources,
  { concurrency, signal, allowOlder, forgetsReadings, planning, written, host }: ReadOptions,
): Promise<ReadResources> {
  const newer = allowOlder ? new Map<string, NewerVersion>() : newerThan(session, records, resources);
  const limit = pLimit(concurrency);
  const oneByOne = pLimit(1);
  const plan = async (observation: Observation) => {
    await turn();
    const planned = unattended(signal, () => planResource(observation, planning));
    return written === undefined ? planned : withWritten(planned, written);
  };
  const read = async (desired: Desired): Promise<ReadResource> => {
    requireUninterrupted(signal);
    const found = records.get(addressOf(desired));
    const old = former.get(addressOf(desired));
    const stored = found === old ? undefined : found;
    const gone = vanished.get(addressOf(desired));
    const heldAs = held.over(desired, found?.record);
    const waitsFor = waitingFor(desired, organizations);
    const restored = restoring?.get(addressOf(desired))?.restored;
    const circumstances = {
      ...(old && { renamedFrom: old.record.name }),
      ...(gone && { vanished: gone }),
      ...(heldAs && { heldAs }),
      ...(waitsFor !== undefined && { waitsFor }),
      ...((waitsFor !== undefined || isInAccount(desired, newAccounts)) && { isNewAccount: true as const }),
      ...(restored && { restored }),
    };
    const known = { desired, ...(found && { record: found.record }), ...circumstances };
    const isAsAhead = Object.keys(circumstances).length === 0 && !(await newer).has(addressOf(desired));
    const ahead = isAsAhead ? await session.planAhead?.take(desired, stored, planning.secrecy) : undefined;
    const reading = ahead === undefined ? await readLive(session, known) : ahead.reading?.again();
    requireUninterrupted(signal);
    host.emit({ type: 'resource-read', kind: desired.kind, name: desired.name, failed: isFailure(reading) });
    return {
      observation: { ...known, ...(reading && { reading }) },
      ...(stored && { stored }),
      ...(old && { former: old }),
      ...(ahead?.planned && { planned: ahead.planned }),
    };
  };
  const isMany = resources.length > mostManifests;
  const pack = packer<Reading>();
  const keeping = new KeptChanges();
  const writtenSince: Desired[] = [];
  const kept = ({ observation, changes }: PlannedResource): Observation => {
    // What was edited on the service may be copied into the manifests, which is tried once all is planned.
    if (forgetsReadings && !changes.some(({ change }) => isLiveEdit(change))) return withoutReading(observation);
    return isMany ? withPackedReading(observation, pack) : observation;
  };
  host.emit({ type: 'phase-started', phase: 'read', total: resources.length });
  const readAndPlan = async (desired: Desired) => {
    const { observation, planned: ahead, ...prepared } = await limit(read, desired);
    const found = (await newer).get(addressOf(desired));
    const known = { ...observation, ...(found && { newer: found }) };
    if (campaignIn(known) !== undefined && wasWrittenSince(known)) writtenSince.push(desired);
    const fresh = ahead ?? (await oneByOne(plan, known));
    const planned = isMany && ahead === undefined ? keeping.kept(fresh) : fresh;
    return withMembers(planned, { ...prepared, observation: kept(planned) });
  };
  // Nor are answers heaped up before the plans.
  const all = pMap(resources, readAndPlan, { concurrency: concurrency + mostWaiting });
  const [planned] = await Promise.all([all, newer]);
  host.emit({ type: 'phase-finished', phase: 'read' });
  return { resources: planned, writtenSince };
}

interface ReadResource extends Omit<PreparedResource, 'changes'> {
  /** As it was planned ahead. */
  readonly planned?: PlannedResource;
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
  records: ReadonlyMap<string, StoredRecord>,
  resources: readonly Desired[],
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
