import { expect, test } from '@jest/globals';
import { cutToWidth, displayWidth, wrapProse } from '../../src/text/layout.ts';

test('prose is wrapped with a hanging indent, and long words stay', () => {
  expect(wrapProse('one two three-is-very-long four', { width: 12, indent: 2, hanging: 2 })).toEqual([
    '  one two',
    '    three-is-very-long',
    '    four',
  ]);
});

test('wide characters count twice, and marks not at all', () => {
  expect(displayWidth('日本')).toBe(4);
  expect(displayWidth('e\u0301👩‍👩‍👧')).toBe(3);
  expect(['ｶﾞ', '1️⃣', '🇫🇷', '\u200b', '한글', '→ …'].map(displayWidth)).toEqual([2, 2, 2, 0, 4, 3]);
  expect(cutToWidth('日本語', 5)).toBe('日本…');
});
