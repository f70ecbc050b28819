import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GitRepository } from '../../../src/git/repository.ts';
import {
  describeBranch,
  fetchBranch,
  pushCommit,
  rejectionIn,
  remoteOf,
  tipWithoutFetch,
} from '../../../src/record/git/remote.ts';
import { project, remote, repositoryAt, useClone } from '../../support/clone.ts';
import { clonedProject, commitAll, git } from '../../support/git.ts';

let repository: GitRepository;

useClone({ 'README.md': 'x', 'sub/README.md': 'x' });
beforeEach(async () => {
  repository = await repositoryAt(project.root);
});

describe('record.remote', () => {
  test('A record.remote may be a URL, which git gets unchanged.', async () => {
    const urls = [
      'https://git.example/r.git',
      'HTTPS://u:p@git.example/r.git',
      'git@git.example:r.git',
      'myfile:r.git',
    ];
    for (const url of urls) expect(await remoteOf(repository, url)).toBe(url);
  });

  test('A record.remote may be the name of a remote, but no other name.', async () => {
    expect(await remoteOf(repository, 'origin')).toBe('origin');
    for (const other of ['.hidden', 'origin.', '.a:b']) {
      await expect(remoteOf(repository, other)).rejects.toThrow('has no remote with that name');
    }
    await expect(remoteOf(repository, 'orig')).rejects.toMatchObject({
      code: 'record-unreachable',
      message:
        'records are pushed to orig, but this repository has no remote with that name; run `git remote add orig URL`, ' +
        'or set `record: { store: file }` in agentform.yaml',
    });
  });

  test('A record.remote may be a path or a file URL outside the work tree.', async () => {
    expect(await remoteOf(repository, remote.path)).toBe(remote.path);
    expect(await remoteOf(repository, `../${basename(remote.path)}`)).toBe(remote.path);
    expect(await remoteOf(repository, pathToFileURL(remote.path).href)).toBe(remote.path);
    expect(await remoteOf(repository, '../not/there/yet.git')).toBe(join(dirname(project.root), 'not/there/yet.git'));
    expect(await remoteOf(repository, '..')).toBe(dirname(project.root));
    const below = await repositoryAt(join(project.root, 'sub'));
    expect(await remoteOf(below, '../')).toBe(project.root);
  });

  test('A record.remote in the work tree is refused, because a commit could have put it there.', async () => {
    await symlink(join(project.root, 'sub'), join(project.root, 'link'));
    const below = await repositoryAt(join(project.root, 'sub'));
    const refusal = (given: string) => ({
      code: 'record-unreachable',
      message:
        `record.remote in agentform.yaml is ${given}, but it is inside the work tree; ` +
        'use a remote such as origin, a URL, or a path outside the work tree',
    });
    const paths = ['./records.git', '..records/', './a:b', 'sub/a:b', 'sub/records.git', 'link/records.git'];
    for (const given of [...paths, pathToFileURL(join(project.root, 'sub')).href]) {
      await expect(remoteOf(repository, given)).rejects.toMatchObject(refusal(given));
    }
    await expect(remoteOf(below, '.')).rejects.toMatchObject(refusal('.'));
  });

  test('A record.remote that a link leads into the work tree is refused.', async () => {
    const link = join(remote.path, 'link');
    await symlink(project.root, link);
    await expect(remoteOf(repository, join(link, 'not/there/yet.git'))).rejects.toThrow('it is inside the work tree');
  });

  test('A record.remote that is an option or a file elsewhere is refused.', async () => {
    const refused = [
      ['--upload-pack=evil', /but it starts with a dash/],
      ['file://elsewhere/r.git', /but it is not a file on this machine/],
    ] as const;
    for (const [given, why] of refused) {
      await expect(remoteOf(repository, given)).rejects.toMatchObject({
        code: 'record-unreachable',
        message: expect.stringMatching(why),
      });
    }
  });
});

const branch = 'records';
const at = (where = remote.path) => ({ repository, remote: where, branch });

describe('a push of records', () => {
  const signal = undefined;

  test('A push moves the branch, unless it only checks access.', async () => {
    const head = repository.head ?? '';
    expect(await pushCommit(at(), head, { dry: true, signal })).toBeUndefined();
    expect(await remote.subjects(branch)).toEqual([]);
    expect(await pushCommit(at(), head, { signal })).toBeUndefined();
    expect(await remote.git('rev-parse', branch)).toBe(head);
  });

  test('A push that another run overtook is reported as a race.', async () => {
    const head = repository.head ?? '';
    await git(project.root, 'commit', '--quiet', '--allow-empty', '--message', 'theirs');
    await git(project.root, 'push', '--quiet', 'origin', `HEAD:${branch}`);
    expect(await pushCommit(at(), head, { signal })).toEqual({ reason: 'non-fast-forward', isRace: true });
  });

  test('A push replaces the named commit of the branch, but not a commit of another run.', async () => {
    const head = repository.head ?? '';
    expect(await pushCommit(at(), head, { expected: '', signal })).toBeUndefined();
    const other = await git(project.root, 'commit-tree', '-m', 'other', 'HEAD^{tree}');
    expect(await pushCommit(at(), other, { expected: other, signal })).toEqual({ reason: 'stale info', isRace: true });
    expect(await pushCommit(at(), other, { expected: head, signal })).toBeUndefined();
    expect(await remote.git('rev-parse', branch)).toBe(other);
  });

  test.each([
    ['!\tx:y\t[rejected] (fetch first)\nDone\n', '', 'fetch first', true],
    ['To r\n=\tx:z\t[up to date]\n!\tx:y\t[rejected] (why (so))\n', '', 'why (so)', false],
    ['!\tx:y\t[remote failure]\n', '', '[remote failure]', false],
    ['!\tx:y\t[remote rejected] failed to lock\n', '', '[remote rejected] failed to lock', true],
    ['!\tx:y\tbad [odd] (no)\n', '', 'bad [odd] (no)', false],
    ['!\tx:y\t[x] (no)\n', 'remote: a\nremote: b\nerror: failed to push some refs to y\n', 'no: a; b', false],
  ])('A push rejected as %j has the reason of the server.', (stdout, stderr, reason, isRace) => {
    expect(rejectionIn({ stdout: Buffer.from(stdout), stderr })).toEqual({ reason, isRace });
  });

  test('A push is not rejected unless a line begins with the mark.', () => {
    expect(rejectionIn({ stdout: Buffer.from('=\tx!\ty\t[z] (no)\n'), stderr: '' })).toBeUndefined();
  });

  const refuseWith = (script: string) =>
    writeFile(join(remote.path, 'hooks/pre-receive'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  test('A push is repeated while another process of the remote has the branch locked.', async () => {
    const lock = `refs/heads/${branch}.lock`;
    await refuseWith(`if [ -e asked ]; then rm -f ${lock}; else touch asked ${lock}; fi`);
    expect(await pushCommit(at(), repository.head ?? '', { signal })).toBeUndefined();
    expect(await remote.git('rev-parse', branch)).toBe(repository.head);
  });

  test('A push that a hook refuses is not repeated, and reports the message of the hook.', async () => {
    await refuseWith('echo once >> hooks/asked; echo "records are closed" >&2; exit 1');
    expect(await pushCommit(at(), repository.head ?? '', { signal })).toEqual({
      reason: 'pre-receive hook declined: records are closed',
      isRace: false,
    });
    expect(await remote.subjects(branch)).toEqual([]);
    expect(await readFile(join(remote.path, 'hooks/asked'), 'utf8')).toBe('once\n');
  });

  test('A push to a missing remote names it, without the credentials of its URL.', async () => {
    await expect(pushCommit(at(`${remote.path}-gone`), repository.head ?? '', { signal })).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/^the branch records of .*-gone cannot be pushed to: .+/),
      facts: { branch },
    });
    expect(describeBranch(at('https://me:hunter2@git.example/r.git'))).toBe(
      'the branch records of https://git.example/r.git',
    );
  });
});

describe('a fetch of records', () => {
  const ref = 'refs/agentform/run/1/tip';
  let server: Server;
  /** The statuses of the first requests for refs. Later requests get the files of the repository. */
  let refusals: number[];
  let asked: number;

  beforeEach(async () => {
    [refusals, asked] = [[], 0];
    const head = `${repository.head}`;
    await writeFile(join(remote.path, 'refs/heads', branch), `${head}\n`);
    // A server that only sends files needs this list of refs.
    await mkdir(join(remote.path, 'info'));
    await writeFile(join(remote.path, 'info/refs'), `${head}\trefs/heads/main\n${head}\trefs/heads/${branch}\n`);
    server = createServer(async ({ url = '' }, response) => {
      const path = new URL(url, 'http://x').pathname.replace('/denied-404', '');
      if (path === '/info/refs') asked += 1;
      const refusal = path === '/info/refs' ? refusals.shift() : undefined;
      const content =
        refusal === undefined ? await readFile(join(remote.path, path)).catch(() => undefined) : undefined;
      response.statusCode = content === undefined ? (refusal ?? 404) : 200;
      response.end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test('A fetch gives the commit, and keeps it under the given ref.', async () => {
    await remote.git('tag', 'v1', branch);
    expect(await fetchBranch(at(), ref, { signal: undefined })).toBe(repository.head);
    expect(await git(project.root, 'rev-parse', ref)).toBe(repository.head);
    expect(await git(project.root, 'for-each-ref', '--format=%(refname)', 'refs/tags', 'refs/remotes')).toBe(
      'refs/remotes/origin/main',
    );
    await expect(access(join(project.root, '.git/FETCH_HEAD'))).rejects.toThrow('ENOENT');
  });

  test('A fetch of the tip into a clone without history brings no history.', async () => {
    const second = await remote.git('commit-tree', '-p', branch, '-m', 'second', `${branch}^{tree}`);
    await remote.git('update-ref', `refs/heads/${branch}`, second);
    const shallow = await clonedProject(remote, {}, ['--depth=1']);
    const where = { ...at('origin'), repository: await repositoryAt(shallow.root) };
    const count = (root: string) => git(root, 'rev-list', '--count', ref);
    expect(await fetchBranch(where, ref, { signal: undefined, tipOnly: true })).toBe(second);
    expect(await count(shallow.root)).toBe('1');
    await shallow.remove();
    await fetchBranch(at(), ref, { signal: undefined, tipOnly: true });
    expect(await count(project.root)).toBe('2');
    const another = await clonedProject(remote, {}, ['--depth=1']);
    await fetchBranch({ ...where, repository: await repositoryAt(another.root) }, ref, { signal: undefined });
    expect(await count(another.root)).toBe('2');
    await another.remove();
  });

  test('A read-only clone refuses a branch whose commit it lacks.', async () => {
    expect(await tipWithoutFetch(at(), undefined)).toBe(repository.head);
    const other = await clonedProject(remote);
    const tip = await commitAll(other.root, 'theirs');
    await git(other.root, 'push', '--quiet', 'origin', `${tip}:refs/heads/theirs`);
    await expect(tipWithoutFetch({ ...at(), branch: 'theirs' }, undefined)).rejects.toThrow(
      /^the branch theirs of .* has newer records, but .*\.git is read-only; run `git fetch .* theirs` where/,
    );
  });

  test('A fetch of a missing branch gives nothing, without a retry.', async () => {
    expect(await fetchBranch({ ...at(), branch: 'nowhere' }, ref, { signal: undefined })).toBeUndefined();
    expect(await fetchBranch({ ...at(url()), branch: 'nowhere' }, ref, { signal: undefined })).toBeUndefined();
    expect(asked).toBe(1);
  });

  test('A fetch is repeated after a temporary failure, even if the address of the remote looks like a refusal.', async () => {
    refusals = [503];
    expect(await fetchBranch(at(`${url()}/denied-404`), ref, { signal: undefined })).toBe(repository.head);
    expect(asked).toBe(2);
  });

  test('A fetch and a push are not repeated once the run is interrupted.', async () => {
    refusals = [503, 403];
    await expect(pushCommit(at(url()), repository.head ?? '', { signal: undefined })).rejects.toThrow(/403/);
    expect(asked).toBe(2);
    [refusals, asked] = [[503, 503], 0];
    const interruption = new AbortController();
    const fetched = fetchBranch(at(url()), ref, interruption);
    while (asked === 0) await new Promise((settle) => setTimeout(settle, 2));
    setTimeout(() => interruption.abort('interrupted'), 100);
    await expect(fetched).rejects.toThrow(/cannot be fetched: interrupted/);
    expect(asked).toBe(1);
  });

  test('A refused fetch is not repeated.', async () => {
    refusals = [403, 403, 403];
    await expect(fetchBranch(at(url()), ref, { signal: undefined })).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/^the branch records of http:\/\/127\.0\.0\.1:\d+ cannot be fetched: .*403/),
      facts: { branch },
    });
    expect(asked).toBe(1);
  });

  test('A fetch ends after three temporary failures.', async () => {
    refusals = [503, 503, 503, 503];
    await expect(fetchBranch(at(url()), ref, { signal: undefined })).rejects.toMatchObject({
      code: 'record-unreachable',
    });
    expect(asked).toBe(3);
  });
});
