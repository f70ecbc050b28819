import { timed } from './processes.mjs';

/**
 * Runs each contender once a round, in turns, so that what else the machine does falls on all alike. Answers the median
 * milliseconds of each, by name. The first round only warms the disk cache.
 */
export async function race(contenders, rounds) {
  const times = new Map(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { args, env }] of Object.entries(contenders)) {
      const ms = await timed(args, { env });
      if (round > 0) times.get(name).push(ms);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
