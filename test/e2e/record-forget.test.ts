import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { oneAgentProject, type Remote, startRemote } from '../support/remote.ts';
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

test('An answer other than yes keeps the record, with exit code 3.', async () => {
  const typed: Typed = ['Type "yes" to continue: ', `no${keys.enter}`];
  const { code, screen } = await forgetOnTerminal(['Agent/front-desk'], [typed]);
  expect(screen).toContain('no record was deleted: the deletion was not confirmed (declined)');
  expect(code).toBe(3);
  expect(await isRecorded()).toBe(true);
});

test('A record that does not exist is refused before any prompt.', async () => {
  const { code, screen } = await forgetOnTerminal(['Agent/other'], []);
  expect(screen).toContain('Agent/other has no record');
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
