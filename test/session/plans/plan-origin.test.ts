import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PlanFrom } from '../../../src/schemas/plan-types.ts';
import { planOriginOf } from '../../../src/session/plans/plan-origin.ts';

const now = () => new Date('2026-11-26T11:05:00Z');
const madeAt = '2026-11-26T11:05:00.000Z';
let root = '';
let outside = '';

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const originOf = (
  env: Record<string, string> = {},
  parts: { planFrom?: PlanFrom; name?: string; root?: string } = {},
) =>
  planOriginOf(
    { root: parts.root ?? root, name: parts.name },
    { host: { env, now }, planFrom: parts.planFrom, redact: (text) => text.replaceAll('s3cret', '***') },
  );

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-origin-'));
  outside = await mkdtemp(join(tmpdir(), 'agentform-origin-'));
  git('init', '-q', '-b', 'longer-hours');
  git('config', 'user.name', 'Mona\u001b[31m s3cret');
  git('config', 'user.email', 'mona@example.com');
  git('commit', '-q', '--allow-empty', '-m', 'Longer \u001b[31m hours s3cret', '-m', 'The clinic is open until 6 pm.');
});

afterAll(() => Promise.all([root, outside].map((folder) => rm(folder, { recursive: true }))));

test('A plan shows commit, subject, branch and author from git, without control characters and secrets.', async () => {
  expect(await originOf()).toEqual({
    madeAt,
    from: {
      commit: git('rev-parse', 'HEAD'),
      subject: 'Longer \\u001b[31m hours ***',
      branch: 'longer-hours',
      author: 'Mona\\u001b[31m ***',
    },
  });
});

test('A plan outside git only shows its time and the name of the project.', async () => {
  expect(await originOf({}, { root: outside })).toEqual({ madeAt });
  expect(await originOf({}, { root: outside, name: 'Elm Street' })).toEqual({
    madeAt,
    project: { name: 'Elm Street' },
  });
});

test('A plan names the repository as a web page without credentials, for any remote URL.', async () => {
  const project = { name: 'elm/agents', repository: 'https://git.example.com/elm/agents' };
  const remotes = [
    'git@git.example.com:elm/agents.git',
    'ssh://git@git.example.com:2222/elm/agents.git',
    'https://mona:s3cret@git.example.com/elm/agents.git/',
    'https://git.example.com/elm/agents',
  ];
  for (const remote of remotes) {
    git('config', 'remote.origin.url', remote);
    expect((await originOf()).project).toEqual(project);
  }
  expect((await originOf({}, { name: 'Elm Street' })).project).toEqual({ ...project, name: 'Elm Street' });
  for (const remote of ['/srv/agents.git', '../agents', 'file:///srv/agents', 'javascript:/alert(1)', '']) {
    git('config', 'remote.origin.url', remote);
    expect((await originOf()).project).toBeUndefined();
  }
});

test('A plan prefers facts of the caller, then of the pipeline, then of a detached checkout.', async () => {
  git('checkout', '-q', '--detach');
  expect((await originOf()).from?.branch).toBeUndefined();
  const github = {
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'elm/agents',
    GITHUB_RUN_ID: '991',
    GITHUB_REF: 'refs/heads/main',
  };
  expect(await originOf(github)).toMatchObject({
    project: { name: 'elm/agents', repository: 'https://git.example.com/elm/agents' },
    from: { branch: 'main', run: 'https://git.example.com/elm/agents/actions/runs/991' },
  });
  const gitlab = {
    CI_PROJECT_URL: 'https://gitlab.example.com/elm/agents',
    CI_COMMIT_REF_NAME: 'hours',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TITLE: 'Longer hours',
    CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example.com/elm/agents',
  };
  const pullRequest = {
    number: 7,
    title: 'Longer hours',
    url: 'https://gitlab.example.com/elm/agents/-/merge_requests/7',
  };
  expect((await originOf(gitlab)).from).toMatchObject({ branch: 'hours', pullRequest });
  const from = { commit: 'a'.repeat(40), branch: 'b', author: 'octo', pullRequest: { ...pullRequest, number: 12 } };
  expect((await originOf(github, { planFrom: from })).from).toMatchObject(from);
});

test('A plan shortens texts of other people to one line, and omits an address that is not a web page.', async () => {
  const long = `a\n\u202e${'b'.repeat(1000)}`;
  const pullRequest = { number: 1, title: long, url: 'https://git.example.com/1?token=s3cret' };
  const { from } = await originOf({}, { planFrom: { branch: long, author: long, commit: 'HEAD', pullRequest } });
  expect(from?.commit).toBeUndefined();
  expect(from?.pullRequest?.url).toBe('https://git.example.com/1');
  for (const text of [from?.branch, from?.author, from?.pullRequest?.title])
    expect(text).toMatch(/^a \\u202eb{80,295}…$/);
  const other = await originOf({}, { planFrom: { pullRequest: { ...pullRequest, url: 'javascript:alert(1)' } } });
  expect(other.from).not.toHaveProperty('pullRequest');
});
