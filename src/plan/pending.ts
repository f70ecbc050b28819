import type { Change, Plan, ResourcePlan, Summary } from '../schemas/plan-types.ts';

/** Whether an apply would do something to the resource, or to its record. */
export function isPending({ action }: Pick<ResourcePlan, 'action'>): boolean {
  return action === 'create' || action === 'update' || action === 'forget';
}

/** Whether carrying the plan out writes nothing, neither to the service nor to records. */
export function changesNothing(plan: Pick<Plan, 'resources'>): boolean {
  return !plan.resources.some(isPending);
}

/** The number of resources by action. */
export function actionCounts(
  resources: readonly Pick<ResourcePlan, 'action'>[],
): Pick<Summary, 'create' | 'update' | 'unchanged' | 'blocked' | 'failed' | 'orphans' | 'forget'> {
  const count = (action: ResourcePlan['action']) => resources.filter((resource) => resource.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('none'),
    blocked: count('blocked'),
    failed: count('failed'),
    orphans: count('orphan'),
    forget: count('forget'),
  };
}

/** The number of changes with one of these causes. */
export function countChanges(
  resources: readonly Pick<ResourcePlan, 'changes'>[],
  causes: readonly Change['cause'][],
): number {
  const count = ({ changes }: Pick<ResourcePlan, 'changes'>) =>
    changes.filter(({ cause }) => causes.includes(cause)).length;
  return resources.reduce((sum, resource) => sum + count(resource), 0);
}

/** Whether a change undoes, or meets, an edit that was made on the service since the last apply, and that the read shows. */
export function isLiveEdit({ cause, knowledge }: Pick<Change, 'cause' | 'knowledge'>): boolean {
  return (cause === 'drift' || cause === 'conflict') && knowledge === 'compared';
}
