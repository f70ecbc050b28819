import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { partRedactor, redactor } from '../../src/secrets/redact.ts';
import { codePoint } from '../support/code-point.ts';

const secret = 'tok/S3cret+value=1ä';
const redact = redactor([secret]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const everyByte = (text: string) => hex(text).replace(/../g, (byte) => `%${byte}`);
const hexOf = (sign: string, digits: number) => sign.charCodeAt(0).toString(16).padStart(digits, '0');
const mixed = (text: string) => [...text].map((sign, index) => (index % 2 === 0 ? sign.toUpperCase() : sign)).join('');
const request = (pad: string) => `POST /api/v2/agent?x=${pad}&token=${secret}&query=more {"title":"Front desk"}`;

describe('encoded secrets', () => {
  test.each<[string, string]>([
    ['as base64', base64(secret)],
    ['as base64 without padding', base64(secret).replace(/=+$/, '')],
    ['as base64url', Buffer.from(secret).toString('base64url')],
    ['as base64 with escaped slashes', base64(`${secret}???>>>`).replaceAll('/', '\\/')],
    ['as hexadecimal digits', hex(secret)],
    ['as hexadecimal digits in both cases', mixed(hex(secret))],
    ['percent-encoded throughout', everyByte(secret)],
    ['percent-encoded here and there', `t%6fk/S3cret+%76alue=1ä`],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(everyByte(secret)))],
    ['in JSON with escaped slashes', secret.replaceAll('/', '\\/')],
    ['in JSON as it is safe in HTML', secret.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')],
    ['in JSON of ASCII', secret.replace('ä', '\\u00e4')],
    ['in JSON that JSON quotes', JSON.stringify(secret.replaceAll('/', '\\/')).slice(1, -1)],
    ['as escapes throughout', [...secret].map((sign) => `\\u${hexOf(sign, 4)}`).join('')],
    ['as escapes in braces', [...secret].map((sign) => `\\u{${hexOf(sign, 2)}}`).join('')],
    ['as bytes of a program', hex(secret).replace(/../g, '\\x$&')],
    ['as bytes of a program in Latin-1', secret.replace('ä', '\\xe4')],
    ['in HTML', secret.replaceAll('/', '&#x2F;').replaceAll('=', '&#61;')],
    ['in HTML that is escaped twice', secret.replaceAll('/', '&amp;#47;')],
    ['as base64 in JSON', base64(`${secret}???>>>`).replaceAll('/', '\\u002f')],
    ['as base64 that is percent-encoded', encodeURIComponent(base64(secret))],
    ['as base64 in base64', base64(`{"auth":"${base64(`user:${secret}`)}"}`)],
    ['as hexadecimal digits in base64 in base64', base64(base64(hex(secret)))],
  ])('A secret is masked %s.', (_how, encoded) => {
    const told = redact(`bad request: ${encoded} was not understood`);
    expect(told).toBe('bad request: (sensitive) was not understood');
  });

  test('A secret is masked within a larger encoded text, at any alignment and offset.', () => {
    for (const pad of ['', 'a', 'ab', 'abc']) {
      for (const encode of [base64, hex, everyByte, (text: string) => Buffer.from(text).toString('base64url')]) {
        for (const lead of ['', 'a', 'ab', 'abc', 'f', 'key/']) {
          const told = redact(`echo ${lead}${encode(request(pad))} end`);
          expect(told).toBe('echo (sensitive) end');
        }
      }
    }
  });

  test('A secret is masked as base64 over several lines.', () => {
    const lines = base64(request('').repeat(3)).replace(/.{76}/g, '$&\r\n');
    expect(redact(`it said: ${lines}`)).toBe('it said: (sensitive)');
  });

  test.each<[string, string]>([
    ['in upper case', secret.toUpperCase()],
    ['in lower case', secret.toLowerCase()],
    ['over several lines', secret.replace(/.{4}/g, '$&\n  ')],
    ['with spaces', [...secret].join(' ')],
    ['with invisible characters', [...secret].join('\u200b')],
    ['with invisible tags', [...secret].join('\u{e0020}')],
  ])('A secret is masked %s, and the text around it is kept.', (_how, written) => {
    expect(redact(`Bad tokens: ${written}, ${written}.`)).toBe('Bad tokens: (sensitive), (sensitive).');
  });

  test('A secret over several lines is masked in JSON and in a URL.', () => {
    const lines = secret.replace(/.{4}/g, '$&\n');
    expect(redact(`it said ${JSON.stringify({ message: lines })}`)).toBe('it said (sensitive)');
    expect(redact(`it said ${encodeURIComponent(lines.toUpperCase())}`)).toBe('it said (sensitive)');
  });

  test('A secret in Greek is masked in upper case, wherever its words end.', () => {
    const greek = redactor(['λόγος σοφός 12']);
    expect(greek('ΛΌΓΟΣ ΣΟΦΌΣ 12, ΛΌΓΟΣΣΟΦΌΣ12')).toBe('(sensitive), (sensitive)');
  });

  test('A secret with quotes is masked in a row of CSV, in a text of YAML, and in a row that JSON quotes.', () => {
    const row = `"a","use tok""S3cret'v" now"`;
    const hideAll = redactor([`tok"S3cret'v`]);
    expect(hideAll(row)).toBe(`"a","use (sensitive)" now"`);
    expect(hideAll(JSON.stringify(row))).not.toContain('S3cret');
    expect(hideAll(`'use tok"S3cret''v now'`)).toBe(`'use (sensitive) now'`);
  });

  test('A secret that contains escapes is masked in JSON that JSON quotes twice.', () => {
    const escaped = 'kEy~0987zyxw%41Bq"r5T4';
    const quoted = JSON.stringify(JSON.stringify(JSON.stringify(escaped)));
    expect(redactor([escaped])(`it said ${quoted}`)).toBe('it said (sensitive)');
  });

  test('A short secret in another case is kept, because it may be a coincidence.', () => {
    expect(redactor(['elm-street'])('Elm-Street')).toBe('Elm-Street');
  });

  test('A secret of several words in escaped form hides its whole line.', () => {
    const spoken = redactor(['to <be> & "not" to be']);
    for (const told of ['to \\u003cbe\\u003e \\u0026 "not" to be', 'to &lt;be&gt; &amp; &quot;not&quot; to be'])
      expect(spoken(`first\n<p>${told}</p>\nlast`)).toBe('first\n(sensitive)\nlast');
  });

  test('A masked text stays the same if it is redacted again.', () => {
    const once = redact(`x ${base64(request(''))} y ${everyByte(secret)}`);
    expect(redact(once)).toBe(once);
  });
});

describe('texts that the redactor keeps', () => {
  test.each([
    'The title is too long: at most 300 characters are allowed (found 412).',
    'https://service.example.com/api/v2/agent/camp_6b325dbeb60a?page=2&q=50%25%20off',
    'sha256:bf4f38f5647e46e31df41b6cb990e405074c17d6a6659e0386a039368059bbb5',
    'd0bfb3a2-2f52-4c53-9a0f-7d0f5b4a7b1c at 2026-11-22T11:02:33Z',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'C:\\Users\\jo\\projects\\clinic\\agents\\front-desk.yaml 100% of 3',
    'tok\\/S3cret \\u0026 &amp; &#x110000; &#9999999; \\u{110000} \\u12 \\x4 &nbsp;',
    'tok/S3cret value=2 and token/Secret+values',
  ])('The redactor keeps %s', (text) => expect(redact(text)).toBe(text));

  test('The law holds that a text without secrets is kept.', () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string().map(base64),
      fc.string().map(everyByte),
      fc.lorem(),
    );
    fc.assert(fc.property(fc.array(texts), (parts) => expect(redact(parts.join(' '))).toBe(parts.join(' '))));
  });

  test('A short secret is not searched in encoded text.', () => {
    expect(redactor(['1234'])(base64('the 1234 of it'))).toBe(base64('the 1234 of it'));
  });
});

test('Long parts of a random secret are masked, and short parts and other texts are kept.', () => {
  const hide = partRedactor(['ak7f_9Q2m4Lx81ZpT0', 'desk-token']);
  expect(hide('ak7f_9Q2… is invalid, as is …m4Lx81ZpT0')).toBe('(sensitive)… is invalid, as is …(sensitive)');
  expect(hide('ak7f_9Q2m4Lx81ak7f_9Q2m')).toBe('(sensitive)(sensitive)');
  expect(hide('ak7f_9Q ends in ZpT0; the desk-toke is closed')).toBe('ak7f_9Q ends in ZpT0; the desk-toke is closed');
});
