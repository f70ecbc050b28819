import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, NotUtf8, Utf8Check } from '../../src/text/encoding.ts';

test('A byte order mark is not part of a decoded text.', () => {
  expect(decodeText(Buffer.from('\ufeffHola ü ✓ 😀'))).toBe('Hola ü ✓ 😀');
});

test('A U+FFFD in the file itself is valid UTF-8.', () => {
  expect(decodeText(Buffer.from('a\ufffdb'))).toBe('a\ufffdb');
});

test.each([
  [
    'Windows-1252',
    Buffer.from('Praxis\nM\xfcller', 'latin1'),
    "line 2, column 2 has the byte 0xFC ('ü' in Windows-1252)",
  ],
  [
    'a smart quote of Windows',
    Buffer.from('it\x92s', 'latin1'),
    "line 1, column 3 has the byte 0x92 ('’' in Windows-1252)",
  ],
  ['a byte that is a control character', Buffer.from('\x81', 'latin1'), 'line 1, column 1 has the byte 0x81'],
  ['a cut character', Buffer.from('é✓').subarray(0, 4), "line 1, column 2 has the byte 0xE2 ('â' in Windows-1252)"],
  ['a byte behind U+FFFD', Buffer.from('\xef\xbf\xbd\xff', 'latin1'), 'line 1, column 2 has the byte 0xFF'],
  ['a byte behind letters of several bytes', Buffer.from('é✓\xff', 'utf8').fill(0xff, 5, 6), 'line 1, column 3 has'],
  [
    'CESU-8',
    Buffer.from('a\xed\xa0\xbd\xed\xb8\x80', 'latin1'),
    'line 1, column 2 has half of a surrogate pair (CESU-8)',
  ],
  ['a lone letter', Buffer.from('a\xed, b', 'latin1'), "line 1, column 2 has the byte 0xED ('í' in Windows-1252)"],
  ['UTF-16 with a mark', Buffer.from('\ufeffname', 'utf16le'), 'line 1, column 1 has text in UTF-16'],
  ['UTF-16 without a mark', Buffer.from('name', 'utf16le'), 'line 1, column 1 has text in UTF-16'],
  [
    'a Word document',
    Buffer.from('PK\x03\x04\x14\x00\xe9[Content_Types].xml\xe9PK\x03\x04word/document.xml', 'latin1'),
    'it is a Word document; save it as plain text in UTF-8',
  ],
  [
    'a workbook',
    Buffer.from('PK\x03\x04\x14\x00\xe9xl/workbook.xml', 'latin1'),
    'it is an Excel workbook; save it as CSV in UTF-8',
  ],
  [
    'an OpenDocument text',
    Buffer.from('PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.text'),
    'it is an OpenDocument text;',
  ],
  [
    'an archive',
    Buffer.from('PK\x03\x04\x14\x00\xe9', 'latin1'),
    'it is a ZIP archive, such as a Word document or an Excel workbook;',
  ],
  [
    'an old Word document',
    Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'),
    'it is a document of an old version of Word or Excel;',
  ],
  ['a PDF document', Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'), 'it is a PDF document;'],
  ['an RTF document, which is ASCII', Buffer.from('{\\rtf1\\ansi Be kind.}'), 'it is an RTF document;'],
  ['big-endian UTF-16', Buffer.from('name', 'utf16le').swap16(), 'line 1, column 1 has text in UTF-16'],
])('A file with %s is refused at its first wrong byte.', (_case, bytes, sentence) => {
  expect(() => decodeText(bytes)).toThrow(NotUtf8);
  expect(() => decodeText(bytes)).toThrow(sentence);
});

test('The encoding of pieces is judged like that of the whole, wherever they are cut.', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('aé✓😀'), 0xff, 0xe9, 0x0a), { maxLength: 12 });
  fc.assert(
    fc.property(bytes, fc.nat(12), fc.nat(12), (values, one, other) => {
      const whole = Buffer.from(values);
      const cuts = [0, Math.min(one, other), Math.max(one, other), whole.length];
      const check = new Utf8Check();
      const pieces = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end));
      const found = pieces.map((piece) => check.take(piece)).find((wrong) => wrong !== undefined) ?? check.end();
      const isFine = Buffer.from(whole.toString('utf8')).equals(whole);
      expect(found === undefined).toBe(isFine);
      if (found === undefined) return;
      const before = whole.subarray(0, found.offset);
      expect(Buffer.from(before.toString('utf8'))).toEqual(before);
    }),
  );
});
