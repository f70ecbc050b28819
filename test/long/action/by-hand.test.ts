import { expect, test } from '@jest/globals';
import {
  agentFile,
  byHand,
  mainCommit,
  onPush,
  scenario,
  typedCommands,
  useScenario,
} from '../../e2e/action/scenario.ts';

useScenario();

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

test('A plan that moved can be approved, and earlier decisions stay in the command.', async () => {
  scenario.base = await mainCommit(scenario, {});
  const newer = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Reception') });
  await onPush(scenario, { commit: newer });
  const inputs = { 'require-approved-plan': 'true' };
  const refused = await onPush(scenario, { commit: scenario.base, inputs });
  const [older = ''] = typedCommands(refused.summary);
  expect({ code: refused.code, older }).toEqual({ code: 3, older: 'apply --new all --allow-older -e production' });
  const unapproved = await byHand(scenario, { commit: scenario.base, command: older, inputs });
  const [approve = ''] = typedCommands(unapproved.summary);
  expect(approve).toMatch(/^apply --new all --allow-older --approve-digest sha256:[0-9a-f]{64} -e production$/);
  expect(await byHand(scenario, { commit: scenario.base, command: approve, inputs })).toMatchObject({ code: 0 });
  expect(title()).toBe('Front desk');
});

test('A record can be renamed, dropped and adopted by hand.', async () => {
  scenario.base = await mainCommit(scenario, {});
  await onPush(scenario, { commit: scenario.base });
  const renamed = agentFile('Front desk').replace('name: front-desk', 'name: reception');
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': renamed });
  const blocked = await onPush(scenario, { commit });
  const [rename = ''] = typedCommands(blocked.summary);
  expect(rename).toBe('record rename Agent/front-desk Agent/reception -e production');
  const { code, log, summary } = await byHand(scenario, { commit, command: rename });
  expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('Renamed the record to Agent/reception.') });
  expect(summary).toContain('### agentform record rename for production');
  const forget = { commit, command: '`agentform record forget Agent/reception -e production`' };
  expect(await byHand(scenario, forget)).toMatchObject({ code: 0 });
  const adopt = { commit, command: 'record adopt reception agent-1' };
  expect(await byHand(scenario, adopt)).toMatchObject({
    code: 0,
    summary: expect.stringContaining('Adopted Agent/reception. Linked it to agent-1.'),
  });
  expect(await onPush(scenario, { commit })).toMatchObject({ code: 0, outputs: { create: '0' } });
  expect(scenario.service.agents()).toHaveLength(1);
});

test('More creates than the limit can be allowed by hand, in the workflow that init writes.', async () => {
  const files = {
    '.github/workflows/by-hand.yml': null,
    '.github/workflows/agentform-by-hand.yml': 'on: workflow_dispatch\n',
  };
  const commit = await mainCommit(scenario, files, 'limits: { creates: 0 }\n');
  const refused = await onPush(scenario, { commit });
  const url = 'https://github.com/clinic/agents/actions/workflows/agentform-by-hand.yml';
  expect(refused.summary).toContain(`run the workflow [agentform-by-hand.yml](${url}) and enter`);
  const [command = ''] = typedCommands(refused.summary);
  expect({ code: refused.code, command }).toEqual({
    code: 3,
    command: 'apply --new all --allow-creates 1 -e production',
  });
  expect(await byHand(scenario, { commit, command })).toMatchObject({ code: 0, outputs: { create: '1' } });
});

test('A publish by hand that fails is reported.', async () => {
  const commit = await mainCommit(scenario, {}, 'service: { publish: /api/v2/agent/publish }\n');
  expect(await byHand(scenario, { commit, command: 'apply' })).toMatchObject({ code: 0 });
  scenario.service.before = ({ path }) =>
    path.startsWith('/api/v2/agent/publish')
      ? { status: 404, body: '{"success":false,"message":"no such route"}' }
      : undefined;
  const { code, outputs, summary } = await byHand(scenario, { commit, command: 'publish front-desk' });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
  expect(summary).toMatch(/### agentform publish for production.*\n\n❌ \*\*Publish: 0 published, 1 failed/);
});
