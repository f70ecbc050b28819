import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsEdits, mergeTexts } from '../../src/kinds/text-merge.ts';

const text = (lines: string) => lines.split(' ').join('\n');

describe('merges of three versions of a text', () => {
  test.each<[string, last: string, ours: string, theirs: string, merged: string]>([
    ['each side edits a line', 'a b c d e', 'X b c d e', 'a b c d Y', 'X b c d Y'],
    ['one adds, one removes', 'a b c d e', 'a b c e', 'n a b c d e', 'n a b c e'],
    ['both edit alike', 'a b c', 'a X c', 'a X c', 'a X c'],
    ['both edit alike, and each elsewhere', 'a b c d e f g', 'X b c d Z f g', 'X b c d e f Y', 'X b c d Z f Y'],
    ['only live', 'a b c', 'a b c', 'a X c', 'a X c'],
    ['only the manifest', 'a b c', 'a X c', 'a b c', 'a X c'],
  ])('A merge succeeds: %s', (_name, last, ours, theirs, merged) => {
    const sides = { lastApplied: text(last), ours: text(ours), theirs: text(theirs) };
    expect(mergeTexts(sides)).toMatchObject({ text: text(merged), overlaps: [], isOurs: merged === ours });
    expect(mergeTexts({ ...sides, ours: sides.theirs, theirs: sides.ours }).text).toBe(text(merged));
  });

  test.each<[string, last: string, ours: string, theirs: string]>([
    ['the same line', 'a b c', 'a X c', 'a Y c'],
    ['neighbouring lines, as in git', 'a b c d', 'a X c d', 'a b Y d'],
    ['two new lines in one place', 'a b', 'a X b', 'a Y b'],
    ['a line that one of them removed', 'a b c', 'a c', 'a Y c'],
  ])('A merge of edits in %s overlaps, and a preferred side decides only there.', (_name, last, ours, theirs) => {
    const around = (lines: string) => text(`q 1 2 ${lines} 3 4 r`);
    const sides = {
      lastApplied: around(last),
      ours: around(ours).replace('q', 'Q'),
      theirs: around(theirs).replace('r', 'R'),
    };
    expect(mergeTexts(sides).overlaps).toHaveLength(1);
    expect(mergeTexts(sides, 'ours').text).toBe(around(ours).replace('q', 'Q').replace('r', 'R'));
    expect(mergeTexts(sides, 'theirs').text).toBe(around(theirs).replace('q', 'Q').replace('r', 'R'));
  });

  test('An overlap names the line of the manifest and the text of each side.', () => {
    const sides = { lastApplied: text('a b c d'), ours: text('n a b X d'), theirs: text('a b Y d') };
    expect(mergeTexts(sides).overlaps).toEqual([{ line: 4, base: ['c'], ours: ['X'], theirs: ['Y'] }]);
  });

  test('A merge ignores line ends and trailing white space, and keeps the end of the manifest.', () => {
    const sides = { lastApplied: 'a\r\nb\r\nc\r\n', ours: 'X\nb\nc\n\n', theirs: 'a\nb\nY' };
    expect(mergeTexts(sides)).toEqual({ text: 'X\nb\nY\n\n', overlaps: [], isOurs: false });
    expect(holdsEdits({ ...sides, ours: 'X\r\nb\r\nY \r\n' })).toBe(true);
  });

  test('A merge accepts texts with more lines than a call has arguments.', () => {
    const lastApplied = 'x\n'.repeat(300_000);
    expect(mergeTexts({ lastApplied, ours: `a\n${lastApplied}`, theirs: `${lastApplied}z` }).text).toBe(
      `a\n${lastApplied}z\n`,
    );
  });
});

describe('laws of merging', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 10 }).map((all) => all.join('\n'));
  const sides = fc.record({ lastApplied: lines, ours: lines, theirs: lines });

  test('The two sides of a merge can be swapped.', () => {
    fc.assert(
      fc.property(sides, ({ lastApplied, ours, theirs }) => {
        const one = mergeTexts({ lastApplied, ours, theirs }, 'ours');
        const other = mergeTexts({ lastApplied, ours: theirs, theirs: ours }, 'theirs');
        expect(other.text.trimEnd()).toBe(one.text.trimEnd());
        expect(other.overlaps).toHaveLength(one.overlaps.length);
      }),
    );
  });

  test('A merge with an unchanged side gives the other side.', () => {
    fc.assert(
      fc.property(lines, lines, (lastApplied, other) => {
        expect(mergeTexts({ lastApplied, ours: lastApplied, theirs: other }).text.trimEnd()).toBe(other.trimEnd());
        expect(mergeTexts({ lastApplied, ours: other, theirs: lastApplied })).toMatchObject({
          isOurs: true,
          overlaps: [],
        });
      }),
    );
  });
});
