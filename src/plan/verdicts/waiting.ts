// This file decides which resources wait for their rollout step.

import { addressOf, byAddress } from '../../kinds/desired.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import type { ResourcePlan, RolloutState } from '../../schemas/plan-types.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { conflictsOf, haveNewContent, isHeld, isPending } from '../pending.ts';
import { type AgentState, type Barrier, type RolloutDefinition, type RolloutProgress, rolloutAt } from './rollout.ts';

export interface RolloutInput {
  readonly rollout: RolloutDefinition;
  /** The step number of each resource, keyed by address. */
  readonly steps: ReadonlyMap<string, number>;
  /** The progress of every agent in the project, keyed by address. The progress is determined from records. */
  readonly progress: ReadonlyMap<string, AgentState>;
  /** The current time, according to the service's clock. */
  readonly now: Date;
  /** The run's decisions. If the decisions skip the rollout, no resource waits. */
  readonly decisions: Decisions;
  /** The notices about the rollout itself, which are shown before other notices. */
  readonly notices: readonly Notice[];
}

/**
 * Decides which resources wait. New content waits until the step of its resource is open. Undone edits and resent
 * values never wait. A failed read, a conflict, and a block other than a hold count as failures of the agent.
 */
export function plannedSteps(resources: readonly ResourcePlan[], input: RolloutInput) {
  const { rollout, steps, now } = input;
  const planned = byAddress(resources);
  const agents = [...input.progress].flatMap(([address, progress]) => {
    const step = steps.get(address);
    return step === undefined ? [] : [{ address, step, progress: progressIn(planned.get(address), progress) }];
  });
  const progress = rolloutAt(rollout, agents, now);
  const stepOf = (resource: ResourcePlan) => steps.get(addressOf(resource));
  // A resource has a barrier even if a decision skips the rollout.
  const barrierOf = (resource: ResourcePlan) => {
    const barrier = progress.closed.get(stepOf(resource) ?? 0);
    return isPending(resource) && bringsNews(resource) ? barrier : undefined;
  };
  const isSkipped = isDecided(input.decisions, 'rollout');
  // The form that policies read. Once the step of a resource opens, only `waiting` changes.
  const seenAs = (resource: ResourcePlan) => {
    const waiting = !isSkipped && barrierOf(resource) !== undefined;
    return { ...resource, step: stepOf(resource) ?? 0, waiting };
  };
  return { progress, stepOf, barrierOf, seenAs };
}

/** Whether an apply would create or drop the resource, or give it new content. */
export function bringsNews({ action, changes }: ResourcePlan): boolean {
  return action !== 'update' || haveNewContent(changes);
}

/** The progress from the record, updated with the plan. A hold that no longer blocks has ended. */
function progressIn(planned: ResourcePlan | undefined, progress: AgentState): AgentState {
  if (planned === undefined) return progress;
  const { action } = planned;
  if (isHeld(planned)) return progress.state === 'done' ? progress : { state: 'held' };
  if (action === 'failed' || action === 'blocked') return { state: 'failed' };
  if (conflictsOf(planned).length > 0) return { state: 'failed' };
  return progress.state === 'held' ? { state: 'pending' } : progress;
}

/** Adds steps to resources. Marks new content in closed steps as waiting, unless a decision skips the rollout. */
export function withSteps(
  resources: readonly ResourcePlan[],
  input: RolloutInput,
): { readonly resources: readonly ResourcePlan[]; readonly rollout: RolloutState } {
  const { progress, stepOf, barrierOf } = plannedSteps(resources, input);
  const { closed: _, ...state } = progress;
  const isSkipped = isDecided(input.decisions, 'rollout');
  return {
    resources: resources.map((resource) => {
      const step = stepOf(resource);
      if (step === undefined) return resource;
      const barrier = barrierOf(resource);
      if (barrier === undefined) return inStep(resource, { step });
      if (!isSkipped) return waiting(resource, { step, barrier, progress });
      const warnings = [...resource.warnings, notice('step-skipped', { step })];
      return inStep({ ...resource, warnings }, { step });
    }),
    rollout: { ...state, ...(input.notices.length > 0 && { notices: [...input.notices] }) },
  };
}

interface Waiting {
  readonly step: number;
  readonly barrier: Barrier;
  readonly progress: RolloutProgress;
}

function waiting(resource: ResourcePlan, { step, barrier, progress }: Waiting): ResourcePlan {
  const { action } = resource;
  if (action !== 'create' && action !== 'update' && action !== 'forget') return resource;
  const { pending: lacking, failed, held, isStopped, notBefore } = barrier;
  const time = notBefore === undefined ? {} : { notBefore };
  const stopped = isStopped ? { isStopped } : {};
  const facts = { step, of: progress.steps.length, lacking, failed, held, ...stopped, ...time };
  const reasons = [...resource.reasons, notice('step-closed', facts, [['--skip-rollout']])];
  return inStep({ ...resource, action: 'waiting', reasons }, { willBe: action, step, ...time });
}

/** Inserts the rollout members after `action`, to keep the JSON readable. */
function inStep(
  { kind, name, id, action, ...rest }: ResourcePlan,
  members: Pick<ResourcePlan, 'willBe' | 'step' | 'notBefore'>,
): ResourcePlan {
  return { kind, name, ...(id !== undefined && { id }), action, ...members, ...rest };
}

/** Makes a resource that was planned again wait in the same way as in the earlier plan. */
export function waitingAs(before: ResourcePlan, again: ResourcePlan): ResourcePlan {
  const { willBe, step, notBefore } = before;
  if (step === undefined) return again;
  const members = { ...(willBe !== undefined && { willBe }), step, ...(notBefore !== undefined && { notBefore }) };
  if (willBe === undefined || !isPending(again)) return inStep(again, { step });
  const reasons = [...again.reasons, ...before.reasons.filter(({ code }) => code === 'step-closed')];
  return inStep({ ...again, action: 'waiting', reasons }, members);
}
