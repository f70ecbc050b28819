import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FileStore } from '../../src/record/file-store.ts';
import type { NewerVersion } from '../../src/record/store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { commitAll, git, tracedGit } from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';
import {
  freezeOf,
  key,
  newer,
  newerThanRecord,
  older,
  place,
  project,
  put,
  recorded,
  releaseOf,
  untimed,
  useRepository,
  write,
} from './committed-record.ts';

useRepository();

describe('records older than a committed version', () => {
  test('A record is older after a revert, and the named command restores the newer one.', async () => {
    await recorded(older);
    const expected = await recorded(newer);
    await recorded(older);
    const found = await newerThanRecord();
    expect(found).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
    expect(found?.path).toBe(place);
    await git(project.root, 'checkout', found?.commit ?? '', '--', place);
    expect(await newerThanRecord()).toBeUndefined();
    await commitAll(project.root, 'restored');
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A record is older after the checkout of an older file, and the newest version is named.', async () => {
    await recorded(older);
    await recorded(newer);
    const expected = await recorded({ ...newer, lastUpdate: 3000 });
    await git(project.root, 'checkout', '--quiet', 'HEAD~2', '--', place);
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12) });
  });

  test('A record is older after the revert of a hold, a release or a second hold, even if its times are unchanged.', async () => {
    const expected = await reverted({
      hold: [older, { ...older, holds: { freeze: freezeOf(2) } }],
      release: [
        { ...older, holds: { freeze: freezeOf(2) } },
        { ...older, holds: { released: releaseOf(3) } },
      ],
      again: [
        { ...older, holds: { released: releaseOf(3) } },
        { ...older, holds: { freeze: freezeOf(4) } },
      ],
    });
    expect(await newerThan('hold', 'release', 'again')).toMatchObject({
      'Agent/hold': expected,
      'Agent/release': expected,
      'Agent/again': expected,
    });
  });

  test('The last version that an apply wrote is found for a record that was edited since.', async () => {
    const expected = await recorded(newer);
    await recorded({ ...newer, fields: {} });
    await put('<<<<<<< ours');
    await commitAll(project.root, 'a merge');
    await recorded({ ...newer, fields: {}, query: { a: '1' } });
    const store = new FileStore(project.root);
    const found = async (a: number) => {
      const isProven = ({ fields }: ResourceRecord) => fields.a?.value === a;
      return (await store.newerVersions('test', [{ ...key, isProven }])).get('Agent/front-desk')?.commit;
    };
    expect(await found(2)).toBe(expected.slice(0, 12));
    expect(await found(3)).toBeUndefined();
  });

  test('A record is older after a commit that removed its hold and its HMAC.', async () => {
    const expected = await recorded({ ...older, holds: { freeze: freezeOf(2) } });
    await recorded({ ...older, fields: {} });
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), hold: {} });
    await recorded({ ...older, holds: { released: releaseOf(3) } });
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A record is older after a merge that took the older version.', async () => {
    await recorded(older);
    await git(project.root, 'checkout', '--quiet', '-b', 'topic');
    await recorded(agentRecord({ a: 3 }, { lastUpdate: 1500, appliedAt: '2026-01-01T12:00:00.000Z' }));
    await git(project.root, 'checkout', '--quiet', 'main');
    const expected = await recorded(newer);
    await git(project.root, 'merge', '--quiet', '--strategy-option=theirs', '--no-edit', 'topic');
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
  });

  test('A record was removed if its last version is in the history.', async () => {
    const expected = await recorded(newer);
    await recorded(agentRecord({}, { name: 'other', id: 'camp_2' }));
    await rm(join(project.root, place));
    await commitAll(project.root, 'removed');
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), id: 'camp_1' });
  });

  test('A record is older than the newest committed version, wherever that is in the history.', async () => {
    await recorded(older);
    const expected = await recorded({ ...newer, lastUpdate: 3000 });
    await recorded(newer);
    await write(older);
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12) });
  });

  test('A record is older by the time of the apply unless both versions have different times of the service.', async () => {
    const expected = await reverted({
      'only-older': [older, untimed(newer)],
      'only-newer': [untimed(older), newer],
      equal: [older, { ...newer, lastUpdate: 1000 }],
      neither: [untimed(older), untimed(newer)],
    });
    expect(await newerThan('only-older', 'only-newer', 'equal', 'neither')).toMatchObject({
      'Agent/only-older': expected,
      'Agent/only-newer': expected,
      'Agent/equal': expected,
      'Agent/neither': expected,
    });
  });

  test('A removed record is reported with its last version in the history, and with the id if it has one.', async () => {
    await recorded(newer);
    const { id: _, ...started } = older;
    const expected = await recorded({ ...started, intent: { operation: 'create', startedAt: 'x', runId: 'r' } });
    await recorded(agentRecord({}, { name: 'other', id: 'camp_2' }));
    await git(project.root, 'checkout', '--quiet', '-b', 'topic');
    await recorded({ ...newer, lastUpdate: 5000 });
    await git(project.root, 'checkout', '--quiet', 'main');
    await rm(join(project.root, place));
    await commitAll(project.root, 'removed');
    const found = await newerThanRecord();
    expect(found).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
    expect(found).not.toHaveProperty('id');
  });

  test('A record may be older than a version on another branch, as after checking out an older commit.', async () => {
    await recorded(older);
    const expected = await recorded(newer);
    await git(project.root, 'checkout', '--quiet', 'HEAD~1');
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), inHistory: false });
  });
});

test('A removed record is found even if it was the only record, and its hold is found without its name.', async () => {
  const removed = await recorded({ ...older, holds: { freeze: freezeOf(2) } });
  const store = new FileStore(project.root);
  expect(await store.removedHolds('test')).toEqual([]);
  await rm(join(project.root, place));
  await commitAll(project.root, 'removed');
  const version = { commit: removed.slice(0, 12), inHistory: true, path: place };
  expect(await newerThanRecord()).toMatchObject(version);
  expect(await store.removedHolds('test')).toMatchObject([{ record: { name: 'front-desk' }, version }]);
  await recorded({ ...older, holds: { released: releaseOf(3) } });
  await rm(join(project.root, place));
  expect(await store.removedHolds('test')).toEqual([]);
  expect(await store.removedHolds('other')).toEqual([]);
});

test('A search for removed holds uses the history that the search for newer versions read, until the next commit.', async () => {
  await recorded({ ...older, holds: { freeze: freezeOf(2) } });
  await rm(join(project.root, place));
  await commitAll(project.root, 'removed');
  const store = new FileStore(project.root);
  const { result, starts } = await tracedGit(async () => {
    await store.newerVersions('test', [key]);
    return store.removedHolds('test');
  });
  expect(result).toHaveLength(1);
  expect(starts.filter((start) => start.includes('"log"'))).toHaveLength(2);
  await store.newerVersions('test', [key]);
  expect(await store.removedHolds('other')).toEqual([]);
  await store.newerVersions('test', [key]);
  await recorded({ ...older, holds: { released: releaseOf(3) } });
  await rm(join(project.root, place));
  expect(await store.removedHolds('test')).toEqual([]);
});

describe('records without a warning', () => {
  test('A record that the last commit of a line first added causes no warning, whatever the times of the service.', async () => {
    await recorded(newer);
    await recorded({ ...newer, lastUpdate: 500 });
    expect(await newerThanRecord()).toBeUndefined();
    await recorded({ ...older, lastUpdate: 400 });
    expect(await newerThanRecord()).toBeUndefined();
    await recorded({ ...newer, lastUpdate: 500 });
    expect(await newerThanRecord()).toMatchObject({ inHistory: true });
  });

  test('A newer record that is not committed yet causes no warning, nor does a damaged one.', async () => {
    await recorded(older);
    await write(newer);
    expect(await newerThanRecord()).toBeUndefined();
    await recorded(newer);
    for (const text of ['{', '[]', 'null']) {
      await put(text);
      expect(await newerThanRecord()).toBeUndefined();
    }
  });

  test('A hold that an apply ended or that was released causes no warning.', async () => {
    await recorded(older);
    await recorded({ ...older, holds: { freeze: freezeOf(3) } });
    await recorded({ ...older, appliedAt: '2026-01-04T00:00:00.000Z' });
    expect(await newerThanRecord()).toBeUndefined();
    await recorded({ ...older, holds: { freeze: freezeOf(5) } });
    await recorded({ ...older, holds: { released: releaseOf(6) } });
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A restored record of another agent or host causes no warning.', async () => {
    await recorded(newer);
    for (const parts of [{ id: 'camp_2' }, { host: 'other.example' }]) {
      await write({ ...older, ...parts });
      expect(await newerThanRecord()).toBeUndefined();
    }
  });

  test('A new record of another agent or host, or one never applied, causes no warning.', async () => {
    await recorded(newer);
    for (const parts of [{ id: 'camp_2' }, { host: 'other.example' }]) {
      await recorded({ ...older, ...parts });
      expect(await newerThanRecord()).toBeUndefined();
    }
    const { lastUpdate: _, appliedAt: __, ...adopted } = older;
    await recorded(adopted);
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A version that is not a record, or too large for one, causes no warning.', async () => {
    await recorded(older);
    for (const text of ['<<<<<<<', '[]', JSON.stringify({ ...newer, padding: 'x'.repeat(17_000_000) })]) {
      await put(text);
      await commitAll(project.root, 'damaged');
    }
    await recorded(older);
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A record causes no warning outside git, before the first commit, or if it is not committed.', async () => {
    await write(older);
    expect(await newerThanRecord()).toBeUndefined();
    await git(project.root, 'checkout', '--quiet', '--orphan', 'fresh');
    expect(await newerThanRecord()).toBeUndefined();
    await rm(join(project.root, '.git'), { recursive: true });
    expect(await newerThanRecord()).toBeUndefined();
  });
});

/**
 * Commits two versions of each record, and then the first one again, as `git revert` does. Returns the expected newer
 * version of each record.
 */
async function reverted(versions: Readonly<Record<string, readonly [ResourceRecord, ResourceRecord]>>) {
  const all = Object.entries(versions);
  for (const [name, [before]] of all) await write({ ...before, name });
  await commitAll(project.root, 'before');
  for (const [name, [, after]] of all) await write({ ...after, name });
  const expected = await commitAll(project.root, 'after');
  expect(await newerThan(...Object.keys(versions))).toEqual({});
  for (const [name, [before]] of all) await write({ ...before, name });
  await commitAll(project.root, 'reverted');
  return { commit: expected.slice(0, 12), inHistory: true };
}

/** Returns the newer versions of these agents, by address. */
async function newerThan(...names: readonly string[]): Promise<Readonly<Record<string, NewerVersion>>> {
  const found = await new FileStore(project.root).newerVersions(
    'test',
    names.map((name) => ({ ...key, name })),
  );
  return Object.fromEntries(found);
}
