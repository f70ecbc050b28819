import { describe, expect, test } from '@jest/globals';
import { isDay, readTime } from '../../src/text/time.ts';

describe('times that a person types', () => {
  test.each([
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-12-24 18:00', '2026-12-24T18:00:00.000Z'],
    ['2026-12-24T18:00:30.5Z', '2026-12-24T18:00:30.500Z'],
    ['2026-12-24T18:00+01:00', '2026-12-24T17:00:00.000Z'],
  ])('The time %s is read as an instant.', (text, time) => {
    expect(readTime(text)?.toISOString()).toBe(time);
  });

  test.each([
    '',
    'tomorrow',
    '2027-02-30',
    '2027-02-30T10:00Z',
    '2026-13-01',
    '2026-12-24T25:00',
    '2026',
    '24-12-2026',
  ])('The text %j is not a time.', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  test.each([
    ['2026-12-24', true],
    ['2027-02-30', false],
    ['2026-12', false],
    ['2026-12-24T00:00Z', false],
  ])('The text %s is a calendar day: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
});
