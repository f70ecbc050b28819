import { expect, test } from '@jest/globals';
import {
  applied,
  commits,
  holdsOf,
  killed,
  previous,
  released,
  rollbackTo,
  rolledBack,
  sameApply,
  saved,
  saves,
  timeOf,
  useRepository,
} from '../../../commands/rollback/past-versions.ts';

useRepository();

test('The previous version of a rollback is older than the restored one, even if the hold was never committed.', async () => {
  await applied('A', 'B', 'C');
  await saved('B', rollbackTo(commits[1]));
  await saved('B', sameApply());
  expect(await previous()).toBe('A');
});

test('A rollback to a version that is itself a rollback continues before the version that this one restored.', async () => {
  await applied('A', 'B', 'C');
  await rolledBack('B', commits[1]);
  await applied('D');
  expect(await previous()).toBe('B');
  await rolledBack('B', commits[3]);
  await released('B');
  expect(await previous()).toBe('A');
});

test('A restored version is not proposed again if the rollback could not restore all of its values.', async () => {
  await applied('A', 'B', 'C');
  await rolledBack('B without its secret', commits[1]);
  await released('B without its secret');
  expect(await previous()).toBe('A');
});

test('After a killed apply, the previous version is the recorded one, even if its file was never committed.', async () => {
  await applied('A');
  await saved('B', { event: 'apply' });
  await saved('B', killed());
  expect(await previous()).toBe('B');
});

test('An edited record without a committed version is not restored after a killed apply.', async () => {
  await applied('A');
  await saved('B', killed(), false);
  expect(await previous()).toEqual({ wanted: 'other-values' });
});

test('If the rollback of a killed apply is itself killed before it is recorded, it is tried again.', async () => {
  await applied('A', 'B');
  await saved('B', { ...killed(), ...holdsOf(commits[1]) });
  expect(await previous()).toBe('B');
});

test('A rollback that was killed before it was recorded is tried again, even if the clock went back.', async () => {
  await applied('A', 'B', 'C');
  const later = { appliedAt: timeOf(saves + 60) };
  await saved('C', { ...killed(), ...later, ...holdsOf(commits[1]) });
  expect(await previous()).toBe('B');
});

test('If an apply was killed after a released rollback, the previous version is the restored one.', async () => {
  await applied('A', 'B', 'C');
  await rolledBack('B', commits[1]);
  await released('B');
  await saved('B', { ...killed(), event: 'rollback' });
  expect(await previous()).toBe('B');
});
