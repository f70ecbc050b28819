import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  afterEdit,
  branch,
  nightly,
  onRemote,
  opened,
  pull,
  useAppliedAgent,
} from '../../e2e/action/drift-pull-request.ts';
import { agentFile, frontDesk, recordPath, recordText, scenario } from '../../e2e/action/scenario.ts';
import { json } from '../../support/independent-server.ts';

useAppliedAgent();

test('A merged and then reverted edit is proposed again, on top of the revert.', async () => {
  await afterEdit();
  const merged = await scenario.repository.merge(scenario.base, await onRemote('rev-parse', branch), 'main');
  await nightly({}, merged);
  const reverted = await scenario.repository.commit(
    'main',
    { 'agents/front-desk.yaml': agentFile('Front desk') },
    merged,
  );
  const { outputs } = await nightly({}, reverted);
  expect(outputs['pull-request']).toBe('101');
  expect(await onRemote('log', '--format=%P', '-1', branch)).toBe(reverted);
  expect(await onRemote('diff', `${reverted}...${branch}`)).toContain('+  title: Reception');
});

test('A drift branch to which a person pushes during the run stays as it is, and so does its pull request.', async () => {
  await afterEdit();
  const { body } = scenario.github.opened[0] ?? {};
  const head = await scenario.repository.commit('mine', { 'notes.md': 'mine' }, await onRemote('rev-parse', branch));
  const hook = join(scenario.repository.remote, 'hooks', 'pre-receive');
  const push = `env -u GIT_QUARANTINE_PATH git update-ref refs/heads/${branch} ${head}`;
  await writeFile(hook, `#!/bin/sh\n${push}\n`, { mode: 0o755 });
  scenario.service.edit('agent-1', { title: 'Lobby' });
  const { code, summary } = await nightly();
  await rm(hook);
  expect({ code, head: await onRemote('rev-parse', branch) }).toEqual({ code: 1, head });
  expect(summary.replaceAll('<wbr>', '')).toContain(`The branch ${branch} could not be pushed`);
  expect(scenario.github.opened).toMatchObject([{ body }]);
});

test('A pull request stays open if its agent cannot be read, or is blocked.', async () => {
  await afterEdit();
  const text = recordText(scenario, frontDesk, { hmac: `sha256:${'0'.repeat(64)}` });
  const edited = await scenario.repository.commit('main', { [recordPath]: text }, scenario.base);
  const blocked = await nightly({}, edited);
  scenario.service.before = () => json(400, { success: false, message: 'no' });
  const unread = await nightly();
  for (const { summary } of [blocked, unread])
    expect(summary).toContain('Pull request 100 stays open, because 1 agent could not be checked');
  expect(pull()).toEqual([opened]);
});

test('Without the right to list or create pull requests or to push, the summary has the patch.', async () => {
  scenario.service.edit('agent-1', { title: 'Reception' });
  const patch = '-  title: Front desk\n+  title: Reception';
  const hook = join(scenario.repository.remote, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "protected" >&2\nexit 1\n', { mode: 0o755 });
  const unpushed = await nightly();
  expect(unpushed.code).toBe(1);
  expect(unpushed.summary).toContain('could not be pushed (pre-receive hook declined: protected).');
  expect(unpushed.summary).toContain(patch);
  await rm(hook);
  for (const operation of ['pulls/list', 'pulls/create']) {
    scenario.github.forbidden.clear();
    scenario.github.forbidden.add(operation);
    const { code, summary, outputs } = await nightly();
    expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
    expect(summary).toContain('give the workflow `permissions: { pull-requests: write }`');
    expect(summary).toContain(`https://github.com/clinic/agents/compare/${branch}?expand=1`);
    expect(summary).toContain(patch);
  }
  expect(pull()).toEqual([]);
});

test('An edit after a closed pull request opens another one, and a step for some agents has a separate branch.', async () => {
  await afterEdit();
  scenario.service.edit('agent-1', { title: 'Front desk' });
  await nightly();
  expect((await nightly()).summary).toContain('No manifest needs an update, so there is no pull request');
  scenario.service.edit('agent-1', { title: 'Again' });
  await nightly();
  expect(pull()).toMatchObject([{ state: 'closed' }, { number: 101, state: 'open' }]);
  const { outputs } = await nightly({ names: 'front-desk' });
  expect(outputs.branch).toMatch(/^agentform\/drift-production-[0-9a-f]{8}$/);
});

test("A drift branch that starts over with another person's commit is not overwritten, and its pull request stays open.", async () => {
  await afterEdit();
  scenario.service.edit('agent-1', { title: 'Lobby' });
  const head = await scenario.repository.commit(branch, { 'notes.md': 'mine' }, scenario.base);
  const { code, summary } = await nightly();
  expect({ code, summary }).toEqual({
    code: 0,
    summary: expect.stringContaining(`(${head.slice(0, 12)}), so the branch`),
  });
  expect(await onRemote('rev-parse', branch)).toBe(head);
  scenario.service.edit('agent-1', { title: 'Front desk' });
  await nightly();
  expect(pull()).toEqual([opened]);
});

test('A merged edit is no longer drift, and its pull request is closed.', async () => {
  await afterEdit();
  const merged = await scenario.repository.merge(scenario.base, await onRemote('rev-parse', branch), 'main');
  const { code } = await nightly({}, merged);
  expect({ code, pull: pull() }).toEqual({ code: 0, pull: [{ ...opened, state: 'closed' }] });
});
