import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  ada,
  answered,
  edited,
  file,
  mergedAndApplied,
  onRemote,
  ownAgent,
  prompt,
  pushing,
  titles,
  useAnswers,
} from '../../e2e/action/answers.ts';
import {
  beginAt,
  mainCommit,
  onComment,
  onPullRequest,
  onPush,
  recordPath,
  scenario,
} from '../../e2e/action/scenario.ts';

useAnswers();

const nothing = async (because: string, options: Parameters<typeof onComment>[1] = {}) => {
  const before = await onRemote('for-each-ref');
  const { code, log } = await onComment(scenario, { inputs: pushing, ...options });
  expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining(because) });
  expect(await onRemote('for-each-ref')).toBe(before);
};

test('A conflict keeps the live text as it is, or joins both texts if their edited lines differ.', async () => {
  for (const [answer, second] of [
    ['1A', 'two'],
    ['1C', 'ours'],
  ] as const) {
    await beginAt('in conflict', () => {
      scenario.service.edit('agent-1', { agentInstructions: 'one\ntwo\nthree\nfour\nlive' });
      return answered('', { 'agents/front-desk.yaml': prompt('ours') });
    });
    scenario.github.addComment(7, ada, answer);
    await onComment(scenario, { inputs: pushing });
    expect(await file('topic')).toContain(`    one\n    ${second}\n    three\n    four\n    live`);
  }
});

test('A branch that refuses the push leaves the patch, and the step fails with only the reason.', async () => {
  await edited('1A');
  const hook = join(scenario.repository.remote, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "protected" >&2\nexit 1\n', { mode: 0o755 });
  const { code, summary } = await onComment(scenario, { inputs: pushing });
  expect(code).toBe(1);
  expect(summary).toContain('The branch topic could not be pushed (pre-receive hook declined: protected).');
  expect(summary).toContain('-  title: Front desk\n+  title: Reception');
});

test('Answers do not count if the branch moves while they are carried out.', async () => {
  await edited('1A');
  scenario.github.onRequest = (operation) => {
    // The run has fetched the head by now.
    if (operation !== 'graphql edits') return;
    writeFileSync(join(scenario.repository.remote, 'refs/heads/topic'), `${scenario.base}\n`);
  };
  const before = scenario.github.comments.map(({ body }) => body);
  const { code, log } = await onComment(scenario, { inputs: pushing });
  expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('has a newer commit than its plan') });
  expect(await onRemote('rev-parse', 'topic')).toBe(scenario.base);
  expect(scenario.github.comments.map(({ body }) => body)).toEqual(before);
});

test('An answer does not count if the setting is edited again while it is carried out.', async () => {
  await edited('1A');
  let reads = 0;
  scenario.service.before = ({ method }) => {
    if (method === 'GET') reads += 1;
    // The run has made its plan by now.
    if (reads === 2) scenario.service.edit('agent-1', { title: 'Lobby' });
    return undefined;
  };
  const { code } = await onComment(scenario, { inputs: pushing });
  expect({ code, reads }).toEqual({ code: 0, reads: 2 });
  expect(await file('topic')).toBe(prompt('2').trimEnd());
  expect(scenario.github.comments[0]?.body).toContain('The answers are outdated');
});

test('An answer does not count if it is withdrawn while it is carried out.', async () => {
  await edited('1A');
  scenario.github.onRequest = (operation) => {
    // The run has listed the comments by now.
    if (operation !== 'graphql edits') return;
    scenario.github.onRequest = () => undefined;
    scenario.github.addComment(7, ada, '1B');
  };
  await nothing('the answers changed in the meantime');
});

test('A comment run refuses a plan on another commit than the head of the pull request.', async () => {
  await edited('');
  const before = scenario.github.comments.map(({ body }) => body);
  const { code, log } = await onComment(scenario, { command: 'plan' });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('pull request 7 is not checked out') });
  expect(scenario.github.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('pull request 7 is not checked out'),
  ]);
  expect(before).toHaveLength(1);
});

test('An answer that changes while the apply makes its plan counts.', async () => {
  const head = await edited('1A');
  scenario.service.before = () => {
    scenario.service.before = undefined;
    scenario.github.addComment(7, ada, '1B');
    return undefined;
  };
  const { code } = await mergedAndApplied(head);
  expect({ code, titles: titles() }).toEqual({ code: 0, titles: { 'agent-1': 'Front desk' } });
});

test('An apply leaves out an agent with a question if GitHub does not say who may write.', async () => {
  const head = await edited('1A');
  scenario.github.faults.set('repos/get-collaborator-permission-level', [{ status: 403, message: 'Forbidden' }]);
  const { code, summary } = await mergedAndApplied(head);
  expect({ code, summary }).toEqual({
    code: 3,
    summary: expect.stringContaining('the answers on pull request 7 could not be read (Forbidden)'),
  });
  expect(titles()).toEqual({ 'agent-1': 'Reception' });
});

test('A new agent that was left out on main does not void an answer about another new agent.', async () => {
  const before = await mainCommit(scenario, { [recordPath]: null, 'agents/front-desk.yaml': null });
  scenario.base = await scenario.repository.commit('main', { 'agents/night.yaml': ownAgent('night', 'Night') }, before);
  expect(await onPush(scenario, { commit: scenario.base, inputs: { new: '' } })).toMatchObject({ code: 3 });
  const onlyChanged = { 'changed-since': scenario.base };
  const { head } = await onPullRequest(scenario, {
    files: { 'agents/dawn.yaml': ownAgent('dawn', 'Dawn') },
    inputs: onlyChanged,
  });
  scenario.github.addComment(7, ada, '1A');
  const { code, log } = await mergedAndApplied(head, onlyChanged);
  expect({ code, log }).toEqual({
    code: 3,
    log: expect.stringMatching(/Applied \(1\)\n.*Agent\/dawn[\s\S]*Not attempted \(1\)\n.*Agent\/night/),
  });
  expect(log).not.toContain('has changed since');
  expect(titles()).toEqual({ 'agent-1': 'Front desk', 'agent-2': 'Dawn' });
});

describe('of two pull requests in one push', () => {
  /** Opens two pull requests that ask the same question. A single push merges both pull requests. */
  const twoMerged = () =>
    beginAt('two merged', async () => {
      scenario.service.edit('agent-1', { title: 'Reception' });
      const commits: string[] = [];
      for (const number of [7, 8]) {
        const { head } = await onPullRequest(scenario, { number, files: { [`notes-${number}.md`]: 'Notes\n' } });
        scenario.base = await scenario.repository.merge(scenario.base, head, 'main');
        scenario.github.pulls.push({ number, head, mergeCommit: scenario.base, merged: true });
        commits.push(head, scenario.base);
      }
      return commits;
    });

  /** Runs `apply` for the push, after these answers on the two pull requests. */
  async function appliedAfter(...answers: readonly string[]) {
    const commits = await twoMerged();
    for (const [index, answer] of answers.entries()) {
      if (answer !== '') scenario.github.addComment(7 + index, ada, answer);
    }
    return onPush(scenario, { commit: scenario.base, commits, inputs: { new: '' } });
  }

  test.each([
    ['on the first', '1A', ''],
    ['on the last', '', '1A'],
    ['on both', '1A', '1A'],
  ])('The answer %s counts.', async (_, one, other) => {
    const { code, log } = await appliedAfter(one, other);
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('Kept by ada since') });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
  });

  test('Different answers count as none, and leave out the agent whose edit one of them keeps.', async () => {
    const { code, summary } = await appliedAfter('1A', '1B');
    expect({ code, summary }).toEqual({
      code: 3,
      summary: expect.stringContaining(
        'the question Agent/front-desk/drift was answered with keep and undo, so neither counts',
      ),
    });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
  });
});
