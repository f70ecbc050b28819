import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sourcesInHistory } from '../../../src/session/base/ancestry.ts';
import { type TestProject, testProject } from '../../support/cli.ts';
import { git, gitEnv, tracedGit } from '../../support/git.ts';
import { runShell } from '../../support/shell.ts';

let repository: TestProject;

beforeEach(async () => {
  repository = await testProject({ 'one.yaml': '1' }, gitEnv);
  await run('init', '--quiet', '--initial-branch=main');
  await run('add', '--all');
  await run('commit', '--quiet', '--message', 'first');
});
afterEach(() => repository.remove());

test('Of many commits on another branch, a limited number is compared, and all others stay unanswered.', async () => {
  const commits = await commitsAside(103);
  const sources = await sourcesInHistory(repository.root, commits);
  const relations = commits.map((commit) => sources.get(commit)?.relation);
  expect(relations).toEqual(commits.map((_, at) => (at < 100 ? 'diverged' : 'unanswered')));
  expect(sources.get(commits[102] ?? '')?.problem).toBe('agentform compares at most 100 commits outside the history');
});

test('Of many commits that the remote lacks, only a limited number is fetched.', async () => {
  await run('clone', '--quiet', '--bare', '.', 'remote.git');
  await run('remote', 'add', 'origin', 'remote.git');
  const commits = Array.from({ length: 300 }, (_, at) => String(at).padStart(40, '0'));
  const { result: sources, starts } = await tracedGit(() => sourcesInHistory(repository.root, commits));
  expect(new Set(commits.map((commit) => sources.get(commit)?.relation))).toEqual(new Set(['unknown']));
  expect(starts.filter(isFetch)).toHaveLength(21);
});

test('Nothing more is fetched after a fetch that failed.', async () => {
  await run('remote', 'add', 'origin', 'missing.git');
  const commits = Array.from({ length: 30 }, (_, at) => String(at).padStart(40, '0'));
  const { result: sources, starts } = await tracedGit(() => sourcesInHistory(repository.root, commits));
  expect(sources.get(commits[29] ?? '')?.problem).toMatch(/^could not fetch more history: /);
  expect(starts.filter(isFetch)).toHaveLength(1);
});

/** Whether a git process is a fetch that agentform started, not a child process of that fetch. */
function isFetch(start: string): boolean {
  return start.includes('"fetch","--quiet"');
}

/** Creates commits on another branch, each with its own content, and a commit on main beside them. */
async function commitsAside(count: number): Promise<readonly string[]> {
  const commits = Array.from({ length: count }, (_, at) =>
    [
      'commit refs/heads/aside',
      `committer T <t@example.com> ${1_800_000_000 + at} +0000`,
      'data 1\nc',
      ...(at === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline one.yaml\ndata ${String(at + 10).length}\n${at + 10}`,
    ].join('\n'),
  );
  await repository.write('stream', `${commits.join('\n')}\n`);
  await runShell('git fast-import --quiet < stream', { cwd: repository.root, env: gitEnv });
  await run('commit', '--quiet', '--allow-empty', '--message', 'beside');
  return (await run('rev-list', '--reverse', 'main..aside')).split('\n').filter((line) => line !== '');
}

function run(...args: string[]): Promise<string> {
  return git(repository.root, ...args);
}
