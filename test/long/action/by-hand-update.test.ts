import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  agentFile,
  asApplied,
  byHand,
  frontDesk,
  scenario,
  typedCommands,
  useScenario,
} from '../../e2e/action/scenario.ts';
import { git } from '../../support/git.ts';
import { startGitHttp } from '../../support/git-http.ts';
import { githubToken } from '../../support/github-server.ts';

useScenario();

const update = (command: string) => byHand(scenario, { commit: scenario.base, command });
const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);

test('A manual update shows both sides of edits of the same line, with the commands that decide.', async () => {
  const prompt = (line: string) => agentFile('Front desk', `  agentInstructions: |\n    one\n    ${line}\n    three\n`);
  const agentInstructions = 'one\ntwo\nthree\n';
  await asApplied(scenario, { ...frontDesk, agentInstructions }, { 'agents/front-desk.yaml': prompt('ours') });
  scenario.service.edit('agent-1', { agentInstructions: 'one\ntheirs\nthree' });
  const { code, summary } = await update('update front-desk');
  expect(code).toBe(3);
  expect(summary).toMatch(/line 2\n {2}last applied +two\n {2}on the service +theirs\n {2}in the manifest +ours\n/);
  const command = typedCommands(summary).find((one) => one.includes('--theirs')) ?? '';
  const { outputs } = await update(command);
  expect(await onRemote('show', `${outputs.branch}:agents/front-desk.yaml`)).toContain('    theirs\n');
});

test('A manual update that is refused, empty or cannot be pushed creates no branch and says why.', async () => {
  await asApplied(scenario, frontDesk);
  const { code, outputs, summary } = await update('update front-desk --field settings.description');
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'refused' });
  expect(outputs.branch).toBeUndefined();
  expect(summary).toContain('**Nothing was updated from production.**');
  expect(summary).toContain('- not updated: settings.description: ');
  const nothing = await update('update front-desk');
  expect(nothing).toMatchObject({ code: 0, summary: expect.stringContaining('Nothing was updated from production.') });

  scenario.service.edit('agent-1', { title: 'Reception' });
  const hook = join(scenario.repository.remote, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "protected" >&2\nexit 1\n', { mode: 0o755 });
  const unpushed = await update('update front-desk');
  expect(unpushed).toMatchObject({ code: 1, outputs: { 'failure-reason': 'failed' } });
  expect(unpushed.outputs.branch).toBeUndefined();
  expect(unpushed.summary).toContain('could not be pushed (pre-receive hook declined: protected).');
  expect(unpushed.summary).toContain('-  title: Front desk\n+  title: Reception');
  expect(unpushed.log).toMatch(/::error::the branch agentform\/update-production-\w+ could not be pushed/);
  expect(await onRemote('branch', '--list', 'agentform/*')).toBe('');
});

test('A manual update whose token may not push names the permission that the workflow needs.', async () => {
  await asApplied(scenario, frontDesk);
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { url, close } = await startGitHttp(scenario.repository.remote, githubToken, 'tok-other');
  const { code, summary } = await byHand(scenario, {
    commit: scenario.base,
    command: 'update front-desk',
    server: url,
  });
  await close();
  expect(code).toBe(1);
  expect(summary).toContain('error: 403); give the workflow `permissions: { contents: write }`');
});

test('A manual update fails if a branch named agentform is in the way.', async () => {
  await asApplied(scenario, frontDesk);
  await onRemote('update-ref', 'refs/heads/agentform', scenario.base);
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { code, outputs, summary } = await update('update front-desk');
  expect({ code, branch: outputs.branch }).toEqual({ code: 1, branch: undefined });
  expect(summary).toContain("'refs/heads/agentform' exists");
  expect(summary).toContain('-  title: Front desk\n+  title: Reception');
});
