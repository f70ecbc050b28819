import { withoutUndefined } from '../../json/json.ts';
import { addressOf, byAddress, type Desired } from '../../kinds/desired.ts';
import type { Labels } from '../../kinds/labels.ts';
import type { Project } from '../../manifest/project/project.ts';
import { desiredIn } from '../../manifest/resolve/resolution.ts';
import { compareAddresses } from '../../plan/plan.ts';
import { type AssignedRecords, assignRecords } from '../../plan/records/moves.ts';
import type { RecordStore, StoredRecord } from '../../record/store.ts';
import { isOnEmulator } from '../../record/store-table.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { ResourceStatus, RevisionStatus, Status, StatusSummary } from '../../schemas/status-types.ts';
import { type KeyedResolution, keyedOffline } from '../../session/fingerprint-keys.ts';
import type { Host } from '../../session/host.ts';
import { resolveRecorded, withRecords } from '../../session/records/records.ts';
import { wholeResolution } from '../../session/rollout.ts';
import { type IsSelected, isEverything, requireMatches, type Selection, selector } from '../../session/selection.ts';
import { recordsOf, requireValid, type Session, type SessionOptions } from '../../session/session.ts';
import { visibleLine } from '../../text/visible.ts';
import { shorten } from '../../text/wording.ts';
import { driftIn } from '../drift/drift.ts';
import {
  countStates,
  havingOf,
  heldBy,
  type KnownResource,
  type KnownSteps,
  knownSteps,
  type LiveStatus,
  liveStatusOf,
  type StatusStep,
  statusState,
} from './state.ts';

export interface StatusOptions
  extends Selection,
    Pick<SessionOptions, 'project' | 'environment' | 'concurrency' | 'signal'> {
  /** Whether to also read the service. */
  readonly live: boolean;
}

export interface StatusResult {
  readonly status: Status;
  /**
   * Addresses of resources with the declared values, according to their records. Leaves out resources whose state is
   * unknown, and those that are edited or missing on the service.
   */
  readonly current: ReadonlySet<string>;
  /** Addresses of records without a manifest. These records are not listed as resources. */
  readonly orphans: readonly string[];
  /** The number of failed reads. Always 0 without `live`. */
  readonly unread: number;
  /** The time of the local copy, and why it was used. Set if the records cannot be read from their store. */
  readonly recordsCopy?: { readonly from: string; readonly because: string } | undefined;
  /** The run that writes to the environment now. Set only if an apply is unfinished. */
  readonly run?: string | undefined;
  /** The rollout steps, or undefined if there is no rollout. */
  readonly steps?: readonly StatusStep[] | undefined;
}

/**
 * Shows which version each resource has, from manifests and records. With `live`, also shows whether the service still
 * has that version.
 */
export function status(host: Host, options: StatusOptions): Promise<StatusResult> {
  return options.live ? liveStatus(host, options) : recordedStatus(host, options);
}

/** The number of seconds to wait for the record store before using the local copy. */
const patience = 10;

function recordedStatus(host: Host, options: StatusOptions): Promise<StatusResult> {
  const isSelected = selector(options);
  const opening = { ...options, localAfter: patience * 1000 };
  return withRecords(host, opening, async (open) => {
    const { project, environment, store } = open;
    const resolution = await resolveRecorded(host, open, { secrets: 'names', select: isSelected });
    requireValid(resolution.problems, { project, environment });
    requireMatches(options, { environment, ...resolution, removed: project.removed });
    const keyed = await keyedOffline(resolution);
    const agents = isEverything(options) ? keyed : await agentsOf(host, open);
    const stored = await recordsOf(store, environment);
    const outdated = await outdatedRecords(open, stored);
    return resultOf({ ...open, stored, outdated, resolution: keyed, agents, isSelected, now: host.now() });
  });
}

/**
 * Returns the addresses of records for which the history of HEAD has a newer version, for example after a revert. A
 * plan blocks these resources.
 */
async function outdatedRecords(
  { project, environment, store }: Pick<Session, 'project' | 'environment' | 'store'>,
  stored: ReadonlyMap<string, StoredRecord>,
): Promise<ReadonlySet<string>> {
  // The embedded emulator is used on several branches, so older records are normal there.
  if (isOnEmulator(project, environment)) return new Set();
  const records = [...stored.values()].map(({ record }) => record);
  const newer = await store.newerVersions?.(environment, records);
  return new Set([...(newer ?? [])].flatMap(([address, { inHistory }]) => (inHistory ? [address] : [])));
}

/** Resolves every agent. Returns undefined if there is no rollout. */
async function agentsOf(host: Host, at: Pick<Session, 'project' | 'environment'>): Promise<StatusInput['agents']> {
  if (at.project.definitions.get(at.environment)?.rollout === undefined) return undefined;
  return keyedOffline(await wholeResolution(at, host));
}

function liveStatus(host: Host, options: StatusOptions): Promise<StatusResult> {
  return driftIn(host, options, async ({ drift }, session) => {
    const { environment, store } = session;
    const live = new Map(drift.resources.map((one) => [addressOf(one), liveStatusOf(one)]));
    const stored = await recordsOf(store, environment);
    const agents = isEverything(options) ? session.resolution : await agentsOf(host, session);
    const now = session.service.now() ?? host.now();
    return resultOf({ ...session, agents, stored, isSelected: selector(options), now, live });
  });
}

type KnownManifests = Pick<KeyedResolution, 'all' | 'contentOf' | 'declaredOf' | 'desiredOf' | 'selected'>;

interface StatusInput {
  readonly project: Pick<Project, 'removed' | 'definitions'>;
  readonly environment: string;
  readonly resolution: KnownManifests;
  /** All agents, if there is a rollout. */
  readonly agents: KnownManifests | undefined;
  readonly store: Pick<RecordStore, 'copy' | 'lockedBy'>;
  readonly stored: ReadonlyMap<string, StoredRecord>;
  /**
   * The addresses of records that are older than a committed version. A read of the service reports these resources as
   * blocked instead.
   */
  readonly outdated?: ReadonlySet<string>;
  readonly isSelected: IsSelected;
  readonly now: Date;
  /** The live status by address, or undefined if the service was not read. */
  readonly live?: ReadonlyMap<string, LiveStatus>;
}

async function resultOf(known: StatusInput): Promise<StatusResult> {
  const { project, environment, resolution, store, stored, isSelected, live } = known;
  const assigned = assignRecords(stored, { manifests: resolution.all, removed: project.removed });
  const declared = byAddress(resolution.selected);
  const manifests = resolution.all
    .filter((one) => isSelected(addressOf(one), one.labels))
    .map(({ kind, name, labels }): Listed => {
      const address = addressOf({ kind, name });
      const { declared: digest, title } = declared.get(address) ?? {};
      const record = assigned.records.get(address)?.record;
      return { kind, name, labels, title, declared: digest, record };
    });
  const removals = assigned.removals
    .filter(({ record }) => isSelected(addressOf(record)))
    .map(({ record }): Listed => {
      const { kind, name } = record;
      return { kind, name, labels: {}, title: undefined, declared: undefined, record };
    });
  const rollout = stepsIn(known, assigned);
  const judging = { ...known, desiredOf: desiredFinder(resolution) };
  const rows = [...manifests, ...removals].map((row) => judged(row, judging, rollout));
  const resources = rows.map(({ shown }) => shown);
  if (removals.length > 0) resources.sort(compareAddresses);
  const summary = summaryOf(resources, live !== undefined);
  return {
    status: {
      formatVersion: 1,
      environment,
      summary,
      revisions: revisionsOf(resources),
      resources,
    },
    current: new Set(rows.flatMap(({ shown, isCurrent }) => (isCurrent ? [addressOf(shown)] : []))),
    orphans: assigned.orphans.map(({ record }) => addressOf(record)),
    unread: [...(live?.values() ?? [])].filter((one) => one === 'unread').length,
    recordsCopy: store.copy && { ...store.copy, from: store.copy.from.toISOString() },
    run: summary.unfinished > 0 ? await store.lockedBy(environment) : undefined,
    steps: rollout?.steps,
  };
}

/** Computes the rollout steps. Returns undefined if there is no rollout. */
function stepsIn(
  { project, environment, resolution, agents, live, now }: StatusInput,
  { records, removals }: AssignedRecords<StoredRecord>,
): KnownSteps | undefined {
  const rollout = project.definitions.get(environment)?.rollout;
  if (rollout === undefined || agents === undefined) return undefined;
  const desiredOf = desiredFinder(agents);
  return knownSteps({
    ...{ rollout, resolution, live, now },
    removals: removals.map(({ record }) => record),
    knownAt: (address) => ({
      declared: agents.declaredOf(address)?.digest,
      record: records.get(address)?.record,
      desired: () => desiredOf(address),
    }),
  });
}

/** Makes a function that resolves a selected resource with its fingerprint key. */
function desiredFinder(resolution: KnownManifests): (address: string) => Desired {
  const known = byAddress(resolution.selected);
  return (address) => {
    const found = known.get(address);
    if (found === undefined) throw new Error(`${address} is not selected`);
    return desiredIn(resolution, found);
  };
}

/** A resource whose state is not decided yet. */
interface Listed extends Pick<KnownResource, 'declared' | 'record'> {
  readonly kind: string;
  readonly name: string;
  readonly labels: Labels;
  readonly title: string | undefined;
}

/** The maximum length of a title in characters, so that the title fits in one line. */
const maxTitleLength = 200;

function judged(
  { kind, name, labels, title, ...row }: Listed,
  { resolution, desiredOf, now, live, outdated }: StatusInput & { readonly desiredOf: (address: string) => Desired },
  rollout: KnownSteps | undefined,
) {
  const address = addressOf({ kind, name });
  const known = { ...row, desired: () => desiredOf(address) };
  const { record } = row;
  const isOutdated = record !== undefined && outdated?.has(addressOf(record));
  const having = isOutdated ? 'unknown' : havingOf(known);
  const held = heldBy(known, now);
  const hasDeclared = having === 'declared';
  const step = rollout?.stepOf.get(address);
  const isWaiting = rollout?.steps.some((one) => one.step === step && !one.isOpen) ?? false;
  const state = statusState({ having, record, isHeld: held !== undefined, isWaiting, live: live?.get(address) });
  const revision = record?.revision ?? (hasDeclared ? resolution.contentOf(address)?.revision : undefined);
  const shown: ResourceStatus = withoutUndefined({
    kind,
    name,
    title: title && shorten(visibleLine(title), maxTitleLength),
    labels: { ...labels },
    state,
    step,
    revision,
    ...(having !== 'never' && appliedPartOf(record)),
    held,
  });
  return { shown, isCurrent: hasDeclared && !notCurrent.has(state) };
}

/**
 * The states in which the service does not have the declared values, or may not have them, regardless of the record.
 */
const notCurrent: ReadonlySet<ResourceStatus['state']> = new Set([
  'unfinished',
  'unknown',
  'missing',
  'drifted',
  'conflict',
]);

/** Returns the record members about the last apply. */
function appliedPartOf(record: ResourceRecord | undefined) {
  if (record === undefined) return {};
  const { commit, appliedAt, appliedBy: by, declared, content, draft } = record;
  const since = declared?.since ?? content?.since ?? appliedAt;
  return { commit, appliedAt, since, by, published: draft === undefined ? undefined : draft === 'published' };
}

function summaryOf(resources: readonly ResourceStatus[], isLive: boolean): StatusSummary {
  const counts = countStates(resources);
  const count = (state: ResourceStatus['state']) => counts.get(state) ?? 0;
  return {
    total: resources.length,
    applied: count('applied'),
    ...(isLive && { inSync: count('in sync') }),
    pending: count('pending'),
    waiting: count('waiting'),
    held: count('held'),
    failed: count('failed'),
    unfinished: count('unfinished'),
    neverApplied: count('never applied'),
    unknown: count('unknown'),
    ...(isLive && { drifted: count('drifted'), conflict: count('conflict'), missing: count('missing') }),
  };
}

/** Returns the versions in use, sorted by the time when each was first applied, newest first. */
function revisionsOf(resources: readonly ResourceStatus[]): RevisionStatus[] {
  const found = new Map<string, RevisionStatus>();
  for (const { revision, since, commit } of resources) {
    if (revision === undefined || since === undefined) continue;
    const known = found.get(revision);
    const own = { revision, ...(commit !== undefined && { commit }), firstAppliedAt: since };
    const first = known === undefined || since < known.firstAppliedAt ? own : known;
    found.set(revision, { ...first, resources: (known?.resources ?? 0) + 1 });
  }
  return [...found.values()].sort((one, other) => (one.firstAppliedAt > other.firstAppliedAt ? -1 : 1));
}
