import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';

/** Whether an apply would do something to the resource, or to its record. */
export function isPending({ action }: Pick<ResourcePlan, 'action'>): boolean {
  return action === 'create' || action === 'update' || action === 'forget';
}

/** Whether carrying the plan out writes nothing, neither to the service nor to records. */
export function changesNothing(plan: Pick<Plan, 'resources'>): boolean {
  return !plan.resources.some(isPending);
}
