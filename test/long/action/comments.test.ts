import { expect, test } from '@jest/globals';
import {
  agentFile,
  agents,
  merged,
  mergedPull,
  onPullRequest,
  onPush,
  projectFiles,
  scenario,
  useScenario,
} from '../../e2e/action/scenario.ts';

useScenario();

function bodies(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

const approved = { 'require-approved-plan': 'true' };

test('A plan is only approved by all its comments, not if one is missing.', async () => {
  const commit = await mergedPull(scenario, agents(3));
  const second = scenario.github.comments.splice(1);
  expect(second).toHaveLength(1);
  expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({
    code: 3,
    log: expect.stringContaining('the comment on pull request 7 is incomplete, so it cannot approve the apply'),
  });
  expect(scenario.service.takeWrites()).toEqual([]);
  scenario.github.comments.push(...second);
  expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({ code: 0, outputs: { create: '4' } });
  const [body, other] = bodies();
  expect(body).toContain('✅ **Apply: 4 applied.**');
  expect(other).not.toContain('4 applied');
});

test('Two steps with different names have two comments, and approve together.', async () => {
  const files = agents(2, 100);
  const { head } = await onPullRequest(scenario, { files, inputs: { names: 'a0 front-desk' } });
  await onPullRequest(scenario, { head, inputs: { names: 'a1' } });
  await onPullRequest(scenario, { head, inputs: { names: 'front-desk, a0' } });
  expect(bodies().map((body) => /### .*/.exec(body)?.[0])).toEqual([
    '### agentform plan for production (a0 and front-desk): 1 answer needed',
    '### agentform plan for production (a1): 1 answer needed',
  ]);
  const commit = await merged(scenario, head);
  expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({ code: 0, outputs: { create: '3' } });
});

/** With long names, fewer agents fill the comment. */
const many = 150;
const nameOf = (index: number) => `clinic-at-the-long-road-to-the-old-harbour-house-number-${index}`;
const alike = Object.fromEntries(
  Array.from({ length: many }, (_, index) => {
    const target = `target: { query: { targetAccountId: "${index}" } }\n`;
    return [`agents/${nameOf(index)}.yaml`, agentFile('Clinic', target).replace('front-desk', nameOf(index))];
  }),
);

const limits = () => {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'];
  return { 'agentform.yaml': `${project}limits: { creates: ${many} }\n` };
};

const moving = `agents/${nameOf(7)}.yaml`;

const titles = () => scenario.service.agents().map(({ settings }) => settings.title);

test('A plan with shortened digests fits one comment, and each agent that moved is refused by name.', async () => {
  const { head } = await onPullRequest(scenario, {
    files: { ...alike, 'agents/front-desk.yaml': null, ...limits() },
  });
  const [body = '', ...others] = bodies();
  expect({ others, isShort: body.length < 15_000 }).toEqual({ others: [], isShort: true });
  expect(body).toContain(`<b>${many} agents</b>: would be new agents`);
  const files = { [moving]: alike[moving]?.replace('Clinic', 'Moved') ?? '' };
  const commit = await scenario.repository.commit('main', files, await merged(scenario, head));
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  const each = { ...approved, approval: 'each' };
  const applied = await onPush(scenario, { commit, inputs: each });
  expect(applied).toMatchObject({ code: 3, outputs: { create: `${many}` } });
  expect(applied.log).toContain(`Agent/${nameOf(7)}`);
  expect(applied.summary).toContain('not approved: it was not shown, or shown with other changes');
  expect(titles()).toEqual(Array.from({ length: many - 1 }, () => 'Clinic'));
});

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
