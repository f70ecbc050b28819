import { expect, test } from '@jest/globals';
import {
  byHand,
  mainCommit,
  onPush,
  projectFiles,
  scenario,
  typedCommands,
  useScenario,
} from '../../e2e/action/scenario.ts';

useScenario(async () => {
  scenario.base = await mainCommit(scenario, {});
  await onPush(scenario, { commit: scenario.base, inputs: { environment: 'production' } });
});

/** Renames the environment production to live. Returns the commit. */
function renamed(): Promise<string> {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const yaml = `${project.replaceAll('production', 'live')}record: { store: git }\n`;
  return scenario.repository.commit('main', { 'agentform.yaml': yaml }, scenario.base);
}

const live = { environment: 'live' };

test('A manual command renames the records of a renamed environment.', async () => {
  const commit = await renamed();
  const refused = await onPush(scenario, { commit, inputs: live });
  expect({ code: refused.code, typed: typedCommands(refused.summary) }).toEqual({
    code: 3,
    typed: ['record rename --environment production live', 'record forget --environment production'],
  });
  const [command = ''] = typedCommands(refused.summary);
  const { code, summary } = await byHand(scenario, { commit, command, inputs: live });
  expect({ code, summary }).toEqual({
    code: 0,
    summary: expect.stringContaining('Renamed 1 record from production to live.'),
  });
  expect(await onPush(scenario, { commit, inputs: live })).toMatchObject({ code: 0, outputs: { changes: 'false' } });
});

test('A manual command drops the records of a removed environment.', async () => {
  const commit = await renamed();
  const command = 'record forget --environment production';
  const { code, summary } = await byHand(scenario, { commit, command, inputs: live });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('Deleted 1 record of production.') });
});

test.each([
  ['an environment that is still there', 'record forget --environment staging', 'still has the environment staging'],
  [
    'another environment than the one of the job',
    'record rename --environment production staging',
    '"staging", but the input',
  ],
])('A manual command does not change records of %s.', async (_, command, sentence) => {
  const { code, log } = await byHand(scenario, { commit: await renamed(), command, inputs: live });
  expect({ code, log }).toEqual({ code: 1, log: expect.stringContaining(sentence) });
});
