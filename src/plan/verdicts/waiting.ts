// The verdict of a rollout on each resource: whether it waits for its step.

import { addressOf } from '../../kinds/desired.ts';
import { type Notice, notice } from '../../notices/notice.ts';
import type { Plan, ResourcePlan, RolloutState } from '../../schemas/plan-types.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { haveNewContent, isPending } from '../pending.ts';
import { type Barrier, type Progress, type RolloutDefinition, type RolloutProgress, rolloutAt } from '../rollout.ts';

export interface RolloutInput {
  readonly rollout: RolloutDefinition;
  /** The steps of resources, by address. */
  readonly steps: ReadonlyMap<string, number>;
  /** The progress of every agent of the project according to its record, by address. */
  readonly progress: ReadonlyMap<string, Progress>;
  /** The time of the service. */
  readonly now: Date;
  /** The decisions of the run. If they skip the rollout, nothing waits. */
  readonly decisions: Decisions;
  /** Notices to show first. */
  readonly notices: readonly Notice[];
}

/** The steps of a rollout in a plan. */
export interface PlannedSteps {
  readonly progress: RolloutProgress;
  /** The step of a resource; undefined if it has none. */
  readonly stepOf: (resource: ResourcePlan) => number | undefined;
  /** The barrier of a resource; undefined if it does not wait. */
  readonly barrierOf: (resource: ResourcePlan) => Barrier | undefined;
  /** A resource as policies see it. When its step opens, only `waiting` changes. */
  readonly seenAs: (resource: ResourcePlan) => Readonly<Record<string, unknown>>;
}

/**
 * Decides which resources wait. New content of a resource waits until its step is open. Undone edits and resent values
 * are not new content. A failed read, a conflict or a block counts as a failure of the agent.
 */
export function plannedSteps(resources: readonly ResourcePlan[], input: RolloutInput): PlannedSteps {
  const { rollout, steps, now } = input;
  const planned = new Map(resources.map((resource) => [addressOf(resource), resource]));
  const agents = [...input.progress].flatMap(([address, progress]) => {
    const step = steps.get(address);
    return step === undefined ? [] : [{ address, step, progress: progressIn(planned.get(address), progress) }];
  });
  const progress = rolloutAt(rollout, agents, now);
  const stepOf = (resource: ResourcePlan) => steps.get(addressOf(resource));
  const barrierOf = (resource: ResourcePlan) => {
    const barrier = progress.closed.get(stepOf(resource) ?? 0);
    return isPending(resource) && bringsNews(resource) ? barrier : undefined;
  };
  const isSkipped = isDecided(input.decisions, 'rollout');
  const seenAs = (resource: ResourcePlan) => {
    const waiting = !isSkipped && barrierOf(resource) !== undefined;
    return { ...resource, step: stepOf(resource) ?? 0, waiting };
  };
  return { progress, stepOf, barrierOf, seenAs };
}

/** Whether a write has content that was not applied before. */
export function bringsNews({ action, changes }: ResourcePlan): boolean {
  return action !== 'update' || haveNewContent(changes);
}

/** The progress according to the record, corrected by the plan. A hold that does not block has ended. */
function progressIn(planned: ResourcePlan | undefined, progress: Progress): Progress {
  if (planned === undefined) return progress;
  const { action, held, changes } = planned;
  if (action === 'blocked' && held !== undefined) return progress.state === 'done' ? progress : { state: 'held' };
  if (action === 'failed' || action === 'blocked') return { state: 'failed' };
  if (changes.some(({ cause }) => cause === 'conflict')) return { state: 'failed' };
  return progress.state === 'held' ? { state: 'pending' } : progress;
}

/** The resources with their steps; those of closed steps wait. */
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

/** The resource with these members beside its action, where readers of the plan expect them. */
function inStep(
  { kind, name, id, action, ...rest }: ResourcePlan,
  members: Pick<ResourcePlan, 'willBe' | 'step' | 'notBefore'>,
): ResourcePlan {
  return { kind, name, ...(id !== undefined && { id }), action, ...members, ...rest };
}

/** Lets a resource that was planned again wait as before. */
export function waitingAs(before: ResourcePlan, again: ResourcePlan): ResourcePlan {
  const { willBe, step, notBefore } = before;
  if (step === undefined) return again;
  const members = { ...(willBe !== undefined && { willBe }), step, ...(notBefore !== undefined && { notBefore }) };
  if (willBe === undefined || !isPending(again)) return inStep(again, { step });
  const reasons = [...again.reasons, ...before.reasons.filter(({ code }) => code === 'step-closed')];
  return inStep({ ...again, action: 'waiting', reasons }, members);
}

/** The steps that `--skip-rollout` overruled, by address. */
export function skippedStepsIn({ resources }: Pick<Plan, 'resources'>): (address: string) => string[] {
  const skipped = new Map(
    resources.flatMap((resource): [string, string[]][] => {
      const isSkipped = resource.warnings.some(({ code }) => code === 'step-skipped');
      return isSkipped ? [[addressOf(resource), [`step ${resource.step}`]]] : [];
    }),
  );
  return (address) => skipped.get(address) ?? [];
}
