import type { Parameters } from 'fast-check';

/**
 * The settings for the tests under test/fuzz: `runs` cases from a fixed seed in `npm cit`, or `FUZZ_SECONDS` from a new
 * seed (`FUZZ_SEED` repeats one) in `npm run fuzz`. fast-check prints the seed of a failure.
 */
export function fuzzing<T>(runs: number): Parameters<T> {
  const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
  if (!(seconds > 0)) return { numRuns: runs, seed: 20_261_122 };
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  return { numRuns: Number.MAX_SAFE_INTEGER, seed, interruptAfterTimeLimit: seconds * 1000 };
}

/** The time limit of a fuzz test for jest. */
export const fuzzTimeout = (Number(process.env.FUZZ_SECONDS ?? 0) + 600) * 1000;

/**
 * The number of cases that a simulation of `npm run test:long` runs: all of them, or the share in `SIMULATIONS`. A pull
 * request runs a tenth, and the nightly workflow all.
 */
export function simulationSize(all: number): number {
  return Math.ceil(all * Number(process.env.SIMULATIONS ?? 1));
}
