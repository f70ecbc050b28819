import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileStore } from '../../src/record/file-store.ts';
import { createGitStore } from '../../src/record/git/store.ts';
import { recordPath } from '../../src/record/record-text.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, commit, gitEnv, pushedProject, tracedGit } from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';

/** Checks that a thousand records need as few git processes as one record. */
const names = Array.from({ length: 1000 }, (_, index) => `a${index}`);
const older = agentRecord({ a: 1 }, { lastUpdate: 1000 });
const newer = agentRecord({ a: 2 }, { lastUpdate: 2000 });

let remote: BareRemote;
let project: TestProject;

beforeEach(async () => {
  remote = await bareRemote();
  project = await pushedProject(remote, { 'README.md': 'x' });
});
afterEach(async () => {
  await Promise.all([project.remove(), remote.remove()]);
});

test('A thousand records older than committed ones need few git processes.', async () => {
  for (const record of [older, newer, older]) {
    for (const name of names) await write({ ...record, name });
    await commit(project, 'records');
  }
  const keys = names.map((name) => ({ ...older, name }));
  const { starts } = await tracedGit(async () => {
    expect((await new FileStore(project.root).newerVersions('test', keys)).size).toBe(1000);
  });
  expect(starts.length).toBeGreaterThan(2);
  expect(starts.length).toBeLessThan(10);
});

test('A thousand records on a branch are listed with few git processes.', async () => {
  const open = () =>
    createGitStore({ root: project.root, branch: 'agentform-records', remote: remote.path, env: gitEnv });
  const store = await open();
  for (const name of names) await store.save({ ...older, name }, undefined);
  await store.share('Apply to test');
  const { starts } = await tracedGit(async () => {
    const another = await open();
    expect(await another.list('test')).toHaveLength(1000);
    await another.close();
  });
  expect(starts.length).toBeGreaterThan(2);
  expect(starts.length).toBeLessThan(20);
  await store.close();
});

async function write(record: ResourceRecord): Promise<void> {
  const path = join(project.root, recordPath(record));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(record));
}
