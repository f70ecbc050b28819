import { AgentformError } from '../errors.ts';
import { grouped } from '../json/json.ts';
import { addressOf, type Desired, dependenciesOf, inOrganization, organizationAddress } from '../kinds/desired.ts';
import { kindOf } from '../kinds/kind.ts';
import { type Notice, notice, redactedNotice, remedyIn } from '../notices/notice.ts';
import { conflictNotice, type Decisions, decisionNaming, ofSavedPlan } from '../plan/decisions.ts';
import { conflictsOf, isPending, isPlanned } from '../plan/pending.ts';
import { keptHolds } from '../plan/verdicts/holds.ts';
import { bringsNews } from '../plan/verdicts/waiting.ts';
import type { StoredRecord } from '../record/store.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { settle } from './confirm.ts';
import { create, needsIntent, saveIntent } from './create.ts';
import type { Emit, Ledger, LedgerEntry } from './events.ts';
import { overrulingIn, recordedFailure, withKeptValues } from './provenance.ts';
import { publishApplied } from './publish.ts';
import { type Patience, patienceOf, Slots } from './read-back.ts';
import { RecordKeeper } from './record-keeper.ts';
import {
  type ApplyContext,
  bugIn,
  credentialsKey,
  expected,
  failureNotice,
  type PreparedResource,
  type Recordable,
  type ResourceApply,
  type ResourceOutcome,
} from './resource-apply.ts';
import { update } from './update.ts';

export interface ApplyPlanOptions {
  readonly context: ApplyContext;
  /** By address, each resource as it was when the plan was made. */
  readonly prepared: ReadonlyMap<string, PreparedResource>;
  /**
   * Addresses of resources that need no write, neither to the service nor to the record. They are not in `prepared`.
   */
  readonly settled?: ReadonlyMap<string, unknown> | undefined;
  /** By address, the records that the apply drops. */
  readonly removals: ReadonlyMap<string, StoredRecord>;
  /** The run's decisions. Names of single resources are addresses. */
  readonly decisions: Decisions;
  /**
   * The reasons to refuse one resource while the rest is applied, for example because it differs from the approved
   * plan.
   */
  readonly refuses?: ((resource: ResourcePlan) => readonly Notice[]) | undefined;
  /** The path of the saved plan, if one is applied. Remedies name it. */
  readonly savedPlan?: string | undefined;
  /** The path of the publish operation. If set, agents are published after the apply. */
  readonly publish?: string | undefined;
  /** The maximum number of concurrent resources. */
  readonly concurrency: number;
  /** Once aborted, requests in flight are finished and no others start. */
  readonly signal: AbortSignal;
  /** Aborted if this run loses the environment's lock. Nothing more is attempted, because another run may write. */
  readonly lost?: AbortSignal | undefined;
  readonly emit: Emit;
}

/** Results so far that prevent further attempts. */
interface Halt {
  /** Keys of credentials whose write reached the wrong agent. */
  readonly stopped: Set<string>;
  /** The resources that did not succeed, by address. */
  readonly undone: Map<string, LedgerEntry>;
  /** By address, the outcome of creates whose intents could not be published. They are not sent. */
  unpublishedIntents: ReadonlyMap<string, ResourceOutcome>;
}

/**
 * Carries out a plan: kinds in rank order, and the resources of one rank concurrently. One failure does not stop the
 * others. The ledger has a result for every resource.
 */
export async function applyPlan(plan: Plan, options: ApplyPlanOptions): Promise<Ledger> {
  const { emit, signal, concurrency } = options;
  // Whether the step drops a record. A resource on hold is blocked instead.
  const isRemoval = (one: ResourcePlan) => one.action === 'forget' || options.removals.has(addressOf(one));
  const resources = plan.resources.filter((resource) => resource.action !== 'orphan' && !isRemoval(resource));
  const removals = plan.resources.filter(isRemoval);
  const slots = new Slots(concurrency);
  const patience = patienceOf(options.context.readBackMs, signal, slots);
  const shared = { patience, overruledFor: overrulingIn(plan, options.decisions) };
  // A missing preparation is a bug, so it ends the run before anything is sent.
  const isSettled = (resource: ResourcePlan) =>
    resource.action === 'none' && options.settled?.has(addressOf(resource)) === true;
  for (const resource of resources) if (!isSettled(resource)) preparedOf(resource, options);
  const halt: Halt = { stopped: new Set(), undone: new Map(), unpublishedIntents: new Map() };
  const entries: LedgerEntry[] = [];
  emit({ type: 'phase-started', phase: 'apply', total: plan.resources.filter(isPending).length });
  for (const rank of byRank(resources)) {
    const admitted = rank.filter((resource) => refusal(resource, options, halt) === undefined);
    const intents = await publishIntents(admitted, options, shared);
    halt.unpublishedIntents = intents.refused;
    const carry = (resource: ResourcePlan) => {
      if (isSettled(resource))
        return carryOut({ resource, run: async (obstacle) => obstacle ?? unchanged }, options, halt);
      const taken = async () => intents.tasks.get(addressOf(resource)) ?? taskOf(resource, options, shared);
      return carryOut({ resource, run: async (obstacle) => runOf(await taken(), obstacle) }, options, halt);
    };
    const carried = rank.map((resource) => slots.inside(() => carry(resource)));
    for (const entry of await Promise.all(carried)) entries.push(entry);
  }
  for (const resource of removals) entries.push(await carryOut(removal(resource, options), options, halt));
  emit({ type: 'phase-finished', phase: 'apply' });
  const published =
    options.publish === undefined ? { entries } : await publishApplied(entries, { ...options, ...halt });
  return { environment: plan.environment, ...published, ...(signal.aborted && { interrupted: true }) };
}

const unchanged: ResourceOutcome = { outcome: 'unchanged', sent: false };

/** One resource of the plan, with the work to do for it. */
interface Step {
  readonly resource: ResourcePlan;
  /** Does the work. With an obstacle, nothing is sent and the obstacle becomes the outcome. */
  readonly run: (obstacle: ResourceOutcome | undefined) => Promise<ResourceOutcome>;
}

async function runOf(task: ResourceApply, obstacle: ResourceOutcome | undefined): Promise<ResourceOutcome> {
  if (obstacle !== undefined) return leftOut(task, obstacle);
  const { failure, ...ending } = await applyOne(task);
  if (failure !== undefined) await noteFailure(task, failure);
  return overruling(task, keeping(task, ending));
}

/** Adds settings that an answer keeps to the outcome, because the record now has their hold. */
function keeping({ resource, observation }: ResourceApply, ending: ResourceOutcome): ResourceOutcome {
  if (observation.answer?.keeps === undefined) return ending;
  const kept = resource.warnings.filter(({ code }) => code === 'settings-kept');
  const outcome = ending.outcome === 'unchanged' ? 'applied' : ending.outcome;
  return { ...ending, outcome, warnings: [...(ending.warnings ?? []), ...kept] };
}

/**
 * Records the failure of an update for later plans. A failed create has no record, and an unclear one keeps its intent.
 * An error while saving is ignored, so that it does not replace the failure itself.
 */
async function noteFailure(task: ResourceApply, failure: Recordable): Promise<void> {
  if (task.resource.action !== 'update') return;
  try {
    await task.keeper.noteFailure(recordedFailure(task, failure));
  } catch (error) {
    expected(error);
  }
}

/** Adds the decisions without which the resource would be refused. If nothing was written, nothing was overruled. */
function overruling({ resource, overruled }: ResourceApply, ending: ResourceOutcome): ResourceOutcome {
  if (!isPending(resource) || overruled.length === 0) return ending;
  // The plan itself shows conflicts and creates, so they are left out here.
  const said = overruled.flatMap(({ rule, names }) =>
    rule === 'conflict' || rule === 'new-agent' ? [] : [notice('overruled', { rule, names })],
  );
  return { ...ending, warnings: [...(ending.warnings ?? []), ...said], overruled };
}

/** The step that drops a record. It sends nothing, so the service keeps the resource. */
function removal(resource: ResourcePlan, { removals, context }: ApplyPlanOptions): Step {
  const stored = removals.get(addressOf(resource));
  if (stored === undefined) throw new Error(`${addressOf(resource)} would be dropped but has no record`);
  const run: Step['run'] = async (obstacle) => {
    if (obstacle !== undefined) return obstacle;
    await context.store.remove(stored.record, stored.version);
    return { outcome: 'applied', sent: false };
  };
  return { resource, run };
}

async function carryOut({ resource, run }: Step, options: ApplyPlanOptions, halt: Halt): Promise<LedgerEntry> {
  const { kind, name, title, action, renamedFrom } = resource;
  if (isPending(resource)) options.emit({ type: 'resource-started', phase: 'apply', kind, name });
  const obstacle = refusal(resource, options, halt) ?? halt.unpublishedIntents.get(addressOf(resource));
  const ending = await settled(async () => run(obstacle ?? (await stepRefusal(resource, options))));
  const credentials = ending.hitWrongAgent ? credentialsOf(resource, options) : undefined;
  if (credentials !== undefined) halt.stopped.add(credentials);
  const { hitWrongAgent: _, ...shown } = ending;
  const { redact } = options.context.planning.secrecy;
  const redacted = (notices: readonly Notice[]) => notices.map((one) => redactedNotice(one, redact));
  const entry: LedgerEntry = {
    kind,
    name,
    ...(title !== undefined && { title }),
    action,
    ...(renamedFrom !== undefined && { renamedFrom }),
    ...(resource.mayReplace && ending.sent && { mayReplace: true as const }),
    fields: [],
    ...shown,
    warnings: redacted(shown.warnings ?? []),
    ...(shown.reasons !== undefined && { reasons: redacted(shown.reasons) }),
  };
  if (entry.outcome === 'unchanged' || entry.outcome === 'waiting') return entry;
  if (entry.outcome !== 'applied') halt.undone.set(addressOf(entry), entry);
  options.emit({ type: 'resource-applied', entry });
  return entry;
}

/** Why a resource must not be written, according to the plan and the results so far. */
function refusal(resource: ResourcePlan, options: ApplyPlanOptions, halt: Halt): ResourceOutcome | undefined {
  const none = { outcome: 'not attempted', sent: false } as const;
  const { reasons } = resource;
  if (resource.action === 'failed') return { ...none, outcome: 'failed', reasons };
  if (resource.action === 'blocked') return { ...none, refused: true, reasons };
  if (resource.action === 'waiting') return { ...none, outcome: 'waiting', reasons };
  const refusing = options.refuses?.(resource) ?? [];
  if (refusing.length > 0) return { ...none, refused: true, reasons: refusing };
  if (!isPending(resource)) return undefined;
  if (options.signal.aborted) return { ...none, reasons: [notice('interrupted', {})] };
  if (options.lost?.aborted) return { ...none, reasons: [failureNotice(options.lost.reason)] };
  if (halt.stopped.has(credentialsOf(resource, options) ?? '')) {
    return { ...none, reasons: [notice('wrong-credentials', { call: 'write' })] };
  }
  return dependencyRefusal(resource, options, halt) ?? conflictRefusal(resource, options);
}

/**
 * Refuses a write whose rollout step was closed by another run. The shared records are read again, because that run may
 * have changed them.
 */
async function stepRefusal(resource: ResourcePlan, options: ApplyPlanOptions): Promise<ResourceOutcome | undefined> {
  const { step } = resource;
  const { rollout } = options.context;
  if (rollout === undefined || step === undefined || !isPending(resource) || !bringsNews(resource)) return undefined;
  if (await rollout.isStillOpen(step)) return undefined;
  const address = addressOf(resource);
  const reasons = [notice('stale', { address, by: 'other-run' }, [remedyIn(rollout.environment, 'plan')])];
  return { outcome: 'not attempted', sent: false, refused: true, reasons };
}

/** Refuses a resource whose dependency was refused, and skips one whose dependency did not finish. */
function dependencyRefusal(resource: ResourcePlan, options: ApplyPlanOptions, halt: Halt): ResourceOutcome | undefined {
  const { prepared, context } = options;
  const desired = prepared.get(addressOf(resource))?.observation.desired;
  const cause = (desired === undefined ? [] : dependenciesOf(desired)).flatMap(
    (address) => halt.undone.get(address) ?? [],
  )[0];
  if (cause === undefined) return desired && withoutAccount(desired, context);
  const reason = notice('dependency-undone', { address: addressOf(cause), outcome: cause.outcome });
  return { outcome: 'not attempted', sent: false, reasons: [reason], ...(cause.refused && { refused: true }) };
}

/** Refuses a resource whose organization was created without an id in the response. Its account is unknown. */
function withoutAccount(
  { organization, environment }: Desired,
  { organizations }: ApplyContext,
): ResourceOutcome | undefined {
  const address = organization === undefined ? undefined : organizationAddress(organization);
  if (address === undefined || organizations.has(address)) return undefined;
  const reason = notice('organization-without-id', { organization: address, isCreated: true }, [
    remedyIn(environment, 'record', 'adopt', address, 'ID'),
  ]);
  return { outcome: 'not attempted', sent: false, reasons: [reason] };
}

/**
 * Refuses a resource as stale if its digest differs from the saved plan's, or if its record shows that it is already
 * applied.
 */
export function refuseUnlessSaved(
  saved: { readonly resources: readonly Pick<ResourcePlan, 'kind' | 'name' | 'action' | 'digest'>[] },
  recordOf: (resource: ResourcePlan) => Pick<ResourceRecord, 'appliedAt'> | undefined,
): NonNullable<ApplyPlanOptions['refuses']> {
  const planned = new Map(saved.resources.map((resource) => [addressOf(resource), resource]));
  return (resource) => {
    const address = addressOf(resource);
    const before = planned.get(address);
    if (before?.digest === resource.digest) return [];
    const appliedAt = recordOf(resource)?.appliedAt;
    const isApplied = before !== undefined && isPlanned(before) && resource.action === 'none';
    return isApplied && appliedAt !== undefined
      ? [notice('stale', { address, by: 'earlier-apply', appliedAt })]
      : [notice('stale', { address, by: 'saved-plan' })];
  };
}

function conflictRefusal(resource: ResourcePlan, options: ApplyPlanOptions): ResourceOutcome | undefined {
  const conflicts = conflictsOf(resource);
  if (conflicts.length === 0 || decisionNaming(options.decisions, 'conflict', addressOf(resource))) return undefined;
  const { environment } = preparedOf(resource, options).observation.desired;
  const reasons = [ofSavedPlan(conflictNotice(environment, resource, conflicts), options.savedPlan)];
  return { outcome: 'not attempted', sent: false, refused: true, reasons, conflicts };
}

/** The members that all tasks of a run share. */
interface Shared {
  readonly patience: Patience;
  readonly overruledFor: ReturnType<typeof overrulingIn>;
}

async function taskOf(
  resource: ResourcePlan,
  options: ApplyPlanOptions,
  { overruledFor, patience }: Shared,
): Promise<ResourceApply> {
  const found = preparedOf(resource, options);
  const { context } = options;
  const desired = inOrganization(found.observation.desired, context.organizations);
  const observation = { ...found.observation, desired };
  const holds = await withKeptValues(keptHolds(observation, context.planning), { observation, desired, context });
  const keeper = new RecordKeeper(context.store, desired, { ...found, holds });
  const overruled = overruledFor(resource);
  return { resource, changes: found.changes, observation, desired, context, patience, keeper, holds, overruled };
}

function preparedOf(resource: ResourcePlan, { prepared }: ApplyPlanOptions): PreparedResource {
  const found = prepared.get(addressOf(resource));
  if (found === undefined) throw new Error(`${addressOf(resource)} is in the plan and was not prepared`);
  return found;
}

async function settled(work: () => Promise<ResourceOutcome>): Promise<ResourceOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AgentformError) return { outcome: 'failed', sent: false, reasons: [failureNotice(error)] };
    return { outcome: 'unknown', sent: true, reasons: [bugIn(error)] };
  }
}

/** Records the decisions about a resource that is not written: to keep all of it, or to approve it while it waits. */
async function leftOut(task: ResourceApply, obstacle: ResourceOutcome): Promise<ResourceOutcome> {
  const { resource, observation, keeper, context } = task;
  const keeps = observation.answer?.keeps !== undefined;
  const approval = resource.action === 'waiting' ? context.rollout?.approvalOf(resource) : undefined;
  if (approval !== undefined) await keeper.amend({ approval });
  else if (keeps && (resource.action === 'blocked' || resource.action === 'waiting')) await keeper.amend({});
  else await revertIntent(task);
  return obstacle;
}

async function applyOne(task: ResourceApply): Promise<ResourceOutcome> {
  if (task.resource.action === 'create') return create(task);
  if (task.resource.action === 'update') return update(task);
  await settle(task);
  return unchanged;
}

function credentialsOf(resource: ResourcePlan, { prepared }: ApplyPlanOptions): string | undefined {
  const target = prepared.get(addressOf(resource))?.observation.desired.target;
  return target && credentialsKey(target);
}

function byRank(resources: readonly ResourcePlan[]): ResourcePlan[][] {
  const ranks = grouped(resources, (resource) => kindOf(resource)?.rank ?? 0);
  return [...ranks].sort(([one], [other]) => one - other).map(([, members]) => members);
}

interface PublishedIntents {
  /** By address, the creates whose published intents are still open. */
  readonly tasks: Map<string, ResourceApply>;
  /** The creates whose intents were refused, by address. They must not be sent. */
  readonly refused: ReadonlyMap<string, ResourceOutcome>;
}

/**
 * Publishes the intents of all creates together before the first is sent. Needed by record stores whose saves are not
 * immediately visible to other runs.
 */
async function publishIntents(
  resources: readonly ResourcePlan[],
  options: ApplyPlanOptions,
  shared: Shared,
): Promise<PublishedIntents> {
  const { store } = options.context;
  const creates = store.sharesAtOnce ? [] : resources.filter(needsIntent);
  const taken = async (resource: ResourcePlan) =>
    [addressOf(resource), await taskOf(resource, options, shared)] as const;
  const tasks = new Map(await Promise.all(creates.map(taken)));
  const [first] = tasks.values();
  if (first === undefined) return { tasks, refused: new Map() };
  try {
    await Promise.all([...tasks.values()].map(saveIntent));
    await store.share(`Begin creates in ${first.desired.environment}`);
    return { tasks, refused: new Map() };
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    const { reason } = error.facts;
    const why = typeof reason === 'string' ? notice('not-shared', { problem: reason }) : failureNotice(error);
    const ending: ResourceOutcome = { outcome: 'failed', sent: false, reasons: [why] };
    const isAbout = recordsIn(error);
    return { tasks, refused: new Map([...tasks.keys()].filter(isAbout).map((address) => [address, ending])) };
  }
}

/** Removes the intent of a create that was never sent. If another run has replaced the record, it stays. */
async function revertIntent({ keeper }: ResourceApply): Promise<void> {
  try {
    await keeper.restore();
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'record-moved') throw error;
  }
}

/**
 * Returns a predicate for the addresses that a failed publish of records affects: those that another run published
 * first, or else all.
 */
function recordsIn({ code, facts }: AgentformError): (address: string) => boolean {
  const { records } = facts;
  return code === 'record-moved' && Array.isArray(records) ? (address) => records.includes(address) : () => true;
}
