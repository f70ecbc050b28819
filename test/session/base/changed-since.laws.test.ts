import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from '@jest/globals';
import fc from 'fast-check';
import { UserCache } from '../../../src/workspace/user-cache.ts';
import { fuzzing, fuzzTimeout } from '../../support/fuzz.ts';
import { commit, expectExact, folder, useRepository, write } from './changed-project.ts';
import { type Edit, edited, edits, startingFiles } from './random-edits.ts';

useRepository();

/** Damages each file: replaces a byte at this place, or cuts the file there. */
async function damageAll(cache: string, place: number): Promise<void> {
  for (const name of await readdir(cache)) {
    const bytes = await readFile(join(cache, name));
    const at = Math.floor(bytes.length * place);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(cache, name), place > 0.8 ? bytes.subarray(0, at) : bytes);
  }
}

test(
  'The changes since a commit equal the differences of two independent resolutions, whatever was edited.',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(edits, { maxLength: 4 }), fc.array(edits, { maxLength: 5 }), async (first, second) => {
        const before = first.reduce(edited, startingFiles);
        const after = second.reduce(edited, before);
        const ref = await commit(before);
        await write(folder, after);
        await expectExact(before, after, ref);
      }),
      fuzzing<[Edit[], Edit[]]>(15),
    ),
  fuzzTimeout,
);

test(
  'The changes since a commit are the same with any cache of earlier runs, even a damaged one.',
  async () => {
    const place = `${folder}-cache/agentform`;
    const step = fc.record({ edit: edits, isCommitted: fc.boolean(), damage: fc.nat(1000) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 3 }), async (steps) => {
        let [before, now] = [startingFiles, startingFiles];
        let ref = await commit(now);
        for (const { edit, isCommitted, damage } of steps) {
          now = edited(now, edit);
          await write(folder, now);
          if (isCommitted) [before, ref] = [now, await commit(now)];
          await expectExact(before, now, ref, new UserCache(place, 'a'));
          if (damage > 600) await damageAll(place, damage / 1000);
        }
      }),
      fuzzing(2),
    );
    await rm(dirname(place), { recursive: true, force: true });
  },
  fuzzTimeout,
);
