import { expect, test } from '@jest/globals';
import { codeSpan, escapeProse } from '../../../src/report/markdown/escape.ts';

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['``', '``` `` ```'],
  ['', '`  `'],
  ['a\nb', '`a b`'],
])('The text %j becomes a valid code span.', (text, span) => {
  expect(codeSpan(text)).toBe(span);
});

test('A long word of a comment can be broken, so that it does not widen a table.', () => {
  expect(escapeProse('Donaudampfschifffahrtsgesellschaft & Co')).toBe(
    'Donaudampfschifffahr<wbr>tsgesellschaft &amp; Co',
  );
  expect(escapeProse('javascript:alert(1)#1.example')).toBe('javascript:alert(1)#&#8203;1.<wbr>example');
  expect(escapeProse('a_'.repeat(11))).not.toContain('<wbr>');
  expect(escapeProse(`${'a'.repeat(19)}_@b.example`)).toBe(`${'a'.repeat(19)}\\_@&#8203;b.<wbr>example`);
});

test('GitHub shows the names of emoji as they are written.', () => {
  expect(escapeProse('Say :white_check_mark: or :+1: at 9:30.')).toBe(
    'Say :&#8203;white\\_check\\_mark: or :&#8203;+1: at 9:30.',
  );
});
