import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { journalOf, key, open, other, project, remote, until, useClones } from '../../../record/git/open-store.ts';
import { git } from '../../../support/git.ts';
import { agentRecord } from '../../../support/observations.ts';

useClones();

/** Shares two versions of a record. */
async function shareTwo(): Promise<void> {
  const store = await open(project);
  let version: string | undefined;
  for (const a of [1, 2]) {
    version = await store.save(agentRecord({ a }), version);
    await store.share('Apply to test');
  }
  await store.close();
}

const rewrite = () => remote.git('update-ref', 'refs/heads/agentform-records', 'agentform-records~');

describe('a branch that a forced push rewrote', () => {
  test('A rewritten branch is refused, and commands in the message restore the earlier commit or accept the branch.', async () => {
    await shareTwo();
    await rewrite();
    const refusal = await (await open(project)).list('test').catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/lacks commit [0-9a-f]{40}/),
    });
    const [restore = '', accept = ''] = [...String(refusal).matchAll(/`git ([^`]+)`/g)].map(([, line = '']) => line);
    await git(project.root, ...restore.split(' '));
    expect(await (await open(project)).read(key)).toMatchObject({ record: agentRecord({ a: 2 }) });
    await rewrite();
    await git(project.root, ...accept.split(' '));
    expect(await (await open(project)).read(key)).toMatchObject({ record: agentRecord({ a: 1 }) });
  });

  test('A branch that is rewritten or deleted during a run is not replaced by the records of that run.', async () => {
    await shareTwo();
    const store = await open(project);
    await store.list('test');
    await rewrite();
    await store.save(agentRecord({}, { name: 'two' }), undefined);
    await expect(store.refresh('test')).rejects.toMatchObject({ message: expect.stringContaining('lacks commit') });
    await remote.git('branch', '-D', 'agentform-records');
    await expect(store.refresh('test')).rejects.toMatchObject({ message: expect.stringContaining('no longer exists') });
  });

  test('A branch that others only added to is not refused, even in a shallow clone.', async () => {
    const [one, two] = [await open(project), await open(other)];
    await one.save(agentRecord({}), undefined);
    await one.share('Apply to test');
    await two.list('test');
    await two.close();
    await one.save(agentRecord({}, { name: 'two' }), undefined);
    await one.share('Apply to test');
    await git(other.root, 'fetch', '--quiet', '--depth=1', 'origin', 'agentform-records');
    expect(await (await open(other)).list('test')).toHaveLength(2);
  });
});

test('Two runs that create the branch at the same time both succeed.', async () => {
  const [one, two] = [await open(project), await open(other)];
  await one.save(agentRecord({}, { name: 'one' }), undefined);
  await two.save(agentRecord({}, { name: 'two' }), undefined);
  await Promise.all([one.share('Apply to test'), two.share('Apply to test')]);
  expect(Object.keys(await remote.records())).toHaveLength(2);
  expect(await remote.git('rev-list', '--max-parents=0', '--count', 'agentform-records')).toBe('1');
});

test('A deleted branch is created again with its history.', async () => {
  const store = await open(project);
  const version = await store.save(agentRecord({ a: 1 }), undefined);
  await store.share('Apply to test');
  await remote.git('branch', '-D', 'agentform-records');
  await store.save(agentRecord({ a: 2 }), version);
  await store.share('Apply to test');
  expect(await remote.subjects()).toHaveLength(2);
});

test('Unshared records that clash during automatic sharing are reported at the next sharing.', async () => {
  const [one, two] = [await open(project), await open(other, { shareEvery: 50 })];
  await two.list('test');
  await one.save(agentRecord({ a: 1 }), undefined);
  await one.share('Apply to test');
  await two.save(agentRecord({ a: 2 }), undefined);
  await until(async () => (await git(other.root, 'for-each-ref', 'refs/agentform/clash')) !== '');
  await expect(two.share('Apply to test')).rejects.toMatchObject({ code: 'record-moved' });
});

test('Unshared records survive a second killed run, even if the first left half a line.', async () => {
  await (await open(project)).save(agentRecord({ a: 1 }), undefined);
  const journal = await journalOf(project);
  await appendFile(journal, '{"place":".agentform/records/test/Agent/cut.json","text":"{');
  const second = await open(project);
  await second.lock('test');
  await second.save(agentRecord({ a: 2 }, { name: 'other' }), undefined);
  await rm(join(journal, '..', 'test.lock'));
  expect((await (await open(project)).list('test')).map(({ record }) => record.name)).toEqual(['front-desk', 'other']);
});

test('Unshared records that clash stay unshared while a run of another environment reads them and shares its own.', async () => {
  await (await open(project)).save(agentRecord({ a: 1 }), undefined);
  const theirs = await open(other);
  await theirs.save(agentRecord({ a: 2 }), undefined);
  await theirs.share('Apply to test');
  const elsewhere = await open(project);
  await elsewhere.save({ ...agentRecord({ a: 3 }), environment: 'production' }, undefined);
  expect((await elsewhere.read(key))?.record).toEqual(agentRecord({ a: 2 }));
  await elsewhere.share('Apply to production');
  await expect((await open(project)).lock('test')).rejects.toMatchObject({ code: 'record-moved' });
});

test('Unshared records of another environment stay unshared if a run reads them, refreshes and shares its own.', async () => {
  await (await open(project)).save(agentRecord({ a: 1 }), undefined);
  const elsewhere = await open(project);
  expect((await elsewhere.read(key))?.record).toEqual(agentRecord({ a: 1 }));
  expect(await elsewhere.list('production')).toEqual([]);
  await elsewhere.refresh('production');
  await elsewhere.save({ ...agentRecord({ a: 3 }), environment: 'production' }, undefined);
  await elsewhere.share('Apply to production');
  expect((await (await open(project)).read(key))?.record).toEqual(agentRecord({ a: 1 }));
});

test('A clash of this run is reported, even if the run reads another environment before it shares.', async () => {
  const ours = await open(project);
  const lock = await ours.lock('test');
  await ours.save(agentRecord({ a: 1 }), undefined);
  const theirs = await open(other);
  await theirs.save(agentRecord({ a: 2 }), undefined);
  await theirs.share('Apply to test');
  await ours.refresh('test');
  expect(await ours.list('production')).toEqual([]);
  await expect(ours.share('Apply to test')).rejects.toMatchObject({ code: 'record-moved' });
  await lock.release();
});

test('A record of a deleted branch counts as removed.', async () => {
  const killed = await open(project);
  const version = await killed.save(agentRecord({ a: 1 }), undefined);
  await killed.share('Apply to test');
  await killed.save(agentRecord({ a: 2 }), version);
  await remote.git('branch', '-D', 'agentform-records');
  await expect((await open(project)).lock('test')).rejects.toMatchObject({
    message: expect.stringContaining(
      'another run removed the record of Agent/front-desk at the same moment (on the branch agentform-records of origin)',
    ),
  });
});

test('A push is repeated if the branch is locked.', async () => {
  const lock = `refs/heads/agentform-records.lock`;
  const script = `if [ -e asked ]; then rm -f ${lock}; else touch asked ${lock}; fi`;
  await writeFile(join(remote.path, 'hooks/pre-receive'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const store = await open(project);
  await store.save(agentRecord({ a: 1 }), undefined);
  await store.share('Apply to test');
  expect(await readFile(join(remote.path, 'asked'), 'utf8')).toBe('');
  expect(await remote.subjects()).toEqual(['Apply to test: front-desk']);
});
