import { expect, test } from '@jest/globals';
import { agentToken, onPush, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario();

test('A summary that cannot be written is a warning, and does not change the result of the command.', async () => {
  const env = { AGENT_TOKEN: agentToken, GITHUB_STEP_SUMMARY: '/nonexistent/summary' };
  const applied = await onPush(scenario, { commit: scenario.base, env });
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.log).toContain('::warning::the job summary could not be written: ');
  expect(scenario.service.agents()).toHaveLength(1);
});
