import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileWith, textInFile } from '../../src/text/lines.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', ' ') });

test('A text that is written to a file is read back unchanged.', () => {
  fc.assert(fc.property(text, (value) => value === textInFile(fileWith(value))));
  fc.assert(
    fc.property(
      text,
      fc.constantFrom('', 'x', 'x\n', 'x\r\n'),
      (value, before) => value === textInFile(fileWith(value, before)),
    ),
  );
});

test('A file keeps its final line break, or the lack of one.', () => {
  expect(fileWith('b', 'a\r\n')).toBe('b\r\n');
  expect(fileWith('b', 'a\n')).toBe('b\n');
  expect(fileWith('b', 'a')).toBe('b');
  expect(fileWith('b\n', 'a')).toBe('b\n\n');
  expect(fileWith('b')).toBe('b\n');
});
