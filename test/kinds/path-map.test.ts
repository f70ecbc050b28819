import { expect, test } from '@jest/globals';
import { PathMap, pathSet } from '../../src/kinds/path-map.ts';

const map = new PathMap([
  [['settings', 'title'], 'title'],
  [['skills'], 'skills'],
  [['skills', 'b', 'version'], 'b.version'],
  [['skills', 'a'], 'a'],
  [['skills', 'a', 'version'], 'a.version'],
]);

test('A path map finds a value at its path only.', () => {
  expect([map.get(['skills', 'a']), map.get(['skills', 'b']), map.get(['skills', 'a', 'x', 'y'])]).toEqual([
    'a',
    undefined,
    undefined,
  ]);
  expect([map.has(['skills']), map.has(['settings']), map.has([])]).toEqual([true, false, false]);
});

test('A path map replaces an earlier value, also with undefined.', () => {
  const changed = new PathMap<number | undefined>([
    [['a'], 1],
    [['a'], undefined],
  ]);
  expect([changed.has(['a']), changed.values()]).toEqual([true, [undefined]]);
  expect(changed.getOrAdd(['a'], () => 2)).toBe(undefined);
  expect([changed.getOrAdd(['b'], () => 2), changed.getOrAdd(['b'], () => 3)]).toEqual([2, 2]);
});

test('A path map lists the values along a path, the outermost first.', () => {
  expect(map.along(['skills', 'a', 'version'])).toEqual(['skills', 'a', 'a.version']);
  expect(map.along(['skills', 'c', 'version'])).toEqual(['skills']);
  expect(map.along(['settings'])).toEqual([]);
});

test('A path map lists the values within a path, neighbours in their order.', () => {
  expect(map.within(['skills'])).toEqual(['skills', 'b.version', 'a', 'a.version']);
  expect(map.within(['skills', 'c'])).toEqual([]);
  expect(map.values()).toEqual(['title', 'skills', 'b.version', 'a', 'a.version']);
});

test('A path map accepts member names of every object.', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const set = pathSet(names.map((name) => [name]));
  expect([set.has(['valueOf']), ...names.map((name) => set.has([name]))]).toEqual([false, true, true, true]);
});
