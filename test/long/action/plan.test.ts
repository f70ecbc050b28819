import { expect, test } from '@jest/globals';
import { agentFile, onPullRequest, scenario, useScenario } from '../../e2e/action/scenario.ts';
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
