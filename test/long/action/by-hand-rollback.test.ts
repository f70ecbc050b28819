import { expect, test } from '@jest/globals';
import { agentFile, byHand, mainCommit, onPush, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario(async () => {
  scenario.base = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Front desk') });
  await onPush(scenario, { commit: scenario.base });
});

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

test('A manual hold keeps the next push from writing the agent until a manual unhold.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Reception') });
  const held = await byHand(scenario, { commit, command: "hold front-desk --reason 'demo for the board'" });
  expect(held).toMatchObject({ code: 0, log: expect.stringContaining('Agent/front-desk is on hold in production.') });
  expect(await onPush(scenario, { commit })).toMatchObject({ code: 3 });
  expect(title()).toBe('Front desk');
  expect(await byHand(scenario, { commit, command: 'unhold Agent/front-desk -e production' })).toMatchObject({
    code: 0,
    log: expect.stringContaining('Released Agent/front-desk in production.'),
  });
  expect(await onPush(scenario, { commit })).toMatchObject({ code: 0 });
  expect(title()).toBe('Reception');
});
