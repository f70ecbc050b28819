import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FileStore } from '../../src/record/file-store.ts';
import type { RecordStore } from '../../src/record/store.ts';

let root: string;
let lockPath: string;
let store: RecordStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-lock-'));
  lockPath = join(root, '.agentform/locks/test');
  store = new FileStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the lock of an environment', () => {
  test('A held lock is refused with its process, machine, time and file.', async () => {
    const lock = await store.lock('test');
    await expect(new FileStore(root).lock('test')).rejects.toMatchObject({
      code: 'record-locked',
      exitCode: 1,
      message: expect.stringMatching(new RegExp(`test.*process ${process.pid} on .*since 20.*locks/test`)),
      facts: { pid: process.pid, host: hostname() },
    });
    await lock.release();
    await (await store.lock('test')).release();
  });

  test('The lock of an environment does not affect another environment.', async () => {
    const locks = [await store.lock('test'), await store.lock('production')];
    for (const lock of locks) await lock.release();
  });

  test('The lock of an environment goes to exactly one of many concurrent requests.', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => new FileStore(root).lock('test')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('The lock of an environment leaves no file after its release or refusal.', async () => {
    const lock = await store.lock('test');
    await store.lock('test').catch(() => undefined);
    expect(await readdir(join(root, '.agentform/locks'))).toEqual(['test']);
    await lock.release();
    expect(await readdir(join(root, '.agentform/locks'))).toEqual([]);
  });

  test('The lock of an ended process is taken over.', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await hold({ pid });
    const lock = await store.lock('test');
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  test('The lock of an ended process goes to exactly one of many concurrent requests.', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await hold({ pid });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => new FileStore(root).lock('test')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('The lock of a running process is kept.', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => 0, 300000)']);
    await hold({ pid: child.pid });
    await expect(store.lock('test')).rejects.toMatchObject({ facts: { pid: child.pid } });
    child.kill();
    await new Promise((resolve) => child.once('exit', resolve));
    await (await store.lock('test')).release();
  });

  test('The lock of a killed process that no parent has collected is taken over.', async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ');
    await put(JSON.stringify({ ...(await ownHolder()), pid, started: fields?.[19] }));
    await expect(store.lock('test')).rejects.toMatchObject({ facts: { pid } });
    process.kill(pid, 'SIGKILL');
    while (!(await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ')) await sleep(10);
    await (await store.lock('test')).release();
    parent.kill();
  });

  test('The lock of an ended process with our process number is taken over.', async () => {
    await put(JSON.stringify({ ...(await ownHolder()), started: '1' }));
    await (await store.lock('test')).release();
  });

  test('The lock of a running process is kept, however old it is.', async () => {
    await put(JSON.stringify(await ownHolder()));
    await age(3600);
    await expect(store.lock('test')).rejects.toMatchObject({ code: 'record-locked' });
  });

  test.each([
    ['another machine', { pid: 999_999_999, host: 'another-machine' }],
    ['another container of the same name and process number', { namespace: 'boot-pid:[1]' }],
    ['a system that does not tell when a process started', { namespace: undefined, started: undefined }],
  ])('The lock of %s is kept while it is renewed, and taken over two minutes later.', async (_, differing) => {
    await put(JSON.stringify({ ...(await ownHolder()), ...differing }));
    await expect(store.lock('test')).rejects.toMatchObject({ code: 'record-locked' });
    await age(110);
    await expect(store.lock('test')).rejects.toMatchObject({ code: 'record-locked' });
    await age(130);
    await (await store.lock('test')).release();
  });

  test('The lock of a newer agentform is refused with both versions, whatever else it contains.', async () => {
    await put('{"formatVersion":2}');
    await expect(store.lock('test')).rejects.toMatchObject({
      code: 'record-locked',
      message: expect.stringMatching(
        /locks\/test has format version 2, but this agentform reads up to version 1; upgrade/,
      ),
      facts: { found: 2, supported: 1 },
    });
    expect(await readFile(lockPath, 'utf8')).toBe('{"formatVersion":2}');
  });

  test('The lock of an environment is renewed while it is held.', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'Date'] });
    try {
      const lock = await store.lock('test');
      const text = await readFile(lockPath, 'utf8');
      await age(110);
      const { mtimeMs: before } = await stat(lockPath);
      jest.advanceTimersByTime(15_000);
      const deadline = Date.now() + 300_000;
      while ((await stat(lockPath)).mtimeMs === before && Date.now() < deadline) await sleep(10);
      expect((await stat(lockPath)).mtimeMs).toBeGreaterThan(before + 100_000);
      expect(await readFile(lockPath, 'utf8')).toBe(text);
      await lock.release();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('The locks that ended processes left, also during a takeover, go to exactly one of many requests.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const dead = { ...(await ownHolder()), started: '1', id: `dead-${round}` };
      await put(JSON.stringify(dead));
      const gate = createHash('sha256').update(JSON.stringify(dead)).digest('hex').slice(0, 16);
      await writeFile(`${lockPath}.${gate}.takeover`, JSON.stringify({ ...dead, id: 'dead-too' }));
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => new FileStore(root).lock('test')));
      const locks = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(locks).toHaveLength(1);
      for (const lock of locks) await lock.release();
      expect(await readdir(join(root, '.agentform/locks'))).toEqual([]);
    }
  });

  test('A lock with invalid or hostile content is taken over.', async () => {
    const own = await ownHolder();
    const hostile = [
      { host: '\u001b[31mred' },
      { host: 'a\u202eb' },
      { host: 'a\n::error::b' },
      { pid: '1\u001b' },
      { pid: -1 },
      { since: '\u001b[2J' },
      { id: '`' },
    ].map((part) => JSON.stringify({ ...own, ...part }));
    for (const text of ['', '{', '{}', '[]', 'null', ...hostile]) {
      await put(text);
      await (await store.lock('test')).release();
    }
  });

  test.each(['/dev/zero', 'nowhere'])('A lock that is a link is not followed: %s', async (target) => {
    await mkdir(join(root, '.agentform/locks'), { recursive: true });
    await symlink(target, lockPath);
    await expect(store.lock('test')).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringMatching(/locks\/test cannot be written: it is a symbolic link, which is not followed/),
    });
    expect(await readdir(join(root, '.agentform/locks'))).toEqual(['test']);
  });

  test('The lock of an environment is released only by its holder.', async () => {
    const lock = await store.lock('test');
    const other = `${JSON.stringify({ ...held, host: 'elsewhere', pid: 1 })}\n`;
    await put(other);
    await lock.release();
    expect(await readFile(lockPath, 'utf8')).toBe(other);
  });

  test('The release of a lock is silent if a link has replaced its file.', async () => {
    const lock = await store.lock('test');
    await rm(lockPath);
    await symlink('/dev/zero', lockPath);
    await lock.release();
    expect(await readdir(join(root, '.agentform/locks'))).toEqual(['test']);
  });

  test('The lock of an environment can be released twice, and after it was removed by hand.', async () => {
    const lock = await store.lock('test');
    await lock.release();
    await lock.release();
  });
});

/** The holder that this process writes into a lock. */
async function ownHolder(): Promise<Readonly<Record<string, unknown>>> {
  const lock = await store.lock('test');
  const holder: unknown = JSON.parse(await readFile(lockPath, 'utf8'));
  await lock.release();
  return { ...(holder as object) };
}

/** Sets the age of the lock, in seconds. */
async function age(seconds: number): Promise<void> {
  const then = new Date(Date.now() - seconds * 1000);
  await utimes(lockPath, then, then);
}

const held = { formatVersion: 1, since: '2026-01-01T00:00:00.000Z', id: 'l' };

function hold(holder: Readonly<Record<string, unknown>>): Promise<void> {
  return put(JSON.stringify({ ...held, host: hostname(), ...holder }));
}

async function put(text: string): Promise<void> {
  await mkdir(join(root, '.agentform/locks'), { recursive: true });
  await writeFile(lockPath, text);
}
