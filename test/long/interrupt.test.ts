import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import {
  agentOf,
  converge,
  env,
  expectSettledAndSingle,
  expectTrueRecords,
  leftovers,
  names,
  neverAnswered,
  project,
  records,
  startApplied,
  until,
  useAgents,
  writesSeen,
} from '../e2e/interruptions.ts';
import { server } from '../support/independent-suite.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal } from '../support/terminal.ts';

shareProcess();
useAgents();

describe('Ctrl-C in the middle of an apply', () => {
  test('After Ctrl-C during updates, open requests finish, and the next run continues.', async () => {
    await startApplied();
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    server.quirks = { delayMs: 200 };
    server.takeLog();
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2', '--format', 'json');
    await writesSeen(3);
    running.kill('SIGINT');
    const { code, stdout } = await running.done;
    expect(code).toBe(1);
    const { entries } = JSON.parse(stdout) as Ledger;
    const done = entries.filter(({ outcome }) => outcome === 'applied').map(({ name }) => name);
    expect(names.filter((name) => agentOf(name)?.settings.welcomeMessage === 'Hello')).toEqual(done.sort());
    expect(done.length).toBeLessThan(names.length);
    await expectTrueRecords();
    server.quirks = {};
    server.takeLog();
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(names.length - done.length);
    await expectSettledAndSingle();
  });

  test('After Ctrl-C before the first write, reads stop and nothing is sent.', async () => {
    await startApplied();
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    server.quirks = { delayMs: 150 };
    server.takeLog();
    let seen = 0;
    server.before = () => {
      seen += 1;
      return undefined;
    };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '1');
    await until(() => seen >= 2);
    running.kill('SIGINT');
    const { code } = await running.done;
    const calls = server.takeLog();
    expect(code).toBe(1);
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  test('Ctrl-C ends an apply or publish immediately while it reads an unresponsive service.', async () => {
    await startApplied();
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    await project.edit('agentform.yaml', 'environments:', 'service: { publish: "/publish/{agentId}" }\nenvironments:');
    for (const [command, signal] of [
      ['apply', 'SIGINT'],
      ['apply', 'SIGTERM'],
      ['publish', 'SIGINT'],
    ] as const) {
      const seen = neverAnswered();
      const running = project.start(command, '--yes');
      await until(() => seen() >= 2);
      running.kill(signal);
      expect(await running.done).toMatchObject({
        code: 1,
        stderr: 'error: interrupted before the first write; nothing was sent (interrupted)\n',
      });
      expect(await leftovers()).toEqual([]);
    }
  });

  test('Ctrl-C ends an import immediately while it reads an unresponsive service, without writing a file.', async () => {
    const { id } = server.seed(env.AGENT_TOKEN, { type: 'chatAgent', title: 'Live' });
    await project.write('list.csv', `name,id,description\nlive,${id},D\n`);
    for (const what of [
      ['--from', 'list.csv'],
      [id, '--name', 'live', '--description', 'D'],
    ]) {
      const seen = neverAnswered();
      const running = project.start('import', ...what);
      await until(() => seen() >= 1);
      running.kill('SIGINT');
      const { code, stdout, stderr } = await running.done;
      expect({ code, said: stdout + stderr }).toEqual({
        code: 1,
        said: expect.stringContaining('interrupted before the first write; nothing was sent'),
      });
      expect(await readdir(join(project.root, 'agents'))).not.toContain('live.yaml');
      expect(await leftovers()).toEqual([]);
    }
  });

  test('Ctrl-C while an update writes files lets it write all of them, and no other file.', async () => {
    await startApplied();
    for (const { id } of server.agents()) server.edit(id, { welcomeMessage: 'Edited' });
    const folder = join(project.root, 'agents');
    const running = project.start('update', '*');
    const watcher = watch(folder, () => running.kill('SIGINT')).once('change', () => watcher.close());
    expect(await running.done).toMatchObject({ code: 0, stdout: expect.stringContaining('Updated 8 values') });
    const files = await readdir(folder);
    expect(files.sort()).toEqual(names.map((name) => `${name}.yaml`));
    for (const file of files) expect(await project.read(`agents/${file}`)).toContain('Edited');
  });

  test('A second Ctrl-C stops an apply immediately, and no create is ever repeated.', async () => {
    server.quirks = { delayMs: 1500 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '4');
    await writesSeen(4);
    running.kill('SIGINT');
    await running.said('Ctrl-C again');
    running.kill('SIGINT');
    const { code, stderr } = await running.done;
    expect(code).toBe(1);
    expect(stderr).toContain('stopped immediately: requests in flight may or may not have taken effect');
    expect(Object.keys(await records()).sort()).toEqual(names.slice(0, 4));
    server.quirks = {};
    await sleep(1500);
    await converge();
  });
});

describe('kill -9 in the middle of an apply', () => {
  test('After kill -9 in the middle of an apply, the next runs converge.', async () => {
    server.quirks = { delayMs: 40 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2');
    await writesSeen(3);
    await sleep(Math.random() * 40);
    running.kill('SIGKILL');
    await running.done;
    await sleep(500);
    server.quirks = {};
    await expectTrueRecords();
    await converge();
  });

  test('After kill -9 near the end of an apply, the next runs converge.', async () => {
    server.quirks = { delayMs: 40 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2');
    await writesSeen(names.length - 2);
    await sleep(Math.random() * 40);
    running.kill('SIGKILL');
    await running.done;
    await sleep(500);
    server.quirks = {};
    await expectTrueRecords();
    await converge();
  });

  test('After kill -9 during an update, the next run repeats it.', async () => {
    await startApplied();
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'description: D', 'description: E');
    server.quirks = { delayMs: 40 };
    server.takeLog();
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2');
    await writesSeen(4);
    await sleep(Math.random() * 40);
    running.kill('SIGKILL');
    await running.done;
    server.quirks = {};
    const { resources } = JSON.parse((await project.run('plan', '--format', 'json')).stdout) as Plan;
    const edited = resources.flatMap(({ lastApply }) => (lastApply?.edited === 'no' ? [] : (lastApply ?? [])));
    expect(edited.map(({ failure }) => failure?.code)).toEqual(edited.map(() => 'interrupted'));
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(names.map((name) => agentOf(name)?.settings.description)).toEqual(names.map(() => 'E'));
    await expectSettledAndSingle();
  });
});

test('A second Ctrl-C on a terminal prints a message below the progress, and restores the cursor.', async () => {
  server.quirks = { delayMs: 1000 };
  const typed = [
    ['Applying', keys.interrupt],
    ['Ctrl-C again', keys.interrupt],
  ] as const;
  const ended = await runOnTerminal(['apply', '--yes', '--new', 'all'], { cwd: project.root, env }, typed);
  expect(ended).toMatchObject({ code: 1, cursor: 'shown' });
  expect(ended.screen).toContain('stopped immediately');
  // Waits for requests in flight, so that these requests do not disturb the next test.
  await sleep(1500);
});

describe('a run that is busy computing', () => {
  /** A regex that the library recheck gives up on after a second of processor time. */
  const hard = (index: number) => `transferRules: { cnamAutoRejectRegex: '${'[a-z]+'.repeat(60 + index)}x' }\n`;

  test('A command is ended by a signal while it computes.', async () => {
    for (const [index, name] of names.entries()) await project.edit(`agents/${name}.yaml`, /$/, hard(index));
    const running = project.start('validate');
    await until(async () => (await computedSeconds(running.pid)) > 0.8);
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: null, stdout: '' });
    expect(server.takeLog()).toEqual([]);
  });

  /** The processor time from /proc, converted to seconds. 0 before the process runs. */
  async function computedSeconds(pid: number | undefined): Promise<number> {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[12] ?? 0) / 100;
  }
});
