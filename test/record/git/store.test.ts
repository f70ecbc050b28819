import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createGitStore } from '../../../src/record/git/store.ts';
import { pathOnBranch, recordText } from '../../../src/record/record-text.ts';
import { clonedProject, git, gitEnv, tracedGit } from '../../support/git.ts';
import type { Files } from '../../support/git-on-disk.ts';
import { agentRecord } from '../../support/observations.ts';
import { journalOf, key, open, other, project, remote, until, useClones } from './open-store.ts';

const place = pathOnBranch(key);

useClones();

describe('records on the branch', () => {
  test('A record without the branch has no history.', async () => {
    const store = await open(project);
    expect(await store.history({ environment: 'test' })).toEqual([]);
  });

  test('A record is visible to its own run immediately, and to others once it is shared.', async () => {
    const store = await open(project);
    const version = await store.save(agentRecord({ a: 1 }), undefined);
    expect(await store.read(key)).toMatchObject({ version });
    expect(await (await open(other)).list('test')).toEqual([]);
    await store.share('Apply to test');
    expect(await (await open(other)).list('test')).toHaveLength(1);
    await store.remove(key, version);
    expect(await store.list('test')).toEqual([]);
    await store.share('Forget in test');
    expect(await (await open(other)).list('test')).toEqual([]);
    expect(await remote.subjects()).toEqual(['Apply to test: front-desk', 'Forget in test: front-desk']);
  });

  test('An unreadable record is refused with its place.', async () => {
    remote.commit({ [place]: '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n' });
    await expect((await open(project)).list('test')).rejects.toMatchObject({
      code: 'record-unreadable',
      message:
        `the record ${place} has merge conflict markers; edit it on the branch agentform-records of origin: delete the ` +
        'markers and the lines of one side. Either side is safe, because the next plan compares the record with the service',
    });
  });
});

describe('other contents in place of a record', () => {
  test.each<[string, Files[string], RegExp]>([
    ['a link', { link: '/dev/zero' }, /it is a symbolic link, which is not followed/],
    [
      'text in Latin-1',
      Buffer.from(recordText(agentRecord({ a: 'é' })), 'latin1'),
      /line \d+, column \d+ has the byte 0xE9 \('é' in Windows-1252\); save the file as UTF-8; restore it on the branch agentform-records of origin/,
    ],
    [
      'values that nest too deep',
      `{"formatVersion":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /nested more than \d+ levels deep/,
    ],
  ])('A record that is %s is refused with its place.', async (_, content, message) => {
    const commit = remote.commit({ [place]: content });
    const store = await open(project);
    await expect(store.list('test')).rejects.toMatchObject({
      code: 'record-unreadable',
      message: expect.stringMatching(message),
    });
    await expect(store.list('test')).rejects.toMatchObject({ message: expect.stringContaining(place) });
    await expect(store.readVersions([{ ...key, commit }])).rejects.toMatchObject({ code: 'record-unreadable' });
  });
});

describe('other files beside the records', () => {
  test('Other files on the branch are ignored and named, but a record that is not JSON is refused.', async () => {
    const folder = '.agentform/records/test';
    const others = ['Agent/list', 'README.md', 'notes.json'].map((it) => `${folder}/${it}`);
    remote.commit({ [place]: recordText(agentRecord({})), ...Object.fromEntries(others.map((path) => [path, 'x'])) });
    const reader = await open(project);
    expect((await reader.list('test')).map(({ record }) => record)).toEqual([agentRecord({})]);
    expect(await reader.strays?.('test')).toEqual(others);
    expect(await reader.environments()).toEqual(['test']);
    remote.commit({ [`${folder}/Agent/broken.json`]: 'x' });
    await expect((await open(project)).list('test')).rejects.toMatchObject({ code: 'record-unreadable' });
  });
});

describe('concurrent saves on the branch', () => {
  test('Equal records of both sides are not a clash.', async () => {
    const [one, two] = [await open(project), await open(other)];
    for (const store of [one, two]) await store.save(agentRecord({ a: 1 }), undefined);
    await one.share('Apply to test');
    await two.share('Apply to test');
    expect(await remote.subjects()).toHaveLength(1);
  });

  test('A record that another run removed is a clash, which keeps the local record and shares the others.', async () => {
    const [one, two] = [await open(project), await open(other)];
    const version = await one.save(agentRecord({ a: 1 }), undefined);
    await one.share('Apply to test');
    await two.save(agentRecord({ a: 2 }), (await two.read(key))?.version);
    await two.save(agentRecord({}, { name: 'two' }), undefined);
    await one.remove(key, version);
    await one.share('Forget in test');
    const error = await two.share('Apply to test').then(
      () => undefined,
      (caught: unknown) => caught,
    );
    const theirs = await remote.git('rev-parse', 'agentform-records~1');
    expect(error).toMatchObject({ code: 'record-moved', facts: { records: ['Agent/front-desk'], theirs: [theirs] } });
    expect(Object.keys(await remote.records())).toEqual(['.agentform/records/test/Agent/two.json']);
    const [clash = ''] = (await git(other.root, 'for-each-ref', '--format=%(refname)', 'refs/agentform/clash')).split(
      '\n',
    );
    expect(await git(other.root, 'show', `${clash}:${place}`)).toContain('"value": 2');
    expect(await two.read(key)).toBeUndefined();
    await two.share('Apply to test');
  });

  test('A branch that was deleted since an earlier run is refused, and the message restores it.', async () => {
    const path = `${remote.path} it's`;
    await rename(remote.path, path);
    const again = () => open(project, { remote: path });
    const paste = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: project.root, env: gitEnv });
    const earlier = await again();
    await earlier.save(agentRecord({ a: 1 }), undefined);
    await earlier.share('Apply to test');
    await earlier.close();
    await git(path, 'branch', '-D', 'agentform-records');
    const refusal = await (await again()).list('test').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'record-unreachable', message: expect.stringContaining('no longer exists') });
    const [restore = '', restart = ''] = [...String(refusal).matchAll(/`(git [^`]+)`/g)].map(([, line = '']) => line);
    await paste(restore);
    expect(await (await again()).list('test')).toHaveLength(1);
    await git(path, 'branch', '-D', 'agentform-records');
    await paste(restart);
    expect(await (await again()).list('test')).toEqual([]);
    await rename(path, remote.path);
  });
});

describe('unshared records', () => {
  test('Unshared records are shared automatically after a while.', async () => {
    const store = await open(project, { shareEvery: 50 });
    await store.save(agentRecord({}), undefined);
    expect(await remote.subjects()).toEqual([]);
    await until(async () => (await remote.subjects()).length === 1);
    expect(await remote.subjects()).toEqual(['Continue in test: front-desk']);
  });

  test('Unshared records of a killed run are left to the next one, without a line that was cut off.', async () => {
    const killed = await open(project);
    const version = await killed.save(agentRecord({ a: 1 }), undefined);
    await killed.save(agentRecord({ a: 2 }), version);
    await killed.save(agentRecord({ a: 3 }, { name: 'other' }), undefined);
    const journal = await journalOf(project);
    await appendFile(journal, '{"place":".agentform/records/test/Agent/cut.json","text":"{');
    const next = await open(project);
    expect((await next.list('test')).map(({ record }) => record)).toEqual([
      agentRecord({ a: 2 }),
      agentRecord({ a: 3 }, { name: 'other' }),
    ]);
    const lock = await next.lock('test');
    await next.share('Apply to test');
    await lock.release();
    expect(Object.keys(await remote.records())).toHaveLength(2);
    expect(await readdir(join(journal, '..'))).toEqual([]);
  });

  test('Unshared records are neither read nor written through a link.', async () => {
    await (await open(project)).save(agentRecord({ a: 1 }), undefined);
    const journal = await journalOf(project);
    await rm(journal);
    await symlink('/dev/zero', journal);
    const refusal = {
      message: expect.stringMatching(/test\.journal cannot be read: it is a symbolic link, which is not followed/),
    };
    await expect((await open(project)).list('test')).rejects.toMatchObject(refusal);
    const folder = join(journal, '..');
    await rm(folder, { recursive: true });
    await symlink(other.root, folder);
    await expect((await open(project)).lock('test')).rejects.toMatchObject({
      message: expect.stringMatching(/is a symbolic link, which is not followed/),
    });
    expect(await readdir(other.root)).toEqual(['.git', 'README.md']);
  });

  test('Unshared records that clash with those of another run are reported when the next run takes the lock.', async () => {
    await (await open(project)).save(agentRecord({ a: 1 }), undefined);
    const theirs = await open(other);
    await theirs.save(agentRecord({ a: 2 }), undefined);
    await theirs.share('Apply to test');
    const reader = await open(project);
    expect((await reader.read(key))?.record).toEqual(agentRecord({ a: 2 }));
    await expect(reader.lock('test')).rejects.toMatchObject({ code: 'record-moved' });
    const next = await open(project);
    const lock = await next.lock('test');
    expect((await next.read(key))?.record).toEqual(agentRecord({ a: 2 }));
    await lock.release();
  });

  test('Unshared records stay while the remote is unreachable, and are in the next sharing.', async () => {
    const store = await open(project);
    await store.save(agentRecord({ a: 1 }), undefined);
    await rename(remote.path, `${remote.path}-away`);
    await expect(store.share('Apply to test')).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(
        /cannot be pushed to: .* kept locally as commit [0-9a-f]{40} \(refs\/agentform\/unshared/,
      ),
    });
    await rename(`${remote.path}-away`, remote.path);
    const keptRefs = () => git(project.root, 'for-each-ref', 'refs/agentform/unshared');
    expect(await keptRefs()).not.toBe('');
    const next = await open(project);
    const lock = await next.lock('test');
    await next.share('Apply to test');
    await lock.release();
    expect(Object.keys(await remote.records())).toHaveLength(1);
    expect(await keptRefs()).toBe('');
  });
});

describe('two projects of one repository', () => {
  test('Two projects of one repository have separate records, shared and unshared.', async () => {
    const [south, north] = [join(project.root, 'south'), join(project.root, 'north')];
    await Promise.all([mkdir(south), mkdir(north)]);
    const one = await open({ ...project, root: south });
    expect(one.sharesAtOnce).toBe(false);
    await one.save(agentRecord({ a: 1 }, { environment: 'test-b' }), undefined);
    expect(await (await open({ ...project, root: north })).list('test-b')).toEqual([]);
    await one.save(agentRecord({ a: 1 }), undefined);
    const moved = { code: 'record-moved', facts: { records: ['Agent/front-desk'] } };
    await expect(one.save(agentRecord({ a: 2 }), undefined)).rejects.toMatchObject(moved);
    await one.share('Apply to test');
    const next = await open({ ...project, root: south });
    expect((await next.list('test')).map(({ record }) => record)).toEqual([agentRecord({ a: 1 })]);
    expect(await next.environments()).toEqual(['test', 'test-b']);
    expect(await next.strays?.('test')).toEqual([]);
    const other = await open({ ...project, root: north });
    expect([await other.list('test'), await other.environments()]).toEqual([[], []]);
    for (const store of [one, next, other]) await store.close();
    expect(await git(project.root, 'for-each-ref', 'refs/agentform/run')).toBe('');
  });
});

describe('preconditions of the git store', () => {
  test('A folder outside a git repository is reported, with what to do.', async () => {
    const nowhere = await mkdtemp(join(tmpdir(), 'agentform-nowhere-'));
    await expect(open({ ...project, root: nowhere })).rejects.toMatchObject({
      code: 'record-unreachable',
      message:
        `record.store is git, but ${nowhere} is not in a git repository; run \`git init\`, ` +
        'or set `record: { store: file }` in agentform.yaml',
    });
    await writeFile(join(nowhere, '.git'), 'no gitdir\n');
    await expect(open({ ...project, root: nowhere })).rejects.toMatchObject({
      message: expect.stringMatching(/git cannot read the repository of .*: invalid gitfile format: .*\/\.git$/),
    });
    await rm(nowhere, { recursive: true });
  });

  test('A remote that accepts pushes can be written, and an unreachable one cannot.', async () => {
    const store = await open(project);
    await store.requireWritable();
    await rename(remote.path, `${remote.path}-away`);
    await expect(store.requireWritable()).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/cannot be pushed to/),
    });
    await rename(`${remote.path}-away`, remote.path);
  });

  test('An interrupted run can neither read nor check the store.', async () => {
    const store = await open(project, { signal: AbortSignal.abort('interrupted') });
    await expect(store.list('test')).rejects.toMatchObject({ code: 'interrupted' });
    await expect(store.requireWritable()).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('the history on the branch', () => {
  test('The history of a record or environment is newest first with its changes, and a commit shows its record.', async () => {
    const store = await open(project, { env: { GITHUB_ACTOR: 'octo\u001b[31mcat' } });
    const version = await store.save(agentRecord({ a: 1 }), undefined);
    await store.save(agentRecord({}, { name: 'other' }), undefined);
    await store.share('Apply to test');
    const next = await store.save(agentRecord({ a: 2 }), version);
    await store.share('Apply to test');
    await store.remove(key, next);
    await store.save(agentRecord({}, { environment: 'live' }), undefined);
    await store.share('Forget in test');
    const head = await git(project.root, 'rev-parse', 'HEAD');
    const all = await store.history({ environment: 'test' });
    expect(all.map(({ what, by, from }) => ({ what, by, from }))).toEqual([
      { what: 'Forget in test: front-desk and front-desk', by: 'octo[31mcat', from: head },
      { what: 'Apply to test: front-desk', by: 'octo[31mcat', from: head },
      { what: 'Apply to test: front-desk and other', by: 'octo[31mcat', from: head },
    ]);
    expect(all.map(({ records }) => records.map(({ name, change }) => `${name} ${change}`))).toEqual([
      ['front-desk removed'],
      ['front-desk changed'],
      ['front-desk added', 'other added'],
    ]);
    expect(await store.history({ environment: 'test', records: [{ ...key, name: 'other' }] })).toEqual([
      all[2]?.records && { ...all[2], records: [all[2].records[1]] },
    ]);
    expect(await store.environments()).toEqual(['live', 'test']);
    const [, second, first] = all.map(({ commit }) => commit);
    expect(await store.history({ environment: 'test', records: [] })).toEqual([]);
    const commits = [first?.slice(0, 10), second, all[0]?.commit];
    expect(await store.readVersions(commits.map((commit) => ({ ...key, commit: commit ?? '' })))).toEqual([
      agentRecord({ a: 1 }),
      agentRecord({ a: 2 }),
      undefined,
    ]);
    for (const wrong of ['HEAD', '--all', '0000000', 'main:x']) {
      await expect(store.readVersions([{ ...key, commit: wrong }])).rejects.toMatchObject({ code: 'record-unknown' });
    }
  });

  test('A partial clone fetches earlier versions together.', async () => {
    await remote.git('config', 'uploadpack.allowFilter', 'true');
    const store = await open(project);
    let version: string | undefined;
    for (const a of [1, 2, 3, 4]) {
      version = await store.save(agentRecord({ a }), version);
      await store.share('Apply to test');
    }
    const partial = await clonedProject(remote, {}, ['--filter=blob:none']);
    const at = { root: partial.root, branch: 'agentform-records', remote: 'origin' };
    const reader = await createGitStore({ ...at, env: gitEnv });
    const versions = (await reader.history({ environment: 'test' })).map(({ commit }) => ({ ...key, commit }));
    const { result, starts } = await tracedGit(() => reader.readVersions(versions));
    expect(result).toEqual([4, 3, 2, 1].map((a) => agentRecord({ a })));
    expect(starts.filter((start) => start.includes('"fetch"'))).toHaveLength(1);
    await reader.close();
    await partial.remove();
  });
});
