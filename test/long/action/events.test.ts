import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { onEvent } from '../../e2e/action/events.ts';
import {
  agentFile,
  agentToken,
  mainCommit,
  onPush,
  projectFiles,
  scenario,
  useScenario,
} from '../../e2e/action/scenario.ts';

useScenario();

test('A summary that cannot be written is a warning, and does not change the result of the command.', async () => {
  const env = { AGENT_TOKEN: agentToken, GITHUB_STEP_SUMMARY: '/nonexistent/summary' };
  const applied = await onPush(scenario, { commit: scenario.base, env });
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.log).toContain('::warning::the job summary could not be written: ');
  expect(scenario.service.agents()).toHaveLength(1);
});

test('If the outputs cannot be written, an apply stops before any write, and says why.', async () => {
  const env = { AGENT_TOKEN: agentToken, GITHUB_OUTPUT: '/dev/full' };
  const { code, log } = await onPush(scenario, { commit: scenario.base, env });
  expect({ code, log }).toEqual({
    code: 1,
    log: expect.stringContaining('::error::cannot write the output changes: the disk is full (ENOSPC)'),
  });
  expect(log).not.toMatch(/bug in agentform|\n +at /);
  expect(scenario.service.takeWrites()).toEqual([]);
});

const zeros = '0'.repeat(40);

test('The action applies the commit of a tag that is pushed.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Released') });
  const payload = { ref: 'refs/tags/v1', before: zeros, repository: { default_branch: 'main' } };
  const event = { name: 'push', payload, ref: 'refs/tags/v1' };
  expect(await onEvent(commit, event, { command: 'apply --new all' })).toMatchObject({ code: 0 });
  expect(scenario.service.agents()).toMatchObject([{ settings: { title: 'Released' } }]);
});

test('After a branch is deleted, its commit does not judge manifests of the default branch.', async () => {
  const { repository, base, service } = scenario;
  const { 'agentform.yaml': text = '' } = projectFiles(service.baseUrl);
  const before = await repository.commit('release', { 'agentform.yaml': `${text}limits: { creates: 0 }\n` }, base);
  const payload = { ref: 'refs/heads/release', before, after: zeros, deleted: true };
  const deletion = { name: 'push', payload, ref: 'refs/heads/main' };
  expect(await onEvent(base, deletion, { command: 'validate' })).toMatchObject({ code: 0 });
});

test('A push that deletes a branch publishes nothing.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Unreleased') });
  const repository = { default_branch: 'main' };
  const payload = { ref: 'refs/heads/release', before: scenario.base, after: zeros, deleted: true, repository };
  const { code, log } = await onEvent(
    commit,
    { name: 'push', payload, ref: 'refs/heads/main' },
    { command: 'publish' },
  );
  expect({ code, log }).toEqual({
    code: 3,
    log: expect.stringContaining('::error::the push deleted refs/heads/release, so there is no commit to apply'),
  });
  expect(scenario.service.takeLog()).toEqual([]);
});

test.each([['null'], ['']])('With the damaged event file %j, a run sends nothing.', async (text) => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-event-'));
  try {
    const env = { GITHUB_EVENT_PATH: join(folder, 'event.json') };
    await writeFile(env.GITHUB_EVENT_PATH, text);
    const push = { name: 'push', payload: {}, ref: 'refs/heads/main' };
    const { code, log } = await onEvent(scenario.base, push, { command: 'apply --new all' }, env);
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringContaining('::error::the file in GITHUB_EVENT_PATH is truncated or not a JSON object, so '),
    });
    expect(scenario.service.takeLog()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
