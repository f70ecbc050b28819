import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AppliedProject, appliedProject, change, env, expectRefused, files } from '../e2e/older-project.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, commit, commitAll, git, pushedProject } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let applied: AppliedProject;
let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;
let startOver: () => Promise<void>;
const remotes: BareRemote[] = [];
const others: TestProject[] = [];

beforeAll(async () => {
  applied = await appliedProject();
  ({ server, remote, project, startOver } = applied);
});
beforeEach(() => startOver());
afterAll(async () => {
  await Promise.all([applied, ...others, ...remotes].map((each) => each.remove()));
});

test('An older commit is refused before any request, until --allow-older, and a newer one is applied.', async () => {
  await change(project, 'Hello');
  await change(project, 'Hello again');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.takeLog();
  await git(project.root, 'checkout', '--quiet', 'HEAD~1');
  await expectRefused(server, project, /Agent\/front-desk was last applied from a newer version.*commit [0-9a-f]{12}/);
  expect(await project.run('apply', '--yes', '--new', 'all', '--allow-older')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello' }]);
  await git(project.root, 'checkout', '--quiet', 'main');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello again' }]);
});

test('An older commit is refused with records in files too, until --allow-older, unless the plan has no changes.', async () => {
  const inFiles = await projectInFiles();
  await change(inFiles, 'Hello');
  await change(inFiles, 'Hello again');
  expect(await inFiles.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.takeLog();
  await git(inFiles.root, 'checkout', '--quiet', 'HEAD~1');
  await expectRefused(server, inFiles, /Agent\/front-desk was last applied from a newer version.*commit [0-9a-f]{12}/);
  expect(await inFiles.run('plan', '--allow-older')).toMatchObject({ code: 0 });
  expect(await inFiles.run('apply', '--yes', '--new', 'all', '--allow-older')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello' }]);
  await git(inFiles.root, 'checkout', '--quiet', 'main');
  expect(await inFiles.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello again' }]);
  // A plan without changes is not refused.
  await git(inFiles.root, 'checkout', '--quiet', 'HEAD~1');
  await inFiles.edit('agents/front-desk.yaml', 'Hello', 'Hello again');
  expect(await inFiles.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toEqual([]);
});

test('A shallow clone fetches history until it finds the applied commit.', async () => {
  await emptyCommits(project, 105);
  await change(project, 'Hello');
  const shallow = await clone('--depth=1');
  expect(await shallow.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await shallow.run('plan')).toMatchObject({ code: 0 });
});

test('A shallow clone recognises an older commit without having the newer one.', async () => {
  const older = await git(project.root, 'rev-parse', 'HEAD');
  await git(remote.path, 'branch', 'old', older);
  await change(project, 'Hello');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  const shallow = await clone('--depth=1', '--branch=old');
  server.takeLog();
  await expectRefused(server, shallow, /a newer version/);
});

describe('an applied commit outside the history', () => {
  let startFromTopic: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await git(project.root, 'checkout', '--quiet', '-b', 'topic');
    await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
    await commitAll(project.root, 'topic');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    startFromTopic = await savedState(server, project.root, remote.path);
  });
  beforeEach(() => startFromTopic());

  test('A commit on an unmerged branch refuses the apply.', async () => {
    await git(project.root, 'push', '--quiet', 'origin', 'topic');
    const main = await clone('--branch=main', '--single-branch');
    await main.write('notes.txt', 'x');
    await commit(main, 'diverged');
    await expectRefused(server, main, /a version with other changes.*--allow-older/);
    await git(main.root, 'fetch', '--quiet', 'origin', 'topic');
    await git(main.root, 'merge', '--quiet', 'FETCH_HEAD');
    await main.edit('agents/front-desk.yaml', 'Hello', 'Good day');
    expect(await main.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  });

  test('A commit that was never pushed or was rewritten refuses the apply once, until it is overruled.', async () => {
    const main = await clone();
    await expectRefused(server, main, /a version that the project no longer has.*--allow-older/);
    expect(await main.run('apply', '--yes', '--new', 'all', '--allow-older')).toMatchObject({ code: 0 });
    await main.edit('agents/front-desk.yaml', 'Hi', 'Good day');
    expect(await main.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  });
});

test('Commits are not compared outside git and with the embedded emulator.', async () => {
  const emulated = await projectInFiles();
  await emulated.edit('agentform.yaml', /baseUrl: .*/, 'baseUrl: emulator');
  expect(await emulated.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await git(emulated.root, 'checkout', '--quiet', '--orphan', 'other');
  await git(emulated.root, 'commit', '--quiet', '--all', '--message', 'other');
  await emulated.edit('agents/front-desk.yaml', 'Hi', 'Hello');
  expect(await emulated.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
});

/** Makes empty commits with one git process. */
async function emptyCommits({ root }: TestProject, count: number): Promise<void> {
  const head = await git(root, 'rev-parse', 'HEAD');
  const commits = Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? `from ${head.trim()}\n` : '';
    return `commit refs/heads/main\ncommitter Tess <tess@example.com> now\ndata 1\nx\n${from}\n`;
  });
  const importing = promisify(execFile)('git', ['fast-import', '--quiet', '--date-format=now'], { cwd: root });
  importing.child.stdin?.end(commits.join(''));
  await importing;
}

/** Creates another project for another account, with records in files. */
async function projectInFiles(): Promise<TestProject> {
  const separate = await bareRemote();
  remotes.push(separate);
  const made = await pushedProject(separate, files(server, 'file'), { AGENT_TOKEN: 'token-2' });
  others.push(made);
  return made;
}

async function clone(...options: string[]): Promise<TestProject> {
  const made = await clonedProject(remote, env, options);
  others.push(made);
  return made;
}
