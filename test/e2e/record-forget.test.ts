import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal, type Typed } from '../support/terminal.ts';

shareProcess();

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  await remote.faults([]);
  project = await oneAgentProject(remote, 'settings: { title: Front desk, description: D, welcomeMessage: Hi }\n', {
    AGENT_TOKEN: `tok-${Math.random()}`,
  });
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
});
afterEach(() => project.remove());

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

test('A record that appears during the question is not deleted, because it was not confirmed.', async () => {
  const path = (name: string) => join(project.root, `.agentform/records/test/Agent/${name}.json`);
  const confirm = () => {
    const text = readFileSync(path('front-desk'), 'utf8');
    writeFileSync(path('late'), text.replace('"name": "front-desk"', '"name": "late"'));
    return `yes${keys.enter}`;
  };
  expect(await forgetOnTerminal(['*'], [['Type "yes" to continue: ', confirm]])).toMatchObject({ code: 0 });
  const { stdout } = await project.run('record', 'list');
  expect(stdout).toContain('Agent/late');
  expect(stdout).not.toContain('Agent/front-desk');
});

test('An answer other than yes keeps the record, with exit code 3.', async () => {
  const typed: Typed = ['Type "yes" to continue: ', `no${keys.enter}`];
  const { code, screen } = await forgetOnTerminal(['Agent/front-desk'], [typed]);
  expect(screen).toContain('no record was deleted: the deletion was not confirmed (declined)');
  expect(code).toBe(3);
  expect(await isRecorded()).toBe(true);
});

test('A record that does not exist is refused before any prompt.', async () => {
  const { code, screen } = await forgetOnTerminal(['Agent/other'], []);
  expect(screen).toContain('no resource matches Agent/other');
  expect(screen).not.toContain('Type "yes"');
  expect(code).toBe(1);
});

test('One prompt covers all records of an environment.', async () => {
  const typed: Typed = ['Delete all records of gone?', `no${keys.enter}`];
  expect(await forgetOnTerminal(['--environment', 'gone'], [typed])).toMatchObject({ code: 3 });
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

test('A name without a kind means a record of any kind, even after its manifest and the record are deleted.', async () => {
  await project.edit('agentform.yaml', 'agents/*.yaml', '*/*.yaml');
  const url = 'apiVersion: agentform/v1\nkind: AgentUrl\nname: web\nsettings: { targetUsername: desk, slug: desk }\n';
  await project.write('urls/web.yaml', url);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  initRepository(project.root);
  await commitAll(project.root, 'x');
  await rm(join(project.root, 'urls/web.yaml'));
  const forget = () => project.run('record', 'forget', 'web', '--yes');
  expect(await forget()).toMatchObject({ code: 0, stdout: expect.stringContaining('the record of AgentUrl/web.') });
  const nothing = 'Nothing to forget: AgentUrl/web has no matching record in test.\n';
  expect(await forget()).toEqual({ code: 0, stdout: nothing, stderr: '' });
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
