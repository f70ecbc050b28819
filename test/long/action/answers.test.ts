import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseMarker } from '../../../src/action/github/marker.ts';
import {
  ada,
  answered,
  applied,
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
import { startGitHttp } from '../../support/git-http.ts';
import { githubToken } from '../../support/github-server.ts';

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

test('A list of comments that is cut off is read again, and never counts as a list without answers.', async () => {
  const head = await edited('1A');
  scenario.github.faults.set('issues/list-comments', [{ status: 200, message: '', cutOff: '[{"id": 1}]' }]);
  expect(await mergedAndApplied(head)).toMatchObject({ code: 0, log: expect.not.stringContaining('::warning::') });
  expect(titles()).toEqual({ 'agent-1': 'Reception' });
});

test("An app's comments keep their answers if a rate limit hides whose token the run has.", async () => {
  scenario.github.viewer = { login: 'clinic-app[bot]', id: 99, type: 'Bot' };
  const head = await edited('1A');
  const headers = { 'retry-after': '3600' };
  const limit = { status: 403, message: 'You have exceeded a secondary rate limit.', headers };
  scenario.github.faults.set('graphql viewer', [limit]);
  expect((await mergedAndApplied(head)).log).toContain('You have exceeded a secondary rate limit.');
  expect(titles()).toEqual({ 'agent-1': 'Reception' });
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
  const { code, log, outputs } = await onComment(scenario, { inputs: pushing });
  expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('has a newer commit than its plan') });
  // Another run of the earlier preview would cancel the preview of the newer commit.
  expect(outputs['plan-again']).toBe('');
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

test('Answers to an earlier plan do not count after a push, although GitHub still names the earlier head.', async () => {
  const head = await edited('1A');
  await scenario.repository.commit('topic', { 'agents/front-desk.yaml': prompt('3') }, head);
  await nothing('has a newer commit than its plan');
});

test('An edit that changed again is another question, so the answer no longer holds.', async () => {
  await edited('1A');
  scenario.service.edit('agent-1', { title: 'Lobby' });
  await nothing('');
  expect(scenario.github.comments[0]?.body).toContain('**Answers: 1A by ada.** The answers are outdated');
});

test('The branch of a pull request that was closed without a merge is not written, and nothing is sent.', async () => {
  const head = await edited('1A');
  scenario.github.setPull({ number: 7, base: scenario.base, head, state: 'closed' });
  await nothing('pull request 7 is closed');
  expect(scenario.service.takeLog()).toEqual([]);
});

test('The check of a conflict passes once someone has answered to undo the edit.', async () => {
  scenario.service.edit('agent-1', { agentInstructions: 'one\ndos\nthree\nfour\nfive\n' });
  const { head } = await onPullRequest(scenario, { files: { 'agents/front-desk.yaml': prompt('2') } });
  scenario.github.addComment(7, ada, '1B');
  expect(await onPullRequest(scenario, { head })).toMatchObject({ code: 0 });
  expect(scenario.github.comments[0]?.body).not.toContain('This check fails');
  expect(scenario.github.comments[0]?.body).toMatch(/- \[x\] \*\*B\*\*/);
});

test('The command answers only runs on comments of pull requests.', async () => {
  const { code, log } = await onPullRequest(scenario, { inputs: { command: 'answers' } });
  expect({ code, log }).toEqual({ code: 1, log: expect.stringContaining('answers runs on the event issue_comment') });
});

test('A plan and an apply with an empty token say that they read no answers.', async () => {
  const why =
    'The input token is empty, so this run reads no answers on pull requests, and 2 questions have no answer.';
  const head = await edited('1A');
  const again = await onPullRequest(scenario, { head, inputs: { token: '' } });
  expect([again.log, again.summary]).toEqual(Array(2).fill(expect.stringContaining(why)));
  expect(await mergedAndApplied(head, { token: '' })).toMatchObject({ log: expect.stringContaining(why) });
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

test.each([
  ['who may write', 'repos/get-collaborator-permission-level', 'the answers on pull request 7 could not be read (Forb'],
  [
    'which pull request was merged',
    'repos/list-pull-requests-associated-with-commit',
    'the answers on the merged pull requests could not be read (the pull request of commit',
  ],
])('An apply leaves out an agent with a question if GitHub does not say %s.', async (_, operation, reason) => {
  const head = await edited('1A');
  scenario.github.faults.set(operation, [{ status: 403, message: 'Forbidden' }]);
  const { code, summary } = await mergedAndApplied(head);
  expect({ code, summary }).toEqual({ code: 3, summary: expect.stringContaining(reason) });
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

const bodies = () => scenario.github.comments.map(({ body }) => body);

describe('answers that change files', () => {
  test('A token without write access leaves the patch, and the step fails with the remedy.', async () => {
    await edited('1A');
    const http = await startGitHttp(scenario.repository.remote, githubToken, 'tok-other');
    const { code, summary } = await onComment(scenario, { inputs: { 'push-token': githubToken }, server: http.url });
    await http.close();
    expect(code).toBe(1);
    expect(summary).toContain('error: 403); the token of the input push-token needs contents write');
    expect(summary).toContain('-  title: Front desk\n+  title: Reception');
  });
});

test('A newer answer in the comment of another step counts for the agents that it is about.', async () => {
  scenario.base = await mainCommit(scenario, { [recordPath]: null });
  await applied(['billing', 'chat']);
  for (const id of ['agent-2', 'agent-3']) scenario.service.edit(id, { title: 'Edited' });
  const head = await answered('1A', { 'README.md': 'Agents of the clinic\n' });
  await onPullRequest(scenario, { head, inputs: { names: 'billing' } });
  const [, , ofStep] = scenario.github.comments;
  const undone = ofStep?.body.replace('- [x] **A** ', '- [ ] **A** ').replace('- [ ] **B** ', '- [x] **B** ') ?? '';
  expect(undone).toContain('- [x] **B** ');
  if (ofStep !== undefined) scenario.github.editComment(ofStep, ada, undone);
  const { code, log } = await onComment(scenario, { inputs: pushing });
  expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('agents/chat.yaml') });
  const titleIn = async (name: string) => /title: (.*)/.exec(await onRemote('show', `topic:agents/${name}.yaml`))?.[1];
  expect(await Promise.all(['billing', 'chat'].map(titleIn))).toEqual(['As applied', 'Edited']);
});

describe('an apply after the merge', () => {
  test('An answer about equal edits counts for each of their agents, in the files and in an apply.', async () => {
    scenario.base = await mainCommit(scenario, { [recordPath]: null });
    await applied(['billing', 'chat', 'desk']);
    for (const id of ['agent-2', 'agent-3']) scenario.service.edit(id, { title: 'Edited' });
    scenario.service.edit('agent-4', { title: 'Edited too' });
    const head = await answered('1A', { 'README.md': 'Agents of the clinic\n' });
    const asked = parseMarker(bodies()[0] ?? '')?.questions?.map(({ number, id }) => [number, id]);
    expect(asked?.slice(0, 2)).toEqual([
      [1, 'drift'],
      [2, 'Agent/desk/drift'],
    ]);
    expect(await onComment(scenario, { inputs: pushing })).toMatchObject({ code: 0 });
    const titleIn = async (name: string) =>
      /title: (.*)/.exec(await onRemote('show', `topic:agents/${name}.yaml`))?.[1];
    expect(await Promise.all(['billing', 'chat', 'desk'].map(titleIn))).toEqual(['Edited', 'Edited', 'As applied']);
    expect((await mergedAndApplied(head)).code).toBe(0);
    expect(titles()).toMatchObject({ 'agent-2': 'Edited', 'agent-3': 'Edited', 'agent-4': 'As applied' });
  });

  test('An answer to leave write-only settings keeps counting for its agents when another agent is edited.', async () => {
    scenario.base = await mainCommit(scenario, { [recordPath]: null });
    await applied(['billing', 'chat', 'desk']);
    const descriptions = () => scenario.service.agents().map(({ settings }) => settings.description);
    for (const id of ['agent-2', 'agent-3']) scenario.service.edit(id, { description: 'Edited' });
    const head = await answered('1B', { 'README.md': 'Agents of the clinic\n' });
    const questions = () =>
      parseMarker(bodies()[0] ?? '')?.questions?.map((one) => [one.number, one.id, one.answer?.letter]);
    expect(questions()).toEqual([[1, 'write-only', undefined]]);
    scenario.service.edit('agent-4', { description: 'Edited too' });
    await onPullRequest(scenario, { head });
    // The comment asks only about the other agent.
    expect(questions()).toEqual([
      [1, 'write-only', 'B'],
      [2, 'Agent/desk', undefined],
    ]);
    const { code, log } = await mergedAndApplied(head);
    expect({ code, log }).toEqual({ code: 0, log: expect.stringMatching(/by ada\s+since .*: answered in #7/) });
    const left = ['Answers the phone.', 'Edited', 'Edited', 'Answers the phone.'];
    expect(descriptions()).toEqual(left);
    // The next push has no answers, and does not overwrite the settings either.
    expect(await onPush(scenario, { commit: await onRemote('rev-parse', 'main') })).toMatchObject({ code: 0 });
    expect(descriptions()).toEqual(left);
  });

  test('An apply leaves out an agent with a question if it cannot read the answers.', async () => {
    const head = await edited('1A');
    scenario.github.forbidden.add('issues/list-comments');
    const { code, summary } = await mergedAndApplied(head);
    expect({ code, summary }).toEqual({
      code: 3,
      summary: expect.stringContaining('the answers on pull request 7 could not be read ('),
    });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
    // Answers given with the command count.
    const options = ['drift=undo', 'write-only=send-again'].map((text) => `--answer Agent/front-desk/${text}`);
    const command = ['apply', ...options].join(' ');
    const again = await onPush(scenario, { commit: await onRemote('rev-parse', 'main'), inputs: { new: '', command } });
    expect(again).toMatchObject({ code: 0 });
    expect(titles()).toEqual({ 'agent-1': 'Front desk' });
  });

  test('The result of an apply does not ask about an agent that failed although its question has a default.', async () => {
    const head = await edited('');
    const refused = { status: 422, body: JSON.stringify({ success: false, message: 'no' }) };
    scenario.service.before = ({ method }) => (method === 'POST' ? refused : undefined);
    expect((await mergedAndApplied(head)).code).toBe(1);
    expect(bodies()[0]).toContain('❌ **Apply: 0 applied, 1 failed.**');
    expect(bodies()[0]).not.toContain('Still to decide');
  });

  test('The result of an apply replaces the plan and its boxes, and a repeated apply still knows the answers.', async () => {
    const head = await edited('');
    const [comment] = scenario.github.comments;
    if (comment === undefined) throw new Error('there is no comment');
    scenario.github.editComment(comment, ada, comment.body.replace('- [ ] **A** ', '- [x] **A** '));
    const refused = { status: 400, body: JSON.stringify({ success: false, message: 'no' }) };
    scenario.service.before = ({ method }) => (method === 'POST' ? refused : undefined);
    const first = await mergedAndApplied(head, { 'require-approved-plan': 'true' });
    expect(first.code).toBe(1);
    expect(comment.body).not.toMatch(/- \[[ x]\]|answers? needed/);
    expect(comment.body).not.toContain('What was applied');
    scenario.service.before = undefined;
    const commit = await onRemote('rev-parse', 'main');
    const again = await onPush(scenario, { commit, inputs: { new: '', 'require-approved-plan': 'true' } });
    expect({ code: again.code, log: again.log }).toMatchObject({
      code: 0,
      log: expect.stringContaining('Kept by ada'),
    });
    expect(titles()).toEqual({ 'agent-1': 'Reception' });
  });
});
