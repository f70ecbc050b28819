import { addressOf, type Desired, organizationAddress } from '../kinds/desired.ts';
import { type Notice, notice, remedyIn } from '../notices/notice.ts';
import { conflictNotice, decisionNaming, isLeftByAnswer, ofSavedPlan } from '../plan/decisions.ts';
import { conflictsOf, isHeld, isPending } from '../plan/pending.ts';
import { bringsNews } from '../plan/verdicts/waiting.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import type { LedgerEntry } from './events.ts';
import {
  type ApplyContext,
  type ApplyPlanOptions,
  credentialsKey,
  failureNotice,
  type ResourceOutcome,
} from './resource-apply.ts';

/** The earlier results of a run that prevent some of its further writes. */
export interface StoppingResults {
  /** The keys of credentials with which an earlier write changed the wrong agent. */
  readonly stopped: Set<string>;
  /** The entries of resources that failed, were not attempted or have an unknown outcome, keyed by address. */
  readonly undone: Map<string, LedgerEntry>;
}

/**
 * Returns the reason why a resource must not be written. The first reason in this list counts:
 *
 * 1. The plan leaves the resource out as failed, blocked or waiting. A waiting resource that an answer leaves out counts
 *    as left out.
 * 2. A reason was known before the apply (`commands/apply/refused.ts`), such as a difference from the approved plan.
 * 3. The run was interrupted, or lost its lock.
 * 4. A write with its credentials changed the wrong agent.
 * 5. A resource that it depends on was not applied, or its organization has no id.
 * 6. It has a conflict, and no decision overwrites the live values.
 *
 * `outcomeOf` in `apply-plan.ts` adds two reasons that need the record store: an unpublished intent and a closed step.
 */
export function refusal(
  resource: ResourcePlan,
  options: ApplyPlanOptions,
  stopping: StoppingResults,
): ResourceOutcome | undefined {
  const known = knownRefusal(resource, options.refused?.get(addressOf(resource)));
  if (known !== undefined || !isPending(resource)) return known;
  if (options.signal.aborted) return notAttempted(notice('interrupted', {}));
  if (options.lost?.aborted) return notAttempted(failureNotice(options.lost.reason));
  const desired = options.prepared.get(addressOf(resource))?.observation.desired;
  // Dropping a record without a manifest does not depend on other resources.
  if (desired === undefined) return undefined;
  if (stopping.stopped.has(credentialsKey(desired.target))) {
    return notAttempted(notice('wrong-credentials', { call: 'write' }));
  }
  return (
    undoneDependency(resource, stopping) ??
    unknownAccount(desired, options.context) ??
    unresolvedConflict(resource, desired, options)
  );
}

/** Returns the refusal by the plan, or the one for reasons that were known before the apply. */
function knownRefusal(resource: ResourcePlan, known: readonly Notice[] | undefined): ResourceOutcome | undefined {
  const { action, reasons } = resource;
  if (action === 'failed') return { outcome: 'failed', sent: false, reasons };
  if (action === 'blocked') return { ...refused(reasons), ...(isHeld(resource) && { outcome: 'on hold' }) };
  if (action === 'waiting' && !isLeftByAnswer(known ?? [])) return { outcome: 'waiting', sent: false, reasons };
  return known && refused(known);
}

function notAttempted(reason: Notice): ResourceOutcome {
  return { outcome: 'not attempted', sent: false, reasons: [reason] };
}

/** Leaves out a resource. If a person's answer leaves the resource out, this is not a refusal. */
function refused(reasons: readonly Notice[]): ResourceOutcome {
  if (isLeftByAnswer(reasons)) return { outcome: 'left out', sent: false, reasons };
  return { outcome: 'not attempted', sent: false, refused: true, reasons };
}

/**
 * Leaves out a resource whose dependency was not applied. If the dependency was refused, the resource is refused. If
 * the dependency is on hold, or an answer left it out, the resource has the same outcome.
 */
function undoneDependency({ dependsOn = [] }: ResourcePlan, { undone }: StoppingResults): ResourceOutcome | undefined {
  const [cause] = dependsOn.flatMap((address) => undone.get(address) ?? []);
  if (cause === undefined) return undefined;
  const reason = notice('dependency-undone', { address: addressOf(cause), outcome: cause.outcome });
  const { outcome, refused } = cause;
  const isLeft = outcome === 'left out' || outcome === 'on hold';
  return { ...notAttempted(reason), ...(isLeft && { outcome }), ...(refused && { refused }) };
}

/** Leaves out a resource whose organization has no id, for example after a create whose response had no id. */
function unknownAccount(
  { organization, environment }: Desired,
  { organizations }: ApplyContext,
): ResourceOutcome | undefined {
  const address = organization === undefined ? undefined : organizationAddress(organization);
  if (address === undefined || organizations.has(address)) return undefined;
  const adopt = remedyIn(environment, 'record', 'adopt', address, 'ID');
  return notAttempted(notice('organization-without-id', { organization: address, isCreated: true }, [adopt]));
}

function unresolvedConflict(
  resource: ResourcePlan,
  { environment }: Desired,
  { decisions, savedPlan }: ApplyPlanOptions,
): ResourceOutcome | undefined {
  const conflicts = conflictsOf(resource);
  if (conflicts.length === 0 || decisionNaming(decisions, 'conflict', addressOf(resource))) return undefined;
  return { ...refused([ofSavedPlan(conflictNotice(environment, resource, conflicts), savedPlan)]), conflicts };
}

/**
 * Refuses a write whose rollout step is no longer open. Reads the shared records again, because another run may have
 * changed them.
 */
export async function closedStep(
  resource: ResourcePlan,
  { rollout }: ApplyContext,
): Promise<ResourceOutcome | undefined> {
  const { step } = resource;
  if (rollout === undefined || step === undefined || !isPending(resource) || !bringsNews(resource)) return undefined;
  if (await rollout.isStillOpen(step)) return undefined;
  const facts = { address: addressOf(resource), by: 'closed-step' as const };
  return refused([notice('stale', facts, [remedyIn(rollout.environment, 'plan')])]);
}
