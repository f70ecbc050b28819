import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFile, replaceFile } from '../../src/files/whole-file.ts';

let folder = '';
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-files-'));
  await writeFile(at('target'), 'kept');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a replaced file', () => {
  test('A replaced file has the new content and its old mode, and leaves no other file.', async () => {
    await writeFile(at('file'), 'old');
    await replaceFile(at('file'), 'new', { mode: 0o600 });
    expect(await readFile(at('file'), 'utf8')).toBe('new');
    expect((await stat(at('file'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['file', 'target']);
  });

  test.each(['target', 'nowhere'])('A replaced file is no longer a link to %s, which stays unchanged.', async (to) => {
    await symlink(at(to), at('file'));
    await replaceFile(at('file'), 'new');
    expect((await lstat(at('file'))).isFile()).toBe(true);
    expect(await readFile(at('target'), 'utf8')).toBe('kept');
    expect((await readdir(folder)).sort()).toEqual(['file', 'target']);
  });

  test('A replaced file may have a very long name.', async () => {
    const name = 'x'.repeat(250);
    await replaceFile(at(name), 'new');
    expect(await readFile(at(name), 'utf8')).toBe('new');
  });
});

describe('a created file', () => {
  test.each(['target', 'nowhere'])('A created file is not written through a link to %s.', async (to) => {
    await symlink(at(to), at('file'));
    await expect(createFile(at('file'), 'new')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(at('target'), 'utf8')).toBe('kept');
    expect((await readdir(folder)).sort()).toEqual(['file', 'target']);
  });

  test('A created file does not overwrite an existing one.', async () => {
    await expect(createFile(at('target'), 'new')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(at('target'), 'utf8')).toBe('kept');
  });
});
