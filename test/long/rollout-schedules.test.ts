import { test } from '@jest/globals';
import fc from 'fast-check';
import { simulationSize } from '../support/fuzz.ts';
import { playSchedule, schedules } from '../support/rollout-schedule.ts';

/** A thousand schedules in all. */
test.each([1, 2, 3, 4])(
  'Random schedules of a rollout write no agent before its step is open, and end with the newest version (part %i of 4).',
  (part) =>
    fc.assert(fc.asyncProperty(schedules, playSchedule), { numRuns: simulationSize(250), seed: 20_261_127 + part }),
);
