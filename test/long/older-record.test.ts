import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sentencesOf } from '../../src/report/notices.ts';
import {
  type CommittedProject,
  committedProject,
  edits,
  env,
  files,
  holdAndEdit,
  manifest,
  record,
} from '../e2e/committed-project.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, clonedProject, commit, git } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let committed: CommittedProject;
let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;
let planned: CommittedProject['planned'];
let startOver: () => Promise<void>;

beforeAll(async () => {
  committed = await committedProject();
  ({ server, remote, project, planned } = committed);
  startOver = await committed.save();
});
beforeEach(() => startOver());
afterAll(() => committed.remove());

test('A revert of manifests and records is not noticed in a shallow clone.', async () => {
  await git(project.root, 'revert', '--no-edit', 'HEAD');
  await git(project.root, 'push', '--quiet', 'origin', 'HEAD:main');
  const shallow = await clonedProject(remote, env, ['--depth=1']);
  try {
    expect(await planned('--project', shallow.root)).toMatchObject([{ action: 'update' }]);
  } finally {
    await shallow.remove();
  }
  const [resource] = await planned('--allow-older');
  expect(resource?.changes.map(({ path, cause }) => [path, cause])).toEqual([
    ['settings.description', 'unverified'],
    ['settings.welcomeMessage', 'drift'],
  ]);
  expect(await project.run('apply', '--yes', '--new', 'all', '--allow-older')).toMatchObject({ code: 0 });
  await commit(project, 'applied');
  expect((await planned())[0]).toMatchObject({ action: 'none' });
});

test('A revert of a hold blocks the held resource, until unhold releases it.', async () => {
  await holdAndEdit(project);
  await git(project.root, 'checkout', '--quiet', 'HEAD~1', '--', '.agentform');
  server.takeLog();
  const refused = await project.run('apply', '--yes', '--new', 'all');
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('a hold that the current record lost'),
  });
  expect(server.takeWrites()).toEqual([]);
  await git(project.root, 'checkout', '--quiet', 'HEAD', '--', '.agentform');
  expect(spoken((await planned())[0]?.reasons)).toEqual([expect.stringMatching(/^on hold by .*: demo/)]);
  expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
  expect((await project.run('unhold', 'front-desk')).stdout).toContain('Nothing to release');
  expect((await planned())[0]).toMatchObject({ action: 'update' });
  await commit(project, 'released');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit(project, 'applied');
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

  test.each(edits)(
    'Record adopt and forget are refused after %s of the record, and history still has the hold.',
    async (_what, edited) => {
      const members: Record<string, unknown> = JSON.parse(await project.read(record));
      await project.write(record, JSON.stringify(edited(members)));
      await commit(project, 'edited');
      for (const command of [['adopt'], ['forget', '--yes']]) {
        const refused = await project.run('record', ...command, 'Agent/front-desk');
        expect(refused).toMatchObject({
          code: 3,
          stderr: expect.stringMatching(/the hold was deleted from the files\..*git checkout/),
        });
        const [, restore = ''] = /`(git checkout [^`]*)`/.exec(refused.stderr) ?? [];
        expect(restore).toContain(record);
      }
      expect(JSON.parse(await project.read(record))).toEqual(edited(members));
      const { stdout, stderr } = await project.run('history', 'front-desk');
      expect(stdout).toContain('put on hold (demo)');
      expect(stderr.includes('was edited outside agentform')).toBe('hmac' in JSON.parse(await project.read(record)));
    },
  );

  test('A resource stays blocked if one commit removes its record, renames its manifest and sets its id.', async () => {
    const { id = '' } = JSON.parse(await project.read(record)) as { id?: string };
    await git(project.root, 'rm', '--quiet', record);
    const lost = /Agent\/front-desk was on hold, and the hold was deleted from the files\. .*git checkout/;
    expect(spoken(await planned())).toMatchObject([{ action: 'blocked', reasons: [expect.stringMatching(lost)] }]);
    await git(project.root, 'mv', '--force', manifest, 'agents/new.yaml');
    await project.edit('agents/new.yaml', 'name: front-desk', `name: new\ntarget: { agentId: ${id} }`);
    await commit(project, 'renamed');
    expect(spoken(await planned())).toMatchObject([{ action: 'blocked', reasons: [expect.stringMatching(lost)] }]);
    expect(await project.run('record', 'adopt', 'Agent/new')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(lost),
    });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(server.takeWrites()).toEqual([]);
    const [, restore = ''] = /`(git checkout [^`]*)`/.exec(messageOf((await planned())[0] ?? {})) ?? [];
    await git(project.root, ...restore.split(' ').slice(1));
    expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
    expect(await project.run('record', 'rename', 'front-desk', 'new')).toMatchObject({ code: 0 });
    expect(await planned()).toMatchObject([{ action: 'update' }]);
  });

  test('A record that was edited after a release can be adopted, or restored by the command of the reason.', async () => {
    expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
    await commit(project, 'released');
    const text = await project.read(record);
    await project.write(record, text.replace('"Hello"', '"Changed"'));
    await commit(project, 'edited');
    const [resource] = await planned();
    const [, restore = ''] = /`(git checkout [^`]*)`/.exec(messageOf(resource ?? {})) ?? [];
    await git(project.root, ...restore.split(' ').slice(1));
    expect(await project.read(record)).toBe(text);
    expect(await planned()).toMatchObject([{ action: 'update' }]);
    await git(project.root, 'checkout', '--quiet', 'HEAD', '--', record);
    expect(await project.run('record', 'adopt', 'Agent/front-desk')).toMatchObject({ code: 0 });
    await commit(project, 'adopted');
    const { stdout, stderr } = await project.run('history', 'front-desk');
    for (const label of ['adopted', 'edited outside agentform', 'released', 'put on hold (demo)']) {
      expect(stdout + stderr).toContain(label);
    }
  });

  test('A removed record with a hold blocks until it is restored and released, or --allow-older is given.', async () => {
    await git(project.root, 'rm', '--quiet', record);
    await commit(project, 'removed');
    const [, id = ''] = /"id": "([^"]*)"/.exec(await git(project.root, 'show', `HEAD~1:${record}`)) ?? [];
    expect(await project.run('record', 'adopt', 'Agent/front-desk', id)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the hold was deleted from the files\. Commit [0-9a-f]{12} still has it/),
    });
    const [resource] = await planned();
    expect(spoken(resource)).toMatchObject({
      action: 'blocked',
      reasons: [expect.stringContaining(' was on hold, and the hold was deleted')],
    });
    expect(await planned('--allow-older')).toMatchObject([{ action: 'create' }]);
    const [, restore = ''] = /`(git checkout [^`]*)`/.exec(messageOf(resource ?? {})) ?? [];
    expect(await project.run('unhold', 'front-desk')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`first run \`${restore}\``),
    });
    await git(project.root, ...restore.split(' ').slice(1));
    expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
    expect(await planned()).toMatchObject([{ action: 'update' }]);
  });
});

test('A checkout of an older commit causes a warning that names the newer record.', async () => {
  await git(project.root, 'checkout', '--quiet', 'HEAD~1');
  expect(spoken(await planned())).toMatchObject([
    { warnings: [expect.stringMatching(/newer version was applied from another branch\..*`git checkout/)] },
  ]);
});

test('A create warns of a record that a commit removed, unless the record was renamed.', async () => {
  await project.write('agents/other.yaml', files(server)[manifest]?.replace('front-desk', 'other') ?? '');
  await project.edit('agents/other.yaml', 'name: other', 'name: other\ntarget: { query: { targetAccountId: "2" } }');
  await project.run('record', 'rename', 'front-desk', 'other');
  await commit(project, 'renamed');
  expect(sentencesOf((await planned())[0]?.warnings ?? []).join()).not.toContain('git checkout');
  await git(project.root, 'rm', '--quiet', '-r', '.agentform/records/test/Agent');
  await commit(project, 'removed');
  const [first, second] = await planned();
  expect(first).toMatchObject({ action: 'create' });
  expect(sentencesOf(second?.warnings ?? []).join()).toMatch(
    /taken out of the project\. If the agent still exists, first run `git checkout [0-9a-f]{12} -- \S+other\.json`/,
  );
});
