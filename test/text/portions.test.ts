import { expect, test } from '@jest/globals';
import { joined, portionsOf } from '../../src/text/lines.ts';

const line = `${'long '.repeat(2_000)}\n`;
const lines = Array.from({ length: 500 }, (_, index) => `${index} ${line}`);

test.each<[string, () => Iterable<string> | string]>([
  ['a text', () => lines.join('')],
  ['the pieces of a text', () => lines.values()],
])('A writer splits %s into portions of whole lines without loss.', (_, text) => {
  const portions = [...portionsOf(text())];
  expect(portions.join('')).toBe(joined(text()));
  expect(portions.length).toBeGreaterThan(3);
  expect(portions.every((portion) => portion.length < 1.1 * 2 ** 20 && /(^|\n)$/.test(portion))).toBe(true);
});

test('A short text is one portion.', () => {
  expect([...portionsOf('no line feed')]).toEqual(['no line feed']);
});
