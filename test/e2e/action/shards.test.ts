import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActionResult } from '../../support/action.ts';
import { agentToken, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

const names = ['front-desk', 'night-desk', 'web-chat'] as const;
const shards = ['1/2', '2/2'] as const;
const secrets = { secrets: 'AGENT_TOKEN NIGHT_TOKEN CHAT_TOKEN' };
const env = { AGENT_TOKEN: agentToken, NIGHT_TOKEN: 'token-of-the-night', CHAT_TOKEN: 'token-of-the-chat' };
const tokens: Readonly<Record<(typeof names)[number], keyof typeof env>> = {
  'front-desk': 'AGENT_TOKEN',
  'night-desk': 'NIGHT_TOKEN',
  'web-chat': 'CHAT_TOKEN',
};
const show = { command: 'show plans/*.json' };
const approved = { 'require-approved-plan': 'true' };

let ids: Readonly<Record<string, string>>;
beforeEach(() => {
  ids = Object.fromEntries(
    names.map((name) => [
      name,
      scenario.service.seed(env[tokens[name]], { type: 'chatAgent', title: 'Old', description: 'D' }).id,
    ]),
  );
});

function manifests(title: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, manifest(name, title)]));
}

function manifest(name: (typeof names)[number], title: string): string {
  const target = `{ production: { target: { agentId: ${ids[name]}, token: "\${secret.${tokens[name]}}" } } }`;
  return `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nenvironments: ${target}\nsettings:\n  title: ${title}\n  description: D\n`;
}

/** Every shard as a job of its own; what they saved, as the job behind them finds it. */
async function plannedShards(job: (inputs: Record<string, string>) => Promise<ActionResult>) {
  const results: ActionResult[] = [];
  for (const shard of shards) results.push(await job({ ...secrets, command: 'plan', shard }));
  const files = results.map(({ planFile = '' }, index) => [`plans/plan-${index + 1}.json`, planFile] as const);
  return { results, leftBehind: Object.fromEntries(files) };
}

async function previewed(title = 'New'): Promise<string> {
  scenario.base = await scenario.repository.commit('main', manifests('Old'), scenario.base);
  const head = await scenario.repository.commit('topic', manifests(title), scenario.base);
  const merge = await scenario.repository.merge(scenario.base, head, 'preview');
  const job = { head, merge, env };
  const { results, leftBehind } = await plannedShards((inputs) => onPullRequest(scenario, { ...job, inputs }));
  expect(results.map(({ code, log }) => (code === 0 ? '' : log))).toEqual(['', '']);
  expect(scenario.github.comments).toEqual([]);
  const joined = await onPullRequest(scenario, { ...job, inputs: show, leftBehind });
  expect(joined.code === 0 ? '' : joined.log).toBe('');
  const commit = await scenario.repository.merge(scenario.base, head, 'main');
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  return commit;
}

async function joinedOnMain(commit: string): Promise<string> {
  const { leftBehind } = await plannedShards((inputs) => onPush(scenario, { commit, inputs, env }));
  const { planFile = '' } = await onPush(scenario, { commit, inputs: { ...secrets, ...show }, env, leftBehind });
  return planFile;
}

async function appliedShards(commit: string, joined: string, more = {}): Promise<ActionResult[]> {
  const results: ActionResult[] = [];
  for (const shard of shards) {
    const inputs = { ...secrets, ...approved, shard, plan: 'joined.json', ...more };
    results.push(await onPush(scenario, { commit, inputs, env, leftBehind: { 'joined.json': joined } }));
  }
  return results;
}

function titles(): unknown[] {
  return scenario.service.agents().map(({ settings }) => settings.title);
}

describe('the jobs of a matrix', () => {
  test('plan a shard each without a comment, which the joined plan has; approved by it, they apply a shard each', async () => {
    const commit = await previewed();
    const [comment, ...others] = scenario.github.comments.map(({ body }) => body);
    expect(others).toEqual([]);
    expect(comment).toContain('Applying this will change 3 agents.');
    const results = await appliedShards(commit, await joinedOnMain(commit));
    expect(results.map(({ code, log }) => ({ code, log }))).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(titles()).toEqual(['New', 'New', 'New']);
    expect(results.map(({ outputs }) => Number(outputs.update)).reduce((sum, count) => sum + count)).toBe(3);
    expect(scenario.github.comments.map(({ body }) => body)).toEqual([comment]);
  });

  test('apply nothing where the joined plan is not the approved one, and name what moved', async () => {
    const commit = await previewed();
    scenario.service.edit(ids['night-desk'] ?? '', { title: 'Edited' });
    const joined = await joinedOnMain(commit);
    for (const { code, log, outputs } of await appliedShards(commit, joined)) {
      expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
      expect(log).toContain('Agent/night-desk was shown with other changes');
    }
    expect(titles()).toEqual(['Old', 'Edited', 'Old']);
    await appliedShards(commit, joined, { approval: 'each' });
    expect(titles()).toEqual(['New', 'Edited', 'New']);
  });

  test('The jobs of a matrix leave out what moved after the plans were joined.', async () => {
    const commit = await previewed();
    const joined = await joinedOnMain(commit);
    scenario.service.edit(ids['web-chat'] ?? '', { title: 'Edited' });
    const codes = (await appliedShards(commit, joined)).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 3]);
    expect(titles()).toEqual(['New', 'New', 'Edited']);
  });
});

describe('a job of a matrix', () => {
  test('A job of a matrix applies no shard without the joined plan.', async () => {
    const commit = await previewed();
    const { code, log } = await onPush(scenario, { commit, inputs: { ...secrets, ...approved, shard: '1/2' }, env });
    expect(code).toBe(1);
    expect(log).toContain('--shard 1/2 needs --plan with the plan of all shards');
    expect(titles()).toEqual(['Old', 'Old', 'Old']);
  });

  test('plans no shard without the service, because nothing could be joined', async () => {
    const { code, log } = await onPullRequest(scenario, { inputs: { shard: '1/2' }, env: {} });
    expect({ code, log }).toMatchObject({
      code: 1,
      log: expect.stringContaining('plan needs the service, and AGENT_TOKEN has no value'),
    });
  });

  test('A job of a matrix tells on the pull request which shard is missing, and approves nothing.', async () => {
    await previewed();
    const head = scenario.github.pulls.at(-1)?.head ?? '';
    const { results } = await plannedShards((inputs) => onPullRequest(scenario, { head, inputs, env }));
    const leftBehind = { 'plans/plan-1.json': results[0]?.planFile ?? '' };
    const { code } = await onPullRequest(scenario, { head, inputs: show, env, leftBehind });
    expect(code).toBe(3);
    const [comment] = scenario.github.comments.map(({ body }) => body);
    expect(comment).toContain('there is only the plan of shard 1/2; plan every shard, and show all plans');
    expect(comment).not.toContain('"approves":{"');
  });

  test.each([
    [{ command: 'show' }, 'which has the wrong arguments; write `show plans/*.json`'],
    [{ command: 'show nowhere/*.json' }, 'the plans nowhere/*.json cannot be read: the file does not exist'],
    [{ command: 'show agents/*.json' }, 'no file matches agents/*.json'],
    [{ command: 'plan', plan: 'x.json' }, 'the input plan is valid only with apply, not with plan'],
    [{ command: 'validate', shard: '1/2' }, 'the input shard is valid only with plan, apply and drift'],
    [{ command: 'plan', shard: '3/2' }, 'the input shard is "3/2"; it takes a shard such as 1/4'],
  ])('A job of a matrix is refused with %j.', async (inputs, message) => {
    const { code, log } = await onPush(scenario, { commit: scenario.base, inputs });
    expect({ code, log }).toMatchObject({ code: 1, log: expect.stringContaining(message) });
  });
});
