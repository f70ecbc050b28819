import { expect, test } from '@jest/globals';
import { redactor } from '../../src/secrets/redact.ts';
import { processorMs } from '../support/processor.ts';

const secret = 'tok/S3cret+value=1ä';
const redact = redactor([secret]);
const hex = (text: string) => Buffer.from(text).toString('hex');
const request = (pad: string) => `POST /api/v2/agent?x=${pad}&token=${secret}&query=more {"title":"Front desk"}`;

test('Half a megabyte of any text is redacted in little time.', () => {
  const pieces = [
    'a',
    '%',
    '%41',
    '\\',
    'a ',
    `${'a'.repeat(39)} `,
    `${'a'.repeat(41)} b `,
    '=',
    '%25',
    '\\u0074',
    'a \\u{74}\n',
    '\\x74',
    '&amp;',
    '&#x74;',
    'f',
    'aaaaaaa=',
    '6',
    Buffer.from('YWFhYWFh'.repeat(100)).toString('base64'),
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(500_000 / piece.length));
    const started = processorMs();
    redact(text);
    expect({ piece, isQuick: processorMs() - started < 1_500 }).toEqual({ piece, isQuick: true });
  }
});

test('Two million digits are searched as fast as a few.', () => {
  const digits = 'f'.repeat(2_000_000);
  expect(redact(digits)).toBe(digits);
  expect(redact(`${digits}${hex(request(''))}`)).toBe('(sensitive)');
});

test('Twenty thousand secrets that begin alike are found in any text in little time.', () => {
  const secrets = Array.from({ length: 20_000 }, (_, index) => `sk-a${(index * 7919) % 20_000}b`);
  const hideAll = redactor(secrets);
  const started = processorMs();
  expect(hideAll(`${secrets.join(' ')} sk-a`)).toBe(`${'(sensitive) '.repeat(20_000)}sk-a`);
  expect(hideAll('sk-a words '.repeat(50_000))).toBe('sk-a words '.repeat(50_000));
  expect(processorMs() - started).toBeLessThan(2_000);
});
