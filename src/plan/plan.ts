import type { Plan, ResourcePlan, Summary } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { isPending, planDigest } from './digest.ts';
import { type Limits, sharedTargets, tooManyCreates } from './guards.ts';
import type { Identity, Observation, PlanOptions } from './observation.ts';
import { orphanPlan, planResource } from './resource-plan.ts';

export interface PlanInput extends PlanOptions {
  readonly environment: string;
  /** The selected resources. */
  readonly observations: readonly Observation[];
  /** Every manifest of the project. */
  readonly identities: readonly Identity[];
  /** Every record without a manifest. */
  readonly orphans: readonly ResourceRecord[];
  /** Orphans are listed only if the whole project is planned. */
  readonly listOrphans: boolean;
  readonly limits: Limits;
}

/** The plan of a run: a function of values, sorted by kind and name. */
export function makePlan(input: PlanInput): Plan {
  const selected = input.observations.map((observation) => planResource(observation, input));
  const orphans = input.listOrphans ? input.orphans.map(orphanPlan) : [];
  const resources = [...selected, ...orphans].sort(byKindAndName);
  return {
    formatVersion: 1,
    environment: input.environment,
    digest: planDigest(resources),
    summary: summaryOf(resources),
    refusals: [...sharedTargets(input.identities), ...tooManyCreates(resources, input.limits)],
    resources,
  };
}

/** Whether something is left to do: changes, or a resource that is blocked. */
export function hasPendingChanges(plan: Plan): boolean {
  return plan.resources.some((resource) => isPending(resource) || resource.action === 'blocked');
}

function summaryOf(resources: readonly ResourcePlan[]): Summary {
  const count = (action: ResourcePlan['action']) => resources.filter((resource) => resource.action === action).length;
  const changes = resources.flatMap((resource) => resource.changes);
  const fields = (name: keyof ResourcePlan['coverage']) =>
    resources.reduce((total, resource) => total + resource.coverage[name], 0);
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('none'),
    blocked: count('blocked'),
    failed: count('failed'),
    orphans: count('orphan'),
    drift: changes.filter((change) => change.cause === 'drift').length,
    conflicts: changes.filter((change) => change.cause === 'conflict').length,
    blind: fields('blind'),
    compared: fields('compared'),
    assumed: fields('assumed'),
  };
}

function byKindAndName(one: ResourcePlan, other: ResourcePlan): number {
  const [a, b] = [`${one.kind}/${one.name}`, `${other.kind}/${other.name}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
