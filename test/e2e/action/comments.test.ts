import { expect, test } from '@jest/globals';
import { agentFile, agents, merged, onPullRequest, onPush, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();

function bodies(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

const approved = { 'require-approved-plan': 'true' };

test('A plan too long for one comment is split over several, which are updated and deleted together.', async () => {
  await onPullRequest(scenario, { files: agents(5) });
  const parts = bodies().map((body) => /### .* \(part (\d) of (\d)\)/.exec(body)?.slice(1));
  expect(parts).toEqual([undefined, ['2', '3'], ['3', '3']]);
  for (const body of bodies()) expect(body.length).toBeLessThan(65_536);
  expect(
    bodies()
      .join('\n')
      .match(/<\/b>: only after an answer: new agent/g),
  ).toHaveLength(6);
  const ids = scenario.github.comments.map(({ id }) => id);
  await onPullRequest(scenario, { files: agents(3) });
  expect(scenario.github.comments.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(bodies()[1]).toContain('(part 2 of 2)');
});

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
