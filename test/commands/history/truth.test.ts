import { testEachStore } from './simulation.ts';

testEachStore('The history and blame match what happened to an agent on random days.', { seed: 7, deeds: 8 });
