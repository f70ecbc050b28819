import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  lazily,
  mostManifests,
  Once,
  packer,
  Recent,
  Remade,
  sparing,
  withMembers,
  withoutMember,
  withPacked,
} from '../../src/json/packed.ts';
import { fuzzing } from '../support/fuzz.ts';

test('a packed value comes back, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const packed = packer()({ value });
      expect(packed.again()).toEqual(JSON.parse(JSON.stringify({ value })));
      expect(packed.again()).not.toBe(packed.again());
    }),
    fuzzing(200),
  );
  expect(packer()('\ud800 and 😀').again()).toBe('\ud800 and 😀');
});

const asItIs = { write: (text: string) => text, read: (text: string) => text };

const lines = Array.from(
  { length: 400 },
  (_, line) => `Step ${line}: ask about ${(line + 3) ** 7}, and write it down.\n`,
);

test('texts come back, whatever was packed before them and in whatever order they are asked for', () => {
  const texts = [lines.join(''), `${lines.slice(3).join('')}And 😀.\n`, '', 'short', 'é'.repeat(70_000)];
  for (const first of texts) {
    const pack = packer(asItIs);
    const all = Array.from({ length: 9 }, () => [first, ...texts]).flat();
    const packed = all.map(pack);
    expect(packed.map((one) => one.again())).toEqual(all);
    expect(packed.toReversed().map((one) => one.again())).toEqual(all.toReversed());
  }
});

test('a text that is larger than a block has one of its own, so that small ones are not unpacked with it', () => {
  const pack = packer(asItIs);
  const small = pack('small');
  const giant = pack('giant'.repeat(100_000));
  expect([small.again(), giant.again().length, small.again()]).toEqual(['small', 500_000, 'small']);
});

test('texts that are like each other take next to nothing', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => process.memoryUsage().arrayBuffers;
  // What is collected is freed in another thread, whose turn comes when it comes.
  const settled = async (isEnough: () => boolean) => {
    for (let tries = 0; tries < 300; tries += 1) {
      collect();
      await setTimeout(10);
      if (isEnough()) return;
    }
  };
  const texts = Array.from({ length: 2_000 }, (_, index) => `${lines.slice(index % 7, 40).join('')}${index}`);
  let before = held();
  await settled(() => {
    const isStill = held() === before;
    before = held();
    return isStill;
  });
  const packed = texts.map(packer(asItIs));
  const most = texts.join('').length / 10;
  await settled(() => held() - before < most);
  expect(held() - before).toBeLessThan(most);
  expect(packed[9]?.again()).toBe(texts[9]);
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

test('Of thousands, a value is made again once it was not asked for lately.', () => {
  const made: number[] = [];
  const all = new Remade<{ readonly index: number }>();
  const added = Array.from({ length: mostManifests + 130 }, (_, index) =>
    all.add(
      { index },
      {
        again() {
          made.push(index);
          return { index };
        },
      },
    ),
  );
  expect(added.at(-1)?.value).toEqual({ index: mostManifests + 129 });
  expect(made).toEqual([]);
  expect(added[0]?.value).toEqual({ index: 0 });
  expect(added[0]?.value).toBe(added[0]?.value);
  expect(made).toEqual([0]);
});

test('Of thousands, a value that nothing makes again is packed once it was not asked for lately.', () => {
  const all = new Remade<{ readonly index: number }>();
  const first = { index: 0 };
  const kept = all.add(first);
  expect(kept.value).toBe(first);
  for (let index = 1; index <= mostManifests + 130; index++) all.add({ index });
  expect(kept.value).toEqual(first);
  expect(kept.value).not.toBe(first);
  expect(kept.value).toBe(kept.value);
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

test('packed members are made when they are asked for, each in its place', () => {
  const pack = packer<string>();
  const made = withPacked(
    { op: 'set', from: '', to: 'short', last: '' },
    { from: pack('before'), last: pack('first') },
  );
  expect(JSON.stringify(made)).toBe('{"op":"set","from":"before","to":"short","last":"first"}');
  expect({ ...made, op: 'unset' }).toEqual({ op: 'unset', from: 'before', to: 'short', last: 'first' });
});

test('an object with other members keeps those that are made when they are asked for', () => {
  const withHalf = lazily<{ whole: number }, { readonly half: number }>({ half: ({ whole }) => whole / 2 });
  const from = { whole: 8 };
  const made = withMembers(withHalf({ name: 'one', place: 1 }, from), { name: 'two' });
  from.whole = 10;
  expect(made).toEqual({ name: 'two', place: 1, half: 5 });
  const less = withoutMember(made, 'place');
  from.whole = 12;
  expect(less).toEqual({ name: 'two', half: 6 });
});

test('Of values with one key there is the first.', () => {
  const once = new Once<{ readonly name: string }>();
  const first = once.of('a', () => ({ name: 'first' }));
  expect(once.of('a', () => ({ name: 'second' }))).toBe(first);
  expect(once.of('b', () => ({ name: 'third' }))).toEqual({ name: 'third' });
});

test('a program hears of thousands, and not of fewer', () => {
  let told = 0;
  sparing.begin = () => {
    told += 1;
    sparing.begin = undefined;
  };
  const few = new Recent<number, number>(100);
  for (let key = 0; key < 500; key++) few.set(key, key);
  const all = new Remade<number>();
  for (let index = 0; index < mostManifests; index++) all.add(index);
  expect(told).toBe(0);
  for (let index = 0; index < 300; index++) all.add(index);
  expect(told).toBe(1);
});
