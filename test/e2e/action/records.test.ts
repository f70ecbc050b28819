import { rename } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { type ActionResult, runAction } from '../../support/action.ts';
import {
  agentFile,
  agentToken,
  beginAt,
  onPullRequest,
  onPush,
  projectFiles,
  scenario,
  useScenario,
} from './scenario.ts';

useScenario(async () => {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const onBranch = { 'agentform.yaml': `${project}record: { store: git }\n` };
  scenario.base = await scenario.repository.commit('main', onBranch, scenario.base);
});

/** The result of the first apply. */
const applied = () => beginAt('applied', () => onPush(scenario, { commit: scenario.base }));

async function drift(inputs: Readonly<Record<string, string>> = {}): Promise<ActionResult> {
  return runAction({
    workspace: await scenario.repository.checkout(scenario.base),
    apiUrl: scenario.github.url,
    inputs: { command: 'drift', secrets: 'AGENT_TOKEN', ...inputs },
    env: { AGENT_TOKEN: agentToken },
    event: { name: 'schedule', payload: {}, sha: scenario.base },
  });
}

test('Records on a branch outlive the job, so the next plan has the last applied values.', async () => {
  expect(await applied()).toMatchObject({
    code: 0,
    outputs: { create: '1' },
    log: expect.not.stringContaining('::notice::'),
  });
  const next = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(next.outputs).toMatchObject({ update: '1', drift: '0' });
  expect(scenario.github.comments.at(-1)?.body).toContain('| **Title** | Front desk | Reception |');
});

test('The action reports edits on the service as drift.', async () => {
  await applied();
  scenario.github.takeRequests();
  expect(await drift()).toMatchObject({ code: 0, outputs: { changes: 'false', drift: '0' } });
  scenario.service.edit('agent-1', { title: 'Hands off' });
  const { code, outputs, summary } = await drift({ 'fail-on-changes': 'true' });
  expect({ code, outputs }).toMatchObject({
    code: 2,
    outputs: { changes: 'true', drift: '1', update: '0', revert: '1', 'failure-reason': 'drift' },
  });
  expect(summary).toContain('### agentform drift for production');
  expect(summary).toContain('Hands off');
  expect(scenario.github.takeRequests()).toEqual([]);
});

test('A restarted old run does not undo newer work.', async () => {
  const old = scenario.base;
  const newer = await scenario.repository.commit('main', { 'agents/front-desk.yaml': agentFile('Reception') }, old);
  await onPush(scenario, { commit: newer });
  const { code, outputs } = await onPush(scenario, { commit: old });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'refused' });
  expect(scenario.service.agents()[0]?.settings.title).toBe('Reception');
});

test('A pull request cannot change where records are fetched before it is merged.', async () => {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const at = (remote: string) => ({ 'agentform.yaml': `${project}record: { store: git, remote: "${remote}" }\n` });
  const elsewhere = `${scenario.repository.remote}-of-somebody`;
  scenario.service.takeLog();
  const inputs = { 'allowed-hosts': new URL(scenario.service.baseUrl).host };
  const { code, outputs, log } = await onPullRequest(scenario, { files: at(elsewhere), inputs });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'refused' });
  expect(log).toContain(`this change sets record.remote to ${elsewhere}`);
  expect(scenario.service.takeLog()).toEqual([]);
  scenario.base = await scenario.repository.commit('main', at(scenario.repository.remote), scenario.base);
  expect(await onPullRequest(scenario)).toMatchObject({ code: 0, outputs: { create: '1' } });
});

test('Records that could not be pushed are reported with the result.', async () => {
  await applied();
  const commit = await scenario.repository.commit('main', { 'agents/front-desk.yaml': agentFile('Reception') });
  const { remote } = scenario.repository;
  scenario.service.after = async ({ method }) => {
    if (method === 'POST') await rename(remote, `${remote}-away`);
    return undefined;
  };
  const { code, log, summary } = await onPush(scenario, { commit });
  await rename(`${remote}-away`, remote);
  expect(code).toBe(1);
  expect(log).toMatch(/^::error::Apply: 1 applied\. Records not shared: .*cannot be pushed to/m);
  expect(summary).toContain('❌ Records not shared: ');
});
