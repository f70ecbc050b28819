import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lazily, mostManifests, packer, packText, Recent, Remade, unpackText } from '../../src/json/packed.ts';
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

test('a text of thousands of characters takes less, and next to nothing beside one that says the same', () => {
  const text = 'Greet the caller, and ask what it is about.\n'.repeat(100);
  const alone = Buffer.alloc(0);
  expect(unpackText(packText(text, alone), alone)).toBe(text);
  expect(packText(text, alone).length).toBeLessThan(text.length / 10);
  const lines = Array.from(
    { length: 40 },
    (_, line) => `Step ${line}: ask about ${(line + 3) ** 7}, and write it down.\n`,
  );
  const beside = Buffer.from(lines.join(''));
  const like = `${lines.slice(3).join('')}And more.\n`;
  expect(unpackText(packText(like, beside), beside)).toBe(like);
  expect(packText(like, beside).length).toBeLessThan(packText(like, alone).length / 5);
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

test('members are made each time they are asked for, and by whoever spreads the object', () => {
  const withParts = lazily<() => number, { readonly half: number; readonly parts: Set<number> }>({
    half: (from) => from() / 2,
    parts: (from) => new Set([from()]),
  });
  let value = 8;
  const made = withParts({ name: 'one' }, () => value);
  expect(Object.keys(made)).toEqual(['name', 'half', 'parts']);
  expect(made.parts).not.toBe(made.parts);
  const copy = { ...made };
  value = 10;
  expect([made.half, copy.half]).toEqual([5, 4]);
  expect(JSON.stringify(made)).toBe('{"name":"one","half":5,"parts":{}}');
});

test('short texts do not each keep what came before them', () => {
  const pack = packer({ write: (text: string) => text, read: (text) => text });
  pack('a text of sixteen thousand characters. '.repeat(410));
  const before = process.memoryUsage().arrayBuffers;
  const packed = Array.from({ length: 4_000 }, () => pack(''));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
  expect(packed[9]?.()).toBe('');
});
