import { addressOf } from '../kinds/desired.ts';
import type { Secrecy } from '../kinds/secrecy.ts';
import type { Drift, DriftSummary, ResourceDrift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { Observation } from './observation.ts';
import { resourceDrift } from './resource-drift.ts';

export interface DriftInput {
  readonly plan: Plan;
  /** By address, what the plan was made from; an orphan has none. */
  readonly observations: ReadonlyMap<string, Observation>;
  readonly secrecy: Secrecy;
}

/**
 * What moved on the service since the last apply: a view of the plan and of what it was made from, so that the two
 * never disagree on what an apply would do about it.
 */
export function driftOf({ plan, observations, secrecy }: DriftInput): Drift {
  const resources = plan.resources.map((planned) =>
    resourceDrift(planned, observations.get(addressOf(planned)), secrecy),
  );
  return {
    formatVersion: 1,
    environment: plan.environment,
    summary: summaryOf(resources),
    // A limit refuses an apply and says nothing of what is there; two manifests on one agent make it a riddle.
    warnings: plan.refusals.filter(({ rule }) => rule === 'shared-target').map(({ message }) => message),
    resources,
  };
}

/** Whether something moved, or may have. */
export function hasDrift({ summary }: Drift): boolean {
  return summary.drifted + summary.inDoubt > 0;
}

function summaryOf(resources: readonly ResourceDrift[]): DriftSummary {
  const count = (status: ResourceDrift['status']) => resources.filter((each) => each.status === status).length;
  const sum = (amountOf: (resource: ResourceDrift) => number) =>
    resources.reduce((total, resource) => total + amountOf(resource), 0);
  return {
    drifted: count('drifted'),
    inDoubt: count('in doubt'),
    unmoved: count('unmoved'),
    unapplied: count('unapplied'),
    unreadable: count('unreadable'),
    blocked: count('blocked'),
    failed: count('failed'),
    orphans: count('orphan'),
    moves: sum(({ moves }) => moves.length),
    conflicts: sum(({ moves }) => moves.filter(({ effect }) => effect === 'conflict').length),
    doubts: sum(({ doubts }) => doubts.length),
    compared: sum(({ compared }) => compared),
    assumed: sum(({ assumed }) => assumed),
  };
}
