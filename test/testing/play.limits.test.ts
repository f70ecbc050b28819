import { expect, test } from '@jest/globals';
import { Regexes } from '../../src/testing/play.ts';

test('A regex that took too long on a text is not repeated, and leaves time for others.', () => {
  const patient = new Regexes(2_500);
  for (let agents = 0; agents < 5; agents += 1)
    expect(() => patient.matches('^(a+)+$', `${'a'.repeat(60)}!`)).toThrow(
      expect.objectContaining({ doubt: { why: 'regex-slow', regex: '^(a+)+$' } }),
    );
  expect(patient.matches('^a', 'abc')).toBe(true);
});
