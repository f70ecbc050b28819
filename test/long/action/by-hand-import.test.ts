import { expect, test } from '@jest/globals';
import { emptyProject, enter, filesOf, importDesk, onRemote } from '../../e2e/action/importing.ts';
import { merged, onPullRequest, onPush, scenario, typedCommands, useScenario } from '../../e2e/action/scenario.ts';

useScenario();

test('A manual import adds record files to the branch.', async () => {
  await emptyProject('file', { '.gitignore': '.agentform/\n' });
  const { code, outputs, log } = await enter(importDesk);
  expect({ code, log }).toMatchObject({ code: 0, log: expect.not.stringContaining('lost when the job ends') });
  expect(await filesOf(outputs.branch ?? '')).toContain('.agentform/records/production/Agent/front-desk.json');
});

test('The branch of a manual import can be merged and applied as approved.', async () => {
  await emptyProject();
  const { outputs } = await enter(importDesk);
  const { head } = await onPullRequest(scenario, { head: await onRemote('rev-parse', outputs.branch ?? '') });
  const commit = await merged(scenario, head);
  scenario.service.takeLog();
  expect(await onPush(scenario, { commit, inputs: { 'require-approved-plan': 'true' } })).toMatchObject({ code: 0 });
  const [written] = scenario.service.takeWrites();
  expect(written).toMatchObject({ title: 'Desk', description: 'Answers the phone.' });
});

const list =
  'id,name,description,query\nagent-1,front-desk,Answers.,\nagent-2,night-desk,Answers.,targetAccountId=17\n';

test('A manual import of a list puts the imported agents on a branch, and names the remedies for the others.', async () => {
  await emptyProject('git', { 'agents.csv': list });
  await enter('import agent-1 --name front-desk --description Answers.');
  const { code, outputs, summary } = await enter('import --from agents.csv');
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
  expect(summary).toContain('**Import: 1 imported, 1 failed.**');
  expect(summary).toContain(
    '- Agent/front-desk has a record in production, but no manifest in this checkout; if another branch',
  );
  expect(typedCommands(summary)).toEqual(['record forget Agent/front-desk -e production']);
  const files = await filesOf(outputs.branch ?? '');
  expect(files).toContain('agents/night-desk.yaml');
  expect(files).not.toContain('agents/front-desk.yaml');
  expect(await enter('import agent-1 --name front-desk --description Answers. --force')).toMatchObject({ code: 0 });
});

test('A manual import without a description imports nothing.', async () => {
  await emptyProject();
  const { code, log, outputs } = await enter('import agent-1 --name front-desk');
  const sentence = 'agent-1 needs a description, which the service does not return; set it with --description TEXT';
  expect({ code, log, branch: outputs.branch }).toMatchObject({ code: 1, log: expect.stringContaining(sentence) });
  expect(await onRemote('branch', '--list', '*/*')).toBe('');
});
