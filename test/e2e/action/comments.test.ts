import { expect, test } from '@jest/globals';
import { agentFile, agents, merged, onPullRequest, onPush, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();

function bodies(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

const approved = { 'require-approved-plan': 'true' };

test('A broken agentform.yaml is shown in place of the comment until the next plan.', async () => {
  await onPullRequest(scenario);
  const broken = { 'agentform.yaml': 'kind: [Project\n' };
  expect(await onPullRequest(scenario, { files: broken })).toMatchObject({ code: 1 });
  expect(bodies()).toEqual([expect.stringContaining('### agentform plan\n\n❌ **Failed:** ')]);
  await onPullRequest(scenario, { files: projectFiles(scenario.service.baseUrl) });
  expect(bodies()).toEqual([expect.stringContaining('### Plan for `production`: ')]);
});

test('With approval: each, approved resources that did not move are applied, and the others are named.', async () => {
  const { head } = await onPullRequest(scenario, { files: agents(1, 100) });
  const commit = await merged(scenario, head);
  const changed = agentFile('Moved since');
  const later = await scenario.repository.commit('main', { 'agents/front-desk.yaml': changed }, commit);
  scenario.github.pulls.push({ number: 7, head, mergeCommit: later, merged: true });
  const inputs = { ...approved, approval: 'each' };
  const { code, outputs, summary } = await onPush(scenario, { commit: later, inputs });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
  expect(summary).toContain('✅ **a0** applied');
  const named = '**Moved since** not attempted: not approved: it was shown with other changes';
  for (const text of [summary, bodies()[0]]) expect(text).toContain(named);
  expect(scenario.service.agents().map(({ settings }) => settings.title)).toEqual(['a0']);
});
