import { describe, expect, test } from '@jest/globals';
import { comparable, comparisonRulesBetween } from '../../src/kinds/compare.ts';
import { fieldAt } from '../../src/kinds/field-path.ts';

const links = fieldAt('Agent', ['settings', 'links']);

describe('rules that make two values equal', () => {
  test.each([
    ['the same', 'a', 'a', []],
    ['line ends', 'a\r\nb', 'a\nb', ['line-ends']],
    ['blanks at the end', 'a \n', 'a', ['trailing-space']],
    ['both', 'a\r\nb\n', 'a\nb', ['line-ends', 'trailing-space']],
    ['the order of a set', ['a', 'b'], ['b', 'a'], ['list-order']],
    ['order and blanks', ['a ', 'b'], ['b', 'a'], ['trailing-space', 'list-order']],
    ['different', 'a', 'b', []],
  ])('Two values compare by named rules: %s', (_name, one, other, rules) => {
    expect(comparisonRulesBetween(one, other, links)).toEqual(rules);
    expect(comparable(one, links) === comparable(other, links)).toBe(_name !== 'different');
  });
});
