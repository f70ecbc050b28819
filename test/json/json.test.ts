import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, canonicalPieces, mapTexts } from '../../src/json/json.ts';
import { fuzzing } from '../support/fuzz.ts';

test('the pieces of canonical JSON are those of the whole', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...canonicalPieces(value)].join('')).toBe(canonicalJson(value));
    }),
    fuzzing(300),
  );
  const resources = [{ b: 1, a: undefined }, {}, []];
  expect([...canonicalPieces({ resources, empty: {}, none: undefined })].join('')).toBe(
    '{"empty":{},"resources":[{"b":1},{},[]]}',
  );
});

test('each resource of a plan is a separate piece', () => {
  const resources = [{ text: 'one' }, { text: 'two' }];
  expect([...canonicalPieces({ resources })].filter((piece) => piece.includes('text'))).toHaveLength(2);
});

test('every text of a value is changed, however deep it is, and no name of a member', () => {
  const value = { a: 'x', b: ['x', { a: 'x', c: 1 }], d: null };
  expect(mapTexts(value, (text) => text.toUpperCase())).toEqual({ a: 'X', b: ['X', { a: 'X', c: 1 }], d: null });
});
