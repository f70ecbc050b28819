import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, mapTexts } from '../../src/json/json.ts';
import { fuzzing } from '../support/fuzz.ts';

test('Canonical JSON contains the whole value, with sorted keys and without undefined members.', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    fuzzing(300),
  );
  const resources = [{ b: 1, a: undefined }, {}, []];
  expect(canonicalJson({ resources, empty: {}, none: undefined })).toBe('{"empty":{},"resources":[{"b":1},{},[]]}');
});

test('Mapping texts changes every text at any depth, and no member name.', () => {
  const value = { a: 'x', b: ['x', { a: 'x', c: 1 }], d: null };
  expect(mapTexts(value, (text) => text.toUpperCase())).toEqual({ a: 'X', b: ['X', { a: 'X', c: 1 }], d: null });
});
