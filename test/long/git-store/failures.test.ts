import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import { adoptRecord } from '../../../src/index.ts';
import {
  atWrite,
  clone,
  expectGitEnded,
  gitWaits,
  names,
  project,
  quoteToken,
  remote,
  token,
  tokenParts,
  useRemote,
} from '../../e2e/git-store/clones.ts';
import { git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { spoken } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

useRemote('a0');

describe('failures of the git store', () => {
  /** Failures in sequence. Each begins with the state that the previous one left. */
  function spoiled(): [() => Promise<unknown>, RegExp][] {
    const remoteIs = (url: string) => git(project.root, 'remote', 'set-url', 'origin', url);
    return [
      [() => remoteIs(`${remote.path}-gone`), /cannot be fetched: .*-gone/],
      [
        () => rename(join(project.root, '.git'), join(project.root, 'git')),
        /is not in a git repository; run `git init`/,
      ],
    ];
  }

  test('A missing repository or remote is reported before any request.', async () => {
    for (const [spoil, message] of spoiled()) {
      await spoil();
      const { code, stderr } = await project.run('apply', '--yes', '--new', 'all', 'a0');
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
      expect(stderr).toMatch(/\(record-unreachable\)/);
      expect(stderr).not.toMatch(/bug in agentform/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(server.takeWrites()).toEqual([]);
  });

  test('A remote without push access is detected before the first write.', async () => {
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await git(project.root, 'config', 'remote.origin.pushurl', `${remote.path}-nowhere`);
    const { code, stderr } = await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/cannot be pushed to: .*nowhere/) });
    expect(server.takeWrites()).toEqual([]);
  });

  test('A push behind another run is repeated on top of the other commits.', async () => {
    const other = await clone();
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    server.before = async ({ method }) => {
      if (method === 'POST') {
        server.before = undefined;
        expect(await other.run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
      }
      return undefined;
    };
    expect(await project.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect((await remote.subjects()).slice(-3)).toEqual([
      'Start creating in test: a1',
      'Apply to test: a1',
      'Apply to test: a0',
    ]);
    expect(Object.keys(await remote.records())).toHaveLength(2);
  });
});

describe('an interrupted apply with the git store', () => {
  test('After kill -9 once intents were pushed, the next run here continues, and is blocked elsewhere.', async () => {
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '1');
    atWrite(3, () => running.kill('SIGKILL'));
    await running.done;
    const created = server.agents().length;
    server.takeLog();
    const elsewhere = await clone();
    const there = await elsewhere.run('apply', '--yes', '--new', 'all', ...names.slice(1), '--format', 'json');
    expect(there.code).toBe(3);
    for (const entry of (JSON.parse(there.stdout) as Ledger).entries) {
      expect(spoken(entry)).toMatchObject({
        refused: true,
        message: expect.stringMatching(/record adopt .*record forget/),
      });
    }
    expect(server.takeWrites()).toEqual([]);
    const here = await project.run('apply', '--yes', '--new', 'all', '--format', 'json');
    const { entries } = JSON.parse(here.stdout) as Ledger;
    expect(entries.filter(({ outcome }) => outcome === 'unchanged').length).toBeGreaterThanOrEqual(3);
    expect(server.agents()).toHaveLength(created);
    const recorded = Object.values(await remote.records()).filter(({ id }) => id !== undefined);
    expect(recorded.length).toBeGreaterThanOrEqual(3);
  });

  test('Ctrl-C pushes finished records, and leaves no intent of creates that did not begin.', async () => {
    server.quirks = { delayMs: 200 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2', '--format', 'json');
    atWrite(2, () => running.kill('SIGINT'));
    const { code, stdout } = await running.done;
    expect(code).toBe(1);
    const { entries } = JSON.parse(stdout) as Ledger;
    const done = entries.filter(({ outcome }) => outcome === 'applied').map(({ name }) => name);
    expect(done.length).toBeLessThan(names.length - 1);
    const records = Object.values(await remote.records());
    expect(records.map(({ name }) => name)).toEqual(['a0', ...done]);
    expect(records.filter((record) => 'intent' in record)).toEqual([]);
  });

  test('An apply whose git remote does not answer can be interrupted before any request, which also ends git.', async () => {
    await git(project.root, 'remote', 'set-url', 'origin', 'ssh://silent/x.git');
    const running = project.start('apply', '--yes', '--new', 'all');
    await gitWaits();
    running.kill('SIGTERM');
    const { code, stderr } = await running.done;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('interrupted before the first write; nothing was sent'),
    });
    await expectGitEnded();
    expect(server.takeLog()).toEqual([]);
  });
});

test('No secret that a git remote quotes is shown by record rename or by a failed adoption of the library.', async () => {
  await quoteToken();
  const options = { project: project.root, env: { ...process.env, AGENT_TOKEN: token } };
  const failure = await adoptRecord({ ...options, address: 'Agent/a0' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('rejected, because of (sensitive)') });
  const { code, stdout, stderr } = await project.run('record', 'rename', 'Agent/a0', 'Agent/a1');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('rejected, because of (sensitive)') });
  const shown = stdout + stderr + inspect(failure, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  for (const part of tokenParts) expect(shown).not.toContain(part);
});
