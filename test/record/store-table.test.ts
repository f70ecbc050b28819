import { expect, test } from '@jest/globals';
import { defaultStore, storeDefinitions, storeNamed, storeNames, storeOf } from '../../src/record/store-table.ts';

test('stores are named in the order in which they are offered', () => {
  expect(storeNames).toEqual(['file', 'git', 'postgres']);
  expect(storeDefinitions.map(({ label, hint }) => [label, hint])).toEqual([
    ['Files in the project', 'committed with it'],
    ['A separate branch', 'required by workflows that apply'],
    ['A PostgreSQL database', 'for thousands of agents and many machines'],
  ]);
});

test('records are kept in files, but for jobs, whose files end with them', () => {
  expect(defaultStore()).toBe('file');
  expect(defaultStore({ forJobs: false })).toBe('file');
  expect(defaultStore({ forJobs: true })).toBe('git');
});

test.each([
  ['file', { isInProject: true, hasSettings: false, needsRemote: false, starter: { store: 'file' } }],
  [
    'git',
    {
      isInProject: false,
      hasSettings: true,
      needsRemote: true,
      starter: { store: 'git', branch: 'agentform-records' },
    },
  ],
] as const)('the store %s is what agentform.yaml names so', (name, facts) => {
  expect(storeNamed(name)).toMatchObject({ name, ...facts });
  expect(storeOf({ store: name })).toBe(storeNamed(name));
});

test('each says where its records are', async () => {
  expect(await storeNamed('file').location({ store: 'file' })).toBe('files');
  expect(await storeNamed('git').location({ store: 'git' })).toBe('the branch agentform-records');
  expect(await storeNamed('git').location({ store: 'git', branch: 'r' })).toBe('the branch r');
});
