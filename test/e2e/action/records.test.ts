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
