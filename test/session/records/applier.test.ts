import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { applierIn } from '../../../src/session/records/applier.ts';
import { type TestProject, testProject } from '../../support/cli.ts';
import { commitAll, git, gitEnv, initRepository } from '../../support/git.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject({ 'a.txt': 'a' }, gitEnv);
});
afterEach(() => project.remove());

/** Makes a commit with this message. */
async function committed(message: string): Promise<string> {
  initRepository(project.root);
  return commitAll(project.root, message);
}

describe('the person who applies', () => {
  test('The applier is unknown without git, a pipeline and a name.', async () => {
    expect(await applierIn(project.root, { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' })).toEqual({});
  });

  test('The applier at a terminal is the user of git, with the current commit.', async () => {
    const commit = await committed('First');
    await git(project.root, 'config', 'user.name', 'Conny');
    expect(await applierIn(project.root, {})).toEqual({ by: 'Conny', commit });
  });

  const github = {
    GITHUB_ACTOR: 'octo',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'acme/agents',
    GITHUB_RUN_ID: '42',
  };

  test.each<[string, Record<string, string>, { readonly pullRequest?: number; readonly run: string }]>([
    ['the first attempt', { GITHUB_RUN_ATTEMPT: '1' }, { run: '/actions/runs/42' }],
    ['another attempt', { GITHUB_RUN_ATTEMPT: '3' }, { run: '/actions/runs/42/attempts/3' }],
    ['a pull request', { GITHUB_REF: 'refs/pull/7/merge' }, { pullRequest: 7, run: '/actions/runs/42' }],
    ['a branch of that name', { GITHUB_REF: 'refs/heads/pull/7/x' }, { run: '/actions/runs/42' }],
  ])(
    'The applier in a GitHub workflow is its actor, with a page of the run: %s',
    async (_what, env, { run, ...expected }) => {
      const commit = await committed('First (#12)');
      const page = `https://github.example/acme/agents${run}`;
      expect(await applierIn(project.root, { ...github, ...env })).toEqual({
        by: 'octo',
        commit,
        run: page,
        ...expected,
      });
    },
  );

  test('The applier in a GitLab job is its user, with a page and a merge request.', async () => {
    const commit = await committed('First');
    const run = 'https://gitlab.example/acme/agents/-/jobs/9';
    const env = { GITLAB_USER_LOGIN: 'lab', CI_JOB_URL: `${run}?x=1#l`, CI_MERGE_REQUEST_IID: '5' };
    expect(await applierIn(project.root, env)).toEqual({ by: 'lab', commit, pullRequest: 5, run });
  });

  test.each([
    ['Merge pull request #12 from acme/topic\n\nA title', 12],
    ["Merge branch 'topic' into 'main'\n\nA title\n\nSee merge request acme/agents!34", 34],
    ['A title (#56)', undefined],
    ['Revert "Merge pull request #12 from acme/topic"', undefined],
    ['Merge pull request #0 from acme/topic', undefined],
  ])('The pull request in the message %j is recorded with the apply.', async (message, pullRequest) => {
    await committed(message);
    expect((await applierIn(project.root, {})).pullRequest).toBe(pullRequest);
  });

  test('A known pull request wins over one in a message.', async () => {
    await committed('Merge pull request #12 from acme/topic');
    expect((await applierIn(project.root, {}, { pullRequest: 99 })).pullRequest).toBe(99);
  });

  test.each(['javascript:alert(1)', 'not a url', 'file:///etc/passwd', ''])(
    'The address %j is refused as the page of a run.',
    async (url) => {
      await committed('First');
      expect(await applierIn(project.root, { GITLAB_USER_LOGIN: 'lab', CI_JOB_URL: url })).not.toHaveProperty('run');
    },
  );

  test('The page of a run has no credentials.', async () => {
    await committed('First');
    const env = { GITLAB_USER_LOGIN: 'lab', CI_JOB_URL: 'https://user:hunter2@gitlab.example/jobs/9' };
    expect((await applierIn(project.root, env)).run).toBe('https://gitlab.example/jobs/9');
  });
});
