import { isDeepStrictEqual } from 'node:util';
import type { Change, Plan, ResourcePlan, Summary } from '../schemas/plan-types.ts';

/** Whether an apply would write the resource or its record now. */
export function isPending({ action }: Pick<ResourcePlan, 'action'>): boolean {
  return action === 'create' || action === 'update' || action === 'forget';
}

/**
 * Whether an apply would write the resource, either now or once its rollout step is open. Digests, limits, policies and
 * approvals cover these resources.
 */
export function isPlanned(resource: Pick<ResourcePlan, 'action'>): boolean {
  return isPending(resource) || resource.action === 'waiting';
}

/** The action of a resource. For a waiting resource, the action that follows once its step is open. */
export function plannedAction({ action, willBe }: Pick<ResourcePlan, 'action' | 'willBe'>): ResourcePlan['action'] {
  return willBe ?? action;
}

/** Whether any of the changes applies new content. Undone edits and resent settings are not new content. */
export function haveNewContent(changes: readonly Pick<Change, 'cause'>[]): boolean {
  return changes.some(({ cause }) => cause !== 'drift' && cause !== 'unverified');
}

/** Whether two lists contain the same changes with the same values in the same order. The causes may differ. */
export function areSameChanges(ones: readonly Change[], others: readonly Change[]): boolean {
  const compared = (changes: readonly Change[]) => changes.map(({ op, path, from, to }) => ({ op, path, from, to }));
  return isDeepStrictEqual(compared(ones), compared(others));
}

/** Whether applying the plan would write nothing, neither to the service nor to records. */
export function changesNothing(plan: Pick<Plan, 'resources'>): boolean {
  return !plan.resources.some(isPending);
}

/** The changes that conflict with an edit on the service. */
export function conflictsOf({ changes }: Pick<ResourcePlan, 'changes'>): Change[] {
  return changes.filter(({ cause }) => cause === 'conflict');
}

/** Whether an apply would only undo edits on the service. It may also resend write-only settings. */
export function isOnlyDrift({ action, changes, renamedFrom }: ResourcePlan): boolean {
  if (action !== 'update' || renamedFrom !== undefined) return false;
  const causes = new Set(changes.map(({ cause }) => cause));
  return causes.delete('drift') && [...causes].every((cause) => cause === 'unverified');
}

/** Whether an apply would only resend write-only settings whose live values are unknown. */
export function isOnlySentAgain({ action, changes, renamedFrom }: ResourcePlan): boolean {
  if (action !== 'update' || renamedFrom !== undefined || changes.length === 0) return false;
  return changes.every(({ cause }) => cause === 'unverified');
}

/** The changes of a resource that undo dashboard edits: drift, and conflicts that a decision overwrites. */
export function undoingChanges({ changes, warnings }: ResourcePlan): Change[] {
  const overwritten = warnings.flatMap((one) => (one.code === 'conflict-overwritten' ? one.facts.paths : []));
  return changes.filter(({ cause, op, path }) => cause === 'drift' || (op !== 'release' && overwritten.includes(path)));
}

/** Whether the edits of a resource may come from a failed apply instead of a person in the dashboard. */
export function isUnclearEdit({ lastApply }: Pick<ResourcePlan, 'lastApply'>): boolean {
  return lastApply?.failure !== undefined;
}

/**
 * Whether the plan is not refused, writes nothing, and has no waiting, blocked or failed resources. For an offline
 * plan, there must also be no orphans.
 */
export function isEmptyPlan({ summary, refusals, offline }: Plan): boolean {
  const { create, update, forget, waiting, blocked, failed } = summary;
  const gone = offline === undefined ? 0 : summary.orphans;
  return create + update + forget + waiting + blocked + failed + gone + refusals.length === 0;
}

/** Whether a resource has no action, changes or notices to show, so that the plan only counts the resource. */
export function isUneventful({ action, reasons, warnings, changes }: ResourcePlan): boolean {
  return action === 'none' && reasons.length + warnings.length + changes.length === 0;
}

/** Whether a hold prevents an apply from writing the resource. */
export function isHeld({ action, held }: Pick<ResourcePlan, 'action' | 'held'>): boolean {
  return action === 'blocked' && held !== undefined;
}

export function actionCounts(
  resources: readonly Pick<ResourcePlan, 'action'>[],
): Pick<Summary, 'create' | 'update' | 'unchanged' | 'blocked' | 'failed' | 'orphans' | 'forget' | 'waiting'> {
  const counts = { create: 0, update: 0, none: 0, blocked: 0, failed: 0, orphan: 0, forget: 0, waiting: 0 };
  for (const { action } of resources) counts[action] += 1;
  const { none: unchanged, orphan: orphans, create, update, blocked, failed, forget, waiting } = counts;
  return { create, update, unchanged, blocked, failed, orphans, forget, waiting };
}

/** Whether a change undoes an edit of a readable setting on the service, or conflicts with such an edit. */
export function isLiveEdit({ cause, knowledge }: Pick<Change, 'cause' | 'knowledge'>): boolean {
  return (cause === 'drift' || cause === 'conflict') && knowledge === 'compared';
}
