import { afterEach, expect, test } from '@jest/globals';
import { fromFork, reception } from './fork.ts';
import { agentFile, onPullRequest, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();
afterEach(() => expect(scenario.service.takeLog()).toEqual([]));

test('A pull request of a fork gets an offline plan against the base, without later changes of the base, in the summary.', async () => {
  const other = `${agentFile('Other').replace('front-desk', 'other')}target: { query: { targetAccountId: "2" } }\n`;
  const project = `${projectFiles(scenario.service.baseUrl)['agentform.yaml']}lint: {}\n`;
  const baseMovesOn = { 'agentform.yaml': project, 'agents/other.yaml': other };
  const { code, summary, outputs, planFile, log } = await fromFork({ files: reception, baseMovesOn });
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(summary).toContain(
    '### Offline plan for `production`: not compared with the dashboard\n\nOffline, because the pull request comes from a fork. An offline plan cannot ' +
      'approve an apply.\n\n**1 agent changes',
  );
  expect(summary).toContain('| **Title** | Front desk | Reception |');
  expect(summary).toMatch(/Compared with the files of commit [0-9a-f]{12}, not with the dashboard\. Edits in/);
  expect(summary).toContain(
    'Offline, because the pull request comes from a fork. An offline plan cannot approve an apply.',
  );
  expect(outputs).toMatchObject({ changes: 'true', update: '1' });
  expect(planFile).toBeUndefined();
  expect(log).toContain('::warning::The comment on pull request 7 could not be written');
});

test('Secrets that a fork got by mistake are not used.', async () => {
  expect(await onPullRequest(scenario, { headRepository: 'mallory/agents', files: reception })).toMatchObject({
    code: 0,
    summary: expect.stringContaining('Offline, because the pull request comes from a fork'),
  });
});

test('An offline plan is written to the comment and approves nothing.', async () => {
  await onPullRequest(scenario, { env: {}, files: reception });
  const [comment] = scenario.github.comments;
  expect(comment?.body).toContain('Offline, because AGENT\\_TOKEN has no value in this run.');
  expect(comment?.body.split('\n')[0]).toMatch(/^<!-- agentform \{"formatVersion":1,.*"commit":"[0-9a-f]+"\} -->$/);
});

test('An offline plan lists new and removed manifests, and shows a change in a shared base for each agent that extends it.', async () => {
  const agent = (name: string) =>
    agentFile(name).replace('name: front-desk', `name: ${name}\nextends: ../shared/all.yaml`);
  const shared = (voice: string) => `apiVersion: agentform/v1\nkind: Agent\nsettings: { agentVoice: ${voice} }\n`;
  const target = (text: string, id: string) => `${text}target: { query: { targetAccountId: "${id}" } }\n`;
  scenario.base = await scenario.repository.commit('main', {
    'agents/front-desk.yaml': null,
    'agents/a.yaml': target(agent('a'), '1'),
    'agents/b.yaml': target(agent('b'), '2'),
    'agents/c.yaml': target(agent('c'), '3'),
    'shared/all.yaml': shared('warm-1'),
  });
  const { summary } = await fromFork({
    files: {
      'shared/all.yaml': shared('warm-2'),
      'agents/c.yaml': null,
      'agents/new.yaml': target(agentFile('New').replace('front-desk', 'new-desk'), '4'),
    },
  });
  expect(summary).toMatch(/\*\*2 agents change, 1 new agent, 1 not in the files/);
  expect(summary).toMatch(/<b>a and b<\/b>: Voice: warm-1 → warm-2/);
});

test('An offline plan compares a secret by its reference.', async () => {
  const titled = (name: string) => ({ 'agents/front-desk.yaml': agentFile(`"Desk \${secret.${name}}"`) });
  scenario.base = await scenario.repository.commit('main', titled('ONE'));
  const inputs = { secrets: 'AGENT_TOKEN ONE TWO' };
  const { summary } = await fromFork({ inputs, files: titled('TWO') });
  expect(summary).toContain('| **Title** | <i>hidden value</i> | <i>another hidden value</i> |');
});
