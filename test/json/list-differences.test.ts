import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/json/json.ts';
import { listDifferences } from '../../src/json/list-differences.ts';

describe('differences between two lists', () => {
  test('Lists compare as sets with counted elements.', () => {
    expect(listDifferences([1, 2, 2], [2, 1])).toEqual({ removed: [2], added: [] });
    expect(listDifferences([null, 'a'], ['a', 'b'])).toEqual({ removed: [null], added: ['b'] });
  });

  test('Objects in a list are equal if their members are, in any order.', () => {
    const [from, to]: [Json[], Json[]] = [[{ url: 'a', tries: 1 }], [{ tries: 1, url: 'a' }, { url: 'b' }]];
    expect(listDifferences(from, to)).toEqual({ removed: [], added: [{ url: 'b' }] });
  });

  test('Elements that look like names with a special meaning compare like others.', () => {
    expect(listDifferences(['__proto__', 'constructor'], ['toString'])).toEqual({
      removed: ['__proto__', 'constructor'],
      added: ['toString'],
    });
  });

  test('Lists with thousands of elements are not compared.', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => index);
    expect(listDifferences(many, [])).toBeUndefined();
  });
});
