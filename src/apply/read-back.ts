import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import type { Waited } from '../schemas/notices-types.ts';

/** How long to wait until reads show a write, and how to wait. Reads may lag behind if the service uses a replica. */
export interface Patience {
  /** The maximum total of all pauses, in milliseconds. With 0, there is only one read. */
  readonly limitMs: number;
  /** Waits for the given number of milliseconds. Resolves to false if the run is interrupted, and otherwise to true. */
  readonly pause: (ms: number) => Promise<boolean>;
}

/** The pauses end when the signal is aborted. With `slots`, another resource may begin during each pause. */
export function patienceOf(limitMs: number, signal: AbortSignal, slots?: Pick<LimitFunction, 'concurrency'>): Patience {
  const pause = async (ms: number) => {
    if (slots !== undefined) slots.concurrency += 1;
    const hasPassed = await sleep(ms, true, { signal }).catch(() => false);
    if (slots !== undefined) slots.concurrency -= 1;
    return hasPassed;
  };
  return { limitMs, pause };
}

/** The pauses between reads, in milliseconds. The last pause is repeated. */
const pauses = [200, 500, 1_000, 2_000, 4_000] as const;

/** The last result of repeated reads, with the total waiting time. */
export interface ReadBack<T> {
  readonly seen: T;
  readonly waitedMs: number;
  /** Whether an interruption ended the reads early. */
  readonly isCutShort: boolean;
}

/** Repeats a read until `isSettled` accepts the result, the maximum wait has passed or the run is interrupted. */
export async function readUntil<T>(
  read: () => Promise<T>,
  isSettled: (seen: T, waitedMs: number) => boolean,
  { limitMs, pause }: Patience,
): Promise<ReadBack<T>> {
  let waitedMs = 0;
  for (let round = 0; ; round += 1) {
    const seen = await read();
    if (isSettled(seen, waitedMs) || waitedMs >= limitMs) return { seen, waitedMs, isCutShort: false };
    const ms = Math.min(pauses[round] ?? pauses[4], limitMs - waitedMs);
    if (!(await pause(ms))) return { seen, waitedMs, isCutShort: true };
    waitedMs += ms;
  }
}

/** Returns the facts about the wait in the form that a notice needs. */
export function waitedFor({ waitedMs, isCutShort }: Omit<ReadBack<unknown>, 'seen'>): Waited {
  return { ms: waitedMs, ...(isCutShort && { isCutShort }) };
}
