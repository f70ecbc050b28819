import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { accountFiles } from '../support/accounts.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { messageOf } from '../support/notices.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal } from '../support/terminal.ts';

shareProcess();

const names = Array.from({ length: 12 }, (_, index) => `a${String(index).padStart(2, '0')}`);
const token = 'token-1';

let server: IndependentServer;
let project: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined });
  server.takeLog();
  project = await testProject(accountFiles(names, server), { AGENT_TOKEN: token });
});
afterEach(() => project.remove());

describe('Ctrl-C in the middle of an apply', () => {
  test('After Ctrl-C during creates, open requests finish, the exit code is 1, and the next run continues.', async () => {
    server.quirks = { delayMs: 150 };
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
    expect(left.length).toBeGreaterThanOrEqual(4);
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

  test('After Ctrl-C during updates, open requests finish, and the next run continues.', async () => {
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    server.quirks = { delayMs: 100 };
    server.takeLog();
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '3', '--format', 'json');
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
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
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
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
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
    const { id } = server.seed(token, { type: 'chatAgent', title: 'Live' });
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
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    for (const { id } of server.agents()) server.edit(id, { welcomeMessage: 'Edited' });
    const folder = join(project.root, 'agents');
    const running = project.start('update', '*');
    const watcher = watch(folder, () => running.kill('SIGINT')).once('change', () => watcher.close());
    expect(await running.done).toMatchObject({ code: 0, stdout: expect.stringContaining('Updated 12 values') });
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

test('A second Ctrl-C on a terminal prints a message below the progress, and restores the cursor.', async () => {
  server.quirks = { delayMs: 1000 };
  const typed = [
    ['Applying', keys.interrupt],
    ['Ctrl-C again', keys.interrupt],
  ] as const;
  const ended = await runOnTerminal(
    ['apply', '--yes', '--new', 'all'],
    { cwd: project.root, env: { AGENT_TOKEN: token } },
    typed,
  );
  expect(ended).toMatchObject({ code: 1, cursor: 'shown' });
  expect(ended.screen).toContain('stopped immediately');
  // Waits for requests in flight, so that they do not disturb the next test.
  await sleep(1500);
});

test('Ctrl-C in a plan on a terminal ends it by the signal, and restores the cursor.', async () => {
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.quirks = { delayMs: 1000 };
  const place = { cwd: project.root, env: { AGENT_TOKEN: token } };
  expect(await runOnTerminal(['plan'], place, [['Reading', keys.interrupt]])).toMatchObject({
    code: 128 + 2,
    cursor: 'shown',
  });
});

describe('a run that is busy computing', () => {
  /** A regex that recheck gives up on, after a second of processor time. */
  const hard = (index: number) => `transferRules: { cnamAutoRejectRegex: '${'[a-z]+'.repeat(60 + index)}x' }\n`;

  test.each([
    [['validate'], 'SIGINT'],
    [['apply', '--yes'], 'SIGTERM'],
  ] as const)('The command %p is ended by a %s while it computes.', async (command, signal) => {
    for (const [index, name] of names.entries()) await project.edit(`agents/${name}.yaml`, /$/, hard(index));
    const running = project.start(...command);
    await until(async () => (await computedSeconds(running.pid)) > 0.8);
    running.kill(signal);
    expect(await running.done).toMatchObject({ code: null, stdout: '' });
    expect(server.takeLog()).toEqual([]);
  });

  /** The processor time from /proc, converted to seconds. 0 before the process runs. */
  async function computedSeconds(pid: number | undefined): Promise<number> {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[12] ?? 0) / 100;
  }
});

describe('kill -9 in the middle of an apply', () => {
  test.each([[0.2], [0.7]])('After kill -9 at %d of an apply, the next runs converge.', async (part) => {
    server.quirks = { delayMs: 40 };
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2');
    await writesSeen(1 + Math.floor(part * names.length));
    await sleep(Math.random() * 40);
    running.kill('SIGKILL');
    await running.done;
    await sleep(500);
    server.quirks = {};
    await expectTrueRecords();
    await converge();
  });

  test('After kill -9 during an update, the next run repeats it.', async () => {
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'description: D', 'description: E');
    server.quirks = { delayMs: 40 };
    server.takeLog();
    const running = project.start('apply', '--yes', '--new', 'all', '--concurrency', '2');
    await writesSeen(4);
    await sleep(Math.random() * 40);
    running.kill('SIGKILL');
    await running.done;
    server.quirks = {};
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(names.map((name) => agentOf(name)?.settings.description)).toEqual(names.map(() => 'E'));
    await expectSettledAndSingle();
  });
});

/** Continues until every agent is settled. If some are blocked, adopts those that exist and forgets the others. */
async function converge(): Promise<void> {
  const kept = await records();
  const unclear = names.filter((name) => agentOf(name) !== undefined && kept[name]?.id === undefined);
  server.takeLog();
  const first = await project.run('apply', '--yes', '--new', 'all', '--format', 'json');
  const { entries } = JSON.parse(first.stdout) as Ledger;
  const blocked = entries.filter(({ refused }) => refused === true);
  const written = server.takeLog().flatMap(({ method, query }) => (method === 'POST' ? [query.targetAccountId] : []));
  expect(written.filter((name) => unclear.includes(name ?? ''))).toEqual([]);
  expect(new Set(written).size).toBe(written.length);
  expect(first.code).toBe(blocked.length > 0 ? 3 : 0);
  expect(
    entries.filter(({ outcome, refused }) => outcome !== 'applied' && outcome !== 'unchanged' && !refused),
  ).toEqual([]);
  for (const { name, ...entry } of blocked) {
    expect(messageOf(entry)).toMatch(new RegExp(`record adopt Agent/${name} ID.*record forget Agent/${name}`));
    const agent = agentOf(name);
    const way = agent === undefined ? ['forget', '--yes', `Agent/${name}`] : ['adopt', `Agent/${name}`, agent.id];
    expect(await project.run('record', ...way)).toMatchObject({ code: 0 });
  }
  if (blocked.length > 0) expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await expectSettledAndSingle();
}

async function expectSettledAndSingle(): Promise<void> {
  expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  expect(server.agents()).toHaveLength(names.length);
  await expectTrueRecords();
}

/** Checks that each record with an id has the id on the server, and the server's values of readable settings. */
async function expectTrueRecords(): Promise<void> {
  for (const [name, record] of Object.entries(await records())) {
    const agent = agentOf(name);
    if (record.id === undefined) {
      expect(record).toMatchObject({ fields: {}, intent: { operation: 'create' } });
      continue;
    }
    expect({ name, id: record.id }).toEqual({ name, id: agent?.id });
    expect(record.intent).toBeUndefined();
    const { 'settings.title': title, 'settings.welcomeMessage': welcome } = record.fields;
    expect({ name, title: title?.value, welcome: welcome?.value }).toEqual({
      name,
      title: agent?.settings.title,
      welcome: agent?.settings.welcomeMessage,
    });
  }
}

async function records(): Promise<Record<string, ResourceRecord>> {
  const folder = join(project.root, '.agentform/records/test/Agent');
  const paths = (await readdir(folder).catch(() => [])).filter((path) => path.endsWith('.json'));
  const read = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  return Object.fromEntries(
    read.map((text) => JSON.parse(text) as ResourceRecord).map((record) => [record.name, record]),
  );
}

/** Locks and temporary files that a run would have removed at its normal end. */
async function leftovers(): Promise<string[]> {
  const entries = await readdir(join(project.root, '.agentform'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.json')).map((entry) => entry.name);
}

function agentOf(name: string) {
  return server.agentOf(token, name);
}

/** The service never responds. Returns a function that counts its requests. */
function neverAnswered(): () => number {
  let seen = 0;
  server.before = () => {
    seen += 1;
    return new Promise(() => undefined);
  };
  return () => seen;
}

async function writesSeen(count: number): Promise<void> {
  let seen = 0;
  server.before = ({ method }) => {
    if (method === 'POST') seen += 1;
    return undefined;
  };
  await until(() => seen >= count);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the test waits for does not happen');
    await sleep(5);
  }
}
