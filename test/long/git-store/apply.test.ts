import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { branch, project, remote, useRemote } from '../../e2e/git-store/clones.ts';
import type { TestProject } from '../../support/cli.ts';
import { gitEnv } from '../../support/git.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { runShell } from '../../support/shell.ts';

shareProcess();

useRemote('a0');

describe('an apply with the git store', () => {
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
});

/** Adds hooks that would fail. */
async function addHooks({ root }: TestProject): Promise<void> {
  for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
    await writeFile(join(root, '.git/hooks', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }
}
