import { testEachStore } from './simulation.ts';

testEachStore('History and blame say what happened in some random days of an agent.', { seed: 7, deeds: 8 });
