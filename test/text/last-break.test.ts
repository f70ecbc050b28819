import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileWith, textInFile } from '../../src/text/lines.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', ' ') });

test('a text comes back from the file that says it', () => {
  fc.assert(fc.property(text, (value) => value === textInFile(fileWith(value))));
  fc.assert(
    fc.property(
      text,
      fc.constantFrom('', 'x', 'x\n', 'x\r\n'),
      (value, before) => value === textInFile(fileWith(value, before)),
    ),
  );
});

test('a file keeps its line break, and one without any gets none', () => {
  expect(fileWith('b', 'a\r\n')).toBe('b\r\n');
  expect(fileWith('b', 'a\n')).toBe('b\n');
  expect(fileWith('b', 'a')).toBe('b');
  expect(fileWith('b\n', 'a')).toBe('b\n\n');
  expect(fileWith('b')).toBe('b\n');
});
