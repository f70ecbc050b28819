import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, mapTexts, sharedTexts } from '../../src/json/json.ts';
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

test('Copies of a long text take memory once if they share texts.', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const json = JSON.stringify({ settings: ['long text '.repeat(10_000)] });
  const memoryOf = (change: (text: string) => string) => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const copies = Array.from({ length: 100 }, () => mapTexts(JSON.parse(json), change));
    collectGarbage();
    expect(copies.every((copy) => JSON.stringify(copy) === json)).toBe(true);
    return process.memoryUsage().heapUsed - before;
  };
  expect(memoryOf(sharedTexts())).toBeLessThan(memoryOf((text) => text) / 2);
});
