import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import type { RunningCli } from '../../support/cli.ts';
import { type BareRemote, commit, git } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { atWrite, clone, project, remote, useRemote } from './clones.ts';

shareProcess();

useRemote();

/** An ssh that never connects. It waits forever, and writes its process id to a file. */
const silent = {
  GIT_SSH_COMMAND: 'sh -c \'echo $$ >> "$SILENT"; exec sleep 600\'',
  GIT_SSH_VARIANT: 'simple',
};

let here: Awaited<ReturnType<typeof clone>>;
let waiting: string;

beforeEach(async () => {
  waiting = join(remote.path, 'waiting');
  await writeFile(waiting, '');
  expect(await project.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
  here = await clone({ ...silent, SILENT: waiting });
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
      await expectNothingLeft();
    }
  });

  test('An apply that waits for the history of a shallow clone can be interrupted before any request.', async () => {
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await commit(project, 'second');
    const shallow = await clone({ ...silent, SILENT: waiting }, ['--depth=1']);
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
    await expectNothingLeft();
    await git(here.root, 'config', '--unset', 'remote.origin.pushurl');
    expect((await here.run('plan', 'a0')).stdout).toContain('No changes');
    expect(await here.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(JSON.stringify(await remote.records())).toContain('"Hello"');
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('If a git remote refuses the intents of creates, nothing is sent, and the next apply creates the agents.', async () => {
    await hook(remote, `echo $$ >> "${waiting}"; exec sleep 600`);
    const running = here.start('apply', '--yes', '--new', 'all', 'a1', '--format', 'json');
    await gitWaits();
    const { code, stdout } = await interrupted(running, 'SIGINT');
    const { entries } = JSON.parse(stdout) as Ledger;
    expect({ code, entries }).toMatchObject({ code: 1, entries: [{ name: 'a1', sent: false }] });
    await expectNothingLeft();
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
    await expectNothingLeft();
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
  await expectNothingLeft();
  expect(server.takeWrites()).toEqual([]);
}

async function interrupted(running: RunningCli, signal: NodeJS.Signals) {
  running.kill(signal);
  const { stdout, stderr, code } = await running.done;
  return { code, stdout, said: (stdout + stderr).replace(/\s+/g, ' ') };
}

async function gitWaits(): Promise<void> {
  await until(async () => (await readFile(waiting, 'utf8')) !== '');
}

/** Checks that no process waits, and that no lock remains of a run that ended normally. */
async function expectNothingLeft(): Promise<void> {
  const pids = (await readFile(waiting, 'utf8')).trim().split('\n').map(Number);
  await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true));
  await writeFile(waiting, '');
}

/**
 * Whether the process runs. Its id may be reused by now. A zombie has ended too, although its parent has not read its
 * exit code.
 */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.startsWith('sleep');
}

async function hook({ path }: BareRemote, script: string): Promise<void> {
  const place = join(path, 'hooks/pre-receive');
  await writeFile(place, `#!/bin/sh\n${script}\n`);
  await chmod(place, 0o755);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the test waits for does not happen');
    await sleep(20);
  }
}
