import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { putFiles, replaceFiles } from '../../src/files/swap.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-replace-'));
  await writeFile(join(root, 'a'), 'one');
  await writeFile(join(root, 'b'), 'two');
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const texts = () => Promise.all(['a', 'b'].map((name) => readFile(join(root, name), 'utf8')));
const first = { path: 'a', before: 'one', after: 'ONE' };

test('The replacement of several files replaces all, and leaves no other file.', async () => {
  await replaceFiles(root, [first, { path: 'b', before: 'two', after: '' }]);
  expect(await texts()).toEqual(['ONE', '']);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('The replacement of a file keeps its byte order mark, and one in the new text as text.', async () => {
  const decoded = async (name: string) => new TextDecoder().decode(await readFile(join(root, name)));
  await writeFile(join(root, 'b'), '\ufefftwo');
  await replaceFiles(root, [
    { ...first, after: '\ufeffONE' },
    { path: 'b', before: 'two', after: '\ufeffTWO' },
  ]);
  expect(await texts()).toEqual(['\ufeff\ufeffONE', '\ufeff\ufeffTWO']);
  expect([await decoded('a'), await decoded('b')]).toEqual(['\ufeffONE', '\ufeffTWO']);
});

test('No YAML file appears before the texts that it may name, in case the process is killed.', async () => {
  const names = Array.from({ length: 100 }, (_, index) => [`${index}.yaml`, `${index}.patch`]).flat();
  const writing = replaceFiles(
    root,
    names.map((path) => ({ path, before: undefined, after: path })),
  );
  const found = await new Promise<string[]>((resolve) => {
    const watch = (): void => {
      const files = readdirSync(root);
      if (files.some((file) => file.endsWith('.yaml'))) resolve(files);
      else setImmediate(watch);
    };
    watch();
  });
  await writing;
  expect(found.filter((file) => file.endsWith('.patch'))).toHaveLength(100);
});

test('The replacement of several files changes none if one was edited meanwhile.', async () => {
  const result = replaceFiles(root, [first, { path: 'b', before: 'other', after: '' }]);
  await expect(result).rejects.toMatchObject({
    code: 'edit-refused',
    message: 'nothing was written, because b changed during the run; run again',
  });
  expect(await texts()).toEqual(['one', 'two']);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('The replacement of several files changes none if one is missing.', async () => {
  const result = replaceFiles(root, [first, { path: 'c', before: '', after: '' }]);
  await expect(result).rejects.toMatchObject({ code: 'file-unwritable' });
  expect(await texts()).toEqual(['one', 'two']);
});

test('The replacement of several files restores those already written if one fails.', async () => {
  await writeFile(join(root, 'd'), 'x');
  const turnsIntoFolder = {
    path: 'd',
    before: 'x',
    get after() {
      rmSync(join(root, 'd'), { recursive: true });
      mkdirSync(join(root, 'd'));
      return 'z';
    },
  };
  await expect(replaceFiles(root, [first, turnsIntoFolder])).rejects.toMatchObject({ code: 'file-unwritable' });
  expect(await texts()).toEqual(['one', 'two']);
  expect(await readdir(root)).toEqual(['a', 'b', 'd']);
});

test.each([
  ['a/b', 'a/b cannot be written: a file has the name of its folder'],
  ['folder', 'folder cannot be written: it is a folder'],
])('No file is written if %s cannot be, even with --force.', async (path, message) => {
  mkdirSync(join(root, 'folder'));
  for (const overwrite of [false, true]) {
    const writing = putFiles(
      root,
      new Map([
        ['new', 'x'],
        [path, 'y'],
      ]),
      { overwrite },
    );
    await expect(writing).rejects.toMatchObject({ code: 'file-unwritable', message });
  }
  expect(await readdir(root)).toEqual(['a', 'b', 'folder']);
});
