import { expect, test } from '@jest/globals';
import { FingerprintSet } from '../../../src/emulator/state/task-store.ts';

test('A fingerprint set recognises every member among thousands, also after it was saved.', () => {
  const set = new FingerprintSet();
  const ids = Array.from({ length: 20_000 }, (_, index) => `id-${index}`);
  expect(ids.every((id) => set.add(id))).toBe(true);
  const again = FingerprintSet.fromText(set.toText());
  for (const one of [set, again]) {
    expect(one.size).toBe(20_000);
    expect(ids.some((id) => one.add(id))).toBe(false);
    expect(one.add('id-20000')).toBe(true);
  }
});
