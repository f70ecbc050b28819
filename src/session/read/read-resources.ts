import { setImmediate as turn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import pMap from 'p-map';
import { isSettledRecord } from '../../apply/records/settled-fields.ts';
import type { PreparedResource } from '../../apply/resource-apply.ts';
import { AgentformError, ServiceError } from '../../errors.ts';
import { requireUninterrupted } from '../../interruption.ts';
import type { Campaign } from '../../kinds/definition.ts';
import { accountParameter, addressOf, idKey, organizationAddress, type TargetedResource } from '../../kinds/desired.ts';
import { type Notice, notice, problemOf } from '../../notices/notice.ts';
import { planHidingCredentials } from '../../plan/credentials.ts';
import { type Decisions, isDecided } from '../../plan/decisions.ts';
import { type Unmoved, unmovedIn } from '../../plan/drift.ts';
import {
  campaignIn,
  type NewerRecord,
  type Observation,
  type Restoration,
  wasEditedSince,
} from '../../plan/observation.ts';
import type { SettledResource } from '../../plan/plan.ts';
import { HeldRecords } from '../../plan/records/held-records.ts';
import { hmacState, proofOfVersions } from '../../plan/records/record-of.ts';
import { knownId } from '../../plan/records/target.ts';
import { type FreshPlan, type PlannedResource, settledIn, settledPlan, withSources } from '../../plan/resource-plan.ts';
import { adoptCommand, alteredReason, canBeRead, forgetCommand } from '../../plan/verdicts/blocks.ts';
import type { PlanningOptions } from '../../plan/verdicts/precedence.ts';
import { type applicableRules, judgedDesired } from '../../policy/policy.ts';
import type { StoredRecord } from '../../record/store.ts';
import { isOnEmulator } from '../../record/store-table.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Received } from '../../service/client.ts';
import type { SelectedResource } from '../fingerprint-keys.ts';
import type { Host } from '../host.ts';
import { withPromptWarnings } from '../plans/prompt-warnings.ts';
import type { MatchedResources } from '../records/matched-resources.ts';
import type { Session } from '../session.ts';
import {
  type FoundVerdict,
  isEnough,
  type PlanArgument,
  type Settled,
  type Verdicts,
  type VerdictUse,
} from '../verdicts.ts';

/** The facts that a run knows about its resources before reading them. */
interface ReadContext
  extends Pick<
    MatchedResources<StoredRecord>,
    'declared' | 'desiredOf' | 'records' | 'former' | 'undeclared' | 'organizations'
  > {
  /** Accounts that this project created and that have no agent yet. */
  readonly newAccounts: ReadonlySet<string>;
  /** Records in environments that agentform.yaml no longer has, keyed by address. */
  readonly vanished: ReadonlyMap<string, ResourceRecord>;
  readonly heldRecords: HeldRecords;
  /** The values that a rollback restores, keyed by address. */
  readonly restoring?: ReadonlyMap<string, { readonly restored: Restoration }> | undefined;
}

interface ReadOptions {
  readonly concurrency: number;
  /** Stops reading when aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly decisions?: Decisions;
  readonly planning: PlanningOptions;
  readonly host: Pick<Host, 'emit' | 'now'>;
  /** Whether to check changed texts, except those that a rollback restores. */
  readonly isJudged?: boolean;
  /** Finds the policies for a resource. Undefined if the run is not judged. */
  readonly policyRulesFor: ReturnType<typeof applicableRules> | undefined;
  /** What the run needs to know about a resource without changes. If omitted, every resource is planned in full. */
  readonly usesVerdicts?: VerdictUse | undefined;
  /** The verdicts of earlier runs. */
  readonly verdicts?: Verdicts | undefined;
}

/**
 * The maximum number of additional resources in progress beyond the concurrency. The responses of these resources wait
 * for planning.
 */
const maxWaiting = 256;

type ReadResource = PreparedResource & PlannedResource;

/** A settled resource. `unmoved` is set only for the command `drift`. */
type ReadSettled = SettledResource & { readonly unmoved: Unmoved | undefined };

export interface ReadResources {
  readonly resources: readonly ReadResource[];
  /** Resources that have no changes and no notices, according to a verdict from this run or an earlier run. */
  readonly settled: readonly ReadSettled[];
  /** Resources that were edited since their last apply, as far as known. */
  readonly edited: readonly SelectedResource[];
}

interface Run {
  readonly session: Session;
  readonly context: ReadContext;
  readonly options: ReadOptions;
  /** Committed versions that are newer than the current records, keyed by address. */
  readonly newer: Promise<ReadonlyMap<string, NewerRecord>>;
  readonly planLimit: LimitFunction;
  /** Whether to record the declaration's digest even for unchanged resources, because a rollout needs it. */
  readonly settlesDeclared: boolean;
}

/**
 * Reads and plans the selected resources. Plans each resource after reading it, at most one per turn of the event loop,
 * so that planning does not delay other responses.
 */
export async function readResources(
  session: Session,
  context: ReadContext,
  options: ReadOptions,
): Promise<ReadResources> {
  const { concurrency, decisions, host } = options;
  const { project, environment } = session;
  // The embedded emulator is used on several branches, so older records are normal there.
  const allowsOlder = isDecided(decisions, 'older-commit') || isOnEmulator(project, environment);
  const newer = allowsOlder ? Promise.resolve(new Map<string, NewerRecord>()) : newerThan(session, context, host.now());
  const settlesDeclared = project.definitions.get(environment)?.rollout !== undefined;
  const run: Run = { session, context, options, newer, planLimit: pLimit(1), settlesDeclared };
  host.emit({ type: 'phase-started', phase: 'read', total: context.declared.length });
  const all = pMap(context.declared, (one) => readAndPlan(one, run), { concurrency: concurrency + maxWaiting });
  const [found] = await Promise.all([all, newer]);
  host.emit({ type: 'phase-finished', phase: 'read' });
  const planned = found.flatMap((one) => one.planned ?? []);
  return {
    resources: await withProvenVersions(planned, session, host.now()),
    settled: found.flatMap(({ settled }) => settled ?? []),
    edited: found.flatMap(({ resource, isEdited }) => (isEdited ? [resource] : [])),
  };
}

/** Adds the version to restore, if there is one, to the plans of resources whose records were altered. */
async function withProvenVersions(
  resources: ReadResources['resources'],
  { store, environment }: Session,
  now: Date,
): Promise<ReadResources['resources']> {
  const altered = new Set(
    resources.filter(({ planned: { reasons } }) => reasons?.some(({ code }) => code === 'record-altered')),
  );
  const sought = [...altered].flatMap(({ observation: { record, desired } }) => {
    const isProven = record && proofOfVersions(record, desired.target.key);
    return record === undefined || isProven === undefined ? [] : [{ ...record, isProven }];
  });
  if (sought.length === 0) return resources;
  const versions = await store.newerVersions?.(environment, sought);
  return resources.map((one) => {
    const { record } = one.observation;
    const newer = record && versions?.get(addressOf(record));
    if (newer === undefined || !altered.has(one)) return one;
    const reasons = [alteredReason({ ...one.observation, newer }, now)];
    return { ...one, planned: { ...one.planned, reasons } };
  });
}

/** A selected resource, either planned or settled by its verdict. */
interface FoundResource {
  readonly resource: SelectedResource;
  readonly planned?: ReadResource;
  readonly settled?: ReadSettled;
  readonly isEdited: boolean;
}

/** The known facts about a resource before its read. */
interface Unread {
  readonly resource: SelectedResource;
  readonly stored: StoredRecord | undefined;
  /** The record under a former name, if any. This record may be the same as `stored`. */
  readonly former: StoredRecord | undefined;
  readonly rareInputs: ReturnType<typeof rareInputsOf>;
  /** The inputs for looking up a verdict. Undefined if no verdict may settle the resource. */
  readonly asked: Pick<PlanArgument, 'resource' | 'record'> | undefined;
}

async function readAndPlan(resource: SelectedResource, run: Run): Promise<FoundResource> {
  const { context, options } = run;
  const address = addressOf(resource);
  const [stored, former] = [context.records.get(address), context.former.get(address)];
  const rareInputs = rareInputsOf(resource, context);
  const isPlain = Object.keys(rareInputs).length === 0;
  const isDeclared = !run.settlesDeclared || isDeclaredIn(stored, resource);
  const isAsked = isPlain && isDeclared && stored !== undefined && options.usesVerdicts !== undefined;
  const asked = isAsked ? { resource, record: stored.version } : undefined;
  const unread: Unread = { resource, stored, former, rareInputs, asked };
  const { answer, verdict } = await readOne(unread, run);
  const committed = (await run.newer).get(address);
  const settled = committed === undefined ? settledBy(verdict?.settled, unread, run) : undefined;
  if (settled !== undefined) return settled;
  // The waiting promise must not receive the compared fields, because V8 would keep them until its next full collection.
  return run.planLimit(() => planAfterRead(unread, { answer, verdict, committed }, run));
}

/** Returns whether the record proves, with a valid HMAC, that the whole manifest was applied. */
function isDeclaredIn(stored: StoredRecord | undefined, { declared, target }: SelectedResource): boolean {
  return stored?.record.declared?.digest === declared && hmacState(stored.record, target.key) === 'holds';
}

/** Settles a resource with its verdict. Returns undefined without a verdict that is enough for the run. */
function settledBy(
  settled: (Settled & Pick<SettledResource, 'judged'>) | undefined,
  { resource, stored }: Unread,
  { options: { usesVerdicts: use, planning } }: Run,
): FoundResource | undefined {
  if (settled === undefined || stored === undefined || !use || !isEnough(settled, use)) return undefined;
  const { assumed, isEdited, unmoved, judged } = settled;
  const planned = settledPlan(resource, stored.record, { ...settled, redact: planning.secrecy.redact });
  return { resource, settled: { planned, assumed, unmoved, judged }, isEdited };
}

interface Read {
  /** Undefined if the resource was not read, for example because its id is unknown. */
  readonly answer: ReadResponse | undefined;
  /** The result of looking up a verdict. Undefined if no verdict was looked up. */
  readonly verdict: FoundVerdict | undefined;
  readonly committed: NewerRecord | undefined;
}

/**
 * Plans a resource after its read. If possible, a plan without changes and notices is reduced to a verdict, because ten
 * thousand complete plans take a gigabyte of memory.
 */
async function planAfterRead(unread: Unread, read: Read, run: Run): Promise<FoundResource> {
  const { resource, stored, former, asked } = unread;
  const { usesVerdicts, verdicts, planning } = run.options;
  await turn();
  const { state, ...planned } = await planOne(unread, read, run);
  const settled = read.committed === undefined ? settledIn(planned) : undefined;
  if (asked !== undefined && settled !== undefined && stored !== undefined && state !== undefined) {
    const unmoved = usesVerdicts === 'drift' ? unmovedIn(planned, planning) : undefined;
    const isRecorded = isSettledRecord(stored.record, state, planned.observation.desired);
    const kept = { ...settled, isRecorded, unmoved };
    if (read.verdict !== undefined) verdicts?.keep(read.verdict.key, resource, kept);
    const found = settledBy({ ...kept, judged: planned.judged }, unread, run);
    if (found !== undefined) return found;
  }
  const isEdited = campaignIn(planned.observation) !== undefined && wasEditedSince(planned.observation);
  const records = { ...(stored && stored !== former && { stored }), ...(former && { former }) };
  return { resource, planned: { ...planned, ...records }, isEdited };
}

async function planOne(
  { resource, stored, rareInputs }: Unread,
  { answer, committed }: Read,
  { session, context, options: { planning, policyRulesFor, isJudged, signal } }: Run,
): Promise<FreshPlan> {
  const desired = context.desiredOf(resource);
  const observation = {
    desired,
    ...(stored && { record: stored.record }),
    ...rareInputs,
    ...(answer && { reading: 'received' in answer ? { campaign: answer.received.value() } : answer }),
    ...(committed && { newer: committed }),
  };
  const planned = await planHidingCredentials(observation, planning);
  if (planned.observation.credentials !== undefined) session.hide(planned.observation.credentials);
  // Policies and prompt checks judge the desired values now. Judging them later would require resolving them again.
  const judged = policyRulesFor && judgedDesired(policyRulesFor(desired), () => session.resolution.policyView(desired));
  // In a rollback, the desired values do not come from files, so they have no sources or variables.
  if (context.restoring !== undefined) return { ...planned, judged };
  const sourced = withSources(planned, session.resolution);
  const checking = { ...session.resolution, redact: planning.secrecy.redact, signal };
  const warned = isJudged && (await withPromptWarnings(sourced, checking));
  return { ...planned, ...sourced, ...warned, judged };
}

/** The response to a read, or a notice about its failure. A failed read affects only its own resource. */
type ReadResponse = { readonly received: Received<Campaign> } | { readonly failure: Notice };

/** Reads one resource, if it can be read, and looks up its verdict. */
async function readOne(
  { resource, stored, rareInputs: { waitsFor }, asked }: Unread,
  { session: { service, connectionOf }, options: { signal, host, verdicts } }: Run,
): Promise<Omit<Read, 'committed'>> {
  requireUninterrupted(signal);
  const { kind, name } = resource;
  const record = stored?.record;
  const id = knownId(resource, record);
  const before = { desired: resource, ...(record && { record }), ...(waitsFor !== undefined && { waitsFor }) };
  let answer: ReadResponse | undefined;
  let verdict: FoundVerdict | undefined;
  try {
    if (id !== undefined && canBeRead(before)) {
      const received = await service.receiveAgent(connectionOf(resource), id, (raw) => {
        verdict = asked && verdicts?.lookUp({ ...asked, answer: raw });
        return verdict?.settled !== undefined;
      });
      answer = { received };
    } else verdict = asked && verdicts?.lookUp(asked);
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    answer = { failure: readFailure(error, resource) };
  }
  requireUninterrupted(signal);
  host.emit({ type: 'resource-read', kind, name, failed: answer !== undefined && 'failure' in answer });
  return { answer, verdict };
}

/**
 * Returns the notice about a failed read. A missing agent is not created again, because a wrong target is more likely.
 */
function readFailure(error: AgentformError, resource: TargetedResource): Notice {
  const problem = problemOf(error);
  if (!(error instanceof ServiceError) || error.status !== 404) return notice('read-failed', problem);
  const forget = forgetCommand(resource);
  return resource.target.agentId === undefined
    ? notice('read-failed', { ...problem, missing: 'target' }, [adoptCommand(resource), forget])
    : notice('read-failed', { ...problem, missing: 'id' }, [forget]);
}

/** Returns the members of an observation that most resources lack. */
function rareInputsOf(
  resource: SelectedResource,
  context: ReadContext,
): Omit<Observation, 'desired' | 'record' | 'reading'> {
  const address = addressOf(resource);
  const { records, organizations } = context;
  const old = context.former.get(address);
  const vanished = context.vanished.get(address);
  const own = records.get(address)?.record;
  const heldAs = context.heldRecords.findHold(resource, own, () => context.desiredOf(resource));
  const organization = resource.organization && organizationAddress(resource.organization);
  // The organization that must be created before the resource.
  const waitsFor = organization && organizations.has(organization) ? undefined : organization;
  const { target } = resource;
  const account = idKey(target, target.query[accountParameter]);
  const isNewAccount = waitsFor !== undefined || context.newAccounts.has(account);
  const restored = context.restoring?.get(address)?.restored;
  return {
    ...(old && { renamedFrom: old.record.name }),
    ...(vanished && { vanished }),
    ...(heldAs && { heldAs }),
    ...(waitsFor !== undefined && { waitsFor }),
    ...(isNewAccount && { isNewAccount: true as const }),
    ...(restored && { restored }),
  };
}

/**
 * Finds committed records that are newer than the resources' records, and the last versions of missing records. Returns
 * both by address.
 */
async function newerThan(session: Session, context: ReadContext, now: Date): Promise<ReadonlyMap<string, NewerRecord>> {
  const { records, declared } = context;
  const keys = declared.map((one) => records.get(addressOf(one))?.record ?? one);
  const newer = await session.store.newerVersions?.(session.environment, keys);
  const ids = new Set([...records.values(), ...context.undeclared].map(({ record }) => record.id));
  // Whether a record is really missing. A renamed record still exists, and is found by its id.
  const isMissed = (id: string | undefined) => id === undefined || !ids.has(id);
  const found = new Map<string, NewerRecord>();
  const unknown: SelectedResource[] = [];
  for (const [index, one] of declared.entries()) {
    const address = addressOf(one);
    const version = newer?.get(addressOf(keys[index] ?? one));
    if (version !== undefined && (records.has(address) || isMissed(version.id))) found.set(address, version);
    else if (!records.has(address)) unknown.push(one);
  }
  if (unknown.length === 0) return found;
  const held = await heldBefore(session, unknown, { context, isMissed, now });
  return new Map([...found, ...held]);
}

interface HeldBefore {
  readonly context: ReadContext;
  readonly isMissed: (id: string | undefined) => boolean;
  readonly now: Date;
}

/**
 * For resources without a record, finds a record of the same resource under another name that was on hold when a commit
 * removed it. Returns the last versions of these records by the address of the resource.
 */
async function heldBefore(
  { store, environment }: Session,
  unrecorded: readonly SelectedResource[],
  { context, isMissed, now }: HeldBefore,
): Promise<ReadonlyMap<string, NewerRecord>> {
  const removed = ((await store.removedHolds?.(environment)) ?? []).filter(({ record }) => isMissed(record.id));
  const versionOf = new Map(removed.map(({ record, version }) => [record, version]));
  const held = new HeldRecords(versionOf.keys(), now);
  return new Map(
    unrecorded.flatMap((one): [string, NewerRecord][] => {
      const record = held.findHold(one, undefined, () => context.desiredOf(one));
      const version = record && versionOf.get(record);
      return record && version ? [[addressOf(one), { ...version, of: addressOf(record) }]] : [];
    }),
  );
}
