import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { keyOnBranch, pathOnBranch } from '../../../src/record/git/layout.ts';
import { createGitStore } from '../../../src/record/git/store.ts';
import { recordPath, recordText } from '../../../src/record/record-text.ts';
import { project, remote, useClone } from '../../support/clone.ts';
import { clonedProject, commitAll, git, gitEnv } from '../../support/git.ts';
import { agentRecord } from '../../support/observations.ts';

const branch = 'agentform-records';
const names = ['a', 'b', 'c'];
const keyOf = (name: string) => ({ environment: 'test', kind: 'Agent', name });
const recordOf = (name: string, id = 'camp_1') => agentRecord({}, { ...keyOf(name), id });

useClone();

const open = () => createGitStore({ root: project.root, branch, remote: 'origin', env: gitEnv });

/** Commits these files to the branch by hand, as an older version laid them out. */
async function commitByHand(files: Readonly<Record<string, string>>): Promise<void> {
  const { root, remove } = await clonedProject(remote);
  await git(root, 'checkout', '--quiet', '--orphan', branch);
  await git(root, 'rm', '-r', '--force', '--quiet', '.');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await commitAll(root, 'by hand');
  await git(root, 'push', '--quiet', 'origin', `HEAD:${branch}`);
  await remove();
}

const onBranch = async () => (await remote.git('ls-tree', '-r', '--name-only', branch)).split('\n').sort();

const older = Object.fromEntries(names.map((name) => [recordPath(keyOf(name)), recordText(recordOf(name))]));

test('a record lies in one of 256 folders of its kind, and is known by its path in whichever', () => {
  expect(pathOnBranch(keyOf('front-desk'))).toBe('.agentform/records/test/Agent/55/front-desk.json');
  for (const path of [pathOnBranch(keyOf('a')), recordPath(keyOf('a')), '.agentform/records/test/Agent/zz/a.json']) {
    expect(keyOnBranch(path)).toEqual(keyOf('a'));
  }
  expect(keyOnBranch('.agentform/records/test/Agent/9d/9d/a.json')).toBeUndefined();
  expect(keyOnBranch('.agentform/records/test/README.md')).toBeUndefined();
});

test('records of an older version are read where they lie, and moved with the first write, in its commit', async () => {
  await commitByHand(older);
  const store = await open();
  const [first] = await store.list('test');
  expect((await store.list('test')).map(({ record }) => record.name)).toEqual(names);
  await store.share('Nothing to share');
  const second = await store.save(recordOf('a', 'camp_3'), first?.version);
  await store.share('Apply to test');
  await store.save(recordOf('a', 'camp_2'), second);
  await store.share('Apply to test');
  await store.close();
  expect(await onBranch()).toEqual(names.map((name) => pathOnBranch(keyOf(name))).sort());
  expect(await remote.git('rev-list', '--count', branch)).toBe('3');
  const again = await open();
  expect((await again.list('test')).map(({ record }) => record.id)).toEqual(['camp_2', 'camp_1', 'camp_1']);
  const changes = async (of: Parameters<typeof again.history>[0]) =>
    (await again.history(of)).map(({ records }) => records.map(({ name, change }) => `${name} ${change}`));
  expect(await changes({ environment: 'test' })).toEqual([
    ['a changed'],
    ['a changed'],
    ['a added', 'b added', 'c added'],
  ]);
  expect(await changes({ environment: 'test', records: [keyOf('b')] })).toEqual([['b added']]);
  const [, , begun] = await again.history({ environment: 'test', records: [keyOf('a')] });
  expect(await again.readVersions([{ ...keyOf('a'), commit: begun?.commit ?? '' }])).toMatchObject([{ id: 'camp_1' }]);
  await again.close();
});

test('a record of an older version can be removed, and is gone at both paths', async () => {
  await commitByHand(older);
  const store = await open();
  const found = await store.read(keyOf('b'));
  await store.remove(keyOf('b'), found?.version ?? '');
  await store.share('Forget in test');
  await store.close();
  const rest = ['a', 'c'].map((name) => pathOnBranch(keyOf(name)));
  expect(await onBranch()).toEqual(rest.sort());
});

test('two records of one resource are refused, because nobody knows which is newer', async () => {
  const places = [pathOnBranch(keyOf('a')), '.agentform/records/test/Agent/zz/a.json'];
  await commitByHand(Object.fromEntries(places.map((path) => [path, recordText(recordOf('a'))])));
  const store = await open();
  await expect(store.list('test')).rejects.toMatchObject({
    code: 'record-unreadable',
    message: expect.stringMatching(
      /^the branch .* has two records of Agent\/a: \S+Agent\/ca\/a\.json and \S+Agent\/zz\/a\.json; remove one of them from the branch$/,
    ),
    facts: { records: ['Agent/a'], places },
  });
  await store.close();
});

test('a record that belongs to another resource is named by its path on the branch', async () => {
  await commitByHand({ [pathOnBranch(keyOf('a'))]: recordText(recordOf('b')) });
  const store = await open();
  const message = expect.stringContaining(`the record ${pathOnBranch(keyOf('a'))} belongs to Agent/b in test`);
  await expect(store.list('test')).rejects.toMatchObject({ message });
  await store.close();
});
