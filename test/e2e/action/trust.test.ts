import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { agentFile, agentToken, onPullRequest, onPush, scenario } from './scenario.ts';
import { asked, env, inputs, staging, twoHosts, useTwoHosts } from './two-hosts.ts';

useTwoHosts();

test('A pull request that swaps two hosts is planned offline, even if the workflow allows both, and drift refuses it.', async () => {
  const files = twoHosts([staging.baseUrl, scenario.service.baseUrl]);
  const [own, other] = [scenario.service.baseUrl, staging.baseUrl].map((url) => new URL(url).host);
  const head = await scenario.repository.commit('topic', files, scenario.base);
  const planned = { ...inputs, 'allowed-hosts': `${own} ${other}` };
  const { code, summary, outputs } = await onPullRequest(scenario, { inputs: planned, env, head });
  expect({ code, asked: asked(), digest: outputs['plan-path'] }).toEqual({ code: 0, asked: 0, digest: undefined });
  expect(summary).toContain(
    `Offline, because this change would send AGENT\\_TOKEN to ${other}, but the base commit sends AGENT\\_TOKEN to ${own}. ` +
      'An offline plan cannot approve an apply. First merge the environment with its host, then the changes that use it.',
  );
  expect(scenario.github.comments.map(({ body }) => body.includes('"approves"'))).toEqual([false]);
  const [comment = ''] = scenario.github.comments.map(({ body }) => body);
  expect(comment).toMatch(/^<!--.*-->\n### [^\n]*\n\nOffline, because this change would send AGENT/);
  expect(comment).not.toContain('record forget');
  const drift = await onPullRequest(scenario, { inputs: { ...inputs, command: 'drift' }, env, head });
  const reason = drift.outputs['failure-reason'];
  expect({ reason, asked: asked() }).toEqual({ reason: 'host-not-allowed', asked: 0 });
  expect(drift.log).toContain('drift needs the service, but this change would send AGENT_TOKEN');
});

test('A pull request that repairs agentform.yaml is planned offline against the commit before it broke.', async () => {
  const valid = scenario.base;
  scenario.base = await scenario.repository.commit('main', { 'agentform.yaml': 'manifests: [\n' }, valid);
  const repaired = { ...twoHosts(), 'agents/front-desk.yaml': agentFile('Reception') };
  const { code, summary, outputs } = await onPullRequest(scenario, { inputs, env, files: repaired });
  expect({ code, asked: asked(), update: outputs.update }).toEqual({ code: 0, asked: 0, update: '1' });
  expect(summary).toContain(
    'Offline, because agentform.yaml in the base commit has errors, so the hosts that may receive secrets are unknown. ' +
      'An offline plan cannot approve an apply. After a repair is merged, plans use the service again.',
  );
  expect(summary).toContain('| **Title** | Front desk | Reception |');
  expect(summary).toContain(`Compared with the files of commit ${valid.slice(0, 12)}`);
});

test('A pull request cannot send the token of production as the token of staging.', async () => {
  const files = twoHosts(undefined, ['AGENT_TOKEN', 'AGENT_TOKEN']);
  const { code, summary } = await onPullRequest(scenario, {
    inputs: { ...inputs, environment: 'staging' },
    env,
    files,
  });
  expect({ code, asked: asked() }).toEqual({ code: 0, asked: 0 });
  expect(summary).toContain('this change would send AGENT\\_TOKEN');
});

test('Drift sends nothing for the pull request of a fork that got secrets by mistake.', async () => {
  const files = twoHosts([staging.baseUrl, staging.baseUrl]);
  const fork = { headRepository: 'mallory/agents', eventName: 'pull_request_target' };
  const { outputs } = await onPullRequest(scenario, { inputs: { ...inputs, command: 'drift' }, env, files, ...fork });
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
});

test('On pull_request_target, the default branch decides about hosts, even if the base of the pull request has others.', async () => {
  const target = { inputs, env, eventName: 'pull_request_target', sha: scenario.base };
  expect((await onPullRequest(scenario, target)).summary).not.toContain('Offline');
  expect([scenario.service.takeLog().length, staging.takeLog().length]).toEqual([1, 0]);
  const files = twoHosts([staging.baseUrl, scenario.service.baseUrl]);
  scenario.base = await scenario.repository.commit('release', files, scenario.base);
  const { summary } = await onPullRequest(scenario, target);
  expect({ summary, asked: asked() }).toEqual({
    summary: expect.stringContaining('Offline, because this change would send AGENT\\_TOKEN'),
    asked: 0,
  });
});

test('A checkout without the head of the pull request is refused, so that no plan hides its changes.', async () => {
  const head = await scenario.repository.commit('topic', { 'agents/front-desk.yaml': agentFile('Hidden') });
  const checkout = { merge: scenario.base, eventName: 'pull_request_target' };
  const { code, log } = await onPullRequest(scenario, { inputs, env, head, ...checkout });
  expect({ code, asked: asked() }).toEqual({ code: 3, asked: 0 });
  expect(log).toContain('::error::pull request 7 is not checked out; run this job on the event pull_request');
  expect(scenario.github.comments[0]?.body).not.toContain('"approves"');
});

test('An untracked file is not read through a tracked link.', async () => {
  const files = { 'agents/front-desk.yaml': agentFile('{ file: ../notes.md }'), 'notes.md': { link: '.npmrc' } };
  const leftBehind = { '.npmrc': '//registry.example/:_authToken=npm_S3cret\n' };
  const { code, log, summary } = await onPullRequest(scenario, { inputs, env, files, leftBehind });
  const [comment] = scenario.github.comments;
  expect({ code, asked: asked() }).toEqual({ code: 1, asked: 0 });
  expect(log).toContain('is not tracked by git, and the action reads only tracked files; commit it, or run `git add`');
  for (const text of [log, summary, comment?.body]) expect(text).not.toContain('npm_S3cret');
});

test('A push refuses a manifest that git does not track.', async () => {
  const manifest = agentFile('T').replace('front-desk', 'other');
  const untracked = { leftBehind: { 'agents/other.yaml': manifest } };
  const { code, log } = await onPush(scenario, { commit: scenario.base, inputs, env, ...untracked });
  expect({ code, asked: asked() }).toEqual({ code: 1, asked: 0 });
  expect(log).toContain('the manifest is not tracked by git');
});

test('A project in a folder that becomes a link to another folder is refused.', async () => {
  const [north, south] = [twoHosts(), twoHosts([staging.baseUrl, staging.baseUrl])];
  const at = (folder: string, files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  scenario.base = await scenario.repository.commit('main', { ...at('north/desk', north), ...at('south/desk', south) });
  const run = { inputs: { ...inputs, project: 'north/desk' }, env, files: { north: { link: 'south' } } };
  const { outputs, log } = await onPullRequest(scenario, run);
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain('::error::north is a link, and the action does not follow links to a project');
});

test('A committed git repository in the project folder is ignored, so its config runs no program.', async () => {
  const project = Object.fromEntries(Object.entries(twoHosts()).map(([path, text]) => [`desk/${path}`, text]));
  scenario.base = await scenario.repository.commit('main', project);
  const proof = join(scenario.repository.remote, 'proof');
  const config = `[core]\n\tbare = false\n\tworktree = .\n\tsshCommand = touch ${proof}\n[remote "origin"]\n\turl = ssh://x.example/y\n`;
  const embedded = {
    'desk/HEAD': 'ref: refs/heads/main\n',
    'desk/config': config,
    'desk/objects/a': '',
    'desk/refs/a': '',
  };
  const { code, log } = await onPullRequest(scenario, { inputs: { ...inputs, project: 'desk' }, env, files: embedded });
  expect({ code, asked: asked() }).toEqual({ code: 3, asked: 0 });
  expect(log).toContain('cannot use bare repository');
  await expect(stat(proof)).rejects.toThrow('ENOENT');
});

test('An untracked record does not count before a merge.', async () => {
  const record = '.agentform/records/production/Agent/front-desk.json';
  const { outputs, log } = await onPullRequest(scenario, { inputs, env, leftBehind: { [record]: '{}' } });
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain(`the record ${record} is not tracked by git`);
});

test('An untracked record of the required environment does not count before a merge.', async () => {
  const requiring = twoHosts()['agentform.yaml'].replace('production: {', 'production: { requires: staging,');
  const record = '.agentform/records/staging/Agent/front-desk.json';
  const run = { inputs, env, files: { 'agentform.yaml': requiring }, leftBehind: { [record]: '{}' } };
  const { outputs, log } = await onPullRequest(scenario, run);
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain(`the record ${record} is not tracked by git`);
});

const stored = (branch: string, files = twoHosts()) => ({
  'agentform.yaml': `${files['agentform.yaml']}record: { store: git, branch: ${branch} }\n`,
});

test('A pull request cannot have records read from another place before it is merged.', async () => {
  const { outputs, log } = await onPullRequest(scenario, { inputs, env, files: stored('topic-records') });
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain(
    'this change sets record.store to git, but until it is merged, records are read only from files; first merge the change to record.store separately',
  );
});

test('Records cannot be kept on the branch of the project.', async () => {
  const commit = await scenario.repository.commit('main', stored('main'), scenario.base);
  const { outputs, log } = await onPush(scenario, { commit, inputs, env });
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain('record.branch is main, a branch of the project itself');
});

test('A secret that a pull request no longer refers to is shown nowhere, even if the service still has it.', async () => {
  const title = 'S3cret-title-value';
  const named = { secrets: 'AGENT_TOKEN STAGING_TOKEN TITLE' };
  const withTitle = { ...env, TITLE: title };
  const files = { ...twoHosts(), 'agents/front-desk.yaml': agentFile('"${secret.TITLE}"') };
  const commit = await scenario.repository.commit('main', files, scenario.base);
  expect(await onPush(scenario, { commit, inputs: named, env: withTitle })).toMatchObject({ code: 0 });
  scenario.base = commit;
  const reader = twoHosts()['agents/front-desk.yaml'].replace('name: front-desk', 'name: reader');
  const run = {
    inputs: named,
    env: withTitle,
    files: { 'agents/front-desk.yaml': null, 'agents/reader.yaml': reader },
  };
  const { summary, planFile } = await onPullRequest(scenario, run);
  expect(scenario.service.agentOf(agentToken)?.settings.title).toBe(title);
  for (const text of [summary, planFile, scenario.github.comments.at(-1)?.body]) {
    expect(text).toMatch(/settings\.title|\*\*Title\*\*/);
    expect(text).not.toContain(title);
  }
});

test('The URL of the record database is sent to no service, whatever a pull request asks for.', async () => {
  const { 'agentform.yaml': project, 'agents/front-desk.yaml': desk } = twoHosts();
  const database = 'record: { store: postgres, url: "${secret.RECORDS_URL}" }\n';
  scenario.base = await scenario.repository.commit(
    'main',
    { 'agentform.yaml': `${project}${database}` },
    scenario.base,
  );
  const { summary } = await onPullRequest(scenario, {
    inputs: { secrets: `${inputs.secrets} RECORDS_URL` },
    env: { ...env, RECORDS_URL: 'postgres://agents:S3cret@127.0.0.1:9/records' },
    files: { 'agents/front-desk.yaml': desk.replace('Front desk', 'Desk ${secret.RECORDS_URL}') },
  });
  expect(summary).toContain('Offline, because this change would send RECORDS\\_URL to');
  expect(summary).toContain('to the record store');
  expect(asked()).toBe(0);
});
