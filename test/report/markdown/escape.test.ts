import { expect, test } from '@jest/globals';
import { codeSpan } from '../../../src/report/markdown/escape.ts';

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['``', '``` `` ```'],
  ['', '`  `'],
  ['a\nb', '`a b`'],
])('The text %j becomes a valid code span.', (text, span) => {
  expect(codeSpan(text)).toBe(span);
});
