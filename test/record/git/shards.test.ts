import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitStore } from '../../../src/record/git/store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, gitEnv, pushedProject } from '../../support/git.ts';
import { agentRecord } from '../../support/observations.ts';

const first = { number: 1, of: 2 };
const second = { number: 2, of: 2 };

let remote: BareRemote;
let project: TestProject;
let stores: RecordStore[];

beforeEach(async () => {
  remote = await bareRemote();
  project = await pushedProject(remote, { 'README.md': 'x' });
  stores = [];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all([project.remove(), remote.remove()]);
});

describe('shards that go on beside each other on one machine', () => {
  test('Shards that go on beside each other on one machine share what each saved, and leave nothing.', async () => {
    const [one, two] = [await open(), await open()];
    const locks = [await one.lock('test', first), await two.lock('test', second)];
    await Promise.all([one.save(record('a'), undefined), two.save(record('b'), undefined)]);
    await Promise.all([one.share('Apply to test'), two.share('Apply to test')]);
    await Promise.all([one.save(record('c'), undefined), two.save(record('d'), undefined)]);
    await Promise.all([two.share('Apply to test'), one.share('Apply to test')]);
    for (const lock of locks) await lock.release();
    expect(await namesIn(await open())).toEqual(['a', 'b', 'c', 'd']);
    expect(await leftFiles()).toEqual([]);
  });

  test('Shards that go on beside each other on one machine do not share what another one has saved and not shared yet.', async () => {
    const [one, two] = [await open(), await open()];
    const locks = [await one.lock('test', first), await two.lock('test', second)];
    await one.save(record('a'), undefined);
    await two.save(record('b'), undefined);
    await two.share('Apply to test');
    expect(Object.keys(await remote.records())).toHaveLength(1);
    expect(await leftFiles()).toContain('test.1-of-2.journal');
    for (const lock of locks) await lock.release();
  });
});

describe('what a killed run of a shard left', () => {
  test('What a killed run of a shard left is seen by whoever reads, and taken over by the next run of the shard.', async () => {
    await killed(first, 'a');
    expect(await namesIn(await open())).toEqual(['a']);
    const next = await open();
    const lock = await next.lock('test', first);
    await next.share('Apply to test');
    await lock.release();
    expect(Object.keys(await remote.records())).toHaveLength(1);
    expect(await leftFiles()).toEqual([]);
  });

  test('What a killed run of a shard left is taken over by a run of all of the environment, from every shard.', async () => {
    await killed(first, 'a');
    await killed(second, 'b');
    const next = await open();
    const lock = await next.lock('test');
    await next.share('Apply to test');
    await lock.release();
    expect(Object.keys(await remote.records())).toHaveLength(2);
    expect(await leftFiles()).toEqual([]);
  });

  test('What a killed run of a shard left does not get lost where the run that took it over is killed, too.', async () => {
    await killed(first, 'a');
    await killed(undefined, 'b');
    expect(await namesIn(await open())).toEqual(['a', 'b']);
  });
});

test('a shard is refused where a run of another number of shards, or of no shards, left anything', async () => {
  await killed(first, 'a');
  const refused = {
    code: 'run-refused',
    message: expect.stringMatching(/left records of test .*run `agentform apply -e test`/),
  };
  await expect((await open()).lock('test', { number: 1, of: 3 })).rejects.toMatchObject(refused);
  await killed(undefined, 'b');
  await expect((await open()).lock('test', first)).rejects.toMatchObject(refused);
  const lock = await (await open()).lock('test');
  await lock.release();
});

/** Saves without sharing, and without the lock being there any more. */
async function killed(shard: typeof first | undefined, name: string): Promise<void> {
  const store = await open();
  const lock = await store.lock('test', shard);
  await store.save(record(name), undefined);
  await lock.release();
}

function record(name: string) {
  return agentRecord({ name }, { name });
}

async function namesIn(store: RecordStore): Promise<string[]> {
  return (await store.list('test')).map(({ record: { name } }) => name);
}

async function leftFiles(): Promise<string[]> {
  const folder = join(project.root, '.git/agentform');
  const [scope = ''] = await readdir(folder);
  return readdir(join(folder, scope));
}

async function open(): Promise<RecordStore> {
  const { root } = project;
  const store = await createGitStore({ root, branch: 'agentform-records', remote: 'origin', env: gitEnv });
  stores.push(store);
  return store;
}
