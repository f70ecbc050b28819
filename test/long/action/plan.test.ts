import { expect, test } from '@jest/globals';
import { agentFile, onPullRequest, onPush, projectFiles, scenario, useScenario } from '../../e2e/action/scenario.ts';
import { person } from '../../support/github-server.ts';

useScenario();

const list = 'issues/list-comments';
const update = 'issues/update-comment';
const edits = 'graphql edits';

function comments(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

test('The action finds its comment on the third page of comments.', async () => {
  await onPullRequest(scenario);
  const own = scenario.github.comments.splice(0);
  for (let index = 0; index < 230; index += 1) scenario.github.addComment(7, person, `Looks good ${index}`);
  scenario.github.comments.push(...own);
  scenario.github.takeRequests();
  await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(scenario.github.takeRequests()).toEqual([
    'pulls/get',
    'graphql viewer',
    ...[list, list, list, edits],
    ...[list, list, list, update],
    ...[list, list, list],
  ]);
  expect(scenario.github.comments).toHaveLength(231);
});

test('Comments of the workflow bot count as own if GitHub does not name the viewer.', async () => {
  const refusal = { status: 403, message: 'Resource not accessible by integration' };
  scenario.github.faults.set('graphql viewer', [refusal, refusal]);
  await onPullRequest(scenario);
  scenario.github.addComment(7, person, comments()[0] ?? '');
  scenario.github.takeRequests();
  await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(scenario.github.takeRequests()).toEqual(['pulls/get', 'graphql viewer', list, edits, list, update, list]);
  expect(scenario.github.comments).toHaveLength(2);
});

test("A person's token finds the comments of that person.", async () => {
  scenario.github.viewer = person;
  await onPullRequest(scenario);
  await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(scenario.github.comments.map(({ user }) => user)).toEqual([person]);
});

test('With comment: new, each plan has a separate comment.', async () => {
  await onPullRequest(scenario, { inputs: { comment: 'new' } });
  await onPullRequest(scenario, { inputs: { comment: 'new' } });
  expect(comments()).toHaveLength(2);
});

test('Two environments and two projects have separate comments, whose links lead to their own agents.', async () => {
  const files = Object.fromEntries(
    Object.entries(projectFiles(scenario.service.baseUrl)).map(([path, text]) => [`clinics/north/${path}`, text]),
  );
  scenario.base = await scenario.repository.commit('main', files, scenario.base);
  for (const inputs of [{ environment: 'production' }, { environment: 'staging' }, { project: 'clinics/north' }])
    expect(await onPullRequest(scenario, { inputs })).toMatchObject({ code: 0 });
  expect(comments().map((body) => /### .*/.exec(body)?.[0])).toEqual([
    '### Plan for `production`: 1 answer needed',
    '### Plan for `staging`: 1 answer needed',
    '### agentform plan for production in clinics/north: 1 answer needed',
  ]);
  const ids = comments().map((body) => [...body.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
  expect(ids.map(({ length }) => length > 0)).toEqual([true, true, true]);
  expect(new Set(ids.flat()).size).toBe(ids.flat().length);
});

test('The action refuses the embedded emulator.', async () => {
  const project = projectFiles('emulator');
  const { code, outputs, log } = await onPullRequest(scenario, { files: project });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'invalid' });
  expect(log).toContain('the environment has baseUrl: emulator, which the action cannot use');
});

test('The action reports wrong inputs.', async () => {
  const { code, log, outputs } = await onPush(scenario, {
    commit: scenario.base,
    inputs: { command: 'plan', environment: 'prod' },
  });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'invalid' });
  expect(log).toContain("agentform.yaml has no environment 'prod'");
});

test('An invalid manifest fails validate without secrets and a token, and the summary counts the errors.', async () => {
  const inputs = { command: 'validate', secrets: '', token: '' };
  const files = { 'agents/front-desk.yaml': agentFile('[]') };
  expect(await onPullRequest(scenario, { inputs, env: {}, files })).toMatchObject({
    code: 1,
    outputs: { 'failure-reason': 'invalid' },
    summary: expect.stringContaining('1 error in 1 file'),
  });
});
