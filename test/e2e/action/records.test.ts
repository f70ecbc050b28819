import { expect, test } from '@jest/globals';
import { runAction } from '../../support/action.ts';
import { agentFile, agentToken, onPullRequest, onPush, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario(async () => {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const onBranch = { 'agentform.yaml': `${project}record: { store: git }\n` };
  scenario.base = await scenario.repository.commit('main', onBranch, scenario.base);
});

test('Records on a branch outlive the job, so the next plan has the last applied values, and edits on the service are drift.', async () => {
  expect(await onPush(scenario, { commit: scenario.base })).toMatchObject({
    code: 0,
    outputs: { create: '1' },
    log: expect.not.stringContaining('::notice::'),
  });
  const { base } = scenario;
  const next = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': agentFile('Reception') } });
  expect(next.outputs).toMatchObject({ update: '1', drift: '0' });
  expect(scenario.github.comments.at(-1)?.body).toContain('| **Title** | Front desk | Reception |');
  scenario.github.takeRequests();
  scenario.service.edit('agent-1', { title: 'Hands off' });
  const { code, outputs, summary } = await runAction({
    workspace: await scenario.repository.checkout(base),
    apiUrl: scenario.github.url,
    inputs: { command: 'drift', secrets: 'AGENT_TOKEN', 'fail-on-changes': 'true' },
    env: { AGENT_TOKEN: agentToken },
    event: { name: 'schedule', payload: {}, sha: base },
  });
  expect({ code, outputs }).toMatchObject({
    code: 2,
    outputs: { changes: 'true', drift: '1', update: '0', revert: '1', 'failure-reason': 'drift' },
  });
  expect(summary).toContain('### agentform drift for production');
  expect(summary).toContain('Hands off');
  expect(scenario.github.takeRequests()).toEqual([]);
});
