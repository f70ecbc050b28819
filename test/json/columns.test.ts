import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnReader, columnsOf } from '../../src/json/columns.ts';
import { fuzzing } from '../support/fuzz.ts';

/** Converts values to columns of JSON and back. */
function read(values: readonly unknown[]): unknown[] {
  const reader = columnReader(JSON.parse(JSON.stringify(columnsOf(values))));
  return values.map((_, index) => reader?.(index));
}

test('Values written as columns read back unchanged, whatever they have in common.', () => {
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('a', 'b', 1, null));
  const value = fc.oneof(
    leaf,
    fc.record({ name: leaf, at: fc.record({ line: leaf, file: fc.constant('f') }) }, { requiredKeys: ['name'] }),
    fc.array(fc.record({ key: leaf }), { maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      expect(read(values)).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    fuzzing(200),
  );
});

test('Columns contain shared values once, as one object.', () => {
  const values = ['a', 'b', 'c'].map((name) => ({ name, at: { file: 'x.yaml', line: 1 }, labels: [{ tier: 'gold' }] }));
  expect(JSON.stringify(columnsOf(values)).match(/gold/g)).toHaveLength(1);
  const [first, second] = read(values).map((one) => (one as (typeof values)[number]).labels);
  expect(first).toBe(second);
});

test('Columns keep a member named __proto__.', () => {
  const values = ['1', '2'].map((id): unknown => JSON.parse(`{ "query": { "__proto__": { "id": "${id}" } } }`));
  expect(JSON.stringify(read(values))).toBe(JSON.stringify(values));
});

test.each([
  [['each', 1]],
  [['object', {}, { a: ['other'] }]],
  [['list', {}, {}]],
  [['mixed', [0], ['other']]],
  [{}],
  ['same'],
])('Columns of another form are refused: %j', (columns) => {
  expect(columnReader(columns)).toBeUndefined();
});

test('Columns store values of the same form together.', () => {
  const values = ['a', 'b', 'c', 'd'].map((name, index) => ({
    name,
    ...(index % 2 === 0 && { title: name.toUpperCase() }),
    files: ['base.yaml', name].slice(index === 3 ? 1 : 0),
  }));
  expect(JSON.stringify(columnsOf(values)).match(/base/g)).toHaveLength(2);
  expect(read(values)).toEqual(values);
});
