import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import { renameRecord } from '../../../src/index.ts';
import { pathOnBranch } from '../../../src/record/record-text.ts';
import { git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { spoken } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { project, quoteToken, remote, token, tokenParts, useRemote } from './clones.ts';

shareProcess();

useRemote('a0');

/** The refs of a run in the clone, except the last known commit of the branch. */
const leftRefs = () =>
  git(project.root, 'for-each-ref', 'refs/agentform/unshared', 'refs/agentform/clash', 'refs/agentform/run');

describe('failures of the git store', () => {
  test('An unreachable remote is reported before any request, without the password in its URL.', async () => {
    await git(project.root, 'remote', 'set-url', 'origin', 'https://u:hunter2@localhost:1/x.git');
    const { code, stderr } = await project.run('apply', '--yes', '--new', 'all', 'a0');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/cannot be fetched/) });
    expect(stderr).toMatch(/\(record-unreachable\)/);
    expect(stderr).not.toMatch(/hunter2|bug in agentform/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(server.takeWrites()).toEqual([]);
  });

  test('A remote that refuses records leaves creates unsent, and the reason is reported.', async () => {
    const hook = '#!/bin/sh\necho "records are frozen" >&2\nexit 1\n';
    await writeFile(join(remote.path, 'hooks/pre-receive'), hook, { mode: 0o755 });
    const { code, stdout } = await project.run('apply', '--yes', '--new', 'all', 'a1', '--format', 'json');
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, unshared: ledger.unshared }).toEqual({ code: 1, unshared: undefined });
    expect(spoken(ledger.entries)).toMatchObject([
      { outcome: 'failed', sent: false, message: expect.stringMatching(/records are frozen; nothing was sent$/) },
    ]);
    expect(server.takeWrites()).toEqual([]);
    expect(await leftRefs()).toBe('');
    expect((await project.run('plan', 'a1')).stdout).toContain('1 left out without an answer');
  });

  test('A failed last push keeps the records here, and the next apply pushes them.', async () => {
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    server.after = async ({ method }) => {
      if (method === 'POST') await rename(remote.path, `${remote.path}-away`);
      return undefined;
    };
    const { code, stdout } = await project.run('apply', '--yes', '--new', 'all', 'a0');
    await rename(`${remote.path}-away`, remote.path);
    server.after = undefined;
    expect(code).toBe(1);
    const [, kept = ''] = /kept locally as commit ([0-9a-f]{40})/.exec(stdout.replace(/\s+/g, ' ')) ?? [];
    expect(
      await git(project.root, 'show', `${kept}:${pathOnBranch({ environment: 'test', kind: 'Agent', name: 'a0' })}`),
    ).toContain('"Hello"');
    expect((await project.run('plan', 'a0')).stdout).toContain('No changes');
    expect(JSON.stringify(await remote.records())).not.toContain('"Hello"');
    expect(await project.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(JSON.stringify(await remote.records())).toContain('"Hello"');
    expect(await leftRefs()).toBe('');
  });
});

describe('a secret that a git remote quotes', () => {
  test('No secret that a git remote quotes is shown by a command that changes records.', async () => {
    await quoteToken();
    const { code, stdout, stderr } = await project.run('record', 'adopt', 'Agent/a0');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('rejected, because of (sensitive)') });
    for (const part of tokenParts) expect(stdout + stderr).not.toContain(part);
  });

  test('No secret that a git remote quotes is in the message, stack, facts or cause of a failure of the library.', async () => {
    await quoteToken();
    const options = { project: project.root, env: { ...process.env, AGENT_TOKEN: token } };
    const renamed = renameRecord({ ...options, from: 'Agent/a0', to: 'Agent/a1' });
    const failure = await renamed.catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('rejected, because of (sensitive)') });
    const shown = inspect(failure, { depth: Number.POSITIVE_INFINITY, showHidden: true });
    for (const part of tokenParts) expect(shown).not.toContain(part);
  });
});
