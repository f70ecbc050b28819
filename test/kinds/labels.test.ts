import { describe, expect, test } from '@jest/globals';
import { isLabelKey, isLabelValue, type Labels, matchesSelector, parseSelector } from '../../src/kinds/labels.ts';
import { processorMs } from '../support/processor.ts';

function selects(text: string, labels: Labels): boolean {
  const parsed = parseSelector(text);
  if (parsed.problem !== undefined) throw new Error(parsed.problem);
  return matchesSelector(parsed.requirements, labels);
}

const canary = { ring: 'canary', country: 'de', 'example.com/team': 'a_b.c' };

describe('selectors', () => {
  test.each([
    ['ring=canary', true],
    ['ring==canary', true],
    ['ring = canary , country = de', true],
    ['ring=canary,country=us', false],
    ['ring!=canary', false],
    ['country!=us', true],
    ['ring in (canary, early)', true],
    ['ring in (early)', false],
    ['ring notin (early,late)', true],
    ['ring notin (canary)', false],
    ['ring', true],
    ['!ring', false],
    ['example.com/team=a_b.c', true],
    ['in in (in), !notin', false],
  ])('The selector %s selects a canary in Germany: %p', (text, isSelected) => {
    expect(selects(text, canary)).toBe(isSelected);
  });

  test.each([
    ['ring!=canary', true],
    ['ring notin (canary)', true],
    ['ring=canary', false],
    ['!ring', true],
    ['ring=', false],
    ['toString', false],
  ])('The selector %s selects a resource without labels: %p', (text, isSelected) => {
    expect(selects(text, {})).toBe(isSelected);
  });

  test('An empty value selects a label that exists and is empty.', () => {
    expect([selects('ring=', { ring: '' }), selects('ring in (,a)', { ring: '' }), selects('ring=', canary)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('invalid selectors', () => {
  test.each([
    ['', "the selector ends at character 1 of '': expected a label"],
    ['ring in canary', "the selector has 'canary' at character 9 of 'ring in canary': expected '('"],
    ['ring in (canary', "the selector ends at character 16 of 'ring in (canary': expected ')'"],
    ['ring=canary,,x', "the selector has ',' at character 13 of 'ring=canary,,x': expected a label"],
    ['ring=canary country', "the selector has 'country' at character 13 of 'ring=canary country': expected ','"],
    ['=x', "the selector has '=' at character 1 of '=x': expected a label"],
    ['ring=(', "the selector has '(' at character 6 of 'ring=(': expected a value"],
  ])('The selector %j is refused with the character.', (text, sentence) => {
    expect(parseSelector(text).problem).toBe(sentence);
  });

  test('An invalid label or value in a selector is named.', () => {
    expect(parseSelector('-ring=x').problem).toMatch(/^'-ring' at character 1 of '-ring=x' is not a label: expected/);
    expect(parseSelector('ring=a$b').problem).toMatch(/^'a\$b' at character 6 of 'ring=a\$b' is not a value: expected/);
  });

  test('A selector over the length limit is refused, and the longest is parsed in little time.', () => {
    expect(parseSelector('a'.repeat(10_001)).problem).toBe('the selector is longer than 10000 characters');
    const started = processorMs();
    expect(parseSelector(`${'a,'.repeat(4_999)}a`).problem).toBeUndefined();
    expect(processorMs() - started).toBeLessThan(500);
  });
});

test.each([
  ['ring', true],
  ['a.b_c-D9', true],
  ['example.com/ring', true],
  ['example.com/', false],
  ['Example.com/ring', false],
  ['-ring', false],
  ['ring-', false],
  ['', false],
  ['r'.repeat(63), true],
  ['r'.repeat(64), false],
])('The label key %s is valid: %p', (key, isKey) => {
  expect(isLabelKey(key)).toBe(isKey);
});

test.each([
  ['', true],
  ['canary', true],
  ['1.5', true],
  ['a b', false],
  ['_', false],
  ['v'.repeat(64), false],
])('The label value %s is valid: %p', (value, isValue) => {
  expect(isLabelValue(value)).toBe(isValue);
});
