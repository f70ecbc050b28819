import { ServiceError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { kindNamed } from '../kinds/kind.ts';
import { bodyChanges } from './body-changes.ts';
import { confirmWrite } from './confirm.ts';
import { messageOf } from './message.ts';
import type { Ending, Task } from './task.ts';

/**
 * Creates a resource. The intent is recorded before the request, so that a lost answer blocks the next plan instead of
 * being followed by a second create; the request is never repeated after an unclear outcome.
 */
export async function create(task: Task): Promise<Ending> {
  const { desired, keeper, means, observation, resource } = task;
  const { service, connectionOf, now } = means;
  await keeper.save({ fields: {}, intent: { operation: 'create', startedAt: now().toISOString() } });
  const body = kindNamed(desired.kind).body(desired.sections, bodyChanges(resource.changes));
  let id: string;
  try {
    id = (await service.updateAgent(connectionOf(desired), body, { repeatable: false })).campaignId;
  } catch (error) {
    return unfinished(task, error);
  }
  return misdirected(task, id) ?? confirmWrite(task, { id, before: observation, body });
}

/** The id of the answer says whether the create hit an agent of its own. */
function misdirected(task: Task, id: string): Promise<Ending> | Ending | undefined {
  const { desired, means } = task;
  if (means.planning.secrecy.exposes(id)) return unusableId(task);
  const expected = desired.target.campaignId;
  if (expected !== undefined && expected !== id) return createdElsewhere(task, id, expected);
  const key = `${desired.target.host} ${id}`;
  const owner = means.owners.get(key);
  if (owner !== undefined && owner !== addressOf(desired)) return overwritten(task, id, owner);
  means.owners.set(key, addressOf(desired));
  return undefined;
}

async function unfinished(task: Task, error: unknown): Promise<Ending> {
  if (error instanceof ServiceError && error.outcome === 'unclear') {
    return { outcome: 'unknown', sent: true, message: `${error.message}; ${waysOut(task)}` };
  }
  await task.keeper.restore();
  return { outcome: 'failed', sent: false, message: messageOf(error) };
}

function createdElsewhere(task: Task, id: string, expected: string): Ending {
  return {
    outcome: 'failed',
    sent: true,
    id,
    hitWrongAgent: true,
    message:
      `the write answered with agent ${id} instead of ${expected} (target.campaignId), so the settings were written ` +
      `there; nothing more is sent with these credentials; ${waysOut(task)}`,
  };
}

/** Nothing was created: the settings of another manifest's agent were overwritten. */
async function overwritten(task: Task, id: string, owner: string): Promise<Ending> {
  await task.keeper.restore();
  return {
    outcome: 'failed',
    sent: true,
    hitWrongAgent: true,
    message:
      `the write hit agent ${id}, which is that of ${owner}: its settings were overwritten; nothing more is sent with ` +
      `these credentials; give ${addressOf(task.desired)} a \`target\` of its own, then apply ${owner} again`,
  };
}

function unusableId(task: Task): Ending {
  const message = `the service answered with an id that holds a secret, which is not recorded; ${waysOut(task)}`;
  return { outcome: 'unknown', sent: true, message };
}

function waysOut(task: Task): string {
  const address = addressOf(task.desired);
  return (
    `look for the agent on the service, then run \`agentform record adopt ${address} ID\` if it is there ` +
    `or \`agentform record forget ${address}\` if it is not`
  );
}
