import { afterEach, expect, test } from '@jest/globals';
import { agentFile, onPullRequest, type PullRequestRun, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();
afterEach(() => expect(scenario.service.takeLog()).toEqual([]));

/** A pull request from a fork, as GitHub runs it: without secrets, and with a token that may only read. */
const fork: PullRequestRun = { headRepository: 'mallory/agents', env: { AGENT_TOKEN: '' } };

function fromFork(run: PullRequestRun = {}) {
  scenario.github.forbidden.add('issues/create-comment');
  return onPullRequest(scenario, { ...fork, ...run });
}

const reception = { 'agents/front-desk.yaml': agentFile('Reception') };

test('A pull request of a fork gets an offline plan against the base, in the summary.', async () => {
  const { code, summary, outputs, planFile, log } = await fromFork({ files: reception });
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

test('An offline plan without changes says so.', async () => {
  const { summary, outputs } = await fromFork();
  expect(summary).toContain('**No changes: the files have the same settings as the base commit.**');
  expect(outputs.changes).toBe('false');
});

test('An offline plan shows a change in a shared base for every agent that extends it.', async () => {
  const agent = (name: string) =>
    agentFile(name).replace('name: front-desk', `name: ${name}\nextends: ../shared/all.yaml`);
  const shared = (voice: string) => `apiVersion: agentform/v1\nkind: Agent\nsettings: { agentVoice: ${voice} }\n`;
  const target = (text: string, id: string) => `${text}target: { query: { targetAccountId: "${id}" } }\n`;
  scenario.base = await scenario.repository.commit('main', {
    'agents/front-desk.yaml': null,
    'agents/a.yaml': target(agent('a'), '1'),
    'agents/b.yaml': target(agent('b'), '2'),
    'shared/all.yaml': shared('warm-1'),
  });
  const { summary } = await fromFork({ files: { 'shared/all.yaml': shared('warm-2') } });
  expect(summary).toContain('**2 agents change');
  expect(summary).toMatch(/<b>a and b<\/b>: Voice: warm-1 → warm-2/);
});

test('An offline plan lists new, renamed and removed manifests.', async () => {
  const other = agentFile('New').replace('front-desk', 'new-desk');
  const apart = `${other}target: { query: { targetAccountId: "2" } }\n`;
  const { summary } = await fromFork({ files: { 'agents/front-desk.yaml': null, 'agents/new.yaml': apart } });
  expect(summary).toContain('**1 new agent, 1 not in the files');
});

test('An offline plan compares a secret by its reference.', async () => {
  const titled = (name: string) => ({ 'agents/front-desk.yaml': agentFile(`"Desk \${secret.${name}}"`) });
  scenario.base = await scenario.repository.commit('main', titled('ONE'));
  const inputs = { secrets: 'AGENT_TOKEN ONE TWO' };
  expect(await fromFork({ inputs })).toMatchObject({ outputs: { changes: 'false' } });
  const { summary } = await fromFork({ inputs, files: titled('TWO') });
  expect(summary).toContain('| **Title** | <i>hidden value</i> | <i>another hidden value</i> |');
});

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

test('Later changes of the base do not count as changes of the pull request.', async () => {
  const baseMovesOn = { 'agentform.yaml': `${projectFiles(scenario.service.baseUrl)['agentform.yaml']}lint: {}\n` };
  const other = agentFile('Other').replace('front-desk', 'other');
  const moved = { ...baseMovesOn, 'agents/other.yaml': `${other}target: { query: { targetAccountId: "2" } }\n` };
  const { summary } = await fromFork({ files: reception, baseMovesOn: moved });
  expect(summary).toContain('**1 agent changes');
});
