import { expect, test } from '@jest/globals';
import { sourcesInHistory } from '../../../../src/session/base/ancestry.ts';
import { commit, expectRelation, repository, run, useRepository } from '../../../session/base/ancestry-project.ts';
import { gitEnv } from '../../../support/git.ts';
import { runShell } from '../../../support/shell.ts';

useRepository();

test('A deleted file counts for the merge, and a name with a line feed is undecided.', async () => {
  await run('rm', '--quiet', 'bots/two.yaml');
  const deleted = await commit('deleted');
  const odd = await commit('odd', { 'bots/a\nb.txt': '1' });
  await run('checkout', '--quiet', 'main');
  await commit('other', { 'bots/four.yaml': '1' });
  await expectRelation(deleted, 'diverged');
  await run('merge', '--quiet', '--squash', 'topic');
  await commit('squashed');
  await expectRelation(deleted, 'merged');
  await expectRelation(odd, 'diverged');
});

test('Files that were merged separately, but never together, count as diverged.', async () => {
  const applied = await commit('both', { 'bots/one.yaml': '2', 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('one', { 'bots/one.yaml': '2' });
  await commit('other', { 'bots/one.yaml': '3', 'bots/two.yaml': '2' });
  await expectRelation(applied, 'diverged');
});

test('A branch with the content of an older commit counts as diverged.', async () => {
  await run('checkout', '--quiet', 'main');
  await commit('second', { 'bots/one.yaml': '2' });
  await run('checkout', '--quiet', '-b', 'back');
  const applied = await commit('back', { 'bots/one.yaml': '1' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await expectRelation(applied, 'diverged');
});

test('A failed fetch leaves doubt about a commit on another branch, but not about a newer commit.', async () => {
  const newer = await commit('newer', { 'bots/one.yaml': '2' });
  await run('checkout', '--quiet', '-b', 'aside', 'main');
  const aside = await commit('aside', { 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await run('remote', 'add', 'origin', 'missing.git');
  const sources = await sourcesInHistory(`${repository.root}/bots`, [newer, 'f'.repeat(40)]);
  expect(sources.get(newer)).toEqual({ commit: newer, relation: 'descendant' });
  await commit('beside', { 'README.md': '2', 'bots/three.yaml': '1' });
  const later = await sourcesInHistory(`${repository.root}/bots`, [aside, 'f'.repeat(40)]);
  const problem = expect.stringMatching(/^could not fetch more history: /);
  expect(later.get(aside)).toEqual({ commit: aside, relation: 'diverged', problem });
});

/** Adds commits to main, each of which changes one more file of the project. */
async function followedBy(count: number): Promise<void> {
  const commits = Array.from({ length: count }, (_, index) =>
    [
      'commit refs/heads/main',
      `committer T <t@example.com> ${1_800_000_000 + index} +0000`,
      'data 1\nc',
      ...(index === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline bots/later.yaml\ndata ${String(index).length}\n${index}`,
    ].join('\n'),
  );
  await repository.write('stream', `${commits.join('\n')}\n`);
  await runShell('git fast-import --quiet < stream', { cwd: repository.root, env: gitEnv });
  await run('reset', '--quiet', '--hard', 'main');
}

test.each([
  ['998 commits before', 998, 1, 'merged'],
  ['a thousand commits before, beyond the limit', 1000, 1, 'diverged'],
  ['97 commits before, among two hundred files', 97, 200, 'merged'],
  ['a hundred commits before, among two hundred files', 100, 200, 'diverged'],
] as const)('A squash merge is searched up to a limit: %s, %d later commits.', async (_, later, files, relation) => {
  const changed = Object.fromEntries(Array.from({ length: files }, (__, index) => [`bots/${index}.yaml`, 'new']));
  const applied = await commit('one', changed);
  await run('checkout', '--quiet', 'main');
  await run('merge', '--quiet', '--squash', 'topic');
  await commit('squashed');
  await commit('changed again', { 'bots/0.yaml': 'newer' });
  await followedBy(later);
  await expectRelation(applied, relation);
});
