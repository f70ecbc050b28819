import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { needsIntent, saveIntent } from './create.ts';
import type { ApplyMeans, Ending, Task } from './task.ts';

/**
 * Where a save is not known to everybody at once, the intents of creates are shared together, before the first of
 * them is sent. Answers with those that could not be, by address: they must not be sent.
 */
export async function announceCreates(
  tasks: readonly Task[],
  { store }: Pick<ApplyMeans, 'store'>,
): Promise<ReadonlyMap<string, Ending>> {
  const creates = store.sharesAtOnce ? [] : tasks.filter(needsIntent);
  const [first] = creates;
  if (first === undefined) return new Map();
  try {
    await Promise.all(creates.map(saveIntent));
    await store.share(`Begin creates in ${first.desired.environment}`);
    return new Map();
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    const { reason } = error.facts;
    const message = typeof reason === 'string' ? `${reason}; nothing was sent` : error.message;
    const ending: Ending = { outcome: 'failed', sent: false, message };
    const isAbout = recordsIn(error);
    return new Map(
      creates
        .map(({ desired }) => addressOf(desired))
        .filter(isAbout)
        .map((address) => [address, ending]),
    );
  }
}

/** An attempt that is not made leaves no intent behind. Where the record is somebody else's by now, it stays. */
export async function withdraw({ keeper }: Task): Promise<void> {
  try {
    await keeper.restore();
  } catch (error) {
    if (!(error instanceof AgentformError) || error.code !== 'record-moved') throw error;
  }
}

/** Somebody else was faster at some of them, or nothing was shared at all. */
function recordsIn({ code, facts }: AgentformError): (address: string) => boolean {
  const { records } = facts;
  return code === 'record-moved' && Array.isArray(records) ? (address) => records.includes(address) : () => true;
}
