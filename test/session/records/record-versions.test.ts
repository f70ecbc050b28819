import { expect, test } from '@jest/globals';
import { recordedChangeText } from '../../../src/session/records/record-versions.ts';

const long = 'Answer the phone kindly, and never promise anything that nobody can keep, ';

test.each<[string, unknown, unknown, string]>([
  ['short texts', 'Desk', 'Front desk', '"Desk" → "Front desk"'],
  [
    'long texts that differ at the end',
    `${long}such as refunds.`,
    `${long}such as discounts of any kind for anybody.`,
    '…, such as refunds." → …, such as discounts of any kind for any…',
  ],
  [
    'a long text that begins to differ at once',
    `Hi. ${long}`,
    `Hello. ${long}`,
    '"Hi. Answer the phone kindly, and never… → "Hello. Answer the phone kindly, and ne…',
  ],
  ['a long text and a short one', `${long}x`, 'Answer', '"Answer the phone kindly, and never pro… → "Answer"'],
  ['a list', [1, 2], [1, 3], '[1,2] → [1,3]'],
])('%s', (_what, from, to, shown) => {
  expect(recordedChangeText({ path: 'p', from: { value: from }, to: { value: to } })).toBe(`p: ${shown}`);
});

test('Of a text with lines the first that differs, cut around the difference.', () => {
  const text = recordedChangeText({
    path: 'p',
    from: { value: `One.\n${long}a.\nThree.` },
    to: { value: `One.\n${long}b.\nThree.` },
  });
  expect(text).toBe('p, line 2: …can keep, a." → …can keep, b."');
});

test('a character of two units is not cut in two', () => {
  const emoji = `${'😀'.repeat(30)}`;
  const text = recordedChangeText({ path: 'p', from: { value: `${emoji}a` }, to: { value: `${emoji}b` } });
  expect(() => encodeURIComponent(text)).not.toThrow();
});
