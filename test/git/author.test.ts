import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { authorIn } from '../../src/git/repository.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { git, gitEnv } from '../support/git.ts';

let project: TestProject;
beforeEach(async () => {
  project = await testProject({}, gitEnv);
  await git(project.root, 'init', '--quiet');
});
afterEach(() => project.remove());

describe('the author of a commit', () => {
  const none = { name: 'agentform', email: 'agentform@localhost' };

  test('The author of a commit is the person who started the GitHub workflow.', async () => {
    expect(await authorIn(project.root, { GITHUB_ACTOR: 'octo', GIT_AUTHOR_NAME: 'Tess' })).toEqual({
      name: 'octo',
      email: 'octo@users.noreply.github.com',
    });
  });

  test('The author of a commit is the user who started the GitLab job.', async () => {
    const env = { GITLAB_USER_LOGIN: 'lab', GITLAB_USER_EMAIL: 'lab@example.com', GIT_AUTHOR_NAME: 'Tess' };
    expect(await authorIn(project.root, env)).toEqual({ name: 'lab', email: 'lab@example.com' });
    const { GITLAB_USER_EMAIL: _, ...withoutEmail } = env;
    expect(await authorIn(project.root, withoutEmail)).toEqual({ name: 'lab', email: none.email });
  });

  test('The author of a commit is otherwise the one that git knows, by its variables before its configuration.', async () => {
    await git(project.root, 'config', 'user.name', 'Conny');
    await git(project.root, 'config', 'user.email', 'conny@example.com');
    const conny = { name: 'Conny', email: 'conny@example.com' };
    expect(await authorIn(project.root, {})).toEqual(conny);
    expect(await authorIn(project.root, { GITHUB_ACTOR: '' })).toEqual(conny);
    expect(await authorIn(project.root, { GIT_AUTHOR_NAME: 'Tess' })).toEqual({ ...conny, name: 'Tess' });
    expect(await authorIn(project.root, { GIT_AUTHOR_EMAIL: 'tess@example.com' })).toEqual({
      ...conny,
      email: 'tess@example.com',
    });
    expect(await authorIn(project.root, { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' })).toEqual(none);
  });
});
