import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';
import { createGitStore } from '../../../src/record/git/store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, gitEnv, pushedProject } from '../../support/git.ts';

export const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

export let remote: BareRemote;
export let project: TestProject;
/** Another clone of the remote. */
export let other: TestProject;
let stores: RecordStore[];

/** Creates a remote with two clones for every test of the suite that calls this function. */
export function useClones(): void {
  beforeEach(async () => {
    remote = await bareRemote();
    project = await pushedProject(remote, { 'README.md': 'x' });
    other = await clonedProject(remote);
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all([project.remove(), other.remove(), remote.remove()]);
  });
}

/** Opens the git store of a clone. It is closed after the test. */
export async function open(
  { root }: TestProject,
  options: { shareEvery?: number; env?: Record<string, string>; signal?: AbortSignal; remote?: string } = {},
): Promise<RecordStore> {
  const { shareEvery, signal, env = gitEnv, remote: address = 'origin' } = options;
  const store = await createGitStore({
    root,
    branch: 'agentform-records',
    remote: address,
    env,
    signal,
    ...(shareEvery !== undefined && { shareEvery }),
  });
  stores.push(store);
  return store;
}

export async function journalOf({ root }: TestProject): Promise<string> {
  const folder = join(root, '.git/agentform');
  const found = (await readdir(folder, { recursive: true })).find((path) => path.endsWith('.journal'));
  return join(folder, found ?? '');
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the test waits for does not happen');
    await sleep(20);
  }
}
