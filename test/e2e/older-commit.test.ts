import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, clonedProject, commit, commitAll, git } from '../support/git.ts';
import type { IndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type AppliedProject, appliedProject, change, env, expectRefused } from './older-project.ts';

shareProcess();

let applied: AppliedProject;
let server: IndependentServer;
let remote: BareRemote;
let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  applied = await appliedProject();
  ({ server, remote, project, startOver } = applied);
});
beforeEach(() => startOver());
afterAll(async () => {
  await applied.remove();
});

test('An older commit is refused before any request.', async () => {
  await change(project, 'Hello');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.takeLog();
  await git(project.root, 'checkout', '--quiet', 'HEAD~1');
  await expectRefused(server, project, /Agent\/front-desk was last applied from a newer version.*commit [0-9a-f]{12}/);
});

test('A commit on another branch refuses the apply until it is squashed, and shows no password of the remote.', async () => {
  await git(project.root, 'checkout', '--quiet', '-b', 'topic');
  await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
  await commitAll(project.root, 'topic');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await git(project.root, 'push', '--quiet', 'origin', 'topic');
  server.takeLog();
  const main = await clonedProject(remote, env, ['--branch=main', '--single-branch']);
  try {
    await main.write('notes.txt', 'x');
    await commit(main, 'diverged');
    const origin = await git(main.root, 'remote', 'get-url', 'origin');
    const projectFile = await main.read('agentform.yaml');
    await main.edit('agentform.yaml', 'store: git', `store: git, remote: "file://${remote.path}"`);
    await git(main.root, 'remote', 'set-url', 'origin', 'https://me:hunter2@127.0.0.1:1/x.git');
    await expectRefused(server, main, /could not fetch more history: /);
    await main.write('agentform.yaml', projectFile);
    await git(main.root, 'remote', 'set-url', 'origin', origin.trim());
    await expectRefused(server, main, /a version with other changes.*--allow-older/);
    await git(main.root, 'fetch', '--quiet', 'origin', 'topic');
    await git(main.root, 'merge', '--quiet', '--squash', 'FETCH_HEAD');
    await commit(main, 'squashed');
    await main.edit('agents/front-desk.yaml', 'Hello', 'Good day');
    expect(await main.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  } finally {
    await main.remove();
  }
});
