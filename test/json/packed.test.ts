import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { packed, packText, Recent, unpackText } from '../../src/json/packed.ts';
import { fuzzing } from '../support/fuzz.ts';

test('a packed value comes back, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const again = packed({ value });
      expect(again()).toEqual(JSON.parse(JSON.stringify({ value })));
      expect(again()).not.toBe(again());
    }),
    fuzzing(200),
  );
  expect(packed('\ud800 and 😀')()).toBe('\ud800 and 😀');
});

test('a text of thousands of characters takes less', () => {
  const text = 'Greet the caller, and ask what it is about.\n'.repeat(100);
  expect(unpackText(packText(text))).toBe(text);
  expect(packText(text).length).toBeLessThan(text.length / 10);
});

test('what was used last is kept, and once there is too much only a few', () => {
  const forgotten: number[] = [];
  const recent = new Recent<number, string>(100, (key) => forgotten.push(key));
  for (let key = 0; key < 100; key++) recent.set(key, `made of ${key}`);
  expect(recent.get(0)).toBe('made of 0');
  expect(forgotten).toEqual([]);
  recent.set(100, 'made of 100');
  expect(forgotten).toEqual(Array.from({ length: 37 }, (_, index) => index + 1));
  expect([recent.get(0), recent.get(37), recent.get(38)]).toEqual(['made of 0', undefined, 'made of 38']);
  recent.set(101, 'made of 101');
  expect(forgotten.slice(37)).toEqual([39]);
});
