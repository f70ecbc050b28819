import { expect, test } from '@jest/globals';
import { pathSet } from '../../src/kinds/path-map.ts';

test('A path map accepts paths and lists of hostile length.', () => {
  const long = Array.from({ length: 200_000 }, () => 'a');
  const deep = pathSet([long]);
  expect([deep.within([]).length, deep.along([...long, 'b']).length]).toEqual([1, 1]);
  const wide = pathSet(long.map((_, index) => ['skills', String(index)]));
  expect(wide.within(['skills'])).toHaveLength(200_000);
});
