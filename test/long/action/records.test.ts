import { rename } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { agentFile, beginAt, onPush, projectFiles, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario(async () => {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const onBranch = { 'agentform.yaml': `${project}record: { store: git }\n` };
  scenario.base = await scenario.repository.commit('main', onBranch, scenario.base);
});

/** The result of the first apply. */
const applied = () => beginAt('applied', () => onPush(scenario, { commit: scenario.base }));

test('A restarted old run does not undo newer work.', async () => {
  const old = scenario.base;
  const newer = await scenario.repository.commit('main', { 'agents/front-desk.yaml': agentFile('Reception') }, old);
  await onPush(scenario, { commit: newer });
  const { code, outputs } = await onPush(scenario, { commit: old });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'refused' });
  expect(scenario.service.agents()[0]?.settings.title).toBe('Reception');
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

test('Drift without edits on the service changes nothing, and needs no comment.', async () => {
  await applied();
  scenario.github.takeRequests();
  const drift = await onPush(scenario, {
    commit: scenario.base,
    inputs: { command: 'drift', 'fail-on-changes': 'true' },
  });
  expect(drift).toMatchObject({ code: 0, outputs: { changes: 'false', drift: '0' } });
  expect(scenario.github.takeRequests()).toEqual([]);
});
