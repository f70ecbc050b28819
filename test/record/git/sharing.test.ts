import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { afterInterrupt } from '../../../src/record/git/sharing.ts';
import { createGitStore, type GitStoreOptions } from '../../../src/record/git/store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import type { TestProject } from '../../support/cli.ts';
import { project, remote, useClone } from '../../support/clone.ts';
import { clonedProject, git, gitEnv } from '../../support/git.ts';
import { agentRecord } from '../../support/observations.ts';

const branch = 'agentform-records';
const shown = `the branch ${branch} of origin`;

let stores: RecordStore[];
let other: TestProject | undefined;
beforeEach(() => {
  [stores, other] = [[], undefined];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await other?.remove();
});
useClone();

async function open(root = project.root, options: Partial<GitStoreOptions> = {}): Promise<RecordStore> {
  const store = await createGitStore({ root, branch, remote: 'origin', env: gitEnv, ...options });
  stores.push(store);
  return store;
}

const refs = (pattern: string) => git(project.root, 'for-each-ref', '--format=%(objectname) %(refname)', pattern);
const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test('A refused push is kept as a commit, and reported with the command that pushes it.', async () => {
  const hook = join(remote.path, 'hooks/pre-receive');
  await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const store = await open();
  await store.save(agentRecord({ a: 1 }), undefined);
  const error = await failureOf(store.share('Apply to test'));
  const [commit = '', ref] = (await refs('refs/agentform/unshared')).split(' ');
  const reason = `${shown} rejected the records: pre-receive hook declined`;
  expect(error).toMatchObject({
    code: 'record-unreachable',
    message:
      `${reason}; the records are kept locally as commit ${commit} (${ref}). The next apply in this repository pushes them. ` +
      `To push them now, run \`git push origin ${commit}:refs/heads/${branch}\``,
    facts: { branch, reason },
  });
  await rm(hook);
  await git(project.root, 'push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`);
  await store.share('Apply to test');
  expect(await remote.subjects()).toEqual(['Apply to test: front-desk']);
  expect(await refs('refs/agentform/unshared')).toBe('');
});

test('After a refused push, the next run publishes the left records as a separate change.', async () => {
  const hook = join(remote.path, 'hooks/pre-receive');
  await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const refused = await open();
  const version = await refused.save(agentRecord({ a: 1 }), undefined);
  await expect(refused.share('Apply to test')).rejects.toThrow('pre-receive hook declined');
  await refused.close();
  const still = await open();
  await (await still.lock('test')).release();
  await rm(hook);
  const next = await open();
  const lock = await next.lock('test');
  await next.save(agentRecord({ a: 2 }), version);
  await next.share('Apply to test');
  await lock.release();
  expect(await remote.subjects()).toEqual(['Continue in test: front-desk', 'Apply to test: front-desk']);
  const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
  const commits = (await next.history({ environment: 'test' })).map(({ commit }) => ({ ...key, commit }));
  expect((await next.readVersions(commits)).map((record) => record?.fields.a?.value)).toEqual([2, 1]);
  expect(await refs('refs/agentform/unshared')).toBe('');
});

test('Records that git cannot commit stay in the clone, and the message says so.', async () => {
  const store = await open();
  await store.save(agentRecord({ a: 1 }), undefined);
  const packs = join(project.root, '.git/objects/pack');
  await rm(packs, { recursive: true, force: true });
  await writeFile(packs, '');
  await expect(store.share('Apply to test')).rejects.toMatchObject({
    message: expect.stringMatching(
      /^git fast-import failed: .*; the records are kept in the git folder of this clone\. The next apply in this clone pushes them$/,
    ),
  });
  await rm(packs);
  await store.share('Apply to test');
  expect(await remote.subjects()).toEqual(['Apply to test: front-desk']);
});

test('An unreachable remote has its reason in the facts as well.', async () => {
  const store = await open();
  await store.save(agentRecord({ a: 1 }), undefined);
  await git(project.root, 'remote', 'set-url', 'origin', `${remote.path}-away`);
  const error = await failureOf(store.share('Apply to test'));
  const reason = expect.stringMatching(/^the branch agentform-records of origin cannot be pushed to: /);
  expect(error).toMatchObject({ code: 'record-unreachable', facts: { branch, reason }, cause: { message: reason } });
});

test('Records that gave way are named once, with the commits of both.', async () => {
  other = await clonedProject(remote);
  const [one, two] = [await open(), await open(other.root)];
  for (const name of ['a', 'b']) {
    await one.save(agentRecord({ a: 1 }, { name }), undefined);
    await two.save(agentRecord({ a: 2 }, { name }), undefined);
    await two.share('Apply to test');
  }
  const error = await failureOf(one.share('Apply to test'));
  const theirs = (await remote.git('rev-list', '--reverse', branch)).split('\n');
  const [ours = '', ref = ''] = (await refs('refs/agentform/clash')).split(' ');
  expect(ref).toBe(`refs/agentform/clash/${ours.slice(0, 12)}`);
  expect(await git(project.root, 'log', '-1', '--format=%s', ours)).toBe('Set aside: a and b');
  expect(error).toMatchObject({
    code: 'record-moved',
    message:
      `another run changed the records of Agent/a and Agent/b at the same moment (commit ${theirs.join(' and ')} of ${shown}), and the branch has ` +
      `that run's version. This run's version is kept locally as commit ${ours} (${ref}). Run \`agentform plan -e test\` to see what is left`,
    facts: { records: ['Agent/a', 'Agent/b'], theirs, ours: [ours] },
  });
  await one.share('Apply to test');
  expect((await one.list('test')).map(({ record }) => record.fields.a?.value)).toEqual([2, 2]);
});

test('The time for sharing ends a while after an interruption, unless it was released.', async () => {
  const interruption = new AbortController();
  const times = [afterInterrupt(interruption.signal, 20), afterInterrupt(AbortSignal.abort(), 20)];
  const released = [afterInterrupt(interruption.signal, 20), afterInterrupt(AbortSignal.abort(), 20)];
  const uninterrupted = [afterInterrupt(undefined, 20), afterInterrupt(new AbortController().signal, 20)];
  for (const each of released) each.release();
  interruption.abort();
  expect(times.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  await sleep(60);
  const why = 'no response within 0.02 seconds after the interruption';
  expect(times.map(({ signal }) => signal.reason)).toEqual([why, why]);
  for (const { signal } of [...released, ...uninterrupted]) expect(signal.aborted).toBe(false);
});

test('Saved records are still shared after an interruption, saved before or during it.', async () => {
  const interruption = new AbortController();
  const store = await open(project.root, { signal: interruption.signal });
  await store.list('test');
  await store.save(agentRecord({ a: 1 }), undefined);
  const sharing = store.share('Apply to test');
  interruption.abort('interrupted');
  await sharing;
  await store.save(agentRecord({ a: 2 }, { name: 'other' }), undefined);
  await store.share('Apply to test');
  expect(await remote.subjects()).toEqual(['Apply to test: front-desk', 'Apply to test: other']);
});

test('A closed store does not share automatically.', async () => {
  const store = await open(project.root, { shareEvery: 30 });
  await store.save(agentRecord({ a: 1 }), undefined);
  await store.close();
  await sleep(200);
  expect(await remote.subjects()).toEqual([]);
});
