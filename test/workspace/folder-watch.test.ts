import { getEventListeners } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
