import { describe, expect, test } from '@jest/globals';
import type { RecordStore } from '../../../src/record/store.ts';
import { storeWith } from '../../support/late-store.ts';
import {
  applied,
  commits,
  committed,
  killed,
  previous,
  released,
  rollbackTo,
  rolledBack,
  sameApply,
  saved,
  saves,
  store,
  timeOf,
  useRepository,
} from './past-versions.ts';

useRepository();

describe('the previous version', () => {
  test('The previous version is the last one with different values.', async () => {
    await applied('A', 'B', 'B');
    expect(await previous()).toBe('A');
    await applied('A');
    expect(await previous()).toBe('B');
  });

  test('A record that a rollback holds keeps its values, so a repeated rollback does not go one version too far.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    expect(await previous()).toBe('B');
  });

  test('The previous version of a released rollback is older than the restored one.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('Values that are applied again after a rollback do not make the undone version the previous one.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await applied('B');
    expect(await previous()).toBe('A');
  });

  test('The version that a person named is the restored one, although a later version has the same values.', async () => {
    await applied('A', 'B', 'C', 'B', 'D');
    await rolledBack('B', commits[1]?.slice(0, 8));
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('A restored version that the history lacks is recognised by its values.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', 'before plan.json');
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('Without a version before the restored one, the rolled back version is not proposed.', async () => {
    await applied('A', 'B');
    await rolledBack('A', commits[0]);
    await released('A');
    expect(await previous()).toEqual({ wanted: 'before-restored' });
    await rolledBack('unknown', 'before plan.json');
    await released('unknown');
    expect(await previous()).toEqual({ wanted: 'before-restored' });
  });

  test('A restored version whose number begins another number is found in a store that numbers its changes.', async () => {
    await applied('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K');
    await rolledBack('B', '2');
    await applied('L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S');
    await rolledBack('B', '2');
    await released('B');
    const numbered = storeWith<RecordStore>(store, {
      history: async (of) =>
        (await store.history(of)).map((entry) => ({ ...entry, commit: String(commits.indexOf(entry.commit) + 1) })),
      readVersions: (versions) =>
        store.readVersions(versions.map((one) => ({ ...one, commit: commits[Number(one.commit) - 1] ?? '' }))),
    });
    expect(await previous(numbered)).toBe('A');
  });

  test('A rollback that was interrupted before its write is tried again.', async () => {
    await applied('A', 'B', 'C');
    const { holds } = rollbackTo(commits[1]);
    await saved('C', { event: 'apply', appliedAt: timeOf(saves - 1), ...(holds && { holds }) });
    expect(await previous()).toBe('B');
  });

  test('A second rollback that was interrupted before its write is tried again.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    const at = timeOf(saves);
    const { holds } = rollbackTo(commits[0]);
    const later = holds?.rollback && { rollback: { ...holds.rollback, since: timeOf(saves + 1) } };
    await saved('B', { event: 'rollback', appliedAt: at, ...(later && { holds: later }) });
    expect(await previous()).toBe('A');
  });

  test('If an apply was killed before it was recorded, the previous version is the recorded one.', async () => {
    await applied('A', 'B');
    await saved('B', killed());
    expect(await previous()).toBe('B');
    await committed();
    await saved('B', killed());
    expect(await previous()).toBe('B');
  });

  test('If an apply was killed after it was recorded, the previous version is older than the recorded one.', async () => {
    await applied('A', 'B');
    const failure = { code: 'not-read-back', at: timeOf(saves), facts: { cause: 'interrupted' } };
    await saved('C', { event: 'apply', failure });
    expect(await previous()).toBe('B');
  });

  test('If the service refused an apply, the previous version is older than the recorded one.', async () => {
    await applied('A', 'B');
    const failure = { code: 'service-refused', at: timeOf(9), facts: {} };
    await saved('B', sameApply({ event: 'apply', failure }));
    expect(await previous()).toBe('A');
  });

  test('A version that no apply wrote cannot skip other versions.', async () => {
    await applied('A', 'B');
    await saved('C', rollbackTo(commits[0]), false);
    await committed();
    await applied('C');
    expect(await previous()).toBe('B');
  });
});
