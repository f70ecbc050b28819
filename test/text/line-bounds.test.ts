import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineEnd, lineStart, nextLineStart } from '../../src/text/lines.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\ufeff'), maxLength: 12 });

test('The first line of a text that begins with a line feed is empty.', () => {
  expect([lineStart('\na', 0), lineEnd('\na', 0), nextLineStart('\na', 0)]).toEqual([0, 0, 1]);
  expect([lineStart('\na', 1), lineEnd('\na', 1), nextLineStart('\na', 1)]).toEqual([1, 2, 2]);
});

test('An offset before the text belongs to its first line.', () => {
  expect(lineStart('\na', -1)).toBe(0);
});

test('A line contains its offset, and no line feed.', () => {
  fc.assert(
    fc.property(text, fc.nat(12), (one, number) => {
      const offset = Math.min(number, one.length);
      const [start, end, next] = [lineStart(one, offset), lineEnd(one, offset), nextLineStart(one, offset)];
      expect(start).toBeLessThanOrEqual(offset);
      expect(end).toBeGreaterThanOrEqual(offset);
      expect(one.slice(start, end)).not.toContain('\n');
      expect(start === 0 || one[start - 1] === '\n').toBe(true);
      expect(next).toBe(end === one.length ? end : end + 1);
    }),
  );
});
