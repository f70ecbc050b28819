import { expect, test } from '@jest/globals';
import { agentFile, onPullRequest, onPush, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();

function bodies(): string[] {
  return scenario.github.comments.map(({ body }) => body);
}

/** Agents whose prompts are long enough for several comments together. */
function agents(count: number, characters = 25_000): Record<string, string> {
  const line = `${'Be kind to callers. '.repeat(5)}\n`;
  const prompt = line.repeat(characters / line.length);
  const one = (name: string) =>
    `${agentFile(name, `  agentInstructions: ${JSON.stringify(prompt)}\n`).replace('name: front-desk', `name: ${name}`)}target: { query: { targetAccountId: "${name}" } }\n`;
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`agents/a${index}.yaml`, one(`a${index}`)]));
}

async function merged(head: string): Promise<string> {
  const commit = await scenario.repository.merge(scenario.base, head, 'main');
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  return commit;
}

const approved = { 'require-approved-plan': 'true' };

test('a plan too long for one comment is split over several, which are updated and deleted together', async () => {
  await onPullRequest(scenario, { files: agents(5) });
  const parts = bodies().map((body) => /### .* \(part (\d) of (\d)\)/.exec(body)?.slice(1));
  expect(parts).toEqual([undefined, ['2', '3'], ['3', '3']]);
  for (const body of bodies()) expect(body.length).toBeLessThan(65_536);
  expect(
    bodies()
      .join('\n')
      .match(/<summary><b>create<\/b>/g),
  ).toHaveLength(6);
  const ids = scenario.github.comments.map(({ id }) => id);
  await onPullRequest(scenario, { files: agents(3) });
  expect(scenario.github.comments.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(bodies()[1]).toContain('(part 2 of 2)');
});

test('all parts together approve: what they show is applied, and without one of them nothing is', async () => {
  const { head } = await onPullRequest(scenario, { files: agents(3) });
  const commit = await merged(head);
  const [first, second] = scenario.github.comments.splice(0);
  if (first !== undefined) scenario.github.comments.push(first);
  const refused = await onPush(scenario, { commit, inputs: approved });
  expect(refused).toMatchObject({
    code: 3,
    log: expect.stringContaining('the comment on pull request 7 is incomplete, so it approves nothing'),
  });
  expect(scenario.service.takeWrites()).toEqual([]);
  if (second !== undefined) scenario.github.comments.push(second);
  expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({ code: 0, outputs: { create: '4' } });
  const [body, other] = bodies();
  expect(body).toContain('✅ **Apply: 4 applied.**');
  expect(other).not.toContain('4 applied');
});

test('two steps with different names have two comments, and approve together', async () => {
  const files = agents(2, 100);
  const { head } = await onPullRequest(scenario, { files, inputs: { names: 'a0 front-desk' } });
  await onPullRequest(scenario, { head, inputs: { names: 'a1' } });
  await onPullRequest(scenario, { head, inputs: { names: 'front-desk, a0' } });
  expect(bodies().map((body) => /### .*/.exec(body)?.[0])).toEqual([
    '### agentform plan for production (a0 and front-desk)',
    '### agentform plan for production (a1)',
  ]);
  const commit = await merged(head);
  expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({ code: 0, outputs: { create: '3' } });
});

test('a broken agentform.yaml replaces the comment, and the next plan replaces that', async () => {
  await onPullRequest(scenario);
  const broken = { 'agentform.yaml': 'kind: [Project\n' };
  expect(await onPullRequest(scenario, { files: broken })).toMatchObject({ code: 1 });
  expect(bodies()).toEqual([expect.stringContaining('### agentform plan\n\n**Failed:** ')]);
  await onPullRequest(scenario, { files: projectFiles(scenario.service.baseUrl) });
  expect(bodies()).toEqual([expect.stringContaining('### agentform plan for `production`')]);
});

test('with approval: each, what still holds is applied, and the rest is named and can be approved', async () => {
  const { head } = await onPullRequest(scenario, { files: agents(1, 100) });
  const commit = await merged(head);
  const changed = agentFile('Moved since');
  const later = await scenario.repository.commit('main', { 'agents/front-desk.yaml': changed }, commit);
  scenario.github.pulls.push({ number: 7, head, mergeCommit: later, merged: true });
  expect(await onPush(scenario, { commit: later, inputs: approved })).toMatchObject({ code: 3 });
  expect(scenario.service.takeWrites()).toEqual([]);
  const inputs = { ...approved, approval: 'each' };
  const { code, outputs, summary } = await onPush(scenario, { commit: later, inputs });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
  expect(summary).toContain('✅ `Agent/a0` applied');
  const named = '`Agent/front-desk` not attempted: refused: not approved: Agent/front-desk differs from what was shown';
  for (const text of [summary, bodies()[0]]) expect(text).toContain(named);
  expect(scenario.service.agents().map(({ settings }) => settings.title)).toEqual(['a0']);
});
