import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findRepository, gitSettings, remotesOf } from '../../src/git/repository.ts';
import { git, tracedGit } from '../support/git.ts';

const { PATH = '' } = process.env;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-repository-'));
  await git(folder, 'init', '--quiet');
});
afterEach(async () => {
  process.env.PATH = PATH;
  await rm(folder, { recursive: true, force: true });
});

/** Commits the folders and the config of a repository as ordinary files. */
async function embedded(): Promise<string> {
  const desk = join(folder, 'desk');
  for (const name of ['objects', 'refs']) await mkdir(join(desk, name), { recursive: true });
  await writeFile(join(desk, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(desk, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n');
  return desk;
}

/** Replaces git with a version before 2.38, which ignores unknown settings. */
async function withOlderGit(): Promise<void> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const lines = ['#!/bin/sh', '[ "$2" = safe.bareRepository=explicit ] && shift 2', `PATH='${PATH}' exec git "$@"`, ''];
  await writeFile(join(bin, 'git'), lines.join('\n'));
  await chmod(join(bin, 'git'), 0o755);
  process.env.PATH = bin + delimiter + PATH;
}

test('A repository that is itself committed is ignored.', async () => {
  expect(await findRepository(await embedded())).toEqual({
    problem: expect.stringContaining('cannot use bare repository'),
  });
});

test('A repository that is itself committed is ignored with an older git, too.', async () => {
  const desk = await embedded();
  await withOlderGit();
  expect(await findRepository(desk)).toEqual({
    problem: expect.stringContaining('is in the work tree and only looks like a repository'),
  });
  expect(await findRepository(folder)).toMatchObject({ prefix: '' });
});

test('A submodule and a second work tree count as repositories.', async () => {
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  await git(folder, 'worktree', 'add', '--quiet', 'second');
  expect(await findRepository(join(folder, 'second'))).toMatchObject({
    prefix: '',
    own: expect.stringContaining('worktrees'),
  });
});

test('Git does not run if no parent folder has .git.', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
  process.env.PATH = outside;
  expect(await findRepository(outside)).toEqual({ problem: 'not a git repository', isMissing: true });
  await rm(outside, { recursive: true });
});

test.each(['.', 'linked'])('Git is only asked again after a change of the repository: work tree %s', async (name) => {
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'before');
  if (name !== '.') await git(folder, 'worktree', 'add', '--quiet', name);
  const place = join(folder, name);
  const changes = [
    ['commit', '--quiet', '--allow-empty', '--message', 'first'],
    ['commit', '--quiet', '--allow-empty', '--message', 'second'],
    ['checkout', '--quiet', 'HEAD~1'],
    ['checkout', '--quiet', '-B', 'other'],
    ['pack-refs', '--all'],
    ['commit', '--quiet', '--amend', '--allow-empty', '--message', 'third'],
    ['config', 'core.quotePath', 'false'],
  ];
  for (const change of changes) {
    await git(place, ...change);
    const head = await git(place, 'rev-parse', 'HEAD');
    const { starts } = await tracedGit(async () => {
      expect([change, await findRepository(place)]).toEqual([change, expect.objectContaining({ head })]);
      expect([change, await findRepository(place)]).toEqual([change, expect.objectContaining({ head })]);
    });
    expect([change, starts.length]).toEqual([change, 1]);
  }
});

test('Git is not asked again about a repository after a look at another folder.', async () => {
  await mkdir(join(folder, 'desk'));
  const { starts } = await tracedGit(async () => {
    for (const root of [folder, join(folder, 'desk'), folder]) await findRepository(root);
  });
  expect(starts).toHaveLength(2);
});

test('Settings of git are read again after a change, and remotes are those with an address.', async () => {
  expect(await remotesOf(folder)).toEqual([]);
  await git(folder, 'remote', 'add', 'up.stream/2', 'https://git.example.com/a');
  await git(folder, 'config', 'remote.pushed.pushurl', 'https://git.example.com/b');
  expect(await remotesOf(folder)).toEqual(['up.stream/2']);
  await git(folder, 'config', 'user.name', 'Ada');
  expect((await gitSettings(folder)).get('user.name')).toBe('Ada');
});
