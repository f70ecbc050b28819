import { expect, test } from '@jest/globals';
import {
  agentFile,
  agentToken,
  beginAt,
  frontDesk,
  mergedPull,
  onPush,
  recordPath,
  recordText,
  scenario,
  useScenario,
} from '../../e2e/action/scenario.ts';

/** The agent already exists, so a plan shows its earlier values. */
useScenario(async () => {
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Old', description: 'D' });
});

const known = agentFile('Front desk', 'environments: { production: { target: { agentId: agent-1 } } }\n');

/** Makes a commit on main that merges a pull request with this manifest and its plan. */
function plannedAndMerged(): Promise<string> {
  return beginAt('merged', () => mergedPull(scenario, { 'agents/front-desk.yaml': known }));
}

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

test('A 403 while looking up the pull request does not stop an apply.', async () => {
  const commit = await plannedAndMerged();
  scenario.github.forbidden.add('repos/list-pull-requests-associated-with-commit');
  const { code, log } = await onPush(scenario, { commit });
  expect({ code, log }).toEqual({
    code: 0,
    log: expect.stringContaining(`::warning::The pull request of commit ${commit.slice(0, 12)} could not be found`),
  });
  expect(title()).toBe('Front desk');
});

test('A 403 while looking up the pull request is not reported as a missing approval.', async () => {
  const commit = await plannedAndMerged();
  scenario.github.forbidden.add('repos/list-pull-requests-associated-with-commit');
  const { code, log } = await onPush(scenario, { commit, inputs: { 'require-approved-plan': 'true' } });
  expect(code).toBe(3);
  expect(log).toMatch(/^::error::the pull request of commit [0-9a-f]{12} could not be found \(Resource not/m);
  expect(log).not.toContain('a merged pull request');
});

test('An apply after a merge refuses a conflict.', async () => {
  scenario.service.edit('agent-1', { title: 'Concierge' });
  const commit = await scenario.repository.commit('main', {
    [recordPath]: recordText(scenario, frontDesk),
    'agents/front-desk.yaml': known.replace('Front desk', 'Reception'),
  });
  const { code, outputs, summary } = await onPush(scenario, { commit });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'conflict' });
  expect(summary).toContain('Title was edited in the dashboard and in the files');
  for (const value of ['Front desk', 'Concierge', 'Reception']) expect(summary).toContain(value);
  expect(title()).toBe('Concierge');
  expect(scenario.github.comments).toEqual([]);
});
