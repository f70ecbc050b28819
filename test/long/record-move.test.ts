import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pathOnBranch } from '../../src/record/record-text.ts';
import { env, expectHistory, type MovableProject, movableProject, place } from '../e2e/movable-project.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, clonedProject, git } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

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

describe('record move', () => {
  let startApplied: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await movable.applyAll();
    startApplied = await movable.save();
  });
  beforeEach(() => startApplied());

  test('Record move to file and back keeps the same records, and the branch keeps its history.', async () => {
    await movable.useGit();
    await project.run('record', 'move', '--to', 'git');
    const records = await remote.records();
    const back = await project.run('record', 'move', '--to', 'file');
    expect(back).toMatchObject({ code: 0, stderr: expect.stringContaining('store: file') });
    expect(Object.keys(await remote.records())).toEqual(['.agentform/records/moved.json']);
    expect(JSON.parse(await project.read(place('one')))).toEqual(records[place('one')]);
    await project.edit('agentform.yaml', 'store: git', 'store: file');
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('No changes');
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /no other store with records was found; name the store to move from with --from git or --from postgres/,
      ),
    });
    await movable.useGit();
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({ code: 0 });
    expect(await remote.records()).toEqual(records);
    expect(await remote.subjects()).toEqual([
      'Move to git: front-desk and front-desk',
      'Moved to file',
      'Move to file: front-desk and front-desk',
      'Move to git: front-desk and front-desk',
      'Move back',
    ]);
  });

  test('Record move to file is required, because every agent would count as new without records.', async () => {
    await movable.useGit();
    await project.run('record', 'move', '--to', 'git');
    await project.edit('agentform.yaml', 'store: git', 'store: file');
    server.takeLog();
    for (const command of [['plan'], ['apply', '--yes', '--new', 'all'], ['record', 'list']]) {
      expect(await project.run(...command, '-e', 'one')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/records were moved to git on .*agentform record move --to file/),
      });
    }
    expect(server.takeLog()).toEqual([]);
    expect((await project.run('plan', '-e', 'local')).stdout).toContain('No changes');
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({ code: 0 });
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('No changes');
    expect(await project.run('record', 'forget', '--yes', 'front-desk', '-e', 'one')).toMatchObject({ code: 0 });
    expect((await project.run('plan', '-e', 'one')).stdout).toContain('1 left out without an answer');
  });

  test('An interrupted record move can be repeated, but does not overwrite another record.', async () => {
    const text = await project.read(place('one'));
    await movable.useGit();
    await project.run('record', 'move', '--to', 'git');
    await mkdir(join(project.root, '.agentform/records/one/Agent'), { recursive: true });
    await writeFile(join(project.root, place('one')), text);
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({ code: 0, stdout: 'one: 1 moved\n' });
    expect(await movable.filesLeft()).toEqual(['local/Agent/front-desk.json', 'moved.json']);
    expect(await remote.subjects()).toHaveLength(1);

    await mkdir(join(project.root, '.agentform/records/one/Agent'), { recursive: true });
    await writeFile(join(project.root, place('one')), text.replace('"T"', '"U"'));
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /the stores git and file have different records of Agent\/front-desk in one\. Nothing was moved\. To keep the record in file, run `agentform record forget Agent\/front-desk -e one`\. To keep the record in git, delete \.agentform\/records\/one\/Agent\/front-desk\.json\. Then run the move again.*record-exists/,
      ),
    });
    expect(await project.read(place('one'))).toContain('"U"');
    expect(
      await remote.git(
        'show',
        `agentform-records:${pathOnBranch({ environment: 'one', kind: 'Agent', name: 'front-desk' })}`,
      ),
    ).toContain('"T"');
    expect(await project.run('record', 'forget', '--yes', 'Agent/front-desk', '-e', 'one')).toMatchObject({ code: 0 });
    expect(await project.run('record', 'move', '--to', 'git')).toMatchObject({ code: 0, stdout: 'one: 1 moved\n' });
  });
});

test('Record history and show report what was applied, when, by whom and from which commit in files.', async () => {
  await expectHistory(project);
});

test('Record history and show report what was applied, when, by whom and from which commit in the git store.', async () => {
  await movable.useGit();
  await expectHistory(project);
});

describe('records in the git store', () => {
  let startApplied: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await movable.useGit();
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'one')).toMatchObject({ code: 0 });
    startApplied = await movable.save();
  });
  beforeEach(() => startApplied());

  test('Record show reports a missing commit or record.', async () => {
    const from = await git(project.root, 'rev-parse', 'HEAD');
    for (const [address, message] of [
      ['front-desk@nonsense', /it is not a commit id; run `agentform history Agent\/front-desk -e \w+`/],
      ['front-desk@0123456789', /no record at "0123456789": the repository does not have this commit/],
      [`front-desk@${from}`, /has no record of front-desk/],
      ['back-desk', /back-desk has no record in the environment one; the environment has Agent\/front-desk/],
    ] as const) {
      expect(await project.run('record', 'show', '-e', 'one', address)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(message),
      });
    }
  });

  test('The commands record forget, rename and adopt are shared, each with its own message.', async () => {
    for (const command of [
      ['rename', 'front-desk', 'back-desk'],
      ['forget', '--yes', 'back-desk'],
      ['adopt', 'front-desk', 'agent-1'],
    ]) {
      expect(await project.run('record', ...command, '-e', 'one')).toMatchObject({ code: 0 });
    }
    expect((await remote.subjects()).slice(2)).toEqual([
      'Rename in one: back-desk and front-desk',
      'Forget in one: back-desk',
      'Adopt in one: front-desk',
    ]);
    const other = await clonedProject(remote, env);
    await other.edit('agentform.yaml', 'store: file', 'store: git');
    expect((await other.run('record', 'list', '-e', 'one')).stdout).toMatch(/Agent\/front-desk +agent-1/);
    await other.remove();
  });
});
