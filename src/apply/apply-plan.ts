import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { AgentformError } from '../errors.ts';
import { grouped, withoutUndefined } from '../json/json.ts';
import { addressOf, byAddress, inOrganization } from '../kinds/desired.ts';
import { kindOf, rankOf } from '../kinds/kind.ts';
import { type Notice, notice, redactedNotice } from '../notices/notice.ts';
import { isPending } from '../plan/pending.ts';
import { keptHolds } from '../plan/verdicts/holds.ts';
import { overrulingIn } from '../plan/verdicts/overruled.ts';
import { bringsNews } from '../plan/verdicts/waiting.ts';
import type { StoredRecord } from '../record/store.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import type { Redact } from '../secrets/redact.ts';
import { createResource, needsIntent, saveIntent } from './create.ts';
import type { Ledger, LedgerEntry } from './events.ts';
import { publishApplied } from './publish.ts';
import { type Patience, patienceOf } from './read-back.ts';
import { recordedFailure, withKeptValues } from './records/provenance.ts';
import { RecordKeeper } from './records/record-keeper.ts';
import { settle } from './records/settled-fields.ts';
import { closedStep, refusal, type StoppingResults } from './refusals.ts';
import {
  type ApplyPlanOptions,
  bugIn,
  credentialsKey,
  expected,
  failureNotice,
  type PreparedResource,
  type Recordable,
  type ResourceApply,
  type ResourceOutcome,
} from './resource-apply.ts';
import { updateResource, voidedKeep } from './update.ts';

interface ApplyRun extends StoppingResults {
  readonly options: ApplyPlanOptions;
  readonly patience: Patience;
  readonly overruledFor: ReturnType<typeof overrulingIn>;
}

/**
 * Carries out a plan. Applies kinds in the order of their ranks, and the resources of one rank concurrently. Records
 * are dropped last. The failure of one resource does not stop unrelated resources. The ledger has a result for every
 * resource except orphans.
 */
export async function applyPlan(plan: Plan, options: ApplyPlanOptions): Promise<Ledger> {
  const { emit, signal, concurrency, context } = options;
  const removals = plan.resources.filter((resource) => isRemoval(resource, options));
  const resources = plan.resources.filter((resource) => resource.action !== 'orphan' && !isRemoval(resource, options));
  // If a resource was not prepared, this is a bug, so throw before the first request.
  for (const resource of resources) if (!isSettled(resource, options)) preparedOf(resource, options);
  for (const resource of removals) droppedRecord(resource, options);
  const slots = pLimit(concurrency);
  const run: ApplyRun = {
    options,
    patience: patienceOf(context.readBackMs, signal, slots),
    overruledFor: overrulingIn(plan, options.decisions),
    stopped: new Set(),
    undone: new Map(),
  };
  const entries: LedgerEntry[] = [];
  emit({ type: 'phase-started', phase: 'apply', total: plan.resources.filter(isPending).length });
  const ranks = [...grouped(resources, rankOf)].sort(([one], [other]) => one - other);
  for (const [, rank] of ranks) {
    const intents = await publishIntents(rank, run);
    const carried = rank.map((resource) => slots(() => carryOut(resource, intents, run)));
    for (const entry of await Promise.all(carried)) entries.push(entry);
  }
  for (const resource of removals) entries.push(await carryOut(resource, noIntents, run));
  emit({ type: 'phase-finished', phase: 'apply' });
  const results = afterApply(entries, resources);
  const published =
    options.publish === undefined
      ? { entries: results }
      : await publishApplied(results, { ...options, stopped: run.stopped });
  return { environment: plan.environment, ...published, ...(signal.aborted && { interrupted: true }) };
}

/**
 * Updates the number of agents that waiting resources still await. If an answer leaves out one of these agents, the step
 * stays closed until another answer, so the time of its opening is unknown.
 */
function afterApply(entries: readonly LedgerEntry[], resources: readonly ResourcePlan[]): LedgerEntry[] {
  const planned = byAddress(resources);
  const stepsWith = (outcome: LedgerEntry['outcome']) =>
    entries.flatMap((entry) => {
      const resource = planned.get(addressOf(entry));
      const isAgent = entry.outcome === outcome && kindOf(entry)?.rollsOut === 'itself';
      return isAgent && resource?.step !== undefined && bringsNews(resource) ? [resource.step] : [];
    });
  const [applied, leftOut] = [stepsWith('applied'), stepsWith('left out')];
  const closedAfter = (reason: Notice): Notice => {
    if (reason.code !== 'step-closed') return reason;
    const { step, notBefore, ...facts } = reason.facts;
    const countBefore = (steps: readonly number[]) => steps.filter((one) => one < step).length;
    const left = countBefore(leftOut);
    const lacking = Math.max(0, facts.lacking - countBefore(applied));
    const about = left > 0 ? { leftOut: left } : withoutUndefined({ notBefore });
    return { ...reason, facts: { ...facts, step, lacking, ...about } };
  };
  return entries.map((entry) =>
    entry.outcome === 'waiting' && entry.reasons ? { ...entry, reasons: entry.reasons.map(closedAfter) } : entry,
  );
}

/** Returns whether the plan or the run drops the record of the resource. A refusal may still prevent this. */
function isRemoval(resource: ResourcePlan, { removals }: ApplyPlanOptions): boolean {
  return resource.action === 'forget' || removals.has(addressOf(resource));
}

/** Returns whether neither the service nor the record needs a write. */
function isSettled(resource: ResourcePlan, { settled }: ApplyPlanOptions): boolean {
  return resource.action === 'none' && settled?.has(addressOf(resource)) === true;
}

function preparedOf(resource: ResourcePlan, { prepared }: ApplyPlanOptions): PreparedResource {
  const found = prepared.get(addressOf(resource));
  if (found === undefined) throw new Error(`${addressOf(resource)} is in the plan but was not prepared`);
  return found;
}

function droppedRecord(resource: ResourcePlan, { removals }: ApplyPlanOptions): StoredRecord {
  const stored = removals.get(addressOf(resource));
  if (stored === undefined) throw new Error(`${addressOf(resource)} would be dropped but has no record`);
  return stored;
}

async function carryOut(resource: ResourcePlan, intents: PublishedIntents, run: ApplyRun): Promise<LedgerEntry> {
  const { options } = run;
  const { kind, name } = resource;
  if (isPending(resource)) options.emit({ type: 'resource-started', phase: 'apply', kind, name });
  const outcome = await outcomeOf(resource, intents, run).catch(outcomeOfError);
  if (outcome.hitWrongAgent) {
    run.stopped.add(credentialsKey(preparedOf(resource, options).observation.desired.target));
  }
  // Frees the values and the record of the resource, unless publishing still needs them.
  if (options.publish === undefined) options.prepared.delete(addressOf(resource));
  const entry = ledgerEntry(resource, outcome, options.context.planning.secrecy.redact);
  if (entry.outcome === 'unchanged' || entry.outcome === 'waiting') return entry;
  if (entry.outcome !== 'applied') run.undone.set(addressOf(entry), entry);
  options.emit({ type: 'resource-applied', entry });
  return entry;
}

async function outcomeOf(resource: ResourcePlan, intents: PublishedIntents, run: ApplyRun): Promise<ResourceOutcome> {
  const { options } = run;
  const address = addressOf(resource);
  const refused =
    refusal(resource, options, run) ?? intents.refused.get(address) ?? (await closedStep(resource, options.context));
  if (isRemoval(resource, options)) {
    if (refused !== undefined) return refused;
    // Nothing is sent, so the service keeps the resource.
    const { record, version } = droppedRecord(resource, options);
    await options.context.store.remove(record, version);
    return { outcome: 'applied', sent: false };
  }
  if (isSettled(resource, options)) return refused ?? unchanged;
  const task = intents.tasks.get(address) ?? (await taskOf(resource, run));
  if (refused !== undefined) return leftOut(task, refused);
  const { failure, ...outcome } = await writeOne(task);
  if (failure !== undefined) await noteFailure(task, failure);
  return withOverruled(task, withKeptWarnings(task, outcome));
}

/** Converts an error to an outcome, so that the ledger still has the results of other resources. */
function outcomeOfError(error: unknown): ResourceOutcome {
  if (error instanceof AgentformError) return { outcome: 'failed', sent: false, reasons: [failureNotice(error)] };
  return { outcome: 'unknown', sent: true, reasons: [bugIn(error)] };
}

function ledgerEntry(resource: ResourcePlan, outcome: ResourceOutcome, redact: Redact): LedgerEntry {
  const { kind, name, labels, title, action, renamedFrom, mayReplace } = resource;
  const { hitWrongAgent: _, ...shown } = outcome;
  const redacted = (notices: readonly Notice[]) => notices.map((one) => redactedNotice(one, redact));
  return {
    kind,
    name,
    ...withoutUndefined({ labels, title }),
    action,
    ...(renamedFrom !== undefined && { renamedFrom }),
    ...(mayReplace && shown.sent && { mayReplace: true as const }),
    fields: [],
    ...shown,
    warnings: redacted(shown.warnings ?? []),
    ...(shown.reasons !== undefined && { reasons: redacted(shown.reasons) }),
  };
}

const unchanged: ResourceOutcome = { outcome: 'unchanged', sent: false };

async function writeOne(task: ResourceApply): Promise<ResourceOutcome> {
  if (task.resource.action === 'create') return createResource(task);
  if (task.resource.action === 'update') return updateResource(task);
  const voided = await voidedKeep(task);
  if (voided !== undefined) return voided;
  await settle(task);
  return unchanged;
}

/**
 * Records the failure of an update for later plans. A failed create has no record, and an unclear create keeps its
 * intent. If saving fails with an expected error, the error is ignored, so that it does not replace the original
 * failure.
 */
async function noteFailure(task: ResourceApply, failure: Recordable): Promise<void> {
  if (task.resource.action !== 'update') return;
  try {
    await task.keeper.noteFailure(recordedFailure(task, failure));
  } catch (error) {
    expected(error);
  }
}

/**
 * Adds the warnings about dashboard edits that stay on the service. These are edits without an answer, and edits that
 * an answer puts on hold in the record. If an answer keeps settings of an unchanged resource, the resource counts as
 * applied.
 */
function withKeptWarnings(
  { resource, observation, keeper, holds }: ResourceApply,
  outcome: ResourceOutcome,
): ResourceOutcome {
  const isKept = observation.answer?.keeps !== undefined && isDeepStrictEqual(keeper.current()?.holds, holds);
  const isAsPlanned = outcome.outcome === 'unchanged' || outcome.outcome === 'applied';
  const staying = resource.warnings.filter(
    ({ code }) => (isKept && code === 'settings-kept') || (isAsPlanned && code === 'drift-left'),
  );
  return {
    ...outcome,
    outcome: isKept && outcome.outcome === 'unchanged' ? 'applied' : outcome.outcome,
    warnings: [...(outcome.warnings ?? []), ...staying],
  };
}

/** Adds the overruled checks to the outcome. Adds nothing if the resource needed no write. */
function withOverruled({ resource, overruled }: ResourceApply, outcome: ResourceOutcome): ResourceOutcome {
  if (!isPending(resource) || overruled.length === 0) return outcome;
  // The plan itself shows overruled conflicts and creates, so the ledger does not warn about these.
  const said = overruled.flatMap(({ rule, names }) =>
    rule === 'conflict' || rule === 'new-agent' ? [] : [notice('overruled', { rule, names })],
  );
  return { ...outcome, warnings: [...(outcome.warnings ?? []), ...said], overruled };
}

/**
 * Records the decision about a resource that is not written. The decision is an approval while the resource waits, or
 * an answer that keeps the resource's settings. Without a decision, removes the intent to create the resource.
 */
async function leftOut(task: ResourceApply, refused: ResourceOutcome): Promise<ResourceOutcome> {
  const { resource, observation, keeper, context } = task;
  const isLeft = resource.action === 'blocked' || resource.action === 'waiting';
  const voided = isLeft ? await voidedKeep(task) : undefined;
  if (voided !== undefined) {
    return { ...voided, reasons: [...(refused.reasons ?? []), ...(voided.reasons ?? [])] };
  }
  const keeps = observation.answer?.keeps !== undefined;
  const approval = resource.action === 'waiting' ? context.rollout?.approvalOf(resource) : undefined;
  if (approval !== undefined) await keeper.amend({ approval });
  else if (keeps && isLeft) await keeper.amend({});
  else await revertIntent(task);
  return refused;
}

async function taskOf(resource: ResourcePlan, { options, patience, overruledFor }: ApplyRun): Promise<ResourceApply> {
  const found = preparedOf(resource, options);
  const { context } = options;
  const desired = inOrganization(found.observation.desired, context.organizations);
  const observation = { ...found.observation, desired };
  const holds = await withKeptValues(keptHolds(observation, context.planning), { observation, desired, context });
  const keeper = new RecordKeeper(context.store, desired, { ...found, holds });
  const overruled = overruledFor(resource);
  return { resource, changes: found.changes, observation, desired, context, patience, keeper, holds, overruled };
}

interface PublishedIntents {
  /** The tasks of creates that need an intent, keyed by address. */
  readonly tasks: ReadonlyMap<string, ResourceApply>;
  /** The outcomes of creates whose intents could not be published, keyed by address. These creates must not be sent. */
  readonly refused: ReadonlyMap<string, ResourceOutcome>;
}

const noIntents: PublishedIntents = { tasks: new Map(), refused: new Map() };

/**
 * Publishes the intents of all creates of a rank together, before the first create is sent. This is necessary only for
 * record stores that do not share saves immediately.
 */
async function publishIntents(rank: readonly ResourcePlan[], run: ApplyRun): Promise<PublishedIntents> {
  const { options } = run;
  const { store } = options.context;
  if (store.sharesAtOnce) return noIntents;
  const creates = rank.filter((resource) => needsIntent(resource) && refusal(resource, options, run) === undefined);
  const tasks = new Map(
    await Promise.all(creates.map(async (resource) => [addressOf(resource), await taskOf(resource, run)] as const)),
  );
  const [first] = tasks.values();
  if (first === undefined) return noIntents;
  try {
    await Promise.all([...tasks.values()].map(saveIntent));
    await store.share(`Start creating in ${first.desired.environment}`);
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

/** Removes the intent of a create that was never sent, unless another run has replaced the record. */
async function revertIntent({ keeper }: ResourceApply): Promise<void> {
  try {
    await keeper.restore();
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'record-moved') throw error;
  }
}

/**
 * Returns a predicate for the addresses that a failed publish of records affects. If another run published some of the
 * records first, only the addresses of these records are affected. Otherwise, all addresses are affected.
 */
function recordsIn({ code, facts }: AgentformError): (address: string) => boolean {
  const { records } = facts;
  return code === 'record-moved' && Array.isArray(records) ? (address) => records.includes(address) : () => true;
}
