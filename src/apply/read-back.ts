import { setTimeout as sleep } from 'node:timers/promises';
import type { Waited } from '../schemas/notices-types.ts';

/** Limits the number of concurrent tasks to a number of slots. A task that waits lends its slot to another task. */
export class Slots {
  /**
   * Queued tasks in order of arrival. The first `#begun` tasks have begun. They stay in the array, because removing an
   * entry would move all other entries.
   */
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  /** Tasks that lent their slots and are ready to continue. */
  readonly #returning: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs a task as soon as a slot is free, in the order of the calls. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter('last');
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /**
   * Lends the slot of a running task during a wait. Afterwards, this task continues before tasks that have not begun.
   */
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

  /** Passes a slot directly to the next queued task, so that later calls cannot take the slot. */
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

/** How long to wait until reads show a write, and how to wait. Reads may lag behind if the service uses a replica. */
export interface Patience {
  /** The maximum total of all pauses, in milliseconds. With 0, there is only one read. */
  readonly limitMs: number;
  /** Waits for the given number of milliseconds. Resolves to false if the run is interrupted, and otherwise to true. */
  readonly pause: (ms: number) => Promise<boolean>;
}

/**
 * Makes a Patience whose pauses end when the signal is aborted. With `slots`, each pause lends the slot to another
 * resource.
 */
export function patienceOf(limitMs: number, signal: AbortSignal, slots?: Slots): Patience {
  const passes = (ms: number) =>
    sleep(ms, undefined, { signal }).then(
      () => true,
      () => false,
    );
  return { limitMs, pause: (ms) => (slots === undefined ? passes(ms) : slots.outside(() => passes(ms))) };
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
