import { test } from '@jest/globals';
import fc from 'fast-check';
import { playSchedule, schedules } from '../support/rollout-schedule.ts';

test('1,000 random schedules of a rollout write no agent before its step is open, and end with the newest version.', () =>
  fc.assert(fc.asyncProperty(schedules, playSchedule), { numRuns: 1000, seed: 20_261_127 }));
