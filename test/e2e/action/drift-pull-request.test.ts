import { expect, test } from '@jest/globals';
import { afterEdit, branch, nightly, onRemote, opened, pull, useAppliedAgent } from './drift-pull-request.ts';
import { agentFile, scenario } from './scenario.ts';

useAppliedAgent();

test('A nightly drift opens a pull request for an edit, keeps it up to date, and closes it when no edit is left.', async () => {
  const { code, outputs, summary } = await afterEdit();
  expect({ code, branch: outputs.branch, number: outputs['pull-request'] }).toEqual({ code: 0, branch, number: '100' });
  expect(pull()).toEqual([opened]);
  expect(await onRemote('show', `${branch}:agents/front-desk.yaml`)).toBe(agentFile('Reception').trimEnd());
  expect(await onRemote('log', '--format=%s %P', '-1', branch)).toBe(`${opened.title} ${scenario.base}`);
  const { body = '' } = scenario.github.opened[0] ?? {};
  expect(body).toContain('| **Title** | Front desk | Reception');
  expect(body).toMatch(/1 setting cannot be read back[^\n]*: Description\./);
  expect(summary).toContain('Pull request 100 was opened');
  expect(summary).toContain('[Open it](https://github.com/clinic/agents/pull/100)');

  const first = await onRemote('rev-parse', branch);
  await nightly();
  expect(await onRemote('rev-parse', branch)).toBe(first);
  scenario.service.edit('agent-1', { title: 'Lobby' });
  Object.assign(scenario.github.opened[0] ?? {}, { base: 'old-default' });
  const updated = await nightly();
  expect(pull()).toEqual([opened]);
  expect(updated.summary).toContain('Pull request 100 is up to date');
  expect(await onRemote('show', `${branch}:agents/front-desk.yaml`)).toContain('title: Lobby');
  expect(await onRemote('rev-list', '--count', `${scenario.base}..${branch}`)).toBe('1');
  expect(scenario.github.opened[0]?.body).toContain('| Front desk | Lobby');

  scenario.service.edit('agent-1', { title: 'Front desk' });
  const last = await nightly();
  expect(last.code).toBe(0);
  expect(last.summary).toContain('Pull request 100 is closed, because nothing is left to merge');
  expect(pull()).toEqual([{ ...opened, state: 'closed' }]);
});

test('A run on another branch leaves the pull request into the default branch as it is.', async () => {
  await afterEdit();
  const [head, pulls] = [await onRemote('rev-parse', branch), pull()];
  const commit = await scenario.repository.commit('trial', { 'notes.md': 'mine' }, scenario.base);
  expect(await nightly({}, commit, 'trial')).toMatchObject({ code: 0 });
  expect(await onRemote('rev-parse', branch)).toBe(head);
  expect(pull()).toEqual([
    ...pulls,
    { ...pulls[0], number: 101, base: 'trial', head: expect.not.stringMatching(`${branch}$`) },
  ]);
});

test("A drift branch with another person's commit is never overwritten.", async () => {
  await afterEdit();
  scenario.service.edit('agent-1', { title: 'Lobby' });
  const head = await scenario.repository.commit(branch, { 'notes.md': 'mine' }, await onRemote('rev-parse', branch));
  const { code, summary, log } = await nightly();
  expect(code).toBe(0);
  expect(summary).toContain(
    `has a commit that agentform did not make (${head.slice(0, 12)}), so the branch was not changed`,
  );
  expect(summary).toContain('+  title: Lobby');
  expect(log).toContain('::warning::the branch agentform/drift-production has a commit');
  expect(await onRemote('rev-parse', branch)).toBe(head);
});
