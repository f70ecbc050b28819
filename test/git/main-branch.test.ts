import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mainBranchOf } from '../../src/git/commit-files.ts';
import { git } from '../support/git.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-branch-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const commit = () => git(root, 'commit', '-q', '--allow-empty', '-m', 'one');

test('The main branch outside git is main.', async () => {
  expect(await mainBranchOf(root)).toBe('main');
});

test('The main branch before the first commit is the branch of that commit.', async () => {
  await git(root, 'init', '-q', '-b', 'master');
  expect(await mainBranchOf(root)).toBe('master');
});

test.each([
  [['trunk'], 'trunk'],
  [['master'], 'master'],
  [['main', 'topic'], 'main'],
  [['master', 'feature/main'], 'master'],
  [['main', 'master'], 'master'],
])('With the branches %j, the last one checked out, the main branch is %s.', async (branches, expected) => {
  const [first = '', ...others] = branches;
  await git(root, 'init', '-q', '-b', first);
  await commit();
  for (const name of others) await git(root, 'checkout', '-q', '-b', name);
  expect(await mainBranchOf(root)).toBe(expected);
});

test('The main branch is the default branch of origin if the clone knows it.', async () => {
  await git(root, 'init', '-q', '-b', 'main');
  await commit();
  await git(root, 'update-ref', 'refs/remotes/origin/develop', 'HEAD');
  await git(root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
  expect(await mainBranchOf(root)).toBe('develop');
});

test('A detached checkout does not count as a branch.', async () => {
  await git(root, 'init', '-q', '-b', 'topic');
  await commit();
  await git(root, 'checkout', '-q', '--detach');
  expect(await mainBranchOf(root)).toBe('main');
});
