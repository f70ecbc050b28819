import { expect, test } from '@jest/globals';
import { createGitStore } from '../../src/record/git/store.ts';
import { keyOnBranch, pathOnBranch, recordPath, recordText } from '../../src/record/record-text.ts';
import { project, remote, useClone } from '../support/clone.ts';
import { gitEnv } from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';

const branch = 'agentform-records';
const keyOf = (name: string) => ({ environment: 'test', kind: 'Agent', name });
const recordOf = (name: string) => agentRecord({}, keyOf(name));

useClone();

const open = () => createGitStore({ root: project.root, branch, remote: 'origin', env: gitEnv });

test('A record is in one of 256 folders of its kind.', () => {
  expect(pathOnBranch(keyOf('front-desk'))).toBe('.agentform/records/test/Agent/55/front-desk.json');
});

test('A path names a record only in the folder of its kind or one below.', () => {
  for (const path of [pathOnBranch(keyOf('a')), recordPath(keyOf('a')), '.agentform/records/test/Agent/zz/a.json']) {
    expect(keyOnBranch(path)).toEqual(keyOf('a'));
  }
  expect(keyOnBranch('.agentform/records/test/Agent/9d/9d/a.json')).toBeUndefined();
  expect(keyOnBranch('.agentform/records/test/README.md')).toBeUndefined();
});

test.each([[recordPath(keyOf('a'))], ['.agentform/records/test/Agent/zz/a.json']])(
  'A record at the wrong path %s is refused with its right path.',
  async (path) => {
    remote.commit({ [path]: recordText(recordOf('a')) });
    const store = await open();
    await expect(store.list('test')).rejects.toMatchObject({
      code: 'record-unreadable',
      message: expect.stringContaining(
        `has a record of Agent/a at ${path}, where this agentform does not look for it; move it to ${pathOnBranch(keyOf('a'))}, ` +
          'or upgrade agentform if a newer version wrote it',
      ),
      facts: { records: ['Agent/a'], place: path },
    });
    await store.close();
  },
);

test('A record of another resource is named by its path on the branch.', async () => {
  remote.commit({ [pathOnBranch(keyOf('a'))]: recordText(recordOf('b')) });
  const store = await open();
  const message = expect.stringContaining(`the record ${pathOnBranch(keyOf('a'))} belongs to Agent/b in test`);
  await expect(store.list('test')).rejects.toMatchObject({ message });
  await store.close();
});
