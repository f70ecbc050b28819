import type { Parameters } from 'fast-check';

/**
 * How the tests under test/fuzz search: `runs` cases from a fixed seed in `npm cit`, and for `FUZZ_SECONDS` from a new
 * seed (`FUZZ_SEED` repeats one) in `npm run fuzz`. fast-check prints the seed of what fails.
 */
export function fuzzing<T>(runs: number): Parameters<T> {
  const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
  if (!(seconds > 0)) return { numRuns: runs, seed: 20_261_122 };
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  return { numRuns: Number.MAX_SAFE_INTEGER, seed, interruptAfterTimeLimit: seconds * 1000 };
}

/** What a fuzz test may take, for jest. */
export const fuzzTimeout = (Number(process.env.FUZZ_SECONDS ?? 0) + 600) * 1000;

/**
 * How many of these cases a simulation of `npm run test:long` plays: all of them, or the share that `SIMULATIONS` says.
 * A pull request waits for a tenth, and the nightly workflow plays all.
 */
export function simulationSize(all: number): number {
  return Math.ceil(all * Number(process.env.SIMULATIONS ?? 1));
}
