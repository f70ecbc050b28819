import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ActionResult } from '../../support/action.ts';
import { agentToken, beginAt, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();

const names = ['front-desk', 'night-desk', 'web-chat'] as const;
const secrets = { secrets: 'AGENT_TOKEN NIGHT_TOKEN CHAT_TOKEN' };
const env = { AGENT_TOKEN: agentToken, NIGHT_TOKEN: 'token-of-the-night', CHAT_TOKEN: 'token-of-the-chat' };
const tokens: Readonly<Record<(typeof names)[number], keyof typeof env>> = {
  'front-desk': 'AGENT_TOKEN',
  'night-desk': 'NIGHT_TOKEN',
  'web-chat': 'CHAT_TOKEN',
};
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

/** Merges a pull request whose comment has the plan. */
async function previewed(): Promise<string> {
  scenario.base = await scenario.repository.commit('main', manifests('Old'), scenario.base);
  const head = await scenario.repository.commit('topic', manifests('New'), scenario.base);
  const merge = await scenario.repository.merge(scenario.base, head, 'preview');
  const { code, log } = await onPullRequest(scenario, { head, merge, env, inputs: secrets });
  expect(code === 0 ? '' : log).toBe('');
  const commit = await scenario.repository.merge(scenario.base, head, 'main');
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  return commit;
}

/** The plan that one job saves for another job. */
async function savedPlan(commit: string): Promise<string> {
  const { planFile = '' } = await onPush(scenario, { commit, inputs: { ...secrets, command: 'plan' }, env });
  return planFile;
}

function applied(commit: string, plan: string, more = {}): Promise<ActionResult> {
  const inputs = { ...secrets, ...approved, command: 'apply', plan: 'saved.json', ...more };
  return onPush(scenario, { commit, inputs, env, leftBehind: { 'saved.json': plan } });
}

function titles(): unknown[] {
  return scenario.service.agents().map(({ settings }) => settings.title);
}

describe('the input plan', () => {
  test('The input plan applies nothing if the saved plan is not the approved one, and names what moved.', async () => {
    const commit = await beginAt('previewed', previewed);
    scenario.service.edit(ids['night-desk'] ?? '', { title: 'Edited' });
    const plan = await savedPlan(commit);
    const { code, log, outputs } = await applied(commit, plan);
    expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
    expect(log).toContain('Agent/night-desk was shown with other changes');
    expect(titles()).toEqual(['Old', 'Edited', 'Old']);
    const each = await applied(commit, plan, { approval: 'each' });
    expect({ code: each.code, reason: each.outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
    expect(each.summary).toContain('not attempted: not approved: it was shown with other changes');
    expect(titles()).toEqual(['New', 'Edited', 'New']);
  });

  test('The input plan applies the plan that an earlier job saved, and leaves out resources that moved since.', async () => {
    const commit = await beginAt('previewed', previewed);
    const plan = await savedPlan(commit);
    scenario.service.edit(ids['web-chat'] ?? '', { title: 'Edited' });
    expect(await applied(commit, plan)).toMatchObject({ code: 3, outputs: { update: '3' } });
    expect(titles()).toEqual(['New', 'New', 'Edited']);
  });
});
