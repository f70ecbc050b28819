import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pathOnBranch } from '../../src/record/record-text.ts';
import type { TestProject } from '../support/cli.ts';
import type { BareRemote } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type MovableProject, movableProject, place } from './movable-project.ts';

shareProcess();

let movable: MovableProject;
let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  movable = await movableProject();
  ({ server, remote, project } = movable);
  startOver = await movable.save();
});
beforeEach(() => startOver());
afterAll(() => movable.remove());

test('Record move is required after the edit of agentform.yaml, to git and back to file, and then finds all records.', async () => {
  await movable.applyAll();
  await movable.useGit();
  server.takeLog();
  for (const command of [['plan'], ['apply', '--yes', '--new', 'all'], ['record', 'list']]) {
    expect(await project.run(...command, '-e', 'one')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in files.*agentform record move --to git/),
    });
  }
  expect(server.takeLog()).toEqual([]);
  await project.write('.agentform/records/.DS_Store', 'left by a file manager');
  const before = [await project.read(place('one')), await project.read(place('two'))];
  expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({
    code: 0,
    stdout: 'one: 1 moved\ntwo: 1 moved\n',
  });
  expect(Object.keys(await remote.records())).toEqual([place('one'), place('two')]);
  expect(
    await remote.git(
      'show',
      `agentform-records:${pathOnBranch({ environment: 'one', kind: 'Agent', name: 'front-desk' })}`,
    ),
  ).toBe(before[0]?.trimEnd());
  expect(await remote.subjects()).toEqual(['Move to git: front-desk and front-desk']);
  expect(await movable.filesLeft()).toEqual(['local/Agent/front-desk.json', 'moved.json']);
  for (const environment of ['one', 'two', 'local']) {
    expect((await project.run('plan', '-e', environment)).stdout).toContain('No changes');
  }
  expect((await project.run('record', 'move', '--to', 'git')).stdout).toBe(
    'No records to move. The records of local always stay in files, because it uses the emulator.\n',
  );

  await project.edit('agentform.yaml', 'store: git', 'store: file');
  expect(await project.run('plan', '-e', 'one')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/records were moved to git on .*agentform record move --to file/),
  });
  expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({ code: 0 });
  expect((await project.run('plan', '-e', 'one')).stdout).toContain('No changes');
});
