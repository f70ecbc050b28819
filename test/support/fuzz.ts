import type { Parameters } from 'fast-check';

/**
 * Returns the settings for the tests in test/fuzz. In `npm cit`, the tests run `runs` cases from a fixed seed. In `npm
 * run fuzz`, they run for `FUZZ_SECONDS` from a new seed, or from `FUZZ_SEED`. If a test fails, fast-check prints the
 * seed.
 */
export function fuzzing<T>(runs: number): Parameters<T> {
  const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
  if (!(seconds > 0)) return { numRuns: runs, seed: 20_261_122 };
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  return { numRuns: Number.MAX_SAFE_INTEGER, seed, interruptAfterTimeLimit: seconds * 1000 };
}

/** The time limit of a fuzz test in jest, in milliseconds. */
export const fuzzTimeout = (Number(process.env.FUZZ_SECONDS ?? 0) + 600) * 1000;

/**
 * Returns the number of cases in a simulation of `npm run test:long`. This is the number of all cases, or the share of
 * them that `SIMULATIONS` sets. A pull request runs a tenth of the cases, and the nightly workflow runs all cases.
 */
export function simulationSize(all: number): number {
  return Math.ceil(all * Number(process.env.SIMULATIONS ?? 1));
}
