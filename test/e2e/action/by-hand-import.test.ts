import { describe, expect, test } from '@jest/globals';
import { git } from '../../support/git.ts';
import { type Files, gitRepository } from '../../support/git-repository.ts';
import {
  agentToken,
  byHand,
  onPullRequest,
  onPush,
  projectFiles,
  scenario,
  typedCommands,
  useScenario,
} from './scenario.ts';

useScenario();

/** A project without agents, as `agentform init --base-url` leaves it, and two agents on the service. */
async function emptyProject(store = 'git', more: Files = {}): Promise<void> {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  await scenario.repository.remove();
  const files = { 'agentform.yaml': `${project}record: { store: ${store} }\n`, ...more };
  const repository = await gitRepository(files);
  Object.assign(scenario, { repository, base: repository.first });
  const long = 'Be kind.\nBe short.\n'.repeat(10);
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Desk', description: 'x', agentInstructions: long });
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Night', description: 'x' }, '17');
}

const enter = (command: string) => byHand(scenario, { commit: scenario.base, command });
const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);
const filesOf = async (branch: string) => (await onRemote('ls-tree', '-r', '--name-only', branch)).split('\n');
const importDesk = `import agent-1 --name front-desk --description "Answers the phone."`;

test('an agent comes as a branch that a pull request is opened from, and its record at once', async () => {
  await emptyProject();
  const { code, outputs, summary, log } = await enter(importDesk);
  const { branch = '' } = outputs;
  expect({ log, code, branch }).toMatchObject({
    code: 0,
    branch: expect.stringMatching(/^agentform\/import-production-\w{10}$/),
  });
  expect(summary).toContain('**Import: 1 imported.**');
  expect(summary).toContain(`[Open a pull request](https://github.com/clinic/agents/compare/${branch}?expand=1)`);
  expect(summary).toContain('+  title: Desk');
  expect(summary).not.toContain('schema.json b/');
  expect(await filesOf(branch)).toEqual(
    expect.arrayContaining([
      '.agentform/schemas/manifest.schema.json',
      'agents/front-desk.yaml',
      'prompts/front-desk.md',
    ]),
  );
  expect(await onRemote('log', '--format=%s %P', '-1', branch)).toBe(
    `Import Agent/front-desk from production ${scenario.base}`,
  );
  expect(await filesOf('agentform-records')).toEqual([expect.stringMatching(/production.*Agent.*front-desk\.json$/)]);
});

test('the pull request of an import shows only what cannot be read, and its merge applies it', async () => {
  await emptyProject();
  const { branch = '' } = (await enter(importDesk)).outputs;
  const { outputs, head } = await onPullRequest(scenario, { head: await onRemote('rev-parse', branch) });
  expect(outputs).toMatchObject({ create: '0', update: '1', blocked: '0', drift: '0' });
  const commit = await scenario.repository.merge(scenario.base, head, 'main');
  scenario.github.pulls.push({ number: 7, head, mergeCommit: commit, merged: true });
  scenario.service.takeLog();
  expect(await onPush(scenario, { commit, inputs: { 'require-approved-plan': 'true' } })).toMatchObject({ code: 0 });
  const [written] = scenario.service.takeWrites();
  expect(written).toMatchObject({ title: 'Desk', description: 'Answers the phone.' });
});

test('records that are files are on the branch too', async () => {
  await emptyProject('file', { '.gitignore': '.agentform/\n' });
  const { code, outputs, log } = await enter(importDesk);
  expect({ code, log }).toMatchObject({ code: 0, log: expect.not.stringContaining('lost when the job ends') });
  expect(await filesOf(outputs.branch ?? '')).toContain('.agentform/records/production/Agent/front-desk.json');
});

describe('a list of agents that is committed', () => {
  const list =
    'id,name,description,query\nagent-1,front-desk,Answers.,\nagent-2,night-desk,Answers.,targetAccountId=17\n';

  test('A list of agents that is committed is imported in one branch.', async () => {
    await emptyProject('git', { 'agents.csv': list });
    const { code, outputs, summary } = await enter('import --from agents.csv');
    expect({ code, summary }).toMatchObject({ code: 0, summary: expect.stringContaining('**Import: 2 imported.**') });
    expect(await filesOf(outputs.branch ?? '')).toEqual(
      expect.arrayContaining(['agents/front-desk.yaml', 'agents/night-desk.yaml']),
    );
  });

  test('A list of agents that is committed has what could be imported in the branch, and says what to do about the rest.', async () => {
    await emptyProject('git', { 'agents.csv': list });
    await enter('import agent-1 --name front-desk --description Answers.');
    const { code, outputs, summary } = await enter('import --from agents.csv');
    expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
    expect(summary).toContain('**Import: 1 imported, 1 failed.**');
    expect(summary).toContain(
      '- Agent/front-desk has a record in production but no manifest here; merge the branch that',
    );
    expect(typedCommands(summary)).toEqual(['record forget Agent/front-desk -e production']);
    expect(await filesOf(outputs.branch ?? '')).not.toContain('agents/front-desk.yaml');
    expect(await enter('import agent-1 --name front-desk --description Answers. --force')).toMatchObject({ code: 0 });
  });

  test('A list of agents that is committed is a file of the commit.', async () => {
    await emptyProject();
    const { code, log } = await enter('import --from /proc/self/environ');
    expect({ code, log }).toMatchObject({ code: 1, log: expect.stringContaining('is not tracked by git') });
  });
});

test('Without a description nothing is imported.', async () => {
  await emptyProject();
  const { code, log, outputs } = await enter('import agent-1 --name front-desk');
  const sentence = 'every agent needs one; give it with --description TEXT';
  expect({ code, log, branch: outputs.branch }).toMatchObject({ code: 1, log: expect.stringContaining(sentence) });
  expect(await onRemote('branch', '--list', '*/*')).toBe('');
});

test('Before a merge nothing is imported.', async () => {
  await emptyProject();
  const { code, log } = await onPullRequest(scenario, { inputs: { command: importDesk } });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('so it does not run before a merge') });
});
