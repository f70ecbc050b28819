import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ActionResult, runAction } from '../../support/action.ts';
import { git } from '../../support/git.ts';
import { type GitHttp, startGitHttp } from '../../support/git-http.ts';
import { githubToken } from '../../support/github-server.ts';
import {
  agentFile,
  agentToken,
  onPullRequest,
  onPush,
  originAt,
  projectFiles,
  scenario,
  useScenario,
} from './scenario.ts';

useScenario();

describe('a checkout without credentials', () => {
  let http: GitHttp;
  let workspace: string;
  let commit: string;

  beforeEach(async () => {
    http = await startGitHttp(scenario.repository.remote, githubToken);
    const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
    commit = await scenario.repository.commit('main', { 'agentform.yaml': `${project}record: { store: git }\n` });
    workspace = await scenario.repository.checkout(commit);
    await originAt(workspace, http.url);
  });
  afterEach(() => http.close());

  function apply(inputs: Readonly<Record<string, string>> = {}, server = http.url): Promise<ActionResult> {
    return runAction({
      workspace,
      apiUrl: scenario.github.url,
      inputs: { command: 'apply', new: 'all', secrets: 'AGENT_TOKEN', ...inputs },
      env: { AGENT_TOKEN: agentToken, GITHUB_SERVER_URL: server, GITHUB_REF: 'refs/heads/main' },
      event: { name: 'push', payload: { ref: 'refs/heads/main', after: commit }, sha: commit },
    });
  }

  test('A checkout without credentials gets the token, also for the records.', async () => {
    const { code, log } = await apply();
    const sent = Buffer.from(`x-access-token:${githubToken}`).toString('base64');
    expect({ code, log }).toEqual({ code: 0, log: expect.not.stringContaining(sent) });
    expect(http.authorizations()).toEqual([`basic ${sent}`]);
    expect(await git(scenario.repository.remote, 'ls-tree', '-r', '--name-only', 'agentform-records')).toContain(
      '/front-desk.json',
    );
    expect(await git(workspace, 'config', '--list', '--local')).not.toContain('extraheader');
  });

  test('A checkout without credentials does not get the token for a server other than GitHub.', async () => {
    const { code } = await apply({}, 'https://github.example');
    expect({ code, sent: http.authorizations() }).toEqual({ code: 1, sent: [] });
  });

  test('A checkout without credentials names the remedy if there is no token.', async () => {
    const { code, log } = await apply({ token: '' });
    expect({ code, log }).toEqual({
      code: 1,
      log: expect.stringContaining(
        'git has no credentials for the remote. Run `gh auth setup-git`, or set the action input token in a workflow',
      ),
    });
    expect(scenario.service.takeWrites()).toEqual([]);
  });

  test('A checkout with credentials keeps them.', async () => {
    const own = Buffer.from('x-access-token:of-the-checkout').toString('base64');
    await git(workspace, 'config', `http.${http.url}/.extraheader`, `AUTHORIZATION: basic ${own}`);
    await apply();
    expect(http.authorizations()).toEqual([`basic ${own}`]);
  });
});

test('A checkout of another user can be read.', async () => {
  const env = { AGENT_TOKEN: agentToken, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  expect(await onPush(scenario, { commit: scenario.base, env })).toMatchObject({ code: 0, outputs: { create: '1' } });
});

test('The base is read without the filters that its attributes name.', async () => {
  scenario.base = await scenario.repository.commit('main', { '.gitattributes': '*.yaml filter=shout\n' });
  const env = {
    AGENT_TOKEN: '',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'filter.shout.smudge',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'filter.shout.required',
    GIT_CONFIG_VALUE_1: 'true',
  };
  const files = { 'agents/front-desk.yaml': agentFile('Reception') };
  const { code, summary } = await onPullRequest(scenario, { env, files });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('1 agent changes') });
  expect(summary).toContain('Plans from this job cannot be approved, because the job has no secrets.');
});
