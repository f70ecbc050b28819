import { describe, expect, test } from '@jest/globals';
import {
  findOnBranch,
  openGitStore,
  recordsAt,
  requireRecordsBranch,
} from '../../../src/record/git/branch-settings.ts';
import type { RecordSettings } from '../../../src/record/store.ts';
import { project, useClone } from '../../support/clone.ts';
import { git, gitEnv } from '../../support/git.ts';

/** Tests which remotes and branches may contain records. */
const on = (parts: { readonly remote?: string; readonly branch?: string } = {}): RecordSettings => ({
  store: 'git',
  ...parts,
});

test('Records are on a separate branch at origin, unless agentform.yaml names another place.', () => {
  const usual = { remote: 'origin', branch: 'agentform-records' };
  for (const settings of [undefined, { store: 'file' } as const, on()]) expect(recordsAt(settings)).toEqual(usual);
  expect(recordsAt(on({ branch: 'r' }))).toEqual({ ...usual, branch: 'r' });
  expect(recordsAt(on({ remote: 'backup' }))).toEqual({ ...usual, remote: 'backup' });
});

test('Records are never on a branch of the project, unless it is at another remote.', () => {
  const branches = new Set(['main', 'topic']);
  expect(() => requireRecordsBranch(on({ branch: 'main' }), branches)).toThrow(
    expect.objectContaining({
      code: 'run-refused',
      message: 'record.branch is main, a branch of the project itself; use a separate branch such as agentform-records',
    }),
  );
  requireRecordsBranch(on({ branch: 'main', remote: 'backup' }), branches);
  requireRecordsBranch(on({ branch: 'other' }), branches);
});

describe('the records branch in a clone', () => {
  useClone();

  const open = async (branch: string) => {
    const store = await openGitStore({ root: project.root, record: on({ branch }), env: gitEnv });
    await store.close();
  };

  test('The current branch and the default branch of the remote are refused for records.', async () => {
    await git(project.root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    await git(project.root, 'checkout', '--quiet', '-b', 'feature/topic');
    for (const branch of ['feature/topic', 'main']) {
      await expect(open(branch)).rejects.toMatchObject({ code: 'run-refused' });
    }
    await open('records');
  });

  test('Records are found on the default records branch if the clone knows it, in the folder of the project.', async () => {
    const ref = 'refs/remotes/origin/agentform-records';
    const put = async (path: string) => {
      const blob = await git(project.root, 'hash-object', '-w', 'README.md');
      await git(project.root, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
      await git(project.root, 'commit', '--quiet', '--message', path);
      await git(project.root, 'update-ref', ref, 'HEAD');
    };
    await put('.agentform/records/test/notes.txt');
    await put('sub/.agentform/records/test/Agent/a.json');
    expect(await findOnBranch(project.root, 'test')).toBeUndefined();
    await git(project.root, 'checkout', '--quiet', '--force', 'HEAD');
    expect(await findOnBranch(`${project.root}/sub`, 'test')).toEqual({
      where: 'on the branch agentform-records of origin',
      ifGone: 'If the branch no longer has records, run `git fetch --prune origin`',
    });
    expect(await findOnBranch(`${project.root}/sub`, 'other')).toBeUndefined();
    await git(project.root, 'update-ref', '-d', ref);
    expect(await findOnBranch(`${project.root}/sub`, 'test')).toBeUndefined();
    expect(await findOnBranch('/', 'test')).toBeUndefined();
  });
});
