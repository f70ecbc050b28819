import { expect, test } from '@jest/globals';
import { agentFile, onPush, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario();

const other = agentFile('Night desk', 'target: { query: { targetAccountId: "2" } }\n').replace(
  'front-desk',
  'night-desk',
);

test('The first push of a branch has no commit before it, and applies everything pending.', async () => {
  const { repository, base } = scenario;
  const commit = await repository.commit('main', { 'agents/night-desk.yaml': other }, base);
  const applied = await onPush(scenario, { commit, inputs: { 'changed-since': '0'.repeat(40) } });
  expect(applied).toMatchObject({ code: 0 });
  expect(scenario.service.agents()).toHaveLength(2);
});

test('A commit that cannot be fetched ends the step before any request.', async () => {
  const { base: commit } = scenario;
  const ended = await onPush(scenario, { commit, inputs: { 'changed-since': 'f'.repeat(40) } });
  expect(ended).toMatchObject({ code: 1, log: expect.stringContaining('is missing from the checkout') });
  expect(scenario.service.takeLog()).toEqual([]);
});
