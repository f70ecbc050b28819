import { ServiceError } from '../errors.ts';
import { addressOf, idKey } from '../kinds/desired.ts';
import { kindNamed, kindOf } from '../kinds/kind.ts';
import { notice, problemOf } from '../notices/notice.ts';
import { resourceState } from '../plan/fields/resource-state.ts';
import { unclearRemedies } from '../plan/verdicts/blocks.ts';
import type { ResourcePlan } from '../schemas/plan-types.ts';
import { confirmWrite, recordWrite } from './confirm.ts';
import {
  bodyChanges,
  failureNotice,
  moveRecord,
  type ResourceApply,
  type ResourceOutcome,
  type WriteResult,
  write,
} from './resource-apply.ts';

/**
 * Creates a resource. Records the intent first. If the response is lost, the intent makes the next plan block the
 * resource instead of creating it again. A create with an unclear outcome is never retried. Kinds whose create can be
 * repeated safely need no intent.
 */
export async function createResource(planned: ResourceApply): Promise<ResourceOutcome> {
  const task = await moveRecord(planned);
  const { resource, desired, keeper, observation, changes, context } = task;
  const { body: bodyOf, live } = kindNamed(desired.kind);
  if (needsIntent(resource) && keeper.current()?.intent === undefined) await saveIntent(task);
  const body = bodyOf(desired, bodyChanges(changes), 'create');
  let response: WriteResult;
  try {
    response = await write(task, body, 'create');
  } catch (error) {
    return unfinished(task, error);
  }
  if (live === undefined) return recordWrite(task, body, response);
  const { id = '', warnings, at } = response;
  return (
    misdirected(task, id) ??
    confirmWrite(task, { id, before: resourceState(observation, context.planning.secrecy), body, warnings, at })
  );
}

/** Returns whether repeating a write could create a second resource. */
export function needsIntent(resource: ResourcePlan): boolean {
  const adds = kindOf(resource)?.adds;
  if (resource.action === 'create') return adds !== 'never';
  return adds === 'always' && resource.changes.some(({ op }) => op !== 'release');
}

/** The run id distinguishes intents that two runs save in the same millisecond. */
export async function saveIntent(task: ResourceApply): Promise<void> {
  await moveRecord(task);
  const { now, runId } = task.context;
  await task.keeper.save({ fields: {}, intent: { operation: 'create', startedAt: now().toISOString(), runId } });
}

/**
 * Checks the id in the response. Returns an outcome if the id contains a secret, differs from the declared id, or
 * belongs to another resource. In the last case, the create has overwritten that resource.
 */
function misdirected(task: ResourceApply, id: string): Promise<ResourceOutcome> | ResourceOutcome | undefined {
  const { desired, context } = task;
  const { kind } = desired;
  if (context.planning.secrecy.holdsSecret(id)) {
    return { outcome: 'unknown', sent: true, reasons: [notice('id-holds-secret', { kind }, unclearRemedies(desired))] };
  }
  const expected = desired.target.campaignId;
  if (expected !== undefined && expected !== id) {
    const reason = notice('other-agent-written', { id, expected, kind, step: 'create' }, unclearRemedies(desired));
    return { outcome: 'failed', sent: true, id, hitWrongAgent: true, reasons: [reason] };
  }
  const key = idKey(desired.target, id);
  const owner = context.owners.get(key);
  if (owner !== undefined && owner !== addressOf(desired)) return overwritten(task, id, owner);
  context.owners.set(key, addressOf(desired));
  return undefined;
}

async function unfinished(task: ResourceApply, error: unknown): Promise<ResourceOutcome> {
  if (error instanceof ServiceError && error.outcome === 'unclear') {
    const { kind } = task.desired;
    const isRepeatable = kindNamed(kind).adds === 'never';
    const reason = isRepeatable
      ? notice('create-unanswered', { ...problemOf(error), kind, isRepeatable })
      : notice('create-unanswered', { ...problemOf(error), kind }, unclearRemedies(task.desired));
    return { outcome: 'unknown', sent: true, reasons: [reason] };
  }
  await task.keeper.restore();
  return { outcome: 'failed', sent: false, reasons: [failureNotice(error)] };
}

/** Reports a create that overwrote another agent. Removes the intent first. */
async function overwritten(task: ResourceApply, id: string, owner: string): Promise<ResourceOutcome> {
  await task.keeper.restore();
  const { desired } = task;
  const facts = { id, owner, address: addressOf(desired), kind: desired.kind, step: 'create' as const };
  return { outcome: 'failed', sent: true, hitWrongAgent: true, reasons: [notice('other-agent-written', facts)] };
}
