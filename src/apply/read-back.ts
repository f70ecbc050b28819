import { setTimeout as sleep } from 'node:timers/promises';
import type { Waited } from '../schemas/notices-types.ts';

/** Limits concurrent work. Work that waits for other machines lends its slot to the next. */
export class Slots {
  /** Work that has not begun, in order; the first `#begun` of it have. Removing each from a long list would move all others. */
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  /** Work that lent its slot. */
  readonly #returning: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Does the work as soon as a slot is free, in the order of the calls. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter('last');
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** For work with a slot: lends it while waiting, and continues before work that has not begun. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait();
    } finally {
      await this.#enter('first');
    }
  }

  #enter(turn: 'first' | 'last'): Promise<void> | void {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    return new Promise((resolve) => {
      if (turn === 'first') this.#returning.push(resolve);
      else this.#waiting.push(resolve);
    });
  }

  /** Passes the slot directly to the next in the queue, so that no other work can take it. */
  #leave(): void {
    const returning = this.#returning.pop();
    const next = returning ?? this.#waiting[this.#begun];
    if (next === undefined) this.#free += 1;
    else {
      if (returning === undefined) this.#begun += 1;
      next();
    }
  }
}

/** The patience for a read that lags behind a write, because a service may read from a copy. */
export interface Patience {
  /** The total of all waits in milliseconds; 0 reads once. */
  readonly limitMs: number;
  /** Waits. Resolves to true after the time, or to false as soon as the run is interrupted. */
  readonly pause: (ms: number) => Promise<boolean>;
}

/** Waiting work lends its slot to another resource, if there are slots. */
export function patienceOf(limitMs: number, signal: AbortSignal, slots?: Slots): Patience {
  const passes = (ms: number) =>
    sleep(ms, undefined, { signal }).then(
      () => true,
      () => false,
    );
  return { limitMs, pause: (ms) => (slots === undefined ? passes(ms) : slots.outside(() => passes(ms))) };
}

/** The pauses between reads, in milliseconds. The last one is repeated. */
const pauses = [200, 500, 1_000, 2_000, 4_000] as const;

/** The last read, and the time waited for it. */
export interface ReadBack<T> {
  readonly seen: T;
  readonly waitedMs: number;
  /** Whether the run was interrupted before the read was complete. */
  readonly isCutShort: boolean;
}

/** Reads until the expected state is seen, or no patience is left. */
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

/** The end of a sentence about a value that is still different; empty if it was read only once. */
export function waitedFor({ waitedMs, isCutShort }: Omit<ReadBack<unknown>, 'seen'>): Waited {
  return { ms: waitedMs, ...(isCutShort && { isCutShort }) };
}
