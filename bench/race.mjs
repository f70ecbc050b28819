import { measured, timed } from './processes.mjs';

/**
 * Runs each contender once per round, in turns, so that other load affects all equally. Returns the median milliseconds
 * and the peak memory of each, by name. The first round warms the disk cache and measures the memory.
 */
export async function race(contenders, rounds) {
  const times = new Map(Object.keys(contenders).map((name) => [name, []]));
  const peaks = new Map();
  for (const [name, { args, env }] of Object.entries(contenders)) {
    peaks.set(name, (await measured(args, { env })).megabytes);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, { args, env }] of Object.entries(contenders)) times.get(name).push(await timed(args, { env }));
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, { ms: median(all), megabytes: peaks.get(name) }]));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
