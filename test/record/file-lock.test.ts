import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFileStore } from '../../src/record/file-store.ts';
import type { RecordStore } from '../../src/record/store.ts';

let root: string;
let lockPath: string;
let store: RecordStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-lock-'));
  lockPath = join(root, '.agentform/locks/test');
  store = createFileStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the lock of an environment', () => {
  test('is refused to a second holder, who is told the process, the machine, the time and the file', async () => {
    const lock = await store.lock('test');
    await expect(createFileStore(root).lock('test')).rejects.toMatchObject({
      code: 'record-locked',
      exitCode: 1,
      message: expect.stringMatching(new RegExp(`test.*process ${process.pid} on .*since 20.*locks/test`)),
      facts: { pid: process.pid, host: hostname() },
    });
    await lock.release();
    await (await store.lock('test')).release();
  });

  test('does not hold off another environment', async () => {
    const locks = [await store.lock('test'), await store.lock('production')];
    for (const lock of locks) await lock.release();
  });

  test('goes to exactly one of many who ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => createFileStore(root).lock('test')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('leaves nothing behind when it is released, or refused', async () => {
    const lock = await store.lock('test');
    await store.lock('test').catch(() => undefined);
    expect(await readdir(join(root, '.agentform/locks'))).toEqual(['test']);
    await lock.release();
    expect(await readdir(join(root, '.agentform/locks'))).toEqual([]);
  });

  test('of a process that has ended is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await hold({ pid });
    const lock = await store.lock('test');
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toMatchObject({ pid: process.pid });
    await lock.release();
  });

  test('of a process that has ended goes to exactly one of many who ask at once', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await hold({ pid });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => createFileStore(root).lock('test')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('of a process that runs is kept', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => 0, 20000)']);
    await hold({ pid: child.pid });
    await expect(store.lock('test')).rejects.toMatchObject({ facts: { pid: child.pid } });
    child.kill();
    await new Promise((resolve) => child.once('exit', resolve));
    await (await store.lock('test')).release();
  });

  test('of another machine is kept, since nobody can ask there', async () => {
    await hold({ pid: 999_999_999, host: `not-${hostname()}` });
    await expect(store.lock('test')).rejects.toMatchObject({ message: expect.stringContaining(`not-${hostname()}`) });
  });

  test('that holds nonsense is taken over', async () => {
    for (const text of ['', '{', '{}', '[]', 'null']) {
      await put(text);
      await (await store.lock('test')).release();
    }
  });

  test('is released only by its holder', async () => {
    const lock = await store.lock('test');
    const other = `${JSON.stringify({ host: 'elsewhere', pid: 1, since: '2026-01-01T00:00:00.000Z' })}\n`;
    await put(other);
    await lock.release();
    expect(await readFile(lockPath, 'utf8')).toBe(other);
  });

  test('can be released twice, and after it was removed by hand', async () => {
    const lock = await store.lock('test');
    await lock.release();
    await lock.release();
  });
});

function hold(holder: Readonly<Record<string, unknown>>): Promise<void> {
  return put(JSON.stringify({ host: hostname(), since: '2026-01-01T00:00:00.000Z', ...holder }));
}

async function put(text: string): Promise<void> {
  await mkdir(join(root, '.agentform/locks'), { recursive: true });
  await writeFile(lockPath, text);
}
