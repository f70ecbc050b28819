import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commit, git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { branch, clone, names, project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote();

describe('an apply with the git store', () => {
  test('An apply pushes the intents before the first create and the records at the end, and touches nothing else.', async () => {
    await writeFile(join(project.root, 'staged.txt'), 'staged');
    await git(project.root, 'add', 'staged.txt');
    await writeFile(join(project.root, 'loose.txt'), 'loose');
    const look = () =>
      Promise.all([
        git(project.root, 'status', '--porcelain', '--ignored'),
        git(project.root, 'for-each-ref', 'refs/heads', 'refs/tags', 'refs/agentform/run'),
        git(project.root, 'symbolic-ref', 'HEAD'),
        git(project.root, 'ls-files', '--stage'),
      ]);
    const before = await look();
    const seen: string[][] = [];
    server.before = async ({ method }) => {
      if (method === 'POST')
        seen.push(Object.values(await remote.records()).map((record) => String('intent' in record)));
      return undefined;
    };
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(seen).toHaveLength(names.length);
    expect(seen[0]).toEqual(names.map(() => 'true'));
    expect(await remote.subjects()).toEqual([
      'Start creating in test: a0, a1, a2 and 7 more',
      'Apply to test: a0, a1, a2 and 7 more',
    ]);
    const records = await remote.records();
    expect(Object.keys(records)).toEqual(names.map((name) => `.agentform/records/test/Agent/${name}.json`));
    for (const record of Object.values(records)) expect(record).toMatchObject({ id: expect.stringMatching(/^agent-/) });
    expect((await project.run('plan')).stdout).toContain('No changes');
    expect(await look()).toEqual(before);
    server.before = undefined;

    // An apply without changes makes no commit, and an apply of several updates makes one.
    await project.run('apply', '--yes', '--new', 'all');
    expect(await remote.subjects()).toHaveLength(2);
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(3);
  });

  test('An apply names in its commit the applied resources, the commit and the person.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const from = await git(project.root, 'rev-parse', 'HEAD');
    const id = server.agentOf(token, 'a0')?.id;
    expect(await remote.git('log', '-1', '--format=%an <%ae>%n%B', branch)).toBe(
      `Tess <tess@example.com>\nApply to test: a0\n\nAgent/a0: created (${id})\n\nEnvironment: test\nApplied-from: ${from}\nApplied-by: Tess\n`,
    );
  });

  test('An apply in a workflow has its actor as author, or agentform if git knows no person.', async () => {
    const nobody = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' };
    const [actor, none] = [await clone({ GITHUB_ACTOR: 'octocat' }), await clone(nobody)];
    await actor.run('apply', '--yes', '--new', 'all', 'a0');
    expect(await remote.git('log', '-1', '--format=%an', branch)).toBe('octocat');
    await none.run('apply', '--yes', '--new', 'all', 'a1');
    expect(await remote.git('log', '-1', '--format=%an <%ae>', branch)).toBe('agentform <agentform@localhost>');
  });

  test('An apply ignores other files on the branch, and a plan warns of them once.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const { root } = await clone();
    await git(root, 'fetch', '--quiet', 'origin', branch);
    await git(root, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
    await writeFile(join(root, '.agentform/records/test/README.md'), 'What lies here');
    await git(root, 'add', '--all', '--force', '.agentform');
    await git(root, 'commit', '--quiet', '--message', 'by hand');
    await git(root, 'push', '--quiet', 'origin', `HEAD:${branch}`);
    const planned = await project.run('plan', 'a0');
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
    expect(planned.stderr.match(/record-stray/g)).toHaveLength(1);
    expect(planned.stderr).toContain(
      'warning record-stray  .agentform/records/test/README.md on the record branch is ignored, because it is not a record',
    );
    expect(await project.run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
    expect(await remote.git('show', `${branch}:.agentform/records/test/README.md`)).toBe('What lies here');
  });

  test('An apply works while the branch is checked out elsewhere, and with hooks in place.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const hook = join(project.root, '.git/hooks');
    await mkdir(hook, { recursive: true });
    for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
      await writeFile(join(hook, name), '#!/bin/sh\nexit 1\n');
      await chmod(join(hook, name), 0o755);
    }
    const hooked = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/nowhere' };
    const other = await clone(hooked);
    await git(other.root, 'checkout', '--quiet', branch, '--');
    await git(other.root, 'worktree', 'add', '--quiet', '--detach', join(other.root, 'side'), 'origin/main');
    const side = await other.run('apply', '--yes', '--new', 'all', 'a1', '--project', 'side');
    expect(side).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all', 'a2')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(3);
    expect(await git(other.root, 'status', '--porcelain')).toBe('?? side/');
  });

  test('An apply with the embedded emulator keeps its records in local files.', async () => {
    await project.edit('agentform.yaml', '  test:', '  local: { baseUrl: emulator }\n  test:');
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'local', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toEqual([]);
    expect((await project.run('record', 'list', '-e', 'local')).stdout).toContain('Agent/a0');
  });
});

test('Records are kept neither on the branch that is checked out nor on the default one.', async () => {
  await project.edit('agentform.yaml', 'store: git', 'store: git, branch: main');
  await commit(project, 'records on main');
  const other = await clone();
  const onTopic = async () => git(other.root, 'checkout', '--quiet', '-b', 'topic');
  for (const [next, arrange] of [
    [project, undefined],
    [other, undefined],
    [other, onTopic],
  ] as const) {
    await arrange?.();
    const { code, stderr } = await next.run('apply', '--yes', '--new', 'all');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        'record.branch is main, a branch of the project itself; use a separate branch such as agentform-records',
      ),
    });
  }
  expect(server.takeLog()).toEqual([]);
});
