import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A service that can save its agents. Saving returns a function that restores the agents. */
export interface Saveable {
  readonly save: () => (() => void) | Promise<() => Promise<void>>;
}

const copies: string[] = [];

afterAll(async () => {
  await Promise.all(copies.splice(0).map((copy) => rm(copy, { recursive: true, force: true })));
});

/**
 * Saves folders, and a service if one is given, so that several tests can start from a state that was created once.
 * Returns a function that restores the state. The folders keep their paths, because a clone contains the path of its
 * remote.
 */
export async function savedState(
  service: Saveable | undefined,
  ...folders: readonly string[]
): Promise<() => Promise<void>> {
  const copy = await mkdtemp(join(tmpdir(), 'agentform-saved-'));
  copies.push(copy);
  await Promise.all(folders.map((folder, index) => copied(folder, join(copy, String(index)))));
  const putBack = await service?.save();
  return async () => {
    await Promise.all(
      folders.map(async (folder, index) => {
        await rm(folder, { recursive: true, force: true });
        await copied(join(copy, String(index)), folder);
      }),
    );
    await putBack?.();
  };
}

function copied(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
