import { test } from '@jest/globals';
import { commit, expectRelation, run, useRepository } from './ancestry-project.ts';

useRepository();

test('A squash merge is recognised, even if main continued and records were committed later.', async () => {
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

test('A rebase merge is recognised.', async () => {
  await commit('one', { 'bots/one.yaml': '2' });
  const applied = await commit('two', { 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await run('rebase', '--quiet', 'main', 'topic');
  await expectRelation(applied, 'merged');
});

test('A partly merged branch counts as diverged.', async () => {
  const part = await commit('one', { 'bots/one.yaml': '2' });
  const applied = await commit('two', { 'bots/two.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await commit('meanwhile', { 'bots/four.yaml': '1' });
  await run('cherry-pick', part);
  await expectRelation(part, 'merged');
  await expectRelation(applied, 'diverged');
});

test('An older checkout counts as older, unless nothing changed in the project folder.', async () => {
  const outside = await commit('outside', { 'README.md': '2' });
  const newer = await commit('newer', { 'bots/one.yaml': '2' });
  await run('checkout', '--quiet', 'main');
  await expectRelation(newer, 'descendant');
  await expectRelation(outside, 'merged');
});
