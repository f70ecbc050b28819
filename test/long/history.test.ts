import { testEachStore } from '../commands/history/simulation.ts';
import { simulationSize } from '../support/fuzz.ts';

testEachStore('History and blame say what happened in many random deeds.', {
  ...{ seed: 38, deeds: simulationSize(200), timeout: 1_800_000 },
});
