import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import { freePort } from '../support/free-port.ts';
import { server } from '../support/independent-suite.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal } from '../support/terminal.ts';
import {
  agentOf,
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
} from './interruptions.ts';

shareProcess();
useAgents();

describe('an interrupted apply', () => {
  test('After Ctrl-C during creates, open requests finish, the exit code is 1, and the next run continues.', async () => {
    server.quirks = { delayMs: 200 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2', '--format', 'json');
    await writesSeen(3);
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.done;
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, interrupted: ledger.interrupted }).toEqual({ code: 1, interrupted: true });
    expect(stderr).toContain('Ctrl-C again');

    const done = ledger.entries.filter(({ outcome }) => outcome === 'applied').map(({ name }) => name);
    const left = ledger.entries.filter(({ outcome }) => outcome === 'not attempted').map(({ name }) => name);
    expect(done.length).toBeGreaterThanOrEqual(3);
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect([...done, ...left].sort()).toEqual(names);
    expect(done.filter((name) => agentOf(name) === undefined)).toEqual([]);
    expect(left.filter((name) => agentOf(name) !== undefined)).toEqual([]);
    await expectTrueRecords();
    expect(Object.keys(await records()).sort()).toEqual(done.sort());
    expect(await leftovers()).toEqual([]);

    server.quirks = {};
    server.takeLog();
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(left.length);
    await expectSettledAndSingle();
  });

  test('A SIGTERM ends an apply immediately while it reads an unresponsive service.', async () => {
    await startApplied();
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const seen = neverAnswered();
    const running = project.start('apply', '--yes');
    await until(() => seen() >= 2);
    running.kill('SIGTERM');
    expect(await running.done).toMatchObject({
      code: 1,
      stderr: 'error: interrupted before the first write; nothing was sent (interrupted)\n',
    });
    expect(await leftovers()).toEqual([]);
  });
});

test('Ctrl-C in a plan on a terminal ends it by the signal, and restores the cursor.', async () => {
  await startApplied();
  server.quirks = { delayMs: 1000 };
  const place = { cwd: project.root, env };
  expect(await runOnTerminal(['plan'], place, [['Reading', keys.interrupt]])).toMatchObject({
    code: 128 + 2,
    cursor: 'shown',
  });
});

test('The emulator says where it listens, logs each request, and ends at Ctrl-C.', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const running = project.start('emulator', '--port', new URL(baseUrl).port);
  await running.said('Press Ctrl-C to stop it.');
  expect((await fetch(`${baseUrl}/__emulator/state`)).status).toBe(200);
  await fetch(`${baseUrl}/api/v2/agent/nobody?token=t`);
  running.kill('SIGINT');
  expect(await running.done).toEqual({
    code: 0,
    stdout: `The emulator listens on ${baseUrl}. To see its agents, open ${baseUrl}/__emulator/state\n`,
    stderr: 'Press Ctrl-C to stop it.\nGET /api/v2/agent/nobody 404\n',
  });
});
