import fc from 'fast-check';
import { codePoint } from '../support/code-point.ts';

const fragments = [
  '`',
  '``',
  '```',
  '``````',
  '~~~',
  '\n```\n',
  '</details>',
  '<details>',
  '@everyone',
  '@a',
  'x@y.example',
  '<!-- agentform',
  '-->',
  '<script>',
  '</script>',
  '</style>',
  '"><img src=x onerror=alert(1)>',
  "' onclick='alert(1)",
  'javascript:alert(1)',
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\r',
  '\r\n',
  '\n',
  '\\',
  '|',
  '`a | b`',
  '`\\|`',
  '$x$',
  '#1',
  'GH-1',
  'https://x.example',
  'www.x.example',
  '🎉',
  '👩‍👩‍👧',
  '[a](b)',
  '![a](b)',
  '*',
  '_',
  '&lt;',
  '&#64;',
  '\u2028',
  '\ud800',
  '  ',
];

/** Generates hostile texts that try to break out of a code fence, mention people, or control a terminal. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: codePoint, maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** The first and last character of each range of control and invisible characters. */
const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

/** The dangerous characters in a text, as hexadecimal numbers. */
export function dangerousIn(text: string): string[] {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  return codes
    .filter((code) => ranges.some(([from, to]) => code >= from && code <= to))
    .map((code) => code.toString(16));
}
