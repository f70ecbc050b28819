import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pullRequestPayload, runAction } from '../../support/action.ts';
import { type Event, onEvent } from './events.ts';
import { agentFile, agentToken, mainCommit, onPush, projectFiles, scenario, useScenario } from './scenario.ts';

useScenario();

function mergeQueue(commit: string): Event {
  const ref = `refs/heads/gh-readonly-queue/main/pr-7-${scenario.base}`;
  const group = { head_sha: commit, head_ref: ref, base_sha: scenario.base, base_ref: 'refs/heads/main' };
  const payload = { action: 'checks_requested', merge_group: group, repository: { default_branch: 'main' } };
  return { name: 'merge_group', payload, ref };
}

test('In a merge queue, the plan is in the summary and only changed resources are read.', async () => {
  const { repository, base, service } = scenario;
  const commit = await repository.commit('queue', { 'docs/notes.md': 'Nothing of agents.\n' }, base);
  const planned = await onEvent(commit, mergeQueue(commit), { 'changed-since': base });
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.summary).toMatch(/0 of 1 agent changed since [0-9a-f]{7}\. 1 not read\./);
  expect(scenario.github.comments).toEqual([]);
  expect(service.takeLog()).toEqual([]);
});

test('After a branch is deleted, its commit does not judge a plan of the default branch.', async () => {
  const { repository, base } = scenario;
  const strict = {
    'agentform.yaml': `${projectFiles(scenario.service.baseUrl)['agentform.yaml']}limits: { creates: 0 }\n`,
  };
  const before = await repository.commit('release', strict, base);
  const payload = { ref: 'refs/heads/release', before, after: '0'.repeat(40), deleted: true };
  const deletion = { name: 'push', payload, ref: 'refs/heads/main' };
  expect(await onEvent(base, deletion, { command: 'plan' })).toMatchObject({ code: 0 });
});

test('A push that repairs agentform.yaml is applied, judged by the rules before it broke.', async () => {
  const { repository, service } = scenario;
  const { 'agentform.yaml': text = '' } = projectFiles(service.baseUrl);
  const strict = await repository.commit(
    'main',
    { 'agentform.yaml': `${text}limits: { creates: 0 }\n` },
    scenario.base,
  );
  const broken = await repository.commit('main', { 'agentform.yaml': 'manifests: [\n' }, strict);
  const repaired = await repository.commit('main', { 'agentform.yaml': text }, broken);
  const inputs = { 'changed-since': broken };
  const refused = await onPush(scenario, { commit: repaired, before: broken, inputs });
  expect([refused.code, refused.log]).toEqual([3, expect.stringContaining('limits.creates')]);
  expect(service.takeWrites()).toEqual([]);
  const loose = await repository.commit('main', { 'agentform.yaml': 'manifests: [\n' }, scenario.base);
  const again = await repository.commit('main', { 'agentform.yaml': text }, loose);
  expect(await onPush(scenario, { commit: again, before: loose, inputs: { 'changed-since': loose } })).toMatchObject({
    code: 0,
  });
});

test('If git no longer has the commit that a forced push replaced, an apply explains what to do.', async () => {
  const payload = { ref: 'refs/heads/main', before: 'f'.repeat(40), after: scenario.base, forced: true };
  const forced = { name: 'push', payload, ref: 'refs/heads/main' };
  const { code, log } = await onEvent(scenario.base, forced, { command: 'apply --new all' });
  expect({ code, log }).toEqual({
    code: 1,
    log: expect.stringContaining(
      '::error::the forced push replaced commit ffffffffffff, which git can no longer read, so its policies are unknown; run apply by hand with workflow_dispatch',
    ),
  });
  expect(scenario.service.takeWrites()).toEqual([]);
});

test('A merge queue applies nothing, because the queue may still drop the change.', async () => {
  const { repository, base, service } = scenario;
  const commit = await repository.commit('queue', { 'agents/front-desk.yaml': agentFile('Queued') }, base);
  const { code, log } = await onEvent(commit, mergeQueue(commit), { command: 'apply --new all' });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('::error::this change is not merged, and') });
  expect(service.takeLog()).toEqual([]);
});

test('A push to the branch of a merge queue applies nothing, and its plan sends no secret to a new host.', async () => {
  const { repository, base, service } = scenario;
  const { ref } = mergeQueue(base);
  const pushOf = (after: string): Event => ({ name: 'push', payload: { ref, before: '0'.repeat(40), after }, ref });
  const title = await repository.commit('queue', { 'agents/front-desk.yaml': agentFile('Queued') }, base);
  const { code, log } = await onEvent(title, pushOf(title), { command: 'apply --new all' });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('::error::this change is not merged, and') });
  const files = projectFiles('http://127.0.0.1:9');
  const host = await repository.commit('queue', { 'agentform.yaml': files['agentform.yaml'] ?? '' }, base);
  const planned = await onEvent(host, pushOf(host), { command: 'plan' });
  expect(planned).toMatchObject({ code: 0, summary: expect.stringContaining('Offline, because') });
  expect(service.takeLog()).toEqual([]);
});

test('A push that deletes a branch applies nothing, although GitHub checks out the default branch.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Unreleased') });
  const repository = { default_branch: 'main' };
  const payload = {
    ref: 'refs/heads/release',
    before: scenario.base,
    after: '0'.repeat(40),
    deleted: true,
    repository,
  };
  const deletion = { name: 'push', payload, ref: 'refs/heads/main' };
  const { code, log } = await onEvent(commit, deletion, { command: 'apply --new all' });
  expect({ code, log }).toEqual({
    code: 3,
    log: expect.stringContaining('::error::the push deleted refs/heads/release, so there is no commit to apply'),
  });
  expect(scenario.service.takeLog()).toEqual([]);
});

test('Without the data of the event, a run trusts nothing and sends nothing.', async () => {
  const { repository, base, service } = scenario;
  const commit = await repository.commit('topic', { 'agents/front-desk.yaml': agentFile('Unmerged') }, base);
  const event = { name: 'pull_request_target', payload: {}, ref: 'refs/pull/7/merge' };
  const env = { GITHUB_EVENT_PATH: '/nonexistent/event.json' };
  const { code, log } = await onEvent(commit, event, { command: 'apply --new all' }, env);
  expect({ code, log }).toEqual({
    code: 3,
    log: expect.stringContaining('::error::the file in GITHUB_EVENT_PATH does not describe the event pull_request_t'),
  });
  expect(service.takeLog()).toEqual([]);
});

test('With a damaged event file, a run sends nothing.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-event-'));
  try {
    const env = { GITHUB_EVENT_PATH: join(folder, 'event.json') };
    await writeFile(env.GITHUB_EVENT_PATH, '{"ref":"refs/heads/ma');
    const push = { name: 'push', payload: {}, ref: 'refs/heads/main' };
    const { code, log, outputs } = await onEvent(scenario.base, push, { command: 'apply --new all' }, env);
    expect({ code, log, reason: outputs['failure-reason'] }).toEqual({
      code: 3,
      reason: 'refused',
      log: expect.stringMatching(
        /\n::error::the file in GITHUB_EVENT_PATH is truncated or not a JSON object, so .*\n$/,
      ),
    });
    expect(scenario.service.takeLog()).toEqual([]);
    expect(scenario.github.takeRequests()).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('After a workflow for a pull request, a run trusts only the default branch, and sends nothing for a fork.', async () => {
  const { repository, base, service } = scenario;
  const elsewhere = { 'agentform.yaml': projectFiles('http://127.0.0.1:9')['agentform.yaml'] ?? '' };
  const hosts = await repository.commit('topic', elsewhere, base);
  const title = await repository.commit('topic', { 'agents/front-desk.yaml': agentFile('Topic') }, base);
  const after = async (commit: string, event: string, command: string, from = 'clinic/agents') => {
    const payload = {
      workflow_run: { event, head_repository: { full_name: from } },
      repository: { full_name: 'clinic/agents', default_branch: 'main' },
    };
    const workspace = await repository.checkout(commit);
    const env = { AGENT_TOKEN: agentToken, GITHUB_REF: 'refs/heads/main' };
    const inputs = { secrets: 'AGENT_TOKEN', command };
    const run = { name: 'workflow_run', payload, sha: base };
    const { code, summary } = await runAction({ workspace, apiUrl: scenario.github.url, inputs, env, event: run });
    return { code, summary, asked: service.takeLog().length };
  };
  const containing = (text: string) => expect.stringContaining(text);
  expect(await after(hosts, 'pull_request', 'plan')).toEqual({
    code: 0,
    summary: containing('Offline, because this change would send AGENT\\_TOKEN to 127.0.0.1:9'),
    asked: 0,
  });
  expect(await after(title, 'pull_request', 'plan', 'mallory/agents')).toEqual({
    code: 0,
    summary: containing('Offline, because the pull request comes from a fork'),
    asked: 0,
  });
  expect(await after(title, 'pull_request', 'apply --new all')).toEqual({
    code: 3,
    summary: containing('this change is not merged, and apply runs only after a merge'),
    asked: 0,
  });
  expect(await after(base, 'push', 'apply --new all')).toMatchObject({ code: 0 });
});

test('In a merge queue, no secret goes to a host that the base does not have.', async () => {
  const { repository, base, service } = scenario;
  const files = projectFiles('http://127.0.0.1:9');
  const commit = await repository.commit('queue', { 'agentform.yaml': files['agentform.yaml'] ?? '' }, base);
  const planned = await onEvent(commit, mergeQueue(commit), {});
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.summary).toContain('Offline, because');
  expect(service.takeLog()).toEqual([]);
});

test('A pull request that is closed by a merge is applied.', async () => {
  const { base } = scenario;
  const head = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Merged') });
  const payload = pullRequestPayload({ base, head, merged: true });
  const event = { name: 'pull_request', payload, ref: 'refs/heads/main' };
  expect(await onEvent(head, event, { command: 'apply --new all' })).toMatchObject({ code: 0 });
  expect(scenario.service.agents()).toMatchObject([{ settings: { title: 'Merged' } }]);
});

test('The action applies the commit of a published release.', async () => {
  const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Released') });
  const payload = { action: 'published', release: { tag_name: 'v1' }, repository: { default_branch: 'main' } };
  const event = { name: 'release', payload, ref: 'refs/tags/v1' };
  expect(await onEvent(commit, event, { command: 'apply --new all' })).toMatchObject({ code: 0 });
  expect(scenario.service.agents()).toMatchObject([{ settings: { title: 'Released' } }]);
});
