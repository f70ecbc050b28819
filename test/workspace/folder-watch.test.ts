import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FolderWatch } from '../../src/workspace/folder-watch.ts';

let root: string;
let watch: FolderWatch;
let stopped: AbortController;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-watch-'));
  await mkdir(join(root, 'agents/north'), { recursive: true });
  await writeFile(join(root, 'agents/north/a.yaml'), 'one');
  stopped = new AbortController();
  watch = new FolderWatch(root, stopped.signal);
});
afterEach(async () => {
  watch.close();
  await rm(root, { recursive: true });
});

test('A watch reports an edit in any folder, a later one, and none after it is aborted.', async () => {
  const first = watch.edited();
  await writeFile(join(root, 'agents/north/a.yaml'), 'two');
  expect(await first).toBe(true);

  await mkdir(join(root, 'prompts'));
  expect(await watch.edited()).toBe(true);
  const inNewFolder = watch.edited();
  await writeFile(join(root, 'prompts/a.md'), 'Hello.');
  expect(await inNewFolder).toBe(true);

  const last = watch.edited();
  stopped.abort();
  expect(await last).toBe(false);
});

test('A watch continues after the watched folder itself was removed and created again later.', async () => {
  const removed = watch.edited();
  await rename(root, `${root}-old`);
  expect(await removed).toBe(true);
  const created = watch.edited();
  await rename(`${root}-old`, root);
  expect(await created).toBe(true);
  const edited = watch.edited();
  await writeFile(join(root, 'agents/north/a.yaml'), 'two');
  expect(await edited).toBe(true);
}, 20_000);

test('A watch remembers an edit between two waits.', async () => {
  await writeFile(join(root, 'agents/b.yaml'), 'one');
  expect(await watch.edited()).toBe(true);
});

test('A watch continues in a folder that was removed and created again, as by switching a branch.', async () => {
  const removed = watch.edited();
  await rm(join(root, 'agents'), { recursive: true });
  await mkdir(join(root, 'agents/north'), { recursive: true });
  expect(await removed).toBe(true);
  const again = watch.edited();
  await writeFile(join(root, 'agents/north/a.yaml'), 'three');
  expect(await again).toBe(true);
});

test('A watch waits for any number of edits with one listener on its signal.', async () => {
  for (let edit = 0; edit < 12; edit += 1) {
    const next = watch.edited();
    await writeFile(join(root, 'agents/north/a.yaml'), `edit ${edit}`);
    expect(await next).toBe(true);
  }
  expect(getEventListeners(stopped.signal, 'abort')).toHaveLength(1);
});

test('A watch reports edits while another program writes a file without a pause.', async () => {
  const writer = 'setInterval(() => require("fs").appendFileSync("server.log", "x"), 2)';
  const logging = spawn(process.execPath, ['-e', writer], { cwd: root });
  const ended = once(logging, 'close');
  try {
    for (let edit = 0; edit < 2; edit += 1) expect(await watch.edited()).toBe(true);
  } finally {
    logging.kill();
    await ended;
  }
}, 20_000);

test('A watch no longer watches removed folders.', async () => {
  const watched = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  const before = watched();
  for (const name of ['one', 'two', 'three']) {
    const added = watch.edited();
    await mkdir(join(root, 'agents', name));
    await added;
    const removed = watch.edited();
    await rm(join(root, 'agents', name), { recursive: true });
    await removed;
  }
  const last = watch.edited();
  await writeFile(join(root, 'agents/b.yaml'), 'one');
  await last;
  expect(watched()).toBe(before);
});
