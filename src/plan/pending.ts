import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../json/json.ts';
import type { Change, Plan, ResourcePlan, Summary } from '../schemas/plan-types.ts';

/** Whether an apply would write the resource or its record. */
export function isPending({ action }: Pick<ResourcePlan, 'action'>): boolean {
  return action === 'create' || action === 'update' || action === 'forget';
}

/**
 * Whether an apply would write the resource now, or once its step of the rollout is open. Digests, limits, policies and
 * approvals cover these resources.
 */
export function isPlanned(resource: Pick<ResourcePlan, 'action'>): boolean {
  return isPending(resource) || resource.action === 'waiting';
}

/** The action; for a resource that waits, its action once the step is open. */
export function plannedAction({ action, willBe }: Pick<ResourcePlan, 'action' | 'willBe'>): ResourcePlan['action'] {
  return willBe ?? action;
}

/** Whether changes have new content. The values of undone edits and resent settings were applied before. */
export function haveNewContent(changes: readonly Pick<Change, 'cause'>[]): boolean {
  return changes.some(({ cause }) => cause !== 'drift' && cause !== 'unverified');
}

/** Whether an apply of the plan writes nothing, neither to the service nor to records. */
export function changesNothing(plan: Pick<Plan, 'resources'>): boolean {
  return !plan.resources.some(isPending);
}

/** The number of resources by action. */
export function actionCounts(
  resources: readonly Pick<ResourcePlan, 'action'>[],
): Pick<Summary, 'create' | 'update' | 'unchanged' | 'blocked' | 'failed' | 'orphans' | 'forget' | 'waiting'> {
  const count = (action: ResourcePlan['action']) => resources.filter((resource) => resource.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('none'),
    blocked: count('blocked'),
    failed: count('failed'),
    orphans: count('orphan'),
    forget: count('forget'),
    waiting: count('waiting'),
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

/**
 * Whether a change undoes an edit on the service since the last apply, or conflicts with it. The edit must be readable.
 */
export function isLiveEdit({ cause, knowledge }: Pick<Change, 'cause' | 'knowledge'>): boolean {
  return (cause === 'drift' || cause === 'conflict') && knowledge === 'compared';
}

/**
 * The parts of one resource that an approval covers: its target, the operations and the values before them, a rename,
 * and a dropped record. `lastUpdate`, wording and causes are not part of it, so the approval does not lapse when they
 * change.
 */
export function resourceDigest(
  resource: Pick<ResourcePlan, 'kind' | 'name' | 'id' | 'target' | 'action' | 'willBe' | 'renamedFrom' | 'changes'>,
): string {
  const changes = resource.changes.map(({ op, path, from, to }) => ({ op, path, from, to }));
  return digestOf({ ...pick(resource), changes });
}

/** The parts of a plan that an approval covers: the resources with changes. */
export function planDigest(resources: readonly ResourcePlan[]): string {
  return planDigestOf(resources.filter(isPlanned).map((resource) => resource.digest));
}

/** The same from the digests of the resources with changes. */
export function planDigestOf(digests: readonly string[]): string {
  return digestOf(digests);
}

/** A waiting resource already has the digest of the time when its step is open. */
function pick({ kind, name, id, target, renamedFrom, ...actions }: Parameters<typeof resourceDigest>[0]) {
  const action = plannedAction(actions);
  const forgets = action === 'forget' ? true : undefined;
  return { kind, name, id, target, creates: action === 'create', renamedFrom, forgets };
}

function digestOf(value: unknown): string {
  return textDigest(canonicalJson(value));
}

/** The digest of a text. */
export function textDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * The last member of a written plan: the checksum of the text before it. It covers parts without a digest, such as
 * causes and reasons. It has no key, so it does not show who wrote the plan.
 */
export function checksumMember(before: Hash): string {
  return `  "checksum": "sha256:${before.digest('hex')}"`;
}
