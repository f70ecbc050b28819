import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ActionResult, runAction } from '../../support/action.ts';
import {
  agentFile,
  agentToken,
  onPullRequest,
  onPush,
  projectFiles,
  type Scenario,
  startScenario,
} from './scenario.ts';

let scenario: Scenario;

beforeEach(async () => {
  scenario = await startScenario();
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const onBranch = { 'agentform.yaml': `${project}record: { store: git }\n` };
  scenario.base = await scenario.repository.commit('main', onBranch, scenario.base);
});
afterEach(async () => {
  expect(scenario.github.complaints).toEqual([]);
  await scenario.close();
});

async function drift(inputs: Readonly<Record<string, string>> = {}): Promise<ActionResult> {
  return runAction({
    workspace: await scenario.repository.checkout(scenario.base),
    apiUrl: scenario.github.url,
    inputs: { command: 'drift', secrets: 'AGENT_TOKEN', ...inputs },
    env: { AGENT_TOKEN: agentToken },
    event: { name: 'schedule', payload: {}, sha: scenario.base },
  });
}

test('records on a branch outlive the job: the next plan knows what was applied', async () => {
  const applied = await onPush(scenario, { commit: scenario.base });
  expect(applied).toMatchObject({ code: 0, outputs: { create: '1' }, log: expect.not.stringContaining('::notice::') });
  expect(await onPullRequest(scenario)).toMatchObject({ code: 0, outputs: { changes: 'false' } });
  const next = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(next.outputs).toMatchObject({ update: '1', drift: '0' });
  expect(scenario.github.comments.at(-1)?.body).toContain(
    '- settings.title: "Front desk"\n+ settings.title: "Reception"',
  );
});

test('drift tells what somebody changed on the service', async () => {
  await onPush(scenario, { commit: scenario.base });
  expect(await drift()).toMatchObject({ code: 0, outputs: { changes: 'false', drift: '0' } });
  scenario.service.edit('agent-1', { title: 'Hands off' });
  const { code, outputs, summary } = await drift();
  expect({ code, outputs }).toMatchObject({ code: 0, outputs: { changes: 'true', drift: '1', update: '1' } });
  expect(summary).toContain('### agentform drift for production');
  expect(summary).toContain('"Hands off"');
  expect(await drift({ 'fail-on-changes': 'true' })).toMatchObject({ code: 1, outputs: { 'failure-reason': 'drift' } });
  expect(scenario.github.takeRequests()).toEqual(['repos/list-pull-requests-associated-with-commit']);
});

test('an old run that is started again does not undo newer work', async () => {
  const old = scenario.base;
  const newer = await scenario.repository.commit('main', { 'agents/front-desk.yaml': agentFile('Reception') }, old);
  await onPush(scenario, { commit: newer });
  const { code, outputs } = await onPush(scenario, { commit: old });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'refused' });
  expect(scenario.service.agents()[0]?.settings.title).toBe('Reception');
});
