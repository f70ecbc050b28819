import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  day,
  newer,
  newerThanRecord,
  older,
  place,
  project,
  recorded,
  useRepository,
  write,
} from '../../record/committed-record.ts';
import { commitAll, git } from '../../support/git.ts';
import { agentRecord } from '../../support/observations.ts';

useRepository();

let clone: string;
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'agentform-clone-'));
});
afterEach(() => rm(clone, { recursive: true }));

test('A record is older after a merge that dropped the newer version.', async () => {
  await recorded(older);
  await git(project.root, 'branch', 'topic');
  const expected = await recorded(newer);
  await git(project.root, 'checkout', '--quiet', 'topic');
  await git(project.root, 'merge', '--quiet', '--strategy=ours', '--no-edit', 'main');
  expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
});

test('A record is older in a project folder with a blank and a quote in its path.', async () => {
  const folder = "it's a project";
  await recorded(older, folder);
  const expected = await recorded(newer, folder);
  await recorded(older, folder);
  const found = await newerThanRecord(join(project.root, folder));
  expect(found?.path).toBe(`:/${folder}/${place}`);
  await git(project.root, 'checkout', expected, '--', found?.path ?? '');
  expect(await newerThanRecord(join(project.root, folder))).toBeUndefined();
});

test('A record is older than the latest of any number of later versions.', async () => {
  const versions = Array.from({ length: 24 }, (_, index) => day(10 + (index % 22), index));
  const commits: string[] = [];
  for (const version of versions) commits.push(await recorded(version));
  await write(day(10, 0));
  expect(await newerThanRecord()).toMatchObject({ commit: commits[21]?.slice(0, 12) });
});

test('A record is older in a repository with SHA-256 ids, too.', async () => {
  await rm(join(project.root, '.git'), { recursive: true });
  await git(project.root, 'init', '--quiet', '--object-format=sha256');
  await recorded(older);
  const expected = await recorded(newer);
  await recorded(agentRecord({ a: 3 }, { lastUpdate: 1500 }));
  expect(await newerThanRecord()).toBeUndefined();
  await git(project.root, 'revert', '--no-edit', 'HEAD~2..HEAD');
  expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12) });
});

test('A version that a partial clone would have to fetch causes no warning.', async () => {
  await recorded(older);
  await recorded(newer);
  await write(older);
  await commitAll(project.root, 'restored');
  await git(project.root, 'config', 'uploadpack.allowFilter', 'true');
  await git(clone, 'clone', '--quiet', '--filter=blob:none', `file://${project.root}`, '.');
  expect(await newerThanRecord(clone)).toBeUndefined();
});

test('A commit that a shallow clone lacks causes no warning.', async () => {
  await recorded(older);
  await recorded(newer);
  await write(older);
  await commitAll(project.root, 'restored');
  await git(clone, 'clone', '--quiet', '--depth=1', `file://${project.root}`, '.');
  expect(await newerThanRecord(clone)).toBeUndefined();
  await git(clone, 'fetch', '--quiet', '--unshallow');
  expect(await newerThanRecord(clone)).toBeDefined();
});

test('A version that was applied later and committed before, or at the same time, causes no warning.', async () => {
  await recorded(day(13, 0));
  await recorded(day(12, 1));
  await recorded(day(11, 2));
  await recorded(day(12, 3));
  await write(day(12, 1));
  expect(await newerThanRecord()).toBeUndefined();
});

test('A record that was only replaced by newer ones causes no warning, whatever the clocks.', async () => {
  await recorded(older);
  await recorded(newer);
  expect(await newerThanRecord()).toBeUndefined();
  const { lastUpdate: _, ...untimed } = newer;
  await recorded({ ...untimed, appliedAt: '2025-12-31T00:00:00.000Z' });
  expect(await newerThanRecord()).toBeUndefined();
  await write({ ...untimed, appliedAt: '2025-12-30T00:00:00.000Z' });
  expect(await newerThanRecord()).toBeUndefined();
});
