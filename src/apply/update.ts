import { ServiceError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import { pathSet } from '../kinds/path-map.ts';
import { notice, remedyIn } from '../notices/notice.ts';
import { planHidingCredentials } from '../plan/credentials.ts';
import { type ResourceState, resourceState } from '../plan/fields/resource-state.ts';
import { hasSameKept } from '../plan/kept-settings.ts';
import { campaignIn } from '../plan/observation.ts';
import type { FreshPlan } from '../plan/resource-plan.ts';
import { type ConfirmedWrite, confirmWrite, recordWrite } from './confirm.ts';
import { createResource } from './create.ts';
import { readsAsSent } from './field-results.ts';
import { readUntil } from './read-back.ts';
import { overwrittenValues, recordedFailure } from './records/provenance.ts';
import { settle } from './records/settled-fields.ts';
import {
  bodyChanges,
  expected,
  failureNotice,
  moveRecord,
  type ResourceApply,
  type ResourceOutcome,
  readAgent,
  recordable,
  type WriteResult,
  write,
} from './resource-apply.ts';

/**
 * Updates a resource. If the resource is readable, reads it again first, and refuses the update if the resource has
 * changed since the plan. If a response is lost, the request may be repeated, because it sends the same body to the
 * same agent.
 */
export async function updateResource(planned: ResourceApply): Promise<ResourceOutcome> {
  if (planned.changes.every(({ change }) => change.op === 'release')) {
    // Removes the settings from the record, and renames the record if necessary.
    await settle(await moveRecord(planned));
    return { outcome: 'applied', sent: false };
  }
  const { live, body: bodyOf, adds } = kindNamed(planned.desired.kind);
  if (adds === 'always') return createResource(planned);
  const again = live === undefined ? planned : await readAgain(planned);
  if ('ending' in again) return again.ending;
  // Settings that an answer keeps are sent with the live values that were just read.
  const { observation } = again;
  const task = await moveRecord({ ...planned, observation, desired: observation.desired });
  const before = 'state' in again ? again.state : undefined;
  const body = bodyOf(task.desired, bodyChanges(task.changes), 'update');
  const sent = { before, body, overwrote: before && (await overwrittenValues(task, before)) };
  await saveDoubt(task, sent);
  let response: WriteResult;
  try {
    response = await write(task, body, 'update');
  } catch (error) {
    return unanswered(task, sent, error);
  }
  return confirmed(task, sent, response);
}

/** An update that was sent. `before` is undefined if the resource cannot be read. */
interface SentUpdate extends Pick<ConfirmedWrite, 'body' | 'overwrote'> {
  readonly before: ResourceState | undefined;
}

/**
 * Determines the outcome of an update without a usable response. If an answer put settings on hold, the holds stay in
 * the record.
 */
async function unanswered(task: ResourceApply, sent: SentUpdate, error: unknown): Promise<ResourceOutcome> {
  const failure = recordable(error);
  if (!(error instanceof ServiceError && error.outcome === 'unclear')) {
    await withdrawDoubt(task);
    return { outcome: 'failed', sent: false, reasons: [failureNotice(error)], failure };
  }
  const { before } = sent;
  const found = before && (await inspectAfterLostAnswer(task, { ...sent, before }));
  const reason = failureNotice(error, [remedyIn(task.desired.environment, 'plan')]);
  return found ?? { outcome: 'unknown', sent: true, reasons: [reason], failure };
}

async function confirmed(
  task: ResourceApply,
  { before, body, overwrote }: SentUpdate,
  response: WriteResult,
): Promise<ResourceOutcome> {
  if (before === undefined) return recordWrite(task, body, response);
  const { id = '', warnings, at } = response;
  const { resource, desired } = task;
  const expected = desired.target.campaignId ?? resource.id;
  if (id === expected) return confirmWrite(task, { id: resource.id ?? '', before, body, warnings, at, overwrote });
  // This agent was not written.
  await withdrawDoubt(task);
  const facts = { id, ...(expected !== undefined && { expected }), kind: desired.kind, step: 'update' as const };
  const reasons = [notice('other-agent-written', facts)];
  const failure = { code: 'other-agent-written', facts: { id } };
  return { outcome: 'failed', sent: true, hitWrongAgent: true, reasons, failure };
}

/**
 * Saves the record that is true if the run ends before it records the result of the write. Without `lastUpdate`,
 * write-only settings count as unverified. With `failure`, plans say that this apply may have changed the live values.
 * Without the digests of a complete apply, no other environment relies on this one. A kind that cannot be read has no
 * `lastUpdate`. For such a kind, the failure makes the next plan send all settings again, even if the manifest was
 * reverted.
 *
 * Also saves new holds. Without the hold of a rollback, the next apply would treat the restored values as drift, and
 * undo them. The same applies to answers that keep settings. Resources with other holds are blocked and not written.
 */
async function saveDoubt(task: ResourceApply, { before, overwrote }: SentUpdate): Promise<void> {
  const { keeper, resource } = task;
  const isNew = keeper.current() === undefined;
  // Without a record, the next plan sends all settings anyway.
  if (before === undefined && isNew) return;
  await keeper.amend({
    // The fields of an existing record may belong to another agent.
    ...(isNew && { id: resource.id }),
    lastUpdate: undefined,
    declared: undefined,
    content: undefined,
    revision: undefined,
    ...(before !== undefined && { draft: 'written' }),
    ...(overwrote && { overwrote }),
    failure: recordedFailure(task, { code: 'interrupted', facts: {} }),
  });
}

/**
 * Removes the doubt from the record if the service certainly did not write. The holds of an answer stay. If saving
 * fails with an expected error, the doubt stays, so that the error does not replace the reason of the failed write.
 */
async function withdrawDoubt({ keeper, observation: { answer, record } }: ResourceApply): Promise<void> {
  try {
    if (answer?.keeps === undefined || record === undefined) return await keeper.restore();
    const { lastUpdate, declared, content, revision, draft, overwrote, failure } = record;
    await keeper.amend({ lastUpdate, declared, content, revision, draft, overwrote, failure });
  } catch (error) {
    expected(error);
  }
}

/**
 * Reads the resource again, and plans it with the same function that made the plan. The plan is still valid if the
 * digests of both plans and the kept settings are equal. The kept settings are compared separately, because the digest
 * does not cover their values, but answers depend on these values.
 */
async function readAgain(
  task: ResourceApply,
): Promise<Required<Pick<FreshPlan, 'observation' | 'state'>> | { readonly ending: ResourceOutcome }> {
  try {
    const { observation, planned, state } = await planAgain(task);
    const isSame = planned.digest === task.resource.digest && hasSameKept(observation, task.observation);
    if (state !== undefined && isSame) return { observation, state };
  } catch (error) {
    return { ending: failedRead(error) };
  }
  return { ending: await staleEnding(task) };
}

/**
 * Checks that the settings that an answer keeps still have the values that the question showed. This is needed before
 * an answer is recorded without a write. Returns undefined if the values are the same.
 */
export async function voidedKeep(task: ResourceApply): Promise<ResourceOutcome | undefined> {
  const { observation } = task;
  if (observation.answer?.keeps === undefined || campaignIn(observation) === undefined) return undefined;
  try {
    const again = await planAgain(task);
    return hasSameKept(again.observation, observation) ? undefined : await staleEnding(task);
  } catch (error) {
    return failedRead(error);
  }
}

async function planAgain({ desired, resource, observation, context }: ResourceApply): Promise<FreshPlan> {
  const campaign = await context.service.getAgent(context.connectionOf(desired), resource.id ?? '');
  return planHidingCredentials({ ...observation, reading: { campaign } }, context.planning);
}

function failedRead(error: unknown): ResourceOutcome {
  return { outcome: 'failed', sent: false, reasons: [failureNotice(error)], failure: recordable(error) };
}

async function staleEnding(task: ResourceApply): Promise<ResourceOutcome> {
  const { desired } = task;
  const address = addressOf(desired);
  const reason = (await isAppliedElsewhere(task))
    ? notice('stale', { address, by: 'other-run' }, [remedyIn(desired.environment, 'plan')])
    : notice('stale', { address, by: 'edit' });
  return { outcome: 'not attempted', sent: false, refused: true, reasons: [reason] };
}

/**
 * Returns whether another run applied the resource since this run read the record. If the record cannot be read, the
 * change counts as an edit.
 */
async function isAppliedElsewhere({ desired, keeper, context }: ResourceApply): Promise<boolean> {
  try {
    const shared = (await context.sharedRecords?.())?.get(addressOf(desired))?.record;
    return shared?.appliedAt !== undefined && shared.appliedAt !== keeper.current()?.appliedAt;
  } catch (error) {
    expected(error);
    return false;
  }
}

/**
 * Checks whether an update was carried out although its response was lost. Confirms the write if the service returns
 * the sent values. Otherwise, the record keeps the doubt that was saved before the write.
 */
async function inspectAfterLostAnswer(
  task: ResourceApply,
  sent: Pick<ConfirmedWrite, 'before' | 'body' | 'overwrote'>,
): Promise<ResourceOutcome | undefined> {
  const { desired, resource, changes, context, patience } = task;
  const unsets = pathSet(changes.map(({ path }) => path));
  const read = async () => {
    const campaign = await readAgent(task, resource.id ?? '');
    const state = resourceState({ ...task.observation, reading: { campaign } }, context.planning.secrecy);
    const changed = state.fields.filter((field) => field.readable && unsets.along(field.path).length > 0);
    if (changed.length === 0) return 'untold';
    return changed.every((field) => readsAsSent(field, desired.kind)) ? 'done' : 'unseen';
  };
  try {
    const { seen } = await readUntil(read, (found) => found !== 'unseen', patience);
    if (seen === 'done') return await confirmWrite(task, { ...sent, id: resource.id ?? '', warnings: [] });
  } catch (error) {
    expected(error);
  }
  return undefined;
}
