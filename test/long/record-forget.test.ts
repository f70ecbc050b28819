import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { commitAll, initRepository } from '../support/git.ts';
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
