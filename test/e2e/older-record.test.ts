import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { commit, git } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { messageOf, spoken, told } from '../support/notices.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type CommittedProject, committedProject, edits, holdAndEdit, record } from './committed-project.ts';

shareProcess();

let committed: CommittedProject;
let server: IndependentServer;
let project: TestProject;
let planned: CommittedProject['planned'];
let startOver: () => Promise<void>;

beforeAll(async () => {
  committed = await committedProject();
  ({ server, project, planned } = committed);
  startOver = await committed.save();
});
beforeEach(() => startOver());
afterAll(() => committed.remove());

test('A revert of manifests and records blocks the resource, until the command of the reason is run.', async () => {
  await git(project.root, 'revert', '--no-edit', 'HEAD');
  server.takeLog();
  const [resource] = await planned();
  expect(resource && told(resource)).toMatchObject({
    action: 'blocked',
    reasons: [expect.stringMatching(/Commit [0-9a-f]{12} has a newer record\..*--allow-older/)],
  });
  const [, restore = ''] = /`(git checkout [^`]*)`/.exec(messageOf(resource ?? {})) ?? [];
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(restore),
  });
  expect(await project.run('drift')).toMatchObject({ stdout: expect.stringContaining(restore) });
  expect(server.takeWrites()).toEqual([]);
  await git(project.root, ...restore.split(' ').slice(1));
  expect((await planned())[0]?.changes).toMatchObject([
    { op: 'set', path: 'settings.welcomeMessage', cause: 'manifest' },
    { op: 'unset', path: 'settings.speakingTimeout', cause: 'manifest' },
  ]);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hi' }]);
  await commit(project, 'reverted');
  expect((await planned())[0]).toMatchObject({ action: 'none' });
});

describe('a hold that a commit removes', () => {
  let startHeld: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await holdAndEdit(project);
    startHeld = await committed.save();
  });
  beforeEach(() => startHeld());

  test.each(edits)('A resource is blocked after %s of the record.', async (_what, edited, reason) => {
    const members: Record<string, unknown> = JSON.parse(await project.read(record));
    await project.write(record, JSON.stringify(edited(members)));
    await commit(project, 'edited');
    expect(spoken(await planned())).toMatchObject([{ action: 'blocked', reasons: [expect.stringMatching(reason)] }]);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 3 });
    expect(server.takeWrites()).toEqual([]);
    const refused = await project.run('record', 'adopt', 'Agent/front-desk');
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the hold was deleted from the files\..*git checkout/),
    });
    expect(JSON.parse(await project.read(record))).toEqual(edited(members));
  });
});
