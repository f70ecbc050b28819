import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LineEdit, lineEdits } from '../../src/text/line-edits.ts';
import { processorTime } from '../../src/yaml/values.ts';

const split = (text: string) => (text === '' ? [] : text.split(' '));

function made(from: readonly string[], edits: readonly LineEdit[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const { start, end, lines } of edits) {
    result.push(...from.slice(at, start), ...lines);
    at = end;
  }
  return [...result, ...from.slice(at)];
}

describe('line edits of a text', () => {
  test.each<[string, string, string, LineEdit[]]>([
    ['nothing', 'a b', 'a b', []],
    ['a changed line', 'a b c', 'a x c', [{ start: 1, end: 2, lines: ['x'] }]],
    ['a new line', 'a c', 'a b c', [{ start: 1, end: 1, lines: ['b'] }]],
    ['a line that is gone', 'a b c', 'a c', [{ start: 1, end: 2, lines: [] }]],
    ['an empty text', '', 'a', [{ start: 0, end: 0, lines: ['a'] }]],
    [
      'two places',
      'a b c d e',
      'x b c e f',
      [
        { start: 0, end: 1, lines: ['x'] },
        { start: 3, end: 4, lines: [] },
        { start: 5, end: 5, lines: ['f'] },
      ],
    ],
  ])('The line edits from one text to another cover %s.', (_name, from, to, edits) =>
    expect(lineEdits(split(from), split(to))).toEqual(edits),
  );

  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });

  test('The line edits give the new text, are in order, and have a kept line between them.', () => {
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        const edits = lineEdits(from, to);
        expect(made(from, edits)).toEqual(to);
        for (const [index, { start }] of edits.entries()) expect(start).toBeGreaterThan(edits[index - 1]?.end ?? -1);
      }),
      { numRuns: 400 },
    );
  });
});

describe('line edits of long texts', () => {
  const numbered = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at));
  test.each<[string, string[], string[]]>([
    ['unlike', numbered(50_000, (at) => `a${at}`), numbered(50_000, (at) => `b${at}`)],
    ['of equal lines', numbered(200_000, () => ''), ['x', ...numbered(150_000, () => ''), 'y']],
    ['that alternate', numbered(100_000, (at) => `${at % 2}`), numbered(100_000, (at) => `${at % 3}`)],
    ['in reverse', numbered(20_000, (at) => `${at}`), numbered(20_000, (at) => `${-at}`)],
    ['of long lines', numbered(200, (at) => 'x'.repeat(20_000) + at), numbered(200, (at) => 'x'.repeat(20_000) + -at)],
  ])('The line edits of long texts that are %s take little time.', (_name, from, to) => {
    const start = processorTime();
    const edits = lineEdits(from, to);
    expect(processorTime() - start).toBeLessThan(10_000);
    let [at, size] = [0, 0];
    for (const { start: next, end, lines } of edits) {
      size += next - at + lines.length;
      at = end;
    }
    expect(size + from.length - at).toBe(to.length);
  });

  test('The line edits leave out an equal beginning and end.', () => {
    const [from, to] = ['a', 'b'].map((side) => ['first', ...numbered(5_000, (at) => `${side}${at}`), 'last']);
    expect(lineEdits(from ?? [], to ?? [])).toMatchObject([{ start: 1, end: 5_001 }]);
  });
});
