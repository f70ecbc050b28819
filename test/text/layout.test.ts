import { expect, test } from '@jest/globals';
import { cutToWidth, displayWidth, joinLineBlocks, lineBlocks, wrapProse } from '../../src/text/layout.ts';

test('Prose is wrapped with a hanging indent, and long words stay whole.', () => {
  expect(wrapProse('one two three-is-very-long four', { width: 12, indent: 2, hanging: 2 })).toEqual([
    '  one two',
    '    three-is-very-long',
    '    four',
  ]);
});

test('Wrapping a sentence without a fixed width takes time in proportion to its length.', () => {
  const sentence = Array.from({ length: 60_000 }, (_, index) => `settings.k${index}`).join(' ');
  const before = process.cpuUsage();
  expect(wrapProse(sentence, { width: Number.POSITIVE_INFINITY, indent: 0 })).toEqual([sentence]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(2);
});

test('A wrapped line fills the columns, and wide characters count.', () => {
  expect(wrapProse('日本 ab 語 c', { width: 7, indent: 0 })).toEqual(['日本 ab', '語 c']);
});

test('Wide characters count as two columns, and combining marks as none.', () => {
  expect(displayWidth('日本')).toBe(4);
  expect(displayWidth('e\u0301👩‍👩‍👧')).toBe(3);
  expect(['ｶﾞ', '1️⃣', '🇫🇷', '\u200b', '한글', '→ …'].map(displayWidth)).toEqual([2, 2, 2, 0, 4, 3]);
  expect(cutToWidth('日本語', 5)).toBe('日本…');
});

test('Blocks are separated by one empty line, and empty blocks are omitted.', () => {
  const parts = [[['a', 'b'], [], ['c']], [[]], [], [['d']]];
  expect([...lineBlocks(parts)]).toEqual(['a\nb\n', 'c\n', '\nd\n']);
  expect(joinLineBlocks([['a'], [], ['b', 'c']])).toBe('a\n\nb\nc\n');
  expect([joinLineBlocks([]), joinLineBlocks([[]])]).toEqual(['\n', '\n']);
});
