import { expect, test } from '@jest/globals';
import { AgentformError, type ErrorCode } from '../../src/errors.ts';
import { type RecordVersion, readableVersions } from '../../src/record/store.ts';
import { agentRecord } from '../support/observations.ts';

const record = agentRecord({ a: 1 });
const versions = ['1', '2', '3', '4', '5'].map((commit) => ({ ...record, commit }));

/** Returns a store that fails with the error code if a read includes one of these commits. */
const storeFailing = (code: ErrorCode, ...commits: readonly string[]) => ({
  async readVersions(wanted: readonly RecordVersion[]) {
    if (wanted.some(({ commit }) => commits.includes(commit))) throw new AgentformError(code, 'it failed');
    return wanted.map(() => record);
  },
});

test.each(['record-unreadable', 'record-newer'] as const)(
  'A version that fails with %s does not hide the versions around it.',
  async (code) => {
    const unreadable: string[] = [];
    const found = await readableVersions(storeFailing(code, '2', '5'), versions, ({ commit }) => {
      unreadable.push(commit);
    });
    expect(found).toEqual([record, undefined, record, record, undefined]);
    expect(unreadable).toEqual(['2', '5']);
  },
);

test('An unreachable store does not count as unreadable versions.', async () => {
  const reading = readableVersions(storeFailing('record-unreachable', '2'), versions, () => undefined);
  await expect(reading).rejects.toMatchObject({ code: 'record-unreachable' });
});
