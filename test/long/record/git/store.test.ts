import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createGitStore } from '../../../../src/record/git/store.ts';
import type { RecordStore } from '../../../../src/record/store.ts';
import type { TestProject } from '../../../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, git, gitEnv, pushedProject } from '../../../support/git.ts';
import { agentRecord } from '../../../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

let remote: BareRemote;
let project: TestProject;
let other: TestProject;
let stores: RecordStore[];

beforeEach(async () => {
  remote = await bareRemote();
  project = await pushedProject(remote, { 'README.md': 'x' });
  other = await clonedProject(remote);
  stores = [];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all([project.remove(), other.remove(), remote.remove()]);
});

async function open({ root }: TestProject): Promise<RecordStore> {
  const store = await createGitStore({ root, branch: 'agentform-records', remote: 'origin', env: gitEnv });
  stores.push(store);
  return store;
}

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
