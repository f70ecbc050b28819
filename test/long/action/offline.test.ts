import { afterEach, expect, test } from '@jest/globals';
import { fromFork, reception } from '../../e2e/action/fork.ts';
import { agentFile, onPullRequest, projectFiles, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario();
afterEach(() => expect(scenario.service.takeLog()).toEqual([]));

test('An offline plan is refused if the workflow does not name a secret.', async () => {
  const files = { 'agents/front-desk.yaml': agentFile('"${secret.GITHUB_TOKEN}"') };
  expect(await fromFork({ files })).toMatchObject({
    code: 1,
    log: expect.stringContaining("the secret 'GITHUB_TOKEN' is not allowed"),
  });
});

test('An offline plan checks manifests in every environment, and reports lint.', async () => {
  const bad = `${agentFile('T')}environments: { staging: { settings: { titel: X } } }\n`;
  expect(await fromFork({ files: { 'agents/front-desk.yaml': bad } })).toMatchObject({
    code: 1,
    outputs: { 'failure-reason': 'invalid' },
    log: expect.stringMatching(/^::error file=agents\/front-desk.yaml/m),
  });
});

test('A project that the base does not have is planned offline.', async () => {
  scenario.base = await scenario.repository.commit('bare', { 'README.md': 'Nothing\n', 'agentform.yaml': null });
  const { code, summary } = await onPullRequest(scenario, { files: projectFiles(scenario.service.baseUrl) });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('**1 new agent') });
  expect(summary).toContain('the base commit has no agentform.yaml that says which secret goes to which host');
});

test('Unusable manifests of the base count as absent, with a warning.', async () => {
  scenario.base = await scenario.repository.commit('main', { 'agents/front-desk.yaml': agentFile('[]') });
  const { code, summary, log } = await fromFork({ files: reception });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('**1 new agent') });
  expect(log).toContain('some manifests of the base commit have errors');
});

test('An offline plan says if nothing changes, although a secret has no value.', async () => {
  const files = { 'agents/front-desk.yaml': agentFile('"Desk ${secret.ONE}"') };
  scenario.base = await scenario.repository.commit('main', files);
  const { summary, outputs } = await fromFork({ inputs: { secrets: 'AGENT_TOKEN ONE' } });
  expect(summary).toContain('**No changes: the files have the same settings as the base commit.**');
  expect(outputs.changes).toBe('false');
});
