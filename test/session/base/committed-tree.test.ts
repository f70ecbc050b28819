import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findRepository } from '../../../src/git/repository.ts';
import { withCheckout } from '../../../src/session/base/committed-tree.ts';
import { commitAll, git } from '../../support/git.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  await git(folder, 'init', '--quiet', '--initial-branch=main');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commit(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return commitAll(folder, 'on main');
}

async function checkedOut<Result>(at: string, work: (base: string) => Promise<Result>): Promise<Result> {
  const repository = await findRepository(folder);
  if ('problem' in repository) throw new Error(repository.problem);
  return withCheckout(repository, at, (base) => work(base?.folder ?? ''));
}

function read(name: string, at: string): Promise<string> {
  return checkedOut(at, (base) => readFile(join(base, name), 'utf8'));
}

test('Attributes in the work tree do not convert the files of the base.', async () => {
  const base = await commit({ 'agentform.yaml': 'a: 1\n' });
  await commit({ '.gitattributes': '*.yaml text eol=crlf\n' });
  expect(await read('agentform.yaml', base)).toBe('a: 1\n');
});

test('Attributes of the base neither convert files nor run a filter.', async () => {
  const attributes = '*.yaml text eol=crlf\n*.md filter=shout\n';
  const base = await commit({ 'agentform.yaml': 'a: 1\n', 'prompt.md': 'Hello\n', '.gitattributes': attributes });
  await git(folder, 'config', 'filter.shout.smudge', 'tr a-z A-Z');
  expect(await read('agentform.yaml', base)).toBe('a: 1\n');
  expect(await read('prompt.md', base)).toBe('Hello\n');
});

test('Files of the base with any name and size, and links, are as committed.', async () => {
  const large = 'x'.repeat(9 * 1024 * 1024);
  await symlink('agentform.yaml', join(folder, 'link.yaml'));
  const base = await commit({
    'agentform.yaml': 'a: 1\n',
    'an "odd"\n name.md': 'odd',
    'empty.md': '',
    'large.md': large,
  });
  expect(await read('an "odd"\n name.md', base)).toBe('odd');
  expect(await read('empty.md', base)).toBe('');
  expect(await read('link.yaml', base)).toBe('a: 1\n');
  expect((await read('large.md', base)).length).toBe(large.length);
});

test('A link of the base is not written through.', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
  const made = (input: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: folder, input }).toString().trim();
  const blob = (text: string) => made(text, 'hash-object', '-w', '--stdin');
  const tree = made(`100644 blob ${blob('stolen')}\tfile\n`, 'mktree');
  const entries = `120000 blob ${blob(outside)}\tagents\n040000 tree ${tree}\tagents\n`;
  const base = await git(folder, 'commit-tree', '-m', 'hostile', made(entries, 'mktree'));
  await expect(checkedOut(base, async () => undefined)).rejects.toThrow();
  expect(await readdir(outside)).toEqual([]);
  await rm(outside, { recursive: true });
});

test('Reading the base leaves the work tree and the index unchanged.', async () => {
  const base = await commit({ 'agentform.yaml': 'a: 1\n' });
  await commit({ 'agentform.yaml': 'a: 2\n' });
  await writeFile(join(folder, 'agentform.yaml'), 'a: 3\n');
  expect(await read('agentform.yaml', base)).toBe('a: 1\n');
  expect(await git(folder, 'status', '--porcelain')).toBe(' M agentform.yaml');
});
