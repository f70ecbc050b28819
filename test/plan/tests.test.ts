import { expect, test } from '@jest/globals';
import { joinedCounts } from '../../src/plan/tests.ts';

test('a joined plan has what --skip-tests overruled in every shard', () => {
  const overruled = (name: string) => [{ resource: `Agent/${name}`, tests: ['callers'] }];
  const shard = { passed: 1, failed: 1, errors: 0 };
  expect(
    joinedCounts([
      { ...shard, skipped: true, overruled: overruled('a') },
      undefined,
      { ...shard, failed: 0 },
      { ...shard, skipped: true, overruled: overruled('b') },
    ]),
  ).toEqual({ passed: 3, failed: 2, errors: 0, skipped: true, overruled: [...overruled('a'), ...overruled('b')] });
});
