import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostManifests, packed, packText, Recent, Remade, unpackText } from '../../src/json/packed.ts';
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
  const recent = new Recent<number, string>(300);
  for (let key = 0; key < 300; key++) recent.set(key, `made of ${key}`);
  expect(recent.get(0)).toBe('made of 0');
  recent.set(300, 'made of 300');
  // 301 less 256: the 45 that were asked for longest ago.
  expect([recent.get(45), recent.get(0), recent.get(46)]).toEqual([undefined, 'made of 0', 'made of 46']);
  recent.set(301, 'made of 301');
  expect([recent.get(47), recent.get(48)]).toEqual([undefined, 'made of 48']);
});

test('of thousands, a value is made again once it was not asked for lately', () => {
  const made: number[] = [];
  const all = new Remade<{ readonly index: number }>();
  const added = Array.from({ length: mostManifests + 1 }, (_, index) =>
    all.add({ index }, () => {
      made.push(index);
      return { index };
    }),
  );
  expect(added.at(-1)?.()).toEqual({ index: mostManifests });
  expect(made).toEqual([]);
  expect(added[0]?.()).toEqual({ index: 0 });
  expect(added[0]?.()).toBe(added[0]?.());
  expect(made).toEqual([0]);
});

test('of thousands, a value that nothing makes again is packed once it was not asked for lately', () => {
  const all = new Remade<{ readonly index: number }>();
  const first = { index: 0 };
  const again = all.add(first);
  expect(again()).toBe(first);
  for (let index = 1; index <= mostManifests; index++) all.add({ index });
  expect(again()).toEqual(first);
  expect(again()).not.toBe(first);
  expect(again()).toBe(again());
});
