import { test } from '@jest/globals';
import fc from 'fast-check';
import { playSchedule, schedules } from '../support/rollout-schedule.ts';

test.each([1, 2, 3, 4])(
  '1,000 random schedules of a rollout write no agent before its step is open, and end with the newest version (part %i of 4).',
  (part) => fc.assert(fc.asyncProperty(schedules, playSchedule), { numRuns: 250, seed: 20_261_127 + part }),
);
