import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvParser, CsvProblem } from '../../src/emulator/csv-parser.ts';

/** The records of a text that comes in pieces. */
function parse(pieces: readonly string[]) {
  const parser = new CsvParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;

describe('a CSV text', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\rb\r', [['a'], ['b']]],
    [
      'a,\n,b',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a\n\n\r\nb', [['a'], ['b']]],
    ['"a","",b', [['a', '', 'b']]],
    ['"a ""b"", c\r\nd",e', [['a "b", c\r\nd', 'e']]],
    ['', []],
  ])('%j', (text, records) => {
    expect(parse([text]).map(({ fields }) => fields)).toEqual(records);
    expect(parse([...text]).map(({ fields }) => fields)).toEqual(records);
  });

  test('says in which line each record begins', () => {
    expect(parse(['a\n"b\nb\r\nb"\r\n\nc\rd']).map(({ line }) => line)).toEqual([1, 2, 6, 7]);
  });

  test('comes back as it was written, wherever it is cut', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ä') });
    const record = fc.array(field, { minLength: 2, maxLength: 4 });
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(record), ending, fc.nat(40), (records, end, cut) => {
        const text = records.map((fields) => fields.map(quoted).join(',') + end).join('');
        const pieces = [text.slice(0, cut), text.slice(cut)];
        expect(parse(pieces).map(({ fields }) => fields)).toEqual(records);
      }),
    );
  });

  test('whose quote is never closed is given up', () => {
    const parser = new CsvParser();
    const piece = 'x'.repeat(4 * 1024 * 1024);
    parser.push('a\n"');
    expect(() => {
      for (let i = 0; i < 10; i += 1) parser.push(piece);
    }).toThrow(new CsvProblem(2, 'a record is too long; a quote may not be closed'));
  });
});
