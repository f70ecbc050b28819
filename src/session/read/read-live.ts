import { AgentformError, ServiceError } from '../../errors.ts';
import type { Desired } from '../../kinds/desired.ts';
import { type Notice, notice, problemOf } from '../../notices/notice.ts';
import type { Observation, Reading } from '../../plan/observation.ts';
import { knownId } from '../../plan/target.ts';
import { adoptCommand, canBeRead, forgetCommand } from '../../plan/verdicts/blocks.ts';
import type { Connection, ServiceClient } from '../../service/client.ts';

/** The options of reads. */
export interface LiveReads {
  readonly service: ServiceClient;
  readonly connectionOf: (desired: Desired) => Connection;
}

/** A read that fails leaves its resource out; the rest goes on. */
export async function readLive(
  { service, connectionOf }: LiveReads,
  known: Omit<Observation, 'reading'>,
): Promise<Reading | undefined> {
  const { desired, record } = known;
  const id = knownId(desired, record);
  if (id === undefined || !canBeRead(known)) return undefined;
  try {
    return { campaign: await service.getAgent(connectionOf(desired), id) };
  } catch (error) {
    if (error instanceof AgentformError) return { failure: failureOf(error, desired) };
    throw error;
  }
}

/** A missing agent is not created again: more likely the target is wrong. */
function failureOf(error: AgentformError, desired: Desired): Notice {
  const problem = problemOf(error);
  if (!(error instanceof ServiceError) || error.status !== 404) return notice('read-failed', problem);
  const forget = forgetCommand(desired);
  return desired.target.agentId === undefined
    ? notice('read-failed', { ...problem, missing: 'target' }, [adoptCommand(desired), forget])
    : notice('read-failed', { ...problem, missing: 'id' }, [forget]);
}
