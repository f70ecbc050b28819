import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { git } from '../../support/git.ts';
import { agentFile, byHand, mainCommit, onPullRequest, onPush, scenario, useScenario } from './scenario.ts';

useScenario();
beforeEach(async () => {
  scenario.base = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Front desk') });
  await onPush(scenario, { commit: scenario.base });
});

const branch = 'agentform/drift-production';
const nightly = (inputs: Readonly<Record<string, string>> = {}, commit = scenario.base) =>
  byHand(scenario, { commit, command: 'drift', inputs: { 'pull-request': 'true', ...inputs } });
const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);
const pull = () =>
  scenario.github.opened.map(({ number, title, state, head, base }) => ({ number, title, state, head, base }));
const opened = {
  number: 100,
  title: 'Edits made in the dashboard: 1 agent (production)',
  state: 'open',
  head: branch,
  base: 'main',
};

test('an edit on the service becomes a pull request, which says what moved and what may have', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { code, outputs, summary } = await nightly();
  expect({ code, branch: outputs.branch, number: outputs['pull-request'] }).toEqual({ code: 0, branch, number: '100' });
  expect(pull()).toEqual([opened]);
  expect(await onRemote('show', `${branch}:agents/front-desk.yaml`)).toBe(agentFile('Reception').trimEnd());
  expect(await onRemote('log', '--format=%s %P', '-1', branch)).toBe(`${opened.title} ${scenario.base}`);
  const { body = '' } = scenario.github.opened[0] ?? {};
  expect(body).toContain('+ settings.title: "Reception"');
  expect(body).toMatch(/unverified[\s\S]*`settings\.description`/);
  expect(summary).toContain('Pull request 100 is opened');
  expect(summary).toContain('[Open it](https://github.com/clinic/agents/pull/100)');
});

test('the next night brings it up to date, and closes it when nothing is left', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  await nightly();
  const first = await onRemote('rev-parse', branch);
  await nightly();
  expect(await onRemote('rev-parse', branch)).toBe(first);
  scenario.service.edit('agent-1', { title: 'Lobby' });
  const { summary } = await nightly();
  expect(summary).toContain('Pull request 100 is up to date');
  expect(await onRemote('show', `${branch}:agents/front-desk.yaml`)).toContain('title: Lobby');
  expect(await onRemote('rev-list', '--count', `${scenario.base}..${branch}`)).toBe('1');
  expect(scenario.github.opened[0]?.body).toContain('"Lobby"');
  scenario.service.edit('agent-1', { title: 'Front desk' });
  const last = await nightly();
  expect(last.code).toBe(0);
  expect(last.summary).toContain('Pull request 100 is closed, because nothing is left to merge');
  expect(pull()).toEqual([{ ...opened, state: 'closed' }]);
  expect((await nightly()).summary).toContain('No manifest needs an update, so there is no pull request');
  scenario.service.edit('agent-1', { title: 'Again' });
  await nightly();
  expect(pull()).toMatchObject([{ state: 'closed' }, { number: 101, state: 'open' }]);
});

test('what was merged is no drift for the pull request any more', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  await nightly();
  const merged = await scenario.repository.merge(scenario.base, await onRemote('rev-parse', branch), 'main');
  const { code } = await nightly({}, merged);
  expect({ code, pull: pull() }).toEqual({ code: 0, pull: [{ ...opened, state: 'closed' }] });
});

test.each([
  ['a commit on top', (head: string) => scenario.repository.commit(branch, { 'notes.md': 'mine' }, head)],
  ['an amended commit', () => scenario.repository.commit(branch, { 'notes.md': 'mine' }, scenario.base)],
])('%s of somebody else is never pushed over', async (_name, commit) => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  await nightly();
  const head = await commit(await onRemote('rev-parse', branch));
  scenario.service.edit('agent-1', { title: 'Lobby' });
  const { code, summary, log } = await nightly();
  expect(code).toBe(0);
  expect(summary).toContain(`has a commit that agentform did not make (${head.slice(0, 12)}), so it is left as it is`);
  expect(summary).toContain('+  title: Lobby');
  expect(log).toContain('::warning::the branch agentform/drift-production has a commit');
  expect(await onRemote('rev-parse', branch)).toBe(head);
  scenario.service.edit('agent-1', { title: 'Front desk' });
  await nightly();
  expect(pull()).toEqual([opened]);
});

test.each(['pulls/list', 'pulls/create'])('Without the right to %s the summary has the patch.', async (operation) => {
  scenario.github.forbidden.add(operation);
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { code, summary, outputs } = await nightly();
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
  expect(summary).toContain('give the workflow `permissions: { pull-requests: write }`');
  expect(summary).toContain(`https://github.com/clinic/agents/compare/${branch}?expand=1`);
  expect(summary).toContain('-  title: Front desk\n+  title: Reception');
});

test('a branch that cannot be pushed leaves the patch', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  const hook = join(scenario.repository.remote, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "protected" >&2\nexit 1\n', { mode: 0o755 });
  const { code, summary } = await nightly();
  expect(code).toBe(1);
  expect(summary).toContain('give the workflow `permissions: { contents: write }`');
  expect(summary).toContain('-  title: Front desk\n+  title: Reception');
  expect(pull()).toEqual([]);
});

test('a step that looks at some agents has a branch of its own', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  const { outputs } = await nightly({ names: 'front-desk' });
  expect(outputs.branch).toMatch(/^agentform\/drift-production-[0-9a-f]{8}$/);
});

test('a pull request of somebody else makes none, and no other command does', async () => {
  const inputs = { command: 'drift', 'pull-request': 'true' };
  const { code, log } = await onPullRequest(scenario, { inputs });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('so it does not run before a merge') });
  const wrong = await onPullRequest(scenario, { inputs: { ...inputs, command: 'plan' } });
  expect(wrong.log).toContain('the input pull-request is valid only with drift, not with plan');
});
