import { beforeEach, describe, expect, test } from '@jest/globals';
import type { GitRepository } from '../../../src/git/repository.ts';
import { GitBranch } from '../../../src/record/git/branch.ts';
import { remoteOf } from '../../../src/record/git/remote.ts';
import { project, remote, repositoryAt, useClone } from '../../support/clone.ts';
import { clonedProject, git, tracedGit } from '../../support/git.ts';

/** Tests the record branch as a single run sees it. */
const name = 'records';
const author = { name: 'Tess', email: 'tess@example.com' };
const signal = undefined;

let repository: GitRepository;
let branch: GitBranch;

useClone();
beforeEach(async () => {
  repository = await repositoryAt(project.root);
  branch = await opened();
});

async function opened(by = author, at = repository): Promise<GitBranch> {
  return new GitBranch(
    { repository: at, branch: name, remote: await remoteOf(at, 'origin') },
    { author: by, key: name, folder: 'r' },
  );
}

const refs = async (pattern = 'refs/agentform/') => {
  const found = await git(project.root, 'for-each-ref', '--format=%(refname)', pattern);
  return found === '' ? [] : found.split('\n');
};
const everything = () => true;
const nothing = () => undefined;

const content = (texts: Readonly<Record<string, string | undefined>>, message: string) => ({
  moves: new Map<string, string>(),
  changes: new Map(Object.entries(texts)),
  message,
});

/** Commits these texts and pushes them. Returns the commit. */
async function pushed(texts: Readonly<Record<string, string | undefined>>, message = 'records\n'): Promise<string> {
  const commit = await branch.commit(content(texts, message));
  expect(await branch.push(commit, signal)).toBeUndefined();
  return commit;
}

/** The files below `r` on the branch, by path. */
async function texts(): Promise<Readonly<Record<string, string>>> {
  const { files } = await branch.files('r', everything);
  return Object.fromEntries(files.map(({ path, text }) => [path, text()]));
}

describe('a commit', () => {
  test('A commit stays local until it is pushed, on top of the branch.', async () => {
    expect(await branch.fetch(signal)).toBe(false);
    const first = await branch.commit(content({ 'r/a': '1' }, 'one\n'));
    expect(await remote.subjects(name)).toEqual([]);
    expect(branch.tip).toBeUndefined();
    await branch.push(first, signal);
    expect(branch.tip).toBe(first);
    const second = await pushed({ 'r/b': '2' }, 'two\n');
    expect(await remote.subjects(name)).toEqual(['one', 'two']);
    expect(await remote.git('rev-parse', `${second}^`)).toBe(first);
    expect(await remote.git('log', '-1', '--format=%an <%ae>, %cn <%ce>', name)).toBe(
      'Tess <tess@example.com>, Tess <tess@example.com>',
    );
  });

  test('A commit contains texts and paths with any characters, and lacks removed files.', async () => {
    const written = { 'r/"quoted"': 'a\n', 'r/back\\slash': 'ü — 😀\n\n', 'r/line\nfeed': '', 'r/gone': 'x' };
    await pushed(written);
    await pushed({ 'r/gone': undefined });
    const { 'r/gone': _, ...kept } = written;
    expect(await texts()).toEqual(kept);
  });

  test('Line breaks and brackets are removed from the name and address of the author of a commit.', async () => {
    branch = await opened({ name: ' Tess <x>\ndata 1', email: 'a>b' });
    await pushed({ 'r/a': '1' });
    expect(await remote.git('log', '-1', '--format=%cn <%ce>', name)).toBe('Tess xdata 1 <ab>');
  });

  test('A commit that is not on top of the branch is rejected, and the known branch stays.', async () => {
    const other = await opened();
    await pushed({ 'r/a': '1' });
    const commit = await other.commit(content({ 'r/a': '2' }, 'late\n'));
    expect(await other.push(commit, signal)).toMatchObject({ isRace: true });
    expect(other.tip).toBeUndefined();
    expect(await other.fetch(signal)).toBe(true);
    expect(other.tip).toBe(branch.tip);
    expect(await other.fetch(signal)).toBe(false);
  });
});

describe('files on the records branch', () => {
  test('The branch has no files if it is missing, or if the folder is.', async () => {
    const none = { files: [], others: [] };
    expect(await branch.files('r', everything)).toEqual(none);
    await pushed({ 'rest/a': '1' });
    expect(await branch.files('r', everything)).toEqual(none);
  });

  test('The branch gives the wanted files with their texts, and the paths of the others.', async () => {
    await pushed({ 'r/a.json': '{}\n', 'r/b/c.json': '[]', 'r/notes.txt': 'x', 'other/a.json': 'y' });
    const { files, others } = await branch.files('r', (path) => /(.*)\.json$/.exec(path)?.[1]);
    expect({ files: files.map(({ text, ...one }) => ({ ...one, text: text() })), others }).toEqual({
      files: [
        { path: 'r/a.json', key: 'r/a', text: '{}\n' },
        { path: 'r/b/c.json', key: 'r/b/c', text: '[]' },
      ],
      others: ['r/notes.txt'],
    });
    expect(await branch.files('r', nothing)).toMatchObject({ files: [] });
  });

  test('The branch keeps texts of any characters and any length.', async () => {
    const some = ['ä€😀'.repeat(30_000), '', 'x', '\n 4 blob 2\n', 'ö'.repeat(200_001), 'last'];
    const written = Object.fromEntries(some.map((text, index) => [`r/${index}`, text]));
    await pushed(written);
    expect(await texts()).toEqual(written);
  });

  const link = { link: 'README.md' };
  const submodule = { submodule: 'c0ffee'.padEnd(40, '0') };

  test.each([
    ['A link', link, 'r/link', 'r', 'it is a symbolic link, which is not followed'],
    ['A link', link, 'r/test', 'r/test', 'it is a symbolic link, which is not followed'],
    ['A link', link, 'r', 'r', 'it is a symbolic link, which is not followed'],
    ['A submodule', submodule, 'r/test', 'r/test', 'it is a submodule'],
    ['A file', 'x', 'r/test', 'r/test', 'it is not a folder'],
    ['A file', 'x', 'r', 'r/test', 'it is not a folder'],
  ])('%s makes records unreadable: %j at %s for the records in %s.', async (_what, content, path, folder, why) => {
    const commit = remote.commit({ [path]: content }, name);
    await branch.fetch(signal);
    await expect(branch.files(folder, nothing)).rejects.toMatchObject({
      code: 'record-unreadable',
      message: `${path} at commit ${commit} cannot be read: ${why}; remove it from the record branch`,
      facts: { place: path, commit },
    });
  });

  test('The branch lists the projects with records at any depth.', async () => {
    expect(await branch.projects()).toEqual([]);
    const folder = '.agentform/records';
    const own = `${folder}/test/Agent/55/a.json`;
    await pushed({
      [own]: '1',
      [`apps/a b/${own}`]: '1',
      [`apps/moved/${folder}/moved.json`]: '1',
      'x/.agentform/y/z/a': '1',
    });
    expect(await branch.projects()).toEqual(['', 'apps/a b/']);
  });
});

test('A partial clone fetches the missing texts of the branch together.', async () => {
  await remote.git('config', 'uploadpack.allowFilter', 'true');
  const committed = Object.fromEntries(['a', 'b', 'c', 'd'].map((file) => [`r/${file}`, file]));
  await pushed(committed);
  const partial = await clonedProject(remote, {}, ['--filter=blob:none']);
  branch = await opened(author, await repositoryAt(partial.root));
  const fetched = await tracedGit(() => branch.fetch(signal));
  const read = await tracedGit(texts);
  expect(read.result).toEqual(committed);
  const fetches = [...fetched.starts, ...read.starts].filter((start) => start.includes('"fetch"'));
  // The branch, and then its texts.
  expect(fetches).toHaveLength(2);
  await partial.remove();
});

test('The last change of a path is the commit that touched it last.', async () => {
  expect(await branch.lastChange(['r/a'])).toBeUndefined();
  const first = await pushed({ 'r/a': '1' });
  await pushed({ 'r/b': '1', 'r/*': '1' });
  expect(await branch.lastChange(['r/a'])).toBe(first);
  expect(await branch.lastChange(['r/c'])).toBeUndefined();
});

test('The check of push access uses the existing commit, and changes nothing.', async () => {
  expect(await branch.tryPush(signal)).toBeUndefined();
  expect(await remote.subjects(name)).toEqual([]);
  const tip = await pushed({ 'r/a': '1' });
  expect(await branch.tryPush(signal)).toBeUndefined();
  expect(await remote.git('rev-parse', name)).toBe(tip);
  const unborn = { ...repository, head: undefined };
  expect(await (await opened(author, unborn)).tryPush(signal)).toBeUndefined();
  // A run that does not know the branch treats the branch as new. Git reports a race, although access is not missing.
  await (await opened()).tryPush(signal);
});

test('A commit is kept under a ref of its name, until it is released.', async () => {
  const commit = await branch.commit(content({ 'r/a': '1' }, 'ours\n'));
  await branch.keep('refs/agentform/clash/1', commit);
  expect(await git(project.root, 'rev-parse', 'refs/agentform/clash/1')).toBe(commit);
  await branch.keep('refs/agentform/clash/1', undefined);
  expect(await refs('refs/agentform/clash/')).toEqual([]);
});

describe('a read-only clone', () => {
  // A ref in place of a folder stands for a folder without write access, because the tests may run as root.
  const lockRefs = async () => {
    for (const ref of await refs()) await git(project.root, 'update-ref', '-d', ref);
    await git(project.root, 'update-ref', 'refs/agentform', 'HEAD');
  };

  test('The branch is read from the clone if the clone has its commit.', async () => {
    const tip = await pushed({ 'r/a': '1' });
    await lockRefs();
    branch = await opened();
    expect(await branch.fetch(signal)).toBe(true);
    expect([branch.tip, await texts()]).toEqual([tip, { 'r/a': '1' }]);
    await branch.close();
  });

  test('A branch that does not exist is empty.', async () => {
    await lockRefs();
    expect(await branch.fetch(signal)).toBe(false);
    expect(branch.tip).toBeUndefined();
  });
});

describe('the end of a run with the branch', () => {
  const now = Math.floor(Date.now() / 1000);
  const place = async (ref: string) => void (await git(project.root, 'update-ref', ref, 'HEAD'));

  test('The refs of the run are removed, as are those of a run killed on an earlier day.', async () => {
    const kept = ['refs/agentform/clash/1', `refs/agentform/run/${now - 3600}-abc/tip`, 'refs/agentform/run/odd'];
    for (const ref of [...kept, `refs/agentform/run/${now - 100_000}-abc/tip`]) await place(ref);
    await pushed({ 'r/a': '1' });
    await branch.fetch(signal);
    expect(await refs('refs/agentform/run/')).toHaveLength(5);
    const { tip } = branch;
    await branch.close();
    expect((await refs()).sort()).toEqual([...kept, 'refs/agentform/known/records'].sort());
    expect(await git(project.root, 'rev-parse', 'refs/agentform/known/records')).toBe(tip);
  });

  test('Git does not run if nothing is requested from the branch.', async () => {
    await place(`refs/agentform/run/${now - 100_000}-abc/tip`);
    await branch.close();
    expect(await refs()).toHaveLength(1);
  });
});
