import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../text/time.ts';
import type { Places } from './places.ts';

/** How long a read may lag behind the write before it: a service may answer reads from a copy. */
export interface Patience {
  /** All waits together, in milliseconds; 0 reads once. */
  readonly limitMs: number;
  /** Whether the time has passed: false as soon as the run is interrupted. */
  readonly pause: (ms: number) => Promise<boolean>;
}

/** Where there are places, what waits lends its own to another resource. */
export function patienceOf(limitMs: number, signal: AbortSignal, places?: Places): Patience {
  const passes = (ms: number) =>
    sleep(ms, undefined, { signal }).then(
      () => true,
      () => false,
    );
  return { limitMs, pause: (ms) => (places === undefined ? passes(ms) : places.outside(() => passes(ms))) };
}

/** Before each further read, in milliseconds; the last one is repeated. */
const pauses = [200, 500, 1_000, 2_000, 4_000] as const;

/** What was read last, and how long it was waited for. */
export interface ReadBack<T> {
  readonly seen: T;
  readonly waitedMs: number;
  /** The run was interrupted while more was to be expected. */
  readonly isCutShort: boolean;
}

/** Reads until what is seen is what was waited for, or no patience is left. */
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

/** To stand behind what is still not as it should be; nothing where it was read once only. */
export function waitedFor({ waitedMs, isCutShort }: Omit<ReadBack<unknown>, 'seen'>): string {
  if (isCutShort) return ' (the run was interrupted while it waited for a later read)';
  return waitedMs === 0 ? '' : ` (after waiting ${seconds(waitedMs)})`;
}
