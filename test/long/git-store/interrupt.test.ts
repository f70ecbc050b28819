import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import {
  atWrite,
  clone,
  expectGitEnded,
  gitWaits,
  project,
  remote,
  silentSsh,
  useRemote,
  waitingFile,
} from '../../e2e/git-store/clones.ts';
import type { RunningCli } from '../../support/cli.ts';
import { type BareRemote, commit, git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

useRemote('a0');

let here: Awaited<ReturnType<typeof clone>>;

beforeEach(async () => {
  here = await clone(silentSsh());
  await here.edit('agents/a0.yaml', 'Hi', 'Hello');
  server.takeLog();
});

describe('a git remote that does not answer', () => {
  test('A git remote that does not answer a fetch can be interrupted immediately, which also ends git.', async () => {
    await here.edit('agentform.yaml', 'environments:', 'service: { publish: "/publish/{agentId}" }\nenvironments:');
    await git(here.root, 'remote', 'set-url', 'origin', 'ssh://silent/x.git');
    for (const [command, signal] of [
      [['apply', '--yes', '--new', 'all'], 'SIGTERM'],
      [['publish', '--yes'], 'SIGINT'],
      [['import', 'camp_1', '--name', 'live'], 'SIGINT'],
      [['record', 'forget', '--yes', 'Agent/a0'], 'SIGINT'],
    ] as const) {
      const running = here.start(...command);
      await expectNothingSent(running, { signal, sentence: 'interrupted before the first write; nothing was sent' });
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const running = here.start('plan');
      await gitWaits();
      expect(await interrupted(running, signal)).toMatchObject({ code: null });
      await expectGitEnded();
    }
  });

  test('An apply that waits for the history of a shallow clone can be interrupted before any request.', async () => {
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await commit(project, 'second');
    const shallow = await clone(silentSsh(), ['--depth=1']);
    await shallow.edit('agentform.yaml', 'store: git', `store: git, remote: "file://${remote.path}"`);
    await git(shallow.root, 'remote', 'set-url', 'origin', 'ssh://silent/x.git');
    const running = shallow.start('apply', '--yes', '--new', 'all', 'a0');
    await expectNothingSent(running, { signal: 'SIGINT', sentence: 'nothing was sent (interrupted)' });
  });

  test('An apply that waits for push access can be interrupted before any request.', async () => {
    await git(here.root, 'config', 'remote.origin.pushurl', 'ssh://silent/x.git');
    const running = here.start('apply', '--yes', '--new', 'all');
    await expectNothingSent(running, { signal: 'SIGINT', sentence: 'nothing was sent (interrupted)' });
  });
});

describe('a git remote that does not accept the push', () => {
  test('An interrupted push of records ends after some seconds, and the next apply pushes the records.', async () => {
    atWrite(1, () => void git(here.root, 'config', 'remote.origin.pushurl', 'ssh://silent/x.git'));
    const running = here.start('apply', '--yes', '--new', 'all', 'a0', '--format', 'json');
    await gitWaits();
    const { code, stdout } = await interrupted(running, 'SIGTERM');
    const { entries, unshared } = JSON.parse(stdout) as Ledger;
    expect({ code, entries }).toMatchObject({ code: 1, entries: [{ name: 'a0', outcome: 'applied' }] });
    expect(unshared).toMatch(
      /no response within 5 seconds after the interruption; the records are kept locally as commit/,
    );
    await expectGitEnded();
    await git(here.root, 'config', '--unset', 'remote.origin.pushurl');
    expect((await here.run('plan', 'a0')).stdout).toContain('No changes');
    expect(await here.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(JSON.stringify(await remote.records())).toContain('"Hello"');
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('If a git remote refuses the intents of creates, nothing is sent, and the next apply creates the agents.', async () => {
    await hook(remote, `echo $$ >> "${waitingFile()}"; exec sleep 600`);
    const running = here.start('apply', '--yes', '--new', 'all', 'a1', '--format', 'json');
    await gitWaits();
    const { code, stdout } = await interrupted(running, 'SIGINT');
    const { entries } = JSON.parse(stdout) as Ledger;
    expect({ code, entries }).toMatchObject({ code: 1, entries: [{ name: 'a1', sent: false }] });
    await expectGitEnded();
    expect(server.takeWrites()).toEqual([]);
    await hook(remote, 'exit 0');
    expect(await here.run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('A second signal ends the run and git immediately.', async () => {
    atWrite(1, () => void git(here.root, 'config', 'remote.origin.pushurl', 'ssh://silent/x.git'));
    const running = here.start('apply', '--yes', '--new', 'all', 'a0');
    await gitWaits();
    running.kill('SIGINT');
    await running.said('Ctrl-C again');
    const { code, said } = await interrupted(running, 'SIGINT');
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('stopped immediately') });
    await expectGitEnded();
    await git(here.root, 'config', '--unset', 'remote.origin.pushurl');
    expect((await here.run('plan', 'a0')).stdout).toContain('No changes');
  });
});

/** Checks that an interrupted run ends immediately while git waits, and that git ends too. */
async function expectNothingSent(
  running: RunningCli,
  { signal, sentence }: { readonly signal: NodeJS.Signals; readonly sentence: string },
): Promise<void> {
  await gitWaits();
  const { code, said } = await interrupted(running, signal);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(sentence) });
  await expectGitEnded();
  expect(server.takeWrites()).toEqual([]);
}

async function interrupted(running: RunningCli, signal: NodeJS.Signals) {
  running.kill(signal);
  const { stdout, stderr, code } = await running.done;
  return { code, stdout, said: (stdout + stderr).replace(/\s+/g, ' ') };
}

async function hook({ path }: BareRemote, script: string): Promise<void> {
  const place = join(path, 'hooks/pre-receive');
  await writeFile(place, `#!/bin/sh\n${script}\n`);
  await chmod(place, 0o755);
}
