import { beforeEach, expect, test } from '@jest/globals';
import {
  agentFile,
  mainCommit,
  onPullRequest,
  onPush,
  projectFiles,
  scenario,
  typedCommands,
  useScenario,
} from './scenario.ts';

useScenario();

const policy = (expression: string) =>
  `apiVersion: agentform/v1\nkind: Policy\nname: titles\nrules:\n  - deny: ${expression}\n    message: Titles are approved.\n`;
const shouting = 'desired.settings.title == "SHOUT"';

beforeEach(async () => {
  scenario.base = await mainCommit(scenario, { 'agents/titles.yaml': policy(shouting) }, 'limits: { creates: 5 }\n');
});

test('A pull request that breaks a policy fails its check, and the resource is blocked.', async () => {
  const { code, summary, outputs } = await onPullRequest(scenario, {
    files: { 'agents/front-desk.yaml': agentFile('SHOUT') },
  });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'refused' });
  expect(summary).toContain('A team rule forbids this: Titles are approved');
  expect(typedCommands(summary)).toEqual(['apply --skip-policies -e production']);
});

test.each([
  ['deletes the policy', 'plan', 3, { 'agents/titles.yaml': null }],
  [
    'makes an exception',
    'validate',
    1,
    { 'agents/titles.yaml': `${policy(shouting)}exceptions: [{ name: front-desk, reason: r }]\n` },
  ],
])('A pull request that %s is judged by the policy of the base in %s.', async (_name, command, expected, files) => {
  const change = { 'agents/front-desk.yaml': agentFile('SHOUT'), ...files };
  const { code, log } = await onPullRequest(scenario, { files: change, inputs: { command } });
  expect(code).toBe(expected);
  expect(log).toContain('policy titles of the base commit: Titles are approved');
});

test('A pull request is also judged by the limits of the base.', async () => {
  const agents = Array.from({ length: 6 }, (_, index) => `a-${index}`);
  const files = Object.fromEntries(
    agents.map((name, index) => [
      `agents/${name}.yaml`,
      agentFile('T', `target: { query: { targetAccountId: "${index + 20}" } }\n`).replace('front-desk', name),
    ]),
  );
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'];
  const raised = { ...files, 'agentform.yaml': `${project}record: { store: git }\nlimits: { creates: 500 }\n` };
  const { code, log } = await onPullRequest(scenario, { files: raised });
  expect({ code, isRefused: log.includes('at most 5 at a time') }).toEqual({ code: 3, isRefused: true });
});

test('A push is judged by the policies of the commit before it, which can be overruled.', async () => {
  const files = { 'agents/titles.yaml': null, 'agents/front-desk.yaml': agentFile('SHOUT') };
  const commit = await scenario.repository.commit('main', files, scenario.base);
  const refused = await onPush(scenario, { commit, before: scenario.base });
  expect(refused.code).toBe(3);
  expect(refused.log).toContain('policy titles of the base commit: Titles are approved');
  const done = await onPush(scenario, { commit, before: scenario.base, inputs: { command: 'apply --skip-policies' } });
  expect(done.log).toContain('these checks were overruled: titles');
  expect(done.code).toBe(0);
});
