import { expect, test } from '@jest/globals';
import { settingName } from '../../../src/report/plan/value-text.ts';

test.each([
  [
    'Agent',
    'settings.callerResponseTimeout',
    'Silence before the agent asks whether the caller is still there',
    'second',
  ],
  ['Agent', 'settings.waitOnAnswer', 'Wait before the greeting', 'millisecond'],
  ['Agent', 'skills[billing]', 'Skill billing', undefined],
  ['Agent', 'skills["a.b]"].instructions', 'Skill a.b]: instructions', undefined],
  ['Agent', 'backgroundAudio', 'Background audio', undefined],
  ['Agent', 'backgroundAudio.gain', 'Background audio: volume', undefined],
  ['PhoneNumber', 'settings.number', 'Phone number', undefined],
])('a %s calls %s by a name that needs no knowledge of the API', (kind, path, title, unit) => {
  expect(settingName(kind, path)).toMatchObject({ title, ...(unit !== undefined && { unit }) });
});

test.each([
  ['Agent', 'extraSettings.mood'],
  ['Agent', 'skills[billing].mood'],
  ['Robot', 'settings.title'],
])('a %s has no such name for %s', (kind, path) => {
  expect(settingName(kind, path)).toBeUndefined();
});
