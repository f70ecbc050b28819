import { expect, test } from '@jest/globals';
import { agentFile, onPullRequest, scenario } from '../../e2e/action/scenario.ts';
import { asked, env, inputs, staging, twoHosts, useTwoHosts } from '../../e2e/action/two-hosts.ts';

useTwoHosts();

test('A pull request that changes no host is planned with the service.', async () => {
  const { log } = await onPullRequest(scenario, { inputs, env });
  expect(log).not.toContain('Offline');
  expect([scenario.service.takeLog().length, staging.takeLog().length]).toEqual([1, 0]);
});

test('Drift sends nothing for a pull request that repairs agentform.yaml.', async () => {
  scenario.base = await scenario.repository.commit('main', { 'agentform.yaml': 'manifests: [\n' }, scenario.base);
  const drift = await onPullRequest(scenario, { inputs: { ...inputs, command: 'drift' }, env, files: twoHosts() });
  expect({ reason: drift.outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'host-not-allowed', asked: 0 });
});

test('On pull_request, a checkout without the head of the pull request is refused.', async () => {
  const head = await scenario.repository.commit('topic', { 'agents/front-desk.yaml': agentFile('Hidden') });
  const { code, log } = await onPullRequest(scenario, { inputs, env, head, merge: scenario.base });
  expect({ code, asked: asked() }).toEqual({ code: 3, asked: 0 });
  expect(log).toContain('::error::pull request 7 is not checked out; run this job on the event pull_request');
  expect(scenario.github.comments[0]?.body).not.toContain('"approves"');
});

test('A project folder that becomes a link to another project is refused.', async () => {
  const [desk, other] = [twoHosts(), twoHosts([staging.baseUrl, staging.baseUrl])];
  const at = (folder: string, files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  scenario.base = await scenario.repository.commit('main', { ...at('desk', desk), ...at('other', other) });
  const run = { inputs: { ...inputs, project: 'desk' }, env, files: { desk: { link: 'other' } } };
  const { outputs, log } = await onPullRequest(scenario, run);
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain('::error::desk is a link, and the action does not follow links to a project');
});

test('An untracked record of an environment that only the base requires does not count before a merge.', async () => {
  const requiring = twoHosts()['agentform.yaml'].replace('production: {', 'production: { requires: staging,');
  scenario.base = await scenario.repository.commit('main', { 'agentform.yaml': requiring }, scenario.base);
  const record = '.agentform/records/staging/Agent/front-desk.json';
  const run = { inputs, env, files: twoHosts(), leftBehind: { [record]: '{}' } };
  const { outputs, log } = await onPullRequest(scenario, run);
  expect({ reason: outputs['failure-reason'], asked: asked() }).toEqual({ reason: 'refused', asked: 0 });
  expect(log).toContain(`the record ${record} is not tracked by git`);
});

test('A pull request is planned with records on a branch that its base names.', async () => {
  const onBranch = {
    'agentform.yaml': `${twoHosts()['agentform.yaml']}record: { store: git, branch: topic-records }\n`,
  };
  scenario.base = await scenario.repository.commit('main', onBranch, scenario.base);
  expect(await onPullRequest(scenario, { inputs, env })).toMatchObject({ outputs: { changes: expect.anything() } });
});
