import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { TestProject } from '../../support/cli.ts';
import { git, gitEnv, gitInTurn } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { runShell } from '../../support/shell.ts';
import { branch, names, project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote('a0');

describe('an apply with the git store', () => {
  test('An apply pushes the intents before the first create and the records at the end, and touches nothing else.', async () => {
    await writeFile(join(project.root, 'staged.txt'), 'staged');
    await git(project.root, 'add', 'staged.txt');
    await writeFile(join(project.root, 'loose.txt'), 'loose');
    const look = () =>
      gitInTurn(
        project.root,
        ['status', '--porcelain', '--ignored'],
        ['for-each-ref', 'refs/heads', 'refs/tags', 'refs/agentform/run'],
        ['symbolic-ref', 'HEAD'],
        ['ls-files', '--stage'],
      );
    const before = await look();
    const rest = names.slice(1);
    let intents: string[] | undefined;
    server.before = async ({ method }) => {
      if (method !== 'POST') return undefined;
      server.before = undefined;
      const records = Object.values(await remote.records());
      intents = records.filter((record) => 'intent' in record).map(({ name }) => String(name));
      return undefined;
    };
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(rest.length);
    expect(intents).toEqual(rest);
    expect(await remote.subjects()).toEqual([
      'Start creating in test: a0',
      'Apply to test: a0',
      'Start creating in test: a1, a2, a3 and a4',
      'Apply to test: a1, a2, a3 and a4',
    ]);
    const records = await remote.records();
    expect(Object.keys(records)).toEqual(names.map((name) => `.agentform/records/test/Agent/${name}.json`));
    for (const record of Object.values(records)) expect(record).toMatchObject({ id: expect.stringMatching(/^agent-/) });
    expect(await look()).toEqual(before);

    // An apply without changes makes no commit, and an apply of several updates makes one commit.
    expect((await project.run('apply', '--yes', '--new', 'all')).stdout).toContain('0 applied, 5 unchanged');
    expect(await remote.subjects()).toHaveLength(4);
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(5);
  });

  test('An apply names in its commit the applied resources, the commit and the person, who is the actor in a workflow.', async () => {
    const from = await git(project.root, 'rev-parse', 'HEAD');
    const id = server.agentOf(token, 'a0')?.id;
    expect(await remote.git('log', '-1', '--format=%an <%ae>%n%B', branch)).toBe(
      `Tess <tess@example.com>\nApply to test: a0\n\nAgent/a0: created (${id})\n\nEnvironment: test\nApplied-from: ${from}\nApplied-by: Tess\n`,
    );
    await project.with({ GITHUB_ACTOR: 'octocat' }).run('apply', '--yes', '--new', 'all', 'a1');
    expect(await remote.git('log', '-1', '--format=%an', branch)).toBe('octocat');
  });

  test('An apply ignores other files on the branch, and a plan warns of them once.', async () => {
    const other = '.agentform/records/test/README.md';
    const message =
      'commit refs/heads/agentform-records\ncommitter T <t@example.com> 1800000000 +0000\ndata 7\nby hand\n';
    const file = `M 100644 inline ${other}\ndata 14\nWhat lies here\n`;
    await writeFile(join(remote.path, 'stream'), `${message}from refs/heads/agentform-records^0\n${file}`);
    await runShell('git fast-import --quiet < stream', { cwd: remote.path, env: gitEnv });
    const planned = await project.run('plan', 'a0');
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
    expect(planned.stderr.match(/record-stray/g)).toHaveLength(1);
    expect(planned.stderr).toContain(
      'warning record-stray  .agentform/records/test/README.md on the record branch is ignored, because it is not a record',
    );
    expect(await project.run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
    expect(await remote.git('show', `${branch}:${other}`)).toBe('What lies here');
  });

  test('An apply works with hooks in place, and with git variables of another repository.', async () => {
    await addHooks(project);
    const nowhere = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_WORK_TREE: '/nowhere' };
    expect(await project.with(nowhere).run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(2);
  });

  test('An apply with the embedded emulator keeps its records in local files.', async () => {
    await project.edit('agentform.yaml', '  test:', '  local: { baseUrl: emulator }\n  test:');
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'local', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(2);
    expect((await project.run('record', 'list', '-e', 'local')).stdout).toContain('Agent/a0');
  });
});

test('Records are not kept on a branch of the project.', async () => {
  await project.edit('agentform.yaml', 'store: git', 'store: git, branch: main');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      'record.branch is main, a branch of the project itself; use a separate branch such as agentform-records',
    ),
  });
  expect(server.takeLog()).toEqual([]);
});

/** Adds hooks that would fail. */
async function addHooks({ root }: TestProject): Promise<void> {
  for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
    await writeFile(join(root, '.git/hooks', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }
}
