import { beforeEach, expect, test } from '@jest/globals';
import { agentFile, mainCommit, onPullRequest, scenario, useScenario } from '../../e2e/action/scenario.ts';

useScenario();

const policy = (expression: string) =>
  `apiVersion: agentform/v1\nkind: Policy\nname: titles\nrules:\n  - deny: ${expression}\n    message: Titles are approved.\n`;
const shouting = 'desired.settings.title == "SHOUT"';

beforeEach(async () => {
  scenario.base = await mainCommit(scenario, { 'agents/titles.yaml': policy(shouting) }, 'limits: { creates: 5 }\n');
});

test('A broken policy of the base gives way to its valid successor at the head.', async () => {
  const broken = await scenario.repository.commit(
    'main',
    { 'agents/titles.yaml': policy('nonsense ===') },
    scenario.base,
  );
  scenario.base = broken;
  const mended = { 'agents/titles.yaml': policy(shouting), 'agents/front-desk.yaml': agentFile('Reception') };
  expect(await onPullRequest(scenario, { files: mended })).toMatchObject({ code: 0 });
  const dropped = await onPullRequest(scenario, { files: { 'agents/titles.yaml': null } });
  expect(dropped.code).toBe(1);
  expect(dropped.log).toContain('the policy titles has errors in the base commit');
});

test.each([
  ['weakens the policy', 'plan', 3, policy('"false"')],
  ['weakens the policy', 'validate', 1, policy('"false"')],
  ['deletes the policy', 'validate', 1, null],
  ['makes an exception', 'plan', 3, `${policy(shouting)}exceptions: [{ name: front-desk, reason: r }]\n`],
])('A pull request that %s is judged by the policy of the base in %s.', async (_name, command, expected, changed) => {
  const files = { 'agents/front-desk.yaml': agentFile('SHOUT'), 'agents/titles.yaml': changed };
  const { code, log } = await onPullRequest(scenario, { files, inputs: { command } });
  expect(code).toBe(expected);
  expect(log).toContain('policy titles of the base commit: Titles are approved');
});
