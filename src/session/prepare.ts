import { setImmediate as turn } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { PreparedResource } from '../apply/resource-apply.ts';
import { AgentformError, ServiceError } from '../errors.ts';
import { addressOf, type Desired, emulator, inOrganization } from '../kinds/desired.ts';
import { secrecyOf } from '../kinds/secrecy.ts';
import type { Project } from '../manifest/project/project.ts';
import { adoptCommand, forgetCommand, isReadWorthwhile } from '../plan/blocks.ts';
import type { Source } from '../plan/guards.ts';
import { assignRecords } from '../plan/moves.ts';
import type { Observation, PlanOptions, Reading } from '../plan/observation.ts';
import { type Orphan, orphansOf } from '../plan/orphans.ts';
import { isPending } from '../plan/pending.ts';
import { makePlan } from '../plan/plan.ts';
import { type PlannedResource, planResource } from '../plan/resource-plan.ts';
import { knownId } from '../plan/target.ts';
import type { NewerVersion, StoredRecord } from '../record/store.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { sourcesInHistory } from './ancestry.ts';
import type { Host } from './host.ts';
import { identitiesOf } from './identities.ts';
import { readUntilInterrupted, requireUninterrupted } from './interrupted.ts';
import { organizationIds, waitingFor } from './organizations.ts';
import { selector } from './selection.ts';
import { recordsOf, type Session } from './session.ts';

type Planning = PlanOptions & { readonly orphans: readonly Orphan[] };

/** A plan, and everything that it was made from. */
export interface PreparedRun {
  readonly plan: Plan;
  /** By address. */
  readonly prepared: ReadonlyMap<string, PreparedResource>;
  readonly planning: Planning;
  /** The resource that has an id on a host, by `host id`. */
  readonly owners: Map<string, string>;
  /** Ids of the recorded organizations, by address. */
  readonly organizations: Map<string, string>;
  /** By address: the records that the plan drops. */
  readonly removals: ReadonlyMap<string, StoredRecord>;
  /** Whether the environment has any record. */
  readonly hasRecords: boolean;
}

export interface PrepareOptions {
  readonly names: readonly string[];
  readonly concurrency: number;
  /** Aborted to read no further. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides limits.creates of the project. */
  readonly allowCreates?: number | undefined;
  /**
   * Whether to write what was applied from a commit that is not in the history of the one checked out, and with a
   * record that is older than a committed version of itself.
   */
  readonly allowOlder?: boolean | undefined;
  /** Nothing is written, so it does not matter from which commit a resource was applied. */
  readonly writesNothing?: boolean;
}

/** Reads the records and the service, and plans. Preview and apply both start here. */
export function prepare(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  return readUntilInterrupted(options.signal, prepareAll(session, options, host));
}

async function prepareAll(session: Session, options: PrepareOptions, host: Host): Promise<PreparedRun> {
  const { environment, project, resolution, store, readAhead } = session;
  const stored = readAhead?.records ?? (await recordsOf(store, environment));
  const assigned = assignRecords(stored, { manifests: resolution.all, removed: project.removed });
  const { records, removals } = assigned;
  const organizations = organizationIds(records);
  const desired = resolution.desired.map((one) => inOrganization(one, organizations));
  const unrecorded = desired.filter((one) => !records.has(addressOf(one)));
  const orphans = [
    ...orphansOf(
      assigned.orphans.map(({ record }) => record),
      unrecorded,
      { ...assigned, elsewhere: resolution.elsewhere },
    ),
    ...removals.map(({ record }) => ({ record, isRemoved: true as const })),
  ];
  const isSelected = selector(options.names);
  const dropped = new Map(
    removals.flatMap((one): [string, StoredRecord][] => {
      const address = addressOf(one.record);
      return isSelected(address) ? [[address, one]] : [];
    }),
  );
  const planning = { unverified: unverifiedOf(session), secrecy: secrecyOf(resolution.secrets), orphans };
  const vanished = await vanishedRecords(session, unrecorded);
  const known = { desired, ...assigned, organizations, vanished };
  const resources = await readAll(session, known, { ...options, planning, host });
  const plan = makePlan({
    environment,
    selected: resources,
    orphans,
    removals: [...dropped.values()].map(({ record }) => record),
    identities: identitiesOf(session, { records, organizations, env: host.env }),
    listOrphans: options.names.length === 0,
    limits: { creates: options.allowCreates ?? project.limits.creates },
    sources:
      options.allowOlder || options.writesNothing
        ? new Map()
        : await sourcesOf(session, appliedFrom(resources, dropped), options.signal),
    writtenAt: resolution.writtenAt,
  });
  return {
    plan,
    planning,
    owners: ownersOf(stored, assigned),
    organizations,
    removals: dropped,
    hasRecords: stored.size > 0,
    prepared: new Map(resources.map((one) => [addressOf(one.observation.desired), one])),
  };
}

interface Known {
  readonly desired: readonly Desired[];
  /** By the address of the manifest, as are those under former names. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly former: ReadonlyMap<string, StoredRecord>;
  readonly organizations: ReadonlyMap<string, string>;
  /** By address, what environments have that agentform.yaml no longer has. */
  readonly vanished: ReadonlyMap<string, ResourceRecord>;
}

/** Of resources without a record, those that an environment has which is no longer in agentform.yaml. */
async function vanishedRecords(
  { project, store }: Session,
  unrecorded: readonly Desired[],
): Promise<ReadonlyMap<string, ResourceRecord>> {
  if (unrecorded.length === 0) return new Map();
  const gone = (await store.environments()).filter((name) => !project.environments.includes(name));
  const found = new Map<string, ResourceRecord>();
  for (const desired of unrecorded) {
    for (const environment of gone) {
      const stored = await store.read({ ...desired, environment }).catch(unreadableAsAbsent);
      if (stored !== undefined) found.set(addressOf(desired), stored.record);
    }
  }
  return found;
}

/** Nothing is planned with it, so that it may be as it likes. */
function unreadableAsAbsent(error: unknown): undefined {
  if (error instanceof AgentformError) return undefined;
  throw error;
}

/** Each resource is planned as soon as it is read, one in a turn, so that answers are not kept waiting for plans. */
async function readAll(
  session: Session,
  { desired: resources, records, former, organizations, vanished }: Known,
  {
    concurrency,
    signal,
    allowOlder,
    planning,
    host,
  }: PrepareOptions & { readonly planning: Planning; readonly host: Host },
): Promise<(PreparedResource & PlannedResource)[]> {
  const newer = allowOlder ? new Map<string, NewerVersion>() : newerThan(session, records, resources);
  const limit = pLimit(concurrency);
  const oneByOne = pLimit(1);
  const plan = async (observation: Observation) => {
    await turn();
    return planResource(observation, planning);
  };
  const read = async (desired: Desired): Promise<Omit<PreparedResource, 'changes'>> => {
    requireUninterrupted(signal);
    const found = records.get(addressOf(desired));
    const old = former.get(addressOf(desired));
    const stored = found === old ? undefined : found;
    const gone = vanished.get(addressOf(desired));
    const waitsFor = waitingFor(desired, organizations);
    const known = {
      desired,
      ...(found && { record: found.record }),
      ...(old && { renamedFrom: old.record.name }),
      ...(gone && { vanished: gone }),
      ...(waitsFor !== undefined && { waitsFor }),
    };
    const reading = await readLive(session, known);
    requireUninterrupted(signal);
    host.emit({ type: 'resource-read', kind: desired.kind, name: desired.name, failed: isFailure(reading) });
    return {
      observation: { ...known, ...(reading && { reading }) },
      ...(stored && { stored }),
      ...(old && { former: old }),
    };
  };
  host.emit({ type: 'phase-started', phase: 'read', total: resources.length });
  const all = Promise.all(
    resources.map(async (desired) => {
      const { observation, ...prepared } = await limit(read, desired);
      const found = (await newer).get(addressOf(desired));
      const known = { ...observation, ...(found && { newer: found }) };
      return { ...prepared, ...(await oneByOne(plan, known)) };
    }),
  );
  const [planned] = await Promise.all([all, newer]);
  host.emit({ type: 'phase-finished', phase: 'read' });
  return planned;
}

/** The embedded emulator is a place for trying things out, on one branch and then on another. */
function isOnEmulator({ definitions }: Project, environment: string): boolean {
  return definitions.get(environment)?.baseUrl === emulator;
}

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

interface AppliedCommit {
  readonly address: string;
  readonly commit: string;
}

/** The commits that whatever the plan changes was applied from. */
function appliedFrom(
  resources: readonly PlannedResource[],
  dropped: ReadonlyMap<string, StoredRecord>,
): readonly AppliedCommit[] {
  const changed = resources.filter(({ planned }) => isPending(planned));
  const records = [
    ...changed.map(({ planned, observation: { record } }) => [addressOf(planned), record] as const),
    ...[...dropped].map(([address, { record }]) => [address, record] as const),
  ];
  return records.flatMap(([address, record]) =>
    record?.commit === undefined ? [] : [{ address, commit: record.commit }],
  );
}

async function sourcesOf(
  { project, environment }: Session,
  applied: readonly AppliedCommit[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Source>> {
  if (isOnEmulator(project, environment)) return new Map();
  const found = await sourcesInHistory(
    project.root,
    applied.map(({ commit }) => commit),
    signal,
  );
  return new Map(
    applied.flatMap(({ address, commit }) => {
      const source = found.get(commit);
      return source === undefined ? [] : [[address, source] as const];
    }),
  );
}

/** A manifest owns what a record under its former name is of. */
function ownersOf(
  stored: ReadonlyMap<string, StoredRecord>,
  { records, former }: Pick<Known, 'records' | 'former'>,
): Map<string, string> {
  return new Map(
    [...stored, ...former, ...records].map(([address, { record }]) => [`${record.host} ${record.id ?? ''}`, address]),
  );
}

/** A read that fails leaves its resource out; the rest goes on. */
async function readLive(
  { service, connectionOf, readAhead }: Session,
  known: Omit<Observation, 'reading'>,
): Promise<Reading | undefined> {
  const { desired, record } = known;
  const id = knownId(desired, record);
  if (id === undefined || !isReadWorthwhile(known)) return undefined;
  try {
    const campaign = (await readAhead?.take(desired, id)) ?? (await service.getAgent(connectionOf(desired), id));
    return { campaign };
  } catch (error) {
    if (error instanceof AgentformError) return { failure: failureText(error, desired) };
    throw error;
  }
}

/** An agent that is gone is not created anew: more likely the target is wrong. */
function failureText(error: AgentformError, desired: Desired): string {
  if (!(error instanceof ServiceError) || error.status !== 404) return error.message;
  if (desired.target.agentId !== undefined) return `${error.message}; check target.agentId and the credentials`;
  return (
    `${error.message}; check the target; if the agent is gone, link another one with ${adoptCommand(desired)}, ` +
    `or run ${forgetCommand(desired)} to create it again`
  );
}

function isFailure(reading: Reading | undefined): boolean {
  return reading !== undefined && 'failure' in reading;
}

function unverifiedOf({ project, environment }: Session): 'set' | 'report' {
  return project.definitions.get(environment)?.unverified ?? 'set';
}
