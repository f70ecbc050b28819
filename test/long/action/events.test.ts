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

test('If the outputs cannot be written, an apply stops before any write, and says why.', async () => {
  const env = { AGENT_TOKEN: agentToken, GITHUB_OUTPUT: '/dev/full' };
  const { code, log } = await onPush(scenario, { commit: scenario.base, env });
  expect({ code, log }).toEqual({
    code: 1,
    log: expect.stringContaining('::error::cannot write the output changes: the disk is full (ENOSPC)'),
  });
  expect(log).not.toMatch(/bug in agentform|\n +at /);
  expect(scenario.service.takeWrites()).toEqual([]);
});
