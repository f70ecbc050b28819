/**
 * Milliseconds that this process has computed. Costs are measured so: on a busy machine a process waits for its turn,
 * which says nothing of what it does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What an attempt answers that its clock has ended. */
export const late = Symbol('late');

export interface Limited<Result> {
  readonly result: Result | typeof late;
  /** Milliseconds that were computed, by the attempt that counts and up to the limit. */
  readonly spent: number;
}

/** How many times the limit a second attempt may take by the clock, at most. */
const patience = 100;

/** The part of a limit that must have been computed for the limit to have been reached: clocks are not exact. */
const nearly = 0.9;

/**
 * Computes something that only a clock can end, for `limit` milliseconds. Where the clock ended it and the process had
 * computed for less, the machine was busy. Then there is a second attempt: it has twice the limit, of as large a part of the
 * processor as the first one had.
 */
export function withinLimit<Result>(
  limit: number,
  attempt: (milliseconds: number) => Result | typeof late,
): Limited<Result> {
  const start = processorTime();
  const first = attempt(limit);
  const computed = processorTime() - start;
  if (first !== late || computed >= nearly * limit) return { result: first, spent: computed };
  const again = processorTime();
  const second = attempt(Math.ceil(limit * Math.min(patience, (2 * limit) / Math.max(computed, 1))));
  const needed = processorTime() - again;
  return { result: needed > 2 * limit ? late : second, spent: Math.min(needed, limit) };
}
