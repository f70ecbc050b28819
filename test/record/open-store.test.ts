import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { emulator } from '../../src/kinds/desired.ts';
import type { RecordSettings, RecordStore } from '../../src/record/store.ts';
import { isShared, storeDefinitions, withOpenStore, withStore } from '../../src/record/store-table.ts';
import { project, remote, useClone } from '../support/clone.ts';
import { clonedProject, git, gitEnv } from '../support/git.ts';
import { storeWith } from '../support/late-store.ts';
import { agentRecord } from '../support/observations.ts';

/**
 * Tests how a run finds the store with an environment's records, and what prevents the run from assuming that there are
 * no records.
 */
const definitions = new Map([
  ['test', { baseUrl: 'https://agents.example' }],
  ['local', { baseUrl: emulator }],
]);
const record = agentRecord({ a: 1 });

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-open-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const of = (settings: RecordSettings, environment = 'test', project = root) => ({
  project: { root: project, record: settings, definitions },
  environment,
  env: gitEnv,
});
const inFiles: RecordSettings = { store: 'file' };
const onBranch: RecordSettings = { store: 'git' };
const names = async (store: RecordStore, environment = 'test') =>
  (await store.list(environment)).map((stored) => stored.record.name);

describe('records in files', () => {
  test('Records in files are found again, and a new project has none.', async () => {
    expect(await withStore(of(inFiles), (store) => names(store))).toEqual([]);
    await withStore(of(inFiles), (store) => store.save(record, undefined));
    expect(await withStore(of(inFiles), (store) => names(store))).toEqual(['front-desk']);
  });

  test('Records of the emulator are in files, whatever store the project names.', async () => {
    const local = { ...record, environment: 'local' };
    await withStore(of(onBranch, 'local'), (store) => store.save(local, undefined));
    expect(await withStore(of(inFiles, 'local'), (store) => names(store, 'local'))).toEqual(['front-desk']);
  });

  test('Records in files and of the emulator need no sharing, and those on a branch do.', () => {
    const shared = (settings: RecordSettings, environment: string) =>
      isShared({ record: settings, definitions }, environment);
    expect(shared(inFiles, 'test')).toBe(false);
    expect(shared(onBranch, 'test')).toBe(true);
    expect(shared(onBranch, 'local')).toBe(false);
    expect(shared(inFiles, 'local')).toBe(false);
  });
});

test('A store is closed after the work, and after a failure.', async () => {
  const closed: string[] = [];
  const definition = {
    ...storeDefinitions.file,
    open: async (at: Parameters<typeof storeDefinitions.file.open>[0]) => {
      const store = await storeDefinitions.file.open(at);
      return storeWith(store, { close: async () => void closed.push('closed') });
    },
  };
  const at = { root, record: inFiles, env: gitEnv };
  expect(await withOpenStore(definition, at, async () => 7)).toBe(7);
  await expect(withOpenStore(definition, at, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(closed).toEqual(['closed', 'closed']);
});

describe('records in another store than the configured one', () => {
  useClone();

  const save = (settings: RecordSettings, parts = {}) =>
    withOpenStore(
      storeDefinitions[settings.store],
      { root: project.root, record: settings, env: gitEnv },
      async (store) => {
        await store.save({ ...record, ...parts }, undefined);
        await store.share('Apply to test');
      },
    );
  const using = (settings: RecordSettings, root = project.root) =>
    withStore(of(settings, 'test', root), (store) => names(store));

  test('Records in files are not overlooked, and both remedies are named.', async () => {
    await save(inFiles);
    await expect(using(onBranch)).rejects.toMatchObject({
      code: 'record-elsewhere',
      message:
        'the records of test are in files, but agentform.yaml sets `store: git`, so agents would count as new; ' +
        'run `agentform record move --to git`, or set `record: { store: file }`',
    });
  });

  test('Records on a branch are not overlooked, even if the branch is deleted.', async () => {
    await save(onBranch);
    await git(project.root, 'fetch', '--quiet', 'origin', 'agentform-records:refs/remotes/origin/agentform-records');
    await expect(using(inFiles)).rejects.toMatchObject({
      code: 'record-elsewhere',
      message:
        'the records of test are on the branch agentform-records of origin, but agentform.yaml sets `store: file`, so ' +
        'agents would count as new; run `agentform record move --to file`, or set `record: { store: git }`. ' +
        'If the branch no longer has records, run `git fetch --prune origin`',
    });
  });

  test('The configured store wins if both stores have records.', async () => {
    await save(onBranch, { name: 'on-branch' });
    await save(inFiles, { name: 'in-files' });
    await git(project.root, 'fetch', '--quiet', 'origin', 'agentform-records:refs/remotes/origin/agentform-records');
    expect(await using(onBranch)).toEqual(['on-branch']);
    expect(await using(inFiles)).toEqual(['in-files']);
  });

  test('Records of another environment or unknown to the clone refuse nothing.', async () => {
    await save(inFiles, { environment: 'other' });
    expect(await using(onBranch)).toEqual([]);
    await save(onBranch);
    const fresh = await clonedProject(remote);
    await git(fresh.root, 'update-ref', '-d', 'refs/remotes/origin/agentform-records');
    expect(await using(inFiles, fresh.root)).toEqual([]);
    await fresh.remove();
  });
});
