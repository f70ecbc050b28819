import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { agentManifest, oneAgentProject, type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal, type Typed } from '../support/terminal.ts';

shareProcess();

let remote: Remote;
let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  remote = await startSaveableRemote();
  project = await oneAgentProject(remote, 'settings: { title: Front desk, description: D, welcomeMessage: Hi }\n');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  startOver = await savedState(remote, project.root);
});
beforeEach(() => startOver());
afterAll(async () => {
  await project.remove();
  await remote.close();
});

function forgetOnTerminal(args: readonly string[], typed: readonly Typed[]) {
  return runOnTerminal(['record', 'forget', ...args], { cwd: project.root }, typed);
}

async function isRecorded(): Promise<boolean> {
  return (await project.run('record', 'list')).stdout.includes('Agent/front-desk');
}

test('The question names the record, its id and the environment, and the answer yes deletes it.', async () => {
  const typed: Typed = ['Type "yes" to continue: ', `yes${keys.enter}`];
  const { code, screen } = await forgetOnTerminal(['Agent/front-desk'], [typed]);
  expect(screen).toMatch(/Delete the record of Agent\/front-desk \(\S+\) in \S+\? Type "yes" to continue: /);
  expect(screen).toContain('Deleted the record of Agent/front-desk.');
  expect(code).toBe(0);
  expect(await isRecorded()).toBe(false);
});

test('An answer other than yes keeps the record, with exit code 3.', async () => {
  const typed: Typed = ['Type "yes" to continue: ', `no${keys.enter}`];
  const { code, screen } = await forgetOnTerminal(['Agent/front-desk'], [typed]);
  expect(screen).toContain('no record was deleted: the deletion was not confirmed (declined)');
  expect(code).toBe(3);
  expect(await isRecorded()).toBe(true);
});

test('The option --yes skips the prompt, and is required without a terminal.', async () => {
  expect(await forgetOnTerminal(['Agent/front-desk', '--yes'], [])).toMatchObject({ code: 0 });
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await project.run('record', 'forget', 'Agent/front-desk')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'error: no record was deleted: confirmation needs a terminal; use --yes (declined)\n',
  });
  expect(await isRecorded()).toBe(true);
  expect(await project.run('record', 'forget', 'Agent/front-desk', '--yes')).toMatchObject({ code: 0 });
});

test('A repeated command has nothing to forget, with exit code 0, even if the manifest is gone.', async () => {
  const forget = (...args: string[]) => project.run('record', 'forget', ...args, '--yes');
  initRepository(project.root);
  await commitAll(project.root, 'x');
  expect(await forget('front-desk')).toMatchObject({ code: 0 });
  const nothing = 'Nothing to forget: Agent/front-desk has no matching record in test.\n';
  expect(await forget('front-desk')).toEqual({ code: 0, stdout: nothing, stderr: '' });
  await rm(join(project.root, 'agents/front-desk.yaml'));
  expect(await forget('front-desk')).toEqual({ code: 0, stdout: nothing, stderr: '' });
  expect(await forget('front-dask')).toMatchObject({ code: 1 });
});

test('A name without a kind that several records have is refused, and nothing is deleted.', async () => {
  await project.edit('agentform.yaml', 'agents/*.yaml', '*/*.yaml');
  const url =
    'apiVersion: agentform/v1\nkind: AgentUrl\nname: front-desk\nsettings: { targetUsername: reception, slug: reception }\n';
  await project.write('urls/front-desk.yaml', url);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  const forget = (...names: string[]) => project.run('record', 'forget', ...names, '--yes');
  const stderr = 'error: front-desk can be Agent/front-desk or AgentUrl/front-desk; name one or more of them (usage)\n';
  expect(await forget('front-desk')).toEqual({ code: 1, stdout: '', stderr });
  expect(await isRecorded()).toBe(true);
  expect(await forget('Agent/front-desk', 'AgentUrl/front-desk')).toMatchObject({ code: 0 });
});

test('One command forgets all creates with an unknown outcome, and keeps adopted and applied records.', async () => {
  for (const name of ['a', 'b', 'c']) {
    const target = `target: { query: { targetAccountId: "${name}" } }`;
    await project.write(
      `agents/${name}.yaml`,
      agentManifest(name, `${target}\nsettings: { title: ${name}, description: D }\n`),
    );
  }
  await remote.faults(['reset-after-write:operation=updateAgent,times=3']);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 1 });
  const plan = (await project.run('plan')).stdout.replace(/\s+/g, ' ');
  expect(plan).toContain('Look for the 3 agents on the service. For each one that exists, run');
  expect(plan).toContain('`agentform record forget --unclear a b c -e test` for the others');
  const id = (await remote.agents()).find(({ draft }) => draft.title === 'a')?.id ?? '';
  expect(await project.run('record', 'adopt', 'Agent/a', id)).toMatchObject({ code: 0 });
  const forgotten = await project.run('record', 'forget', '--unclear', '*', '--yes');
  expect(forgotten).toMatchObject({ code: 0, stdout: expect.stringContaining('of Agent/b and Agent/c.') });
  const listed = (await project.run('record', 'list')).stdout;
  expect(listed).toContain('Agent/a ');
  expect(listed).toContain('Agent/front-desk');
  expect(listed).not.toContain('Agent/b ');
});

test('Without a selection, only the option --environment names an environment, never the variable.', async () => {
  const elsewhere = await testProject({}, { AGENTFORM_PROJECT: project.root, AGENTFORM_ENVIRONMENT: 'test' });
  await project.edit('agentform.yaml', '  test:', '  qa:');
  await project.edit('agentform.yaml', 'defaultEnvironment: test', 'defaultEnvironment: qa');
  const forget = (...args: string[]) => elsewhere.run('record', 'forget', '--yes', ...args);
  expect(await forget()).toMatchObject({ code: 1, stderr: expect.stringContaining('name the resources as Kind/name') });
  expect(await project.recordTexts()).toHaveLength(1);
  expect(await forget('--environment', 'test')).toMatchObject({ code: 0 });
  await elsewhere.remove();
});
