import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drift } from '../../src/commands/drift/drift.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import {
  applied,
  change,
  close,
  edits,
  host,
  open,
  options,
  planned,
  recordsNow,
  useRemote,
} from './edited-project.ts';
import { fullState, oneChangeEach, randomChange, randomState, type State } from './random-project.ts';

useRemote();

type Step = readonly [name: string, value: number] | Partial<State>;

const randomStep: fc.Arbitrary<Step> = fc.oneof(
  randomChange,
  fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(1000)),
);

const isEdit = (step: Step): step is readonly [string, number] => Array.isArray(step);
const take = (step: Step) => (isEdit(step) ? edits[step[0]]?.(step[1]) : change(step));

test(
  'A plan with the cache equals the plan without, whatever was edited since.',
  async () => {
    const [all, failed]: [string[], string[]] = [[], []];
    await fc.assert(
      fc.asyncProperty(randomState, fc.array(randomStep, { minLength: 6, maxLength: 10 }), async (initial, steps) => {
        await open(initial);
        try {
          for (const step of [{}, ...steps]) {
            await take(step);
            const without = await planned(false);
            expect(await planned(true)).toBe(without);
            expect(await planned(true)).toBe(without);
            all.push(without);
            if (typeof JSON.parse(without)[0] === 'string') failed.push(without);
          }
        } finally {
          await close();
        }
      }),
      fuzzing(4),
    );
    // Two runs that fail with the same message prove little, so fewer than half of the cases may fail.
    expect(failed.length).toBeLessThan(all.length / 2);
  },
  fuzzTimeout,
);

const driftNow = (isCached: boolean): Promise<string> =>
  drift(host(isCached), options()).then(
    (found) => JSON.stringify(found.drift),
    (error: unknown) => String(error),
  );

type Make = () => unknown;

/** Makes each edit in an applied project with a warm cache. */
async function expectSameAfter(all: readonly (readonly [string, Make])[], results: (typeof planned)[]): Promise<void> {
  await open(fullState);
  try {
    for (const [name, make] of all) {
      await applied();
      for (const result of results) await result(true);
      await make();
      for (const result of results) expect([name, await result(true)]).toEqual([name, await result(false)]);
      await applied({ isCached: true });
      const records = await recordsNow();
      await applied();
      expect([name, await recordsNow()]).toEqual([name, records]);
      await change(fullState);
    }
  } finally {
    await close();
  }
}

test('Each change of a file, variable or option leaves plans and records with a warm cache equal to those without.', () =>
  expectSameAfter(
    oneChangeEach(fullState).map(([name, parts]) => [name, () => change(parts)] as const),
    [planned],
  ));

/** With this value, an edit of a record changes a record of the planned environment. */
const ofOwnRecord = 2;

test('Each other edit leaves plans, drift and records with a warm cache equal to those without.', () =>
  expectSameAfter(
    Object.entries(edits).map(([name, make]) => [name, () => make(ofOwnRecord)] as const),
    [planned, driftNow],
  ));
