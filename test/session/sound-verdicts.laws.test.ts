import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drift } from '../../src/commands/drift/drift.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import {
  applied,
  close,
  count,
  edits,
  host,
  open,
  options,
  planned,
  recordsNow,
  useEditedProject,
  written,
} from './edited-project.ts';

useEditedProject();

const edit = fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(1000));

test(
  'A plan with the cache equals the plan without, whatever was edited since.',
  async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(edit, { minLength: 6, maxLength: 10 }), async (steps) => {
          for (const [name, value] of steps) {
            await edits[name]?.(value);
            await written();
            const without = await planned(false);
            expect(await planned(true)).toBe(without);
            expect(await planned(true)).toBe(without);
          }
        })
        .beforeEach(async (previous) => {
          await previous();
          await close();
          await open();
        }),
      fuzzing(3),
    );
  },
  fuzzTimeout,
);

const driftNow = (isCached: boolean): Promise<unknown> =>
  drift(host(isCached), options()).then(
    (found) => found.drift,
    (error: unknown) => String(error),
  );

test('Each kind of edit leaves plans, drift and records with a warm cache equal to those without.', async () => {
  expect(JSON.parse(await planned(true))[0].summary).toMatchObject({ unchanged: count + 1, update: 0 });
  for (const [name, make] of Object.entries(edits)) {
    await applied();
    await planned(true);
    await driftNow(true);
    // The values of earlier steps differ, so that each step is an edit.
    await make(1);
    await written();
    expect([name, await planned(true)]).toEqual([name, await planned(false)]);
    expect([name, await driftNow(true)]).toEqual([name, await driftNow(false)]);
    await applied(true);
    const records = await recordsNow();
    await applied();
    expect([name, await recordsNow()]).toEqual([name, records]);
  }
});
