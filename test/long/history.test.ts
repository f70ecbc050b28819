import { testEachStore } from '../commands/history/simulation.ts';
import { simulationSize } from '../support/fuzz.ts';

testEachStore('The history and blame match what happened in many random actions.', {
  ...{ seed: 38, deeds: simulationSize(200), timeout: 1_800_000 },
});
