import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals';
import { simulated } from '../commands/history/simulation.ts';
import { simulationSize } from '../support/fuzz.ts';
import { type TestedStore, testedStores } from '../support/stores.ts';

describe.each(Object.entries(testedStores))('in the %s store', (_name, start) => {
  let tested: TestedStore;
  let clean: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  afterEach(() => clean?.());

  test('History and blame say what happened in many random deeds.', async () => {
    const { simulation, remove } = await simulated(tested, 38);
    clean = remove;
    await simulation.run(simulationSize(200));
    await simulation.check();
  }, 1_800_000);
});
