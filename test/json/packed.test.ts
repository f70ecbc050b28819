import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostManifests, packer, Recent, Remade } from '../../src/json/packed.ts';
import { fuzzing } from '../support/fuzz.ts';

test('a packed value comes back, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const again = packer()({ value });
      expect(again()).toEqual(JSON.parse(JSON.stringify({ value })));
      expect(again()).not.toBe(again());
    }),
    fuzzing(200),
  );
  expect(packer()('\ud800 and 😀')()).toBe('\ud800 and 😀');
});

test('texts that are packed after each other come back, whatever the first one was', () => {
  const lines = Array.from(
    { length: 400 },
    (_, line) => `Step ${line}: ask what it is about, and write ${line * 7} down.\n`,
  );
  const texts = [lines.join(''), `${lines.slice(3).join('')}And 😀.\n`, '', 'short'];
  for (const first of texts) {
    const pack = packer({ write: (text: string) => text, read: (text) => text });
    const packed = [first, ...texts].map(pack);
    expect(packed.map((again) => again())).toEqual([first, ...texts]);
  }
});

test('what was used last is kept, and once there is too much only a few', () => {
  const dropped: number[] = [];
  const recent = new Recent<number, string>(300, (key) => dropped.push(key));
  const add = (from: number, to: number) => {
    for (let key = from; key < to; key++) recent.set(key, `made of ${key}`);
  };
  add(0, 300);
  expect([recent.get(0), dropped]).toEqual(['made of 0', []]);
  add(300, 420);
  expect([recent.get(7), recent.get(299), dropped]).toEqual(['made of 7', 'made of 299', []]);
  add(420, 700);
  // Of those before, the ones that were asked for are kept for as long as those that came with them.
  expect([recent.get(699), recent.get(8), recent.get(0)]).toEqual(['made of 699', undefined, undefined]);
  expect(dropped.length).toBe(new Set(dropped).size);
  expect(700 - dropped.length).toBeLessThanOrEqual(258);
});

test('of thousands, a value is made again once it was not asked for lately', () => {
  const made: number[] = [];
  const all = new Remade<{ readonly index: number }>();
  const added = Array.from({ length: mostManifests + 130 }, (_, index) =>
    all.add({ index }, () => {
      made.push(index);
      return { index };
    }),
  );
  expect(added.at(-1)?.()).toEqual({ index: mostManifests + 129 });
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
  for (let index = 1; index <= mostManifests + 130; index++) all.add({ index });
  expect(again()).toEqual(first);
  expect(again()).not.toBe(first);
  expect(again()).toBe(again());
});
