import { expect, test } from '@jest/globals';
import { agentFile, byHand, mainCommit, onPush, scenario, typedCommands, useScenario } from './scenario.ts';

useScenario(async () => {
  scenario.base = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Front desk') });
  await onPush(scenario, { commit: scenario.base });
});

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

test('A manual rollback restores a live agent without an approval, and the next push does not undo it.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Bad desk') });
  await onPush(scenario, { commit });
  const inputs = { 'require-approved-plan': 'true' };
  const command = "rollback front-desk --reason 'callers were cut off'";
  const rolledBack = await byHand(scenario, { commit, command, inputs });
  expect({ code: rolledBack.code, title: title() }).toEqual({ code: 0, title: 'Front desk' });
  expect(rolledBack.summary).toContain('### agentform rollback for production');
  expect(rolledBack.summary).toContain('is on hold: apply keeps the restored values');

  const refused = await onPush(scenario, { commit });
  expect({ code: refused.code, title: title() }).toEqual({ code: 3, title: 'Front desk' });
  expect(refused.log).toMatch(/Held by: .*, since .*\n[\s\S]*Reason: callers were cut off/);
  const typed = typedCommands(refused.summary);
  expect(typed).toContain('unhold Agent/front-desk -e production');
});
