import { expect, test } from '@jest/globals';
import { FingerprintSet } from '../../../src/emulator/state/task-store.ts';

test('A fingerprint set recognises every member among thousands, also after it was saved.', () => {
  const set = new FingerprintSet();
  for (let i = 0; i < 20_000; i += 1) expect(set.add(`id-${i}`)).toBe(true);
  const again = FingerprintSet.fromText(set.toText());
  for (const one of [set, again]) {
    expect(one.size).toBe(20_000);
    for (let i = 0; i < 20_000; i += 7) expect(one.add(`id-${i}`)).toBe(false);
    expect(one.add('id-20000')).toBe(true);
  }
});
