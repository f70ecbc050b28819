import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { addressOf } from '../../../src/kinds/desired.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { desiredOfAll } from '../../../src/manifest/resolve/resolution.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { type Changes, changesSince } from '../../../src/session/base/changed-since.ts';
import type { UserCache } from '../../../src/workspace/user-cache.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import type { Files } from './random-edits.ts';

/** The repository of the current test. */
export let folder: string;

/** Makes a repository for every test of the suite that calls this function. */
export function useRepository(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentform-changed-'));
    initRepository(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

/** Replaces the files of the work tree with the given files. */
export async function write(root: string, files: Files): Promise<void> {
  for (const name of ['agentform.yaml', 'agents', 'shared', 'prompts', 'numbers']) {
    await rm(join(root, name), { recursive: true, force: true });
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

export async function commit(files: Files): Promise<string> {
  await write(folder, files);
  return commitAll(folder, 'change');
}

export const environments = ['staging', 'production'];
export const env = {};

export async function since(ref: string, environment = 'production', cache?: UserCache): Promise<Changes> {
  const project = await loadProject(folder, { cache });
  const found = (await changesSince(project, { ref, environments, env })).get(environment);
  if (found === undefined) throw new Error('not compared');
  return found;
}

/** The declarations of the manifests in a folder without git, keyed by address. */
async function wanted(files: Files, environment: string): Promise<Map<string, unknown>> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-wanted-'));
  await write(root, files);
  const project = await loadProject(root);
  const resolution = await resolveProject(project, { environment, secrets: 'names', env });
  const [all, desired] = [resolution.all, desiredOfAll(resolution)];
  const byAddress = new Map(desired.map((one) => [addressOf(one), one]));
  await rm(root, { recursive: true });
  return new Map(
    all.map((identity): [string, unknown] => {
      const one = byAddress.get(addressOf(identity));
      // A manifest with errors differs from every manifest, including itself.
      if (one === undefined) return [addressOf(identity), Number.NaN];
      const { target, ...rest } = one;
      const { token, tokenAt: _, ...place } = target;
      const former = identity.renamedFrom.map(({ name }) => name);
      return [addressOf(identity), { ...rest, place, token: token.reveal(), former }];
    }),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return !Number.isNaN(one) && isDeepStrictEqual(one, other);
}

export async function expectExact(before: Files, after: Files, ref: string, cache?: UserCache): Promise<void> {
  for (const environment of environments) {
    const [was, is] = [await wanted(before, environment), await wanted(after, environment)];
    const differing = [...is.keys()].filter((address) => !isSame(was.get(address), is.get(address)));
    const { changed, deleted } = await since(ref, environment, cache);
    expect([...changed.keys()].sort()).toEqual(differing.sort());
    expect([...deleted.keys()].sort()).toEqual([...was.keys()].filter((address) => !is.has(address)).sort());
    const touched = [...changed.values(), ...deleted.values()].flat();
    expect(touched.filter((path) => before[path] === after[path])).toEqual([]);
    const told = [...changed].filter(([address]) => !Number.isNaN(is.get(address)));
    for (const [, files] of [...told, ...deleted]) expect(files).not.toEqual([]);
  }
}
