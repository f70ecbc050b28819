import { expect, test } from '@jest/globals';
import { readRetryAfter } from '../../src/service/retry.ts';

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['0', 0],
  [' 2 ', 2000],
  ['0.5', 500],
  ['Wed, 01 Jan 2020 00:00:30 GMT', 30_000],
  ['Tue, 31 Dec 2019 00:00:00 GMT', 0],
])('A Retry-After of %j is read as %j ms.', (value, ms) => {
  expect(readRetryAfter({ 'retry-after': value, date: 'Wed, 01 Jan 2020 00:00:00 GMT' })).toBe(ms);
});

test('A date in Retry-After is read by the local clock if the answer has none.', () => {
  const value = new Date(Date.now() + 60_000).toUTCString();
  expect(readRetryAfter({ 'retry-after': value })).toBeGreaterThan(58_000);
});
