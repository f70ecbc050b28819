import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { lockFile } from '../../src/files/lock.ts';
import { putFiles, replaceFiles } from '../../src/files/swap.ts';
import { createFile, replaceFile, temporaryPathOf } from '../../src/files/whole-file.ts';
import { leaveTemporaryFile } from '../support/leftover.ts';

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

describe('temporary files of killed runs', () => {
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const byReplacing = () => replaceFile(at('target'), 'new');
  const bySwapping = () => replaceFiles(folder, [{ path: 'target', before: 'kept', after: 'new' }]);
  const byPutting = () => putFiles(folder, new Map([['target', 'kept']]), { overwrite: false });
  const byLocking = async () => (await lockFile(folder, 'target.lock', 'the folder')).release();

  test.each([
    ['replaced file', byReplacing],
    ['replacement of several files', bySwapping],
    ['file that a killed run had finished', byPutting],
    ['lock', byLocking],
  ])('A %s immediately removes the temporary file of a killed process.', async (_, write) => {
    await leaveTemporaryFile(at('target'));
    expect(temporaryNames(await readdir(folder))).toHaveLength(1);
    await write();
    expect(temporaryNames(await readdir(folder))).toEqual([]);
  });

  test('A write keeps the temporary file of a running process, even if it is old.', async () => {
    const path = temporaryPathOf(at('target'));
    await writeFile(path, 'half');
    await utimes(path, old, old);
    await byReplacing();
    expect(await readdir(folder)).toContain(basename(path));
  });

  test('A write removes the temporary file of another machine only after an hour, and never a link, a folder or an unknown name.', async () => {
    const foreign = (digit: number) => `.agentform-00000000000000ff-1-1-000000000000000${digit}.tmp`;
    const [stale, young, linked, inner] = [foreign(1), foreign(2), foreign(3), foreign(4)];
    const others = ['.agentform-mine.tmp', `x${foreign(5)}`];
    for (const name of [stale, young, ...others]) await writeFile(at(name), 'left');
    await symlink('target', at(linked));
    await mkdir(at(inner));
    for (const name of [stale, ...others, inner]) await utimes(at(name), old, old);
    await byReplacing();
    expect(await readdir(folder)).toEqual([young, linked, inner, ...others, 'target'].sort());
    expect(await readFile(at('target'), 'utf8')).toBe('new');
  });

  const temporaryNames = (names: readonly string[]) => names.filter((name) => name.startsWith('.agentform-'));
});
