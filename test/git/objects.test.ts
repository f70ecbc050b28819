import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { contentsIn, headCommit, isCutOff, readObject, readObjects } from '../../src/git/objects.ts';
import { git, tracedGit } from '../support/git.ts';

const { PATH = '' } = process.env;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-objects-'));
  await git(folder, 'init', '--quiet');
});
afterEach(async () => {
  process.env.PATH = PATH;
  await rm(folder, { recursive: true, force: true });
});

/** Commits a file and returns the commit. */
async function commitFile(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', name);
  return git(folder, 'rev-parse', 'HEAD');
}

async function textOf(name: string): Promise<string | undefined> {
  return (await readObject(folder, name))?.bytes.toString('utf8');
}

test('One git process reads all objects, in order, and finds objects and refs that are newer than the process.', async () => {
  const first = await commitFile('a b', 'one\n\nline missing\n');
  await writeFile(join(folder, 'loose'), '');
  const blob = await git(folder, 'hash-object', 'loose');
  const { starts } = await tracedGit(async () => {
    const names = [`${first}:a b`, blob, `${first}:`, `${first}^{commit}`, 'refs/heads/none', first.slice(0, 1)];
    const read = (await readObjects(folder, names, 1000)) ?? [];
    expect(read.map((object) => object?.type)).toEqual(['blob', undefined, 'tree', 'commit', undefined, undefined]);
    expect(read[0]?.bytes.toString('utf8')).toBe('one\n\nline missing\n');
    expect(read[3]?.oid).toBe(first);
    await git(folder, 'hash-object', '-w', 'loose');
    await git(folder, 'update-ref', 'refs/agentform/run/1', first);
    expect(await textOf(blob)).toBe('');
    expect((await readObject(folder, 'refs/agentform/run/1'))?.oid).toBe(first);
    await git(folder, 'repack', '-a', '-d', '-q');
    const texts = await Promise.all([`${first}:a b`, blob].map(textOf));
    expect(texts).toEqual(['one\n\nline missing\n', '']);
    expect((await readObject(folder, 'refs/agentform/run/1'))?.oid).toBe(first);
  });
  expect(starts.filter((start) => start.includes('cat-file'))).toHaveLength(1);
});

test('An object beyond the limit is cut off and ends the list, and later requests are answered.', async () => {
  const large = Buffer.alloc(3 * 2 ** 20, 'x');
  const commit = await commitFile('large', large);
  await commitFile('small', 'small');
  const names = [`${commit}:large`, 'HEAD:small'];
  const [cut, short] = await Promise.all([readObjects(folder, names, 2 ** 20), textOf('HEAD:small')]);
  expect(cut?.map((object) => object && [object.bytes.length, object.size, isCutOff(object)])).toEqual([
    [2 ** 20, large.length, true],
  ]);
  expect(short).toBe('small');
  const whole = (await readObjects(folder, names, large.length + 5)) ?? [];
  expect(whole.map((object) => object?.bytes.length)).toEqual([large.length, 5]);
});

test('Nothing is read if git cannot be started or ends early, and the next request starts it again.', async () => {
  const commit = await commitFile('a', 'a');
  process.env.PATH = folder;
  expect(await readObjects(folder, [commit], 1000)).toBeUndefined();
  await writeFile(join(folder, 'git'), '#!/bin/sh\nread -r name; echo "$name blob 9"; echo 1234\n', { mode: 0o755 });
  expect(await readObjects(folder, [commit], 1000)).toBeUndefined();
  process.env.PATH = PATH;
  expect(await readObjects(folder, [commit], 1000)).toMatchObject([{ oid: commit }]);
});

test('A git process that waits for a request does not keep its program running.', async () => {
  await commitFile('a', 'a');
  const open = () => process.getActiveResourcesInfo().filter((name) => /^(Pipe|Process)/.test(name));
  const before = open();
  expect(await textOf('HEAD:a')).toBe('a');
  expect(open()).toEqual(before);
});

test('The checked-out commit has its parents in a shallow clone, and its texts in any encoding.', async () => {
  await git(folder, 'checkout', '--quiet', '-b', 'topic');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  const first = await git(folder, 'rev-parse', 'HEAD');
  await writeFile(join(folder, 'message'), Buffer.from('Caf\xe9\nopens\n\nat nine\n', 'latin1'));
  const latin = ['-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '--allow-empty', '--file', 'message'];
  await git(folder, ...latin);
  const clone = join(folder, 'clone');
  await git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
  expect(await headCommit(clone)).toMatchObject({
    commit: await git(folder, 'rev-parse', 'HEAD'),
    branch: 'topic',
    parents: [first],
    message: 'Café\nopens\n\nat nine\n',
  });
  await git(clone, 'checkout', '--quiet', '--detach');
  expect(await headCommit(clone)).toMatchObject({ branch: undefined });
});

test('There is no checked-out commit before the first commit, and outside git.', async () => {
  expect(await headCommit(folder)).toBeUndefined();
  expect(await headCommit(tmpdir())).toBeUndefined();
});

test('The output of a batch is split into files, and no other object has a content.', () => {
  const output = Buffer.from('a blob 4\none\n\nHEAD:x 3 missing\nb tree 3\nabc\nc blob 0\n\nd blob 9\ncut');
  const texts = contentsIn(output, 6).map((content) => content?.toString());
  expect(texts).toEqual(['one\n', undefined, undefined, '', 'cut', undefined]);
});
