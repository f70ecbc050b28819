import { measured, timed } from './processes.mjs';

/**
 * Runs each contender once per round, in turns, so that other load affects all equally. Returns, by name, the median
 * time in milliseconds, and the peak memory of the first and the last run. The first run warms the disk cache and fills
 * the cache of agentform.
 */
export async function race(contenders, rounds) {
  const times = new Map(Object.keys(contenders).map((name) => [name, []]));
  const first = await peaksOf(contenders);
  for (let round = 0; round < rounds; round++) {
    for (const [name, { args, env }] of Object.entries(contenders)) times.get(name).push(await timed(args, { env }));
  }
  const last = await peaksOf(contenders);
  return Object.fromEntries(
    [...times].map(([name, all]) => [
      name,
      { ms: median(all), megabytes: last.get(name), firstMegabytes: first.get(name) },
    ]),
  );
}

async function peaksOf(contenders) {
  const peaks = new Map();
  for (const [name, { args, env }] of Object.entries(contenders)) {
    peaks.set(name, (await measured(args, { env })).megabytes);
  }
  return peaks;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
