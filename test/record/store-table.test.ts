import { expect, test } from '@jest/globals';
import { defaultStore, storeDefinitions, storeNames } from '../../src/record/store-table.ts';

test('Stores are listed in the order in which they are offered.', () => {
  expect(storeNames).toEqual(['file', 'git', 'postgres']);
  expect(Object.values(storeDefinitions).map(({ label, hint }) => [label, hint])).toEqual([
    ['Files in the project', 'committed with the manifests'],
    ['A separate branch', 'required by workflows that apply'],
    ['A PostgreSQL database', 'for thousands of agents and many machines'],
  ]);
});

test('Records are kept in files by default, except for jobs, whose files are lost.', () => {
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
] as const)('The store %s has its properties in agentform.yaml.', (name, facts) => {
  expect(storeDefinitions[name]).toMatchObject({ name, ...facts });
});

test('Each store names the location of its records.', async () => {
  expect(await storeDefinitions.file.location({ store: 'file' })).toBe('files');
  expect(await storeDefinitions.git.location({ store: 'git' })).toBe('the branch agentform-records');
  expect(await storeDefinitions.git.location({ store: 'git', branch: 'r' })).toBe('the branch r');
});
