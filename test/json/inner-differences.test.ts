import { describe, expect, test } from '@jest/globals';
import { innerDifferences } from '../../src/json/inner-differences.ts';
import type { Json } from '../../src/json/json.ts';

const between = (from: Json, to: Json) => innerDifferences(from, to, () => false);

describe('differences inside two values', () => {
  test('Differing members are found at every depth of an object.', () => {
    expect(between({ a: 1, b: { c: 'x', d: null } }, { a: 1, b: { c: 'y' }, e: [] })).toEqual([
      { path: ['b', 'c'], from: 'x', to: 'y' },
      { path: ['b', 'd'], from: null },
      { path: ['e'], to: [] },
    ]);
  });

  test('A list compares as a set with counted elements.', () => {
    expect(between([1, 2, 2], [2, 1])).toEqual([{ path: [], from: 2 }]);
    expect(between({ hooks: [{ url: 'a', tries: 1 }] }, { hooks: [{ tries: 1, url: 'a' }, { url: 'b' }] })).toEqual([
      { path: ['hooks'], to: { url: 'b' } },
    ]);
  });

  test('A value of another type differs as a whole.', () => {
    expect(between({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: ['a'], from: [1], to: { 0: 1 } }]);
    expect(between({ a: null }, { a: { b: 1 } })).toEqual([{ path: ['a'], from: null, to: { b: 1 } }]);
  });

  test('A value that counts as whole is not compared inside.', () => {
    const masked = (fingerprint: string) => ({ sensitive: true, fingerprint });
    const isWhole = (value: Json) => typeof value === 'object' && value !== null && 'sensitive' in value;
    expect(innerDifferences({ a: masked('1') }, { a: masked('2') }, isWhole)).toEqual([
      { path: ['a'], from: masked('1'), to: masked('2') },
    ]);
  });

  test('Member names with a special meaning compare like others.', () => {
    const from: Json = JSON.parse('{ "__proto__": 1, "constructor": 1 }');
    expect(between(from, {})).toEqual([
      { path: ['__proto__'], from: 1 },
      { path: ['constructor'], from: 1 },
    ]);
  });

  test('Values with thousands of members or deep nesting are compared in bounded work.', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => index);
    expect(between(many, [])).toBeUndefined();
    let deep: Json = 1;
    for (let level = 0; level < 200; level += 1) deep = { deep };
    expect(between(deep, { deep: 1 })).toHaveLength(1);
  });
});
