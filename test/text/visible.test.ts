import { expect, test } from '@jest/globals';
import { codePointName, toldApart, visible, visibleJson } from '../../src/text/visible.ts';

test.each([
  ['a control character', 'a\u001b[2Kb', 'a\\u001b[2Kb'],
  ['a bidirectional control', 'a\u202eb', 'a\\u202eb'],
  ['a variation selector after a letter', 'a\ufe00b\ufe0fc', 'a\\ufe00b\\ufe0fc'],
  ['a supplementary variation selector', 'a\u{e0100}\u{e01ef}', 'a\\u{e0100}\\u{e01ef}'],
  ['a row of variation selectors after an emoji', '😀\ufe0f\ufe0f\ufe01', '😀\ufe0f\\ufe0f\\ufe01'],
  ['tags', '😀\u{e0041}\u{e007f}', '😀\\u{e0041}\\u{e007f}'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0', '\\u115f\\u1160\\u3164\\uffa0'],
  ['Khmer vowels that are not shown', 'ក\u17b4\u17b5', 'ក\\u17b4\\u17b5'],
  ['a grapheme joiner', 'a\u034fb', 'a\\u034fb'],
  ['a soft hyphen, a word joiner and a byte order mark', 'a\u00adb\u2060c\ufeff', 'a\\u00adb\\u2060c\\ufeff'],
  ['musical format characters', '\u{1d173}', '\\u{1d173}'],
  ['unassigned characters that fonts leave out', '\u2065\ufff0', '\\u2065\\ufff0'],
  ['joiners between Latin letters', 'ok\u200cay\u200d', 'ok\\u200cay\\u200d'],
  ['joiners between Japanese letters', 'か\u200dな漢\u200c字', 'か\\u200dな漢\\u200c字'],
  ['a row of joiners, though letters before it join', 'می\u200c\u200d\u200cخ', 'می\u200c\\u200d\\u200cخ'],
  ['a joiner at the end of an emoji', '👩\u200d ', '👩\\u200d '],
  ['a keycap selector without a keycap', '1\ufe0f2', '1\\ufe0f2'],
  ['a Mongolian selector after another letter', 'a\u180b', 'a\\u180b'],
  ['a selector at the very beginning', '\ufe0f', '\\ufe0f'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['a zero-width space between Latin letters', 'pay\u200bment', 'pay\\u200bment'],
  ['a row of zero-width spaces in Thai', 'ไทย\u200b\u200bไทย\u200b', 'ไทย\u200b\\u200bไทย\u200b'],
  ['the tags of a flag that does not exist', '🏴\u{e0067}\u{e007f}', '🏴\\u{e0067}\\u{e007f}'],
  [
    'tags after a complete flag',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u{e0067}',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\\u{e0067}',
  ],
])('The invisible character is shown as an escape: %s', (_name, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
});

test.each([
  ['an emoji in its colours', '❤\ufe0f ☎\ufe0e'],
  ['a family, and a person with a skin tone', '👨\u200d👩\u200d👧 👩🏽\u200d⚕\ufe0f'],
  ['a flag made with a selector and a joiner', '🏳\ufe0f\u200d🌈'],
  ['a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
  ['Persian', 'می\u200cخواهم، PDF\u200cها'],
  ['Hindi', 'क\u094d\u200dष क\u094d\u200cष'],
  ['Malayalam', 'ന\u0d4d\u200d'],
  ['Mongolian', 'ᠠ\u180b'],
  ['Thai and Lao', 'สวัสดี\u200bครับ ສະບາຍດີ\u200bເດີ'],
  ['Khmer and Burmese', 'សូម\u200bរង់ចាំ\u200b។ မင်္ဂလာ\u200bပါ'],
  ['Thai beside Latin letters and digits', 'โทร\u200b191 Wi-Fi\u200bฟรี'],
  [
    'the flags of England and Wales',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  ],
  ['Arabic number signs', '\u0600123 \u06dd'],
  ['Japanese, Korean and accents', '日本語 한국어 e\u0301'],
  ['lines and columns', 'a\tb\nc'],
])('The visible character stays unchanged: %s', (_name, text) => {
  expect(visible(text)).toBe(text);
  expect(visibleJson(text)).toBe(text);
});

test('JSON with visible characters has the same value.', () => {
  const json = JSON.stringify({ 'a\u3164': 'b\u{e0101}' });
  expect(visibleJson(json)).toBe('{"a\\u3164":"b\\udb40\\udd01"}');
  expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json));
});

test.each([
  ['\n', 'U+000A'],
  ['\u00a0', 'U+00A0'],
  ['\ud800', 'U+D800'],
  ['\u{e0041}', 'U+E0041'],
])('A character is named by its code point with at least four digits: %j', (character, name) => {
  expect(codePointName(character)).toBe(name);
});

test('If two texts differ only in a zero-width space, the space is escaped.', () => {
  expect(toldApart('ไทย\u200bไทย', 'ไทยไทย')).toEqual(['ไทย\\u200bไทย', 'ไทยไทย']);
});
