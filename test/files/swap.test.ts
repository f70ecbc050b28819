import { mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { replaceFiles } from '../../src/files/swap.ts';

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

test('all files are replaced, and nothing is left beside them', async () => {
  await replaceFiles(root, [first, { path: 'b', before: 'two', after: '' }]);
  expect(await texts()).toEqual(['ONE', '']);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('a byte order mark of the file stays, and one that begins the new text is one of the text', async () => {
  const decoded = async (name: string) => new TextDecoder().decode(await readFile(join(root, name)));
  await writeFile(join(root, 'b'), '\ufefftwo');
  await replaceFiles(root, [
    { ...first, after: '\ufeffONE' },
    { path: 'b', before: 'two', after: '\ufeffTWO' },
  ]);
  expect(await texts()).toEqual(['\ufeff\ufeffONE', '\ufeff\ufeffTWO']);
  expect([await decoded('a'), await decoded('b')]).toEqual(['\ufeffONE', '\ufeffTWO']);
});

test('none is replaced if one was changed meanwhile', async () => {
  const result = replaceFiles(root, [first, { path: 'b', before: 'other', after: '' }]);
  await expect(result).rejects.toMatchObject({
    code: 'edit-refused',
    message: 'nothing was written, because b changed during the run; run again',
  });
  expect(await texts()).toEqual(['one', 'two']);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('none is replaced if one is gone', async () => {
  const result = replaceFiles(root, [first, { path: 'c', before: '', after: '' }]);
  await expect(result).rejects.toMatchObject({ code: 'file-unwritable' });
  expect(await texts()).toEqual(['one', 'two']);
});

test('those that are in their place already are put back if one cannot be put there', async () => {
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
