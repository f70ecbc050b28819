import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withProjectAt } from '../../src/session/base-project.ts';
import { git } from '../support/git.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  await git(folder, 'init', '--quiet', '--initial-branch=main');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commit(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '--quiet', '--message', 'on main');
  return git(folder, 'rev-parse', 'HEAD');
}

function read(name: string, at: string): Promise<string> {
  return withProjectAt(folder, at, ({ folder: base = '' }) => readFile(join(base, name), 'utf8'));
}

test('attributes that are checked out do not convert the files of the base', async () => {
  const base = await commit({ 'agentform.yaml': 'a: 1\n' });
  await commit({ '.gitattributes': '*.yaml text eol=crlf\n' });
  expect(await read('agentform.yaml', base)).toBe('a: 1\n');
});

test('attributes of the base do', async () => {
  const base = await commit({ 'agentform.yaml': 'a: 1\n', '.gitattributes': '*.yaml text eol=crlf\n' });
  expect(await read('agentform.yaml', base)).toBe('a: 1\r\n');
});

test('work tree and index stay as they are', async () => {
  const base = await commit({ 'agentform.yaml': 'a: 1\n' });
  await commit({ 'agentform.yaml': 'a: 2\n' });
  await writeFile(join(folder, 'agentform.yaml'), 'a: 3\n');
  expect(await read('agentform.yaml', base)).toBe('a: 1\n');
  expect(await git(folder, 'status', '--porcelain')).toBe(' M agentform.yaml');
});
