import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals';
import { type TestedStore, testedStores } from '../../support/stores.ts';
import { simulated } from './simulation.ts';

describe.each(Object.entries(testedStores))('in the %s store', (_name, start) => {
  let tested: TestedStore;
  let clean: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  afterEach(() => clean?.());

  test('History and blame say what happened in some random days of an agent.', async () => {
    const { simulation, remove } = await simulated(tested, 7);
    clean = remove;
    await simulation.run(8);
    await simulation.check();
  });
});
