import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommitRelation } from '../../src/plan/guards.ts';
import { sourcesInHistory } from '../../src/session/ancestry.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { git, gitEnv } from '../support/git.ts';

let repository: TestProject;

/** The project is a folder of its repository. */
beforeEach(async () => {
  repository = await testProject({ 'bots/one.yaml': '1', 'bots/two.yaml': '1', 'README.md': '1' }, gitEnv);
  await run('init', '--quiet', '--initial-branch=main');
  await commit('first');
  await run('checkout', '--quiet', '-b', 'topic');
});
afterEach(() => repository.remove());

test('a squash merge is recognised, also where main went on and records were committed after the apply', async () => {
  await commit('one', { 'bots/one.yaml': '2' });
  const applied = await commit('two', { 'bots/two.yaml': '2', 'bots/three.yaml': '1' });
  await commit('records', { 'bots/.agentform/records/test/Agent/one.json': '{}' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1', 'README.md': '2' });
  await run('merge', '--quiet', '--squash', 'topic');
  await commit('squashed');
  await expectRelation(applied, 'merged');
  await commit('later', { 'bots/one.yaml': '3' });
  await expectRelation(applied, 'merged');
});

test('a rebase merge is recognised', async () => {
  await commit('one', { 'bots/one.yaml': '2' });
  const applied = await commit('two', { 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await run('rebase', '--quiet', 'main', 'topic');
  await expectRelation(applied, 'merged');
});

test('a deleted file counts, and one whose name has a line feed is left undecided', async () => {
  await run('rm', '--quiet', 'bots/two.yaml');
  const deleted = await commit('deleted');
  const odd = await commit('odd', { 'bots/a\nb.txt': '1' });
  await run('checkout', '--quiet', 'main');
  await commit('other', { 'bots/four.yaml': '1' });
  await expectRelation(deleted, 'aside');
  await run('merge', '--quiet', '--squash', 'topic');
  await commit('squashed');
  await expectRelation(deleted, 'merged');
  await expectRelation(odd, 'aside');
});

test('a branch of which only a part is merged is aside', async () => {
  const part = await commit('one', { 'bots/one.yaml': '2' });
  const applied = await commit('two', { 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await run('cherry-pick', part);
  await expectRelation(part, 'merged');
  await expectRelation(applied, 'aside');
});

test('files that were each there once, but never all together, are aside', async () => {
  const applied = await commit('both', { 'bots/one.yaml': '2', 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('one', { 'bots/one.yaml': '2' });
  await commit('other', { 'bots/one.yaml': '3', 'bots/two.yaml': '2' });
  await expectRelation(applied, 'aside');
});

test('a branch that went back to what an older commit had is aside', async () => {
  await run('checkout', '--quiet', 'main');
  await commit('second', { 'bots/one.yaml': '2' });
  await run('checkout', '--quiet', '-b', 'back');
  const applied = await commit('back', { 'bots/one.yaml': '1' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await expectRelation(applied, 'aside');
});

test('an older checkout is older, unless nothing changed in the project folder since', async () => {
  const outside = await commit('outside', { 'README.md': '2' });
  const newer = await commit('newer', { 'bots/one.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await expectRelation(newer, 'descendant');
  await expectRelation(outside, 'merged');
});

async function expectRelation(commit: string, relation: CommitRelation): Promise<void> {
  const sources = await sourcesInHistory(`${repository.root}/bots`, [commit]);
  expect(sources.get(commit)).toEqual({ commit, relation });
}

async function commit(message: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const [path, text] of Object.entries(files)) await repository.write(path, text);
  await run('add', '--all');
  await run('commit', '--quiet', '--message', message);
  return run('rev-parse', 'HEAD');
}

function run(...args: string[]): Promise<string> {
  return git(repository.root, ...args);
}
