import { AgentformError, ServiceError } from '../../errors.ts';
import type { Desired } from '../../kinds/desired.ts';
import type { Observation, Reading } from '../../plan/observation.ts';
import { knownId } from '../../plan/target.ts';
import { adoptCommand, canBeRead, forgetCommand } from '../../plan/verdicts/blocks.ts';
import type { Connection, ServiceClient } from '../../service/client.ts';
import type { ReadAhead } from './read-ahead.ts';

/** The options of reads. */
export interface LiveReads {
  readonly service: ServiceClient;
  readonly connectionOf: (desired: Desired) => Connection;
  readonly readAhead?: ReadAhead;
}

/** A read that fails leaves its resource out; the rest goes on. */
export async function readLive(
  { service, connectionOf, readAhead }: LiveReads,
  known: Omit<Observation, 'reading'>,
): Promise<Reading | undefined> {
  const { desired, record } = known;
  const id = knownId(desired, record);
  if (id === undefined || !canBeRead(known)) return undefined;
  try {
    const campaign = (await readAhead?.take(desired, id)) ?? (await service.getAgent(connectionOf(desired), id));
    return { campaign };
  } catch (error) {
    if (error instanceof AgentformError) return { failure: failureText(error, desired) };
    throw error;
  }
}

/** A missing agent is not created again: more likely the target is wrong. */
function failureText(error: AgentformError, desired: Desired): string {
  if (!(error instanceof ServiceError) || error.status !== 404) return error.message;
  if (desired.target.agentId !== undefined) {
    const again = `remove target.agentId and run ${forgetCommand(desired)} to create it again`;
    return `${error.message}; check target.agentId and the credentials; if the agent is gone, ${again}`;
  }
  return (
    `${error.message}; check the target; if the agent is gone, link another one with ${adoptCommand(desired)}, ` +
    `or run ${forgetCommand(desired)} to create it again`
  );
}
