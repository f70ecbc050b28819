import { ServiceError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import type { Observation } from '../plan/observation.ts';
import { planResource } from '../plan/resource-plan.ts';
import { bodyChanges } from './body-changes.ts';
import { confirmWrite, settle } from './confirm.ts';
import { messageOf } from './message.ts';
import type { Ending, Task } from './task.ts';

/**
 * Updates a resource: reads it again, refuses if it moved since the plan, writes it whole. The write may be repeated
 * after a lost answer: it is the same body to the same agent.
 */
export async function update(task: Task): Promise<Ending> {
  const { desired, resource, means } = task;
  if (resource.changes.every((change) => change.op === 'release')) return release(task);
  const again = await readAgain(task);
  if ('ending' in again) return again.ending;
  const { observation } = again;
  const body = kindNamed(desired.kind).body(desired.sections, bodyChanges(resource.changes));
  try {
    const { campaignId } = await means.service.updateAgent(means.connectionOf(desired), body, { repeatable: true });
    const expected = desired.target.campaignId ?? resource.id;
    if (campaignId !== expected) return hitAnother(campaignId, expected);
  } catch (error) {
    return { ...outcomeOf(error), message: messageOf(error) };
  }
  return confirmWrite(task, { id: resource.id ?? '', before: observation, body });
}

async function release(task: Task): Promise<Ending> {
  await settle(task);
  return { outcome: 'applied', sent: false };
}

/** The same function that made the plan says whether it still holds. */
async function readAgain(task: Task): Promise<{ readonly observation: Observation } | { readonly ending: Ending }> {
  const { desired, resource, means } = task;
  try {
    const campaign = await means.service.getAgent(means.connectionOf(desired), resource.id ?? '');
    const observation = { ...task.observation, reading: { campaign } };
    if (planResource(observation, means.planning).digest === resource.digest) return { observation };
  } catch (error) {
    return { ending: { outcome: 'failed', sent: false, message: messageOf(error) } };
  }
  const message = `stale: ${addressOf(desired)} moved on the service since it was planned; plan again`;
  return { ending: { outcome: 'not attempted', sent: false, refused: true, message } };
}

function hitAnother(id: string, expected: string | undefined): Ending {
  return {
    outcome: 'failed',
    sent: true,
    hitWrongAgent: true,
    message:
      `the write answered with agent ${id} instead of ${expected}, so the settings were written to ${id}; nothing more ` +
      'is sent with these credentials; check the token and target.query, or name the id in target.campaignId',
  };
}

function outcomeOf(error: unknown): Pick<Ending, 'outcome' | 'sent'> {
  const unclear = error instanceof ServiceError && error.outcome === 'unclear';
  return unclear ? { outcome: 'unknown', sent: true } : { outcome: 'failed', sent: false };
}
