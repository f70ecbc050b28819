import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { bareRemote, commit, commitAll, git, initRepository, pushedProject } from '../support/git.ts';

// Most tests commit with test/support/git-objects.ts, which starts no git process. Its results must equal those of git.

let project: TestProject;
beforeEach(async () => {
  project = await testProject({
    'a.txt': 'a',
    'a/b.txt': 'b',
    'a-c/d e.txt': 'd',
    'a/run.sh': '#!/bin/sh\n',
    'ü/x': 'umlaut',
    '.gitignore': 'kept-out/\nplan.json\n',
    'kept-out/x': 'x',
    'a/plan.json': 'x',
  });
  await chmod(join(project.root, 'a/run.sh'), 0o755);
  await mkdir(join(project.root, 'empty'));
  await symlink('../a.txt', join(project.root, 'a/link'));
});
afterEach(() => project.remove());

test('A commit that the tests write without git has the tree, the index and the history that git makes.', async () => {
  initRepository(project.root);
  const first = await commitAll(project.root, 'first');
  expect(await git(project.root, 'status', '--porcelain')).toBe('');
  expect(await git(project.root, 'fsck', '--strict', '--full')).toBe('');
  const tree = await git(project.root, 'rev-parse', 'HEAD^{tree}');
  await git(project.root, 'rm', '--quiet', '--cached', '-r', '.');
  await git(project.root, 'add', '--all');
  expect(await git(project.root, 'write-tree')).toBe(tree);
  await project.write('a.txt', 'changed');
  const second = await commitAll(project.root, 'second');
  expect(await git(project.root, 'log', '--format=%H %an %s')).toBe(`${second} Tess second\n${first} Tess first`);
  expect(await git(project.root, 'status', '--porcelain')).toBe('');
});

test('A push that the tests write without git leaves the remote and the clone as git does.', async () => {
  const remote = await bareRemote();
  const pushed = await pushedProject(remote, { 'a/b.txt': 'b' });
  await pushed.write('a/c.txt', 'c');
  const id = await commit(pushed, 'second');
  expect(await remote.git('rev-parse', 'main')).toBe(id);
  expect(await remote.git('fsck', '--strict', '--full')).toBe('');
  expect(await remote.subjects('main')).toEqual(['first', 'second']);
  expect(await git(pushed.root, 'status', '--branch', '--porcelain=v2')).toContain(`branch.oid ${id}`);
  expect(await git(pushed.root, 'push', '--porcelain', 'origin', 'HEAD:main')).toContain('[up to date]');
  expect(await git(pushed.root, 'rev-parse', 'origin/main')).toBe(id);
  await Promise.all([pushed.remove(), remote.remove()]);
});
