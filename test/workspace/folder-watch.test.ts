import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FolderWatch } from '../../src/workspace/folder-watch.ts';

let root: string;
let watch: FolderWatch;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-watch-'));
  await mkdir(join(root, 'agents/north'), { recursive: true });
  await writeFile(join(root, 'agents/north/a.yaml'), 'one');
  watch = new FolderWatch(root);
});
afterEach(async () => {
  watch.close();
  await rm(root, { recursive: true });
});

test('A watch tells of an edit in any folder, of one that comes later, and of nothing after it is aborted.', async () => {
  const { signal } = new AbortController();
  const first = watch.edited(signal);
  await writeFile(join(root, 'agents/north/a.yaml'), 'two');
  expect(await first).toBe(true);

  await mkdir(join(root, 'prompts'));
  expect(await watch.edited(signal)).toBe(true);
  const inNewFolder = watch.edited(signal);
  await writeFile(join(root, 'prompts/a.md'), 'Hello.');
  expect(await inNewFolder).toBe(true);

  const stopped = new AbortController();
  const last = watch.edited(stopped.signal);
  stopped.abort();
  expect(await last).toBe(false);
});

test('A watch remembers an edit that comes while nothing waits for it.', async () => {
  await writeFile(join(root, 'agents/b.yaml'), 'one');
  expect(await watch.edited(new AbortController().signal)).toBe(true);
});
