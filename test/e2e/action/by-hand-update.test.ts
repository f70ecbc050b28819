import { expect, test } from '@jest/globals';
import { git } from '../../support/git.ts';
import { agentFile, asApplied, byHand, frontDesk, scenario, useScenario } from './scenario.ts';

useScenario();

const update = (command: string) => byHand(scenario, { commit: scenario.base, command });
const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);

test('A manual update creates a branch with the live value, and a later update keeps commits on it.', async () => {
  await asApplied(scenario, frontDesk);
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { code, outputs, summary } = await update('update front-desk -e production');
  const { branch = '' } = outputs;
  expect({ code, branch }).toEqual({ code: 0, branch: expect.stringMatching(/^agentform\/update-production-\w{10}$/) });
  expect(summary).toContain('**Updated 1 value from production in agents/front-desk.yaml.**');
  const url = `https://github.com/clinic/agents/compare/${branch}?expand=1`;
  expect(summary).toContain(`on the branch \`${branch}\`. [Open a pull request](${url})`);
  expect(summary).toContain('-  title: Front desk\n+  title: Reception');
  expect(await onRemote('show', `${branch}:agents/front-desk.yaml`)).toBe(agentFile('Reception').trimEnd());
  expect(await onRemote('log', '--format=%s %P', '-1', branch)).toBe(
    `Update Agent/front-desk from production ${scenario.base}`,
  );
  const head = await onRemote('rev-parse', branch);

  const further = await scenario.repository.commit(branch, { 'agents/front-desk.yaml': agentFile('Desk') }, head);
  const again = await update('update front-desk');
  expect(again).toMatchObject({ code: 0, outputs: { branch } });
  expect(await onRemote('rev-parse', branch)).toBe(further);
});
