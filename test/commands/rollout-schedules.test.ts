import { test } from '@jest/globals';
import fc from 'fast-check';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { playSchedule, schedules } from '../support/rollout-schedule.ts';

test(
  'No schedule of commits, applies, kills and rollbacks writes an agent before its step is open, and all of them end with the newest version.',
  () => fc.assert(fc.asyncProperty(schedules, playSchedule), fuzzing(20)),
  fuzzTimeout,
);
