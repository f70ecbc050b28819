import { expect, test } from '@jest/globals';
import { agentFile, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

const other = agentFile('Night desk', 'target: { query: { targetAccountId: "2" } }\n').replace(
  'front-desk',
  'night-desk',
);
const git = 'record: { store: git }\n';

/** A project with two applied agents. */
async function appliedProject(): Promise<string> {
  const { repository, base } = scenario;
  const project = `manifests: ["agents/*.yaml"]\n${git}environments:\n  production: { baseUrl: "${scenario.service.baseUrl}", token: "\${secret.AGENT_TOKEN}" }\n`;
  const files = {
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\n${project}`,
    'agents/night-desk.yaml': other,
  };
  const commit = await repository.commit('main', files, base);
  expect(await onPush(scenario, { commit })).toMatchObject({ code: 0 });
  scenario.base = commit;
  scenario.service.takeLog();
  return commit;
}

test('A preview and an apply with changed-since agree on the approved plan, and read nothing else.', async () => {
  const before = await appliedProject();
  const files = { 'agents/night-desk.yaml': other.replace('Night desk', 'Late desk') };
  const planned = await onPullRequest(scenario, { files, inputs: { 'changed-since': before } });
  expect(planned).toMatchObject({ code: 0 });
  const [{ body = '' } = {}] = scenario.github.comments;
  expect(body).toMatch(/1 of 2 agents changed since [0-9a-f]{7}: agents\/night-desk\.yaml\. 1 not read\./);
  const { head } = planned;
  const commit = await scenario.repository.merge(before, head, 'main');
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  const inputs = { 'changed-since': before, 'require-approved-plan': 'true' };
  const applied = await onPush(scenario, { commit, inputs });
  expect(applied).toMatchObject({ code: 0 });
  const calls = scenario.service.takeLog();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(calls.filter(({ method }) => method === 'GET')).toHaveLength(4);
});
