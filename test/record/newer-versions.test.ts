import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FileStore } from '../../src/record/file-store.ts';
import type { NewerVersion } from '../../src/record/store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import type { TestProject } from '../support/cli.ts';
import {
  type BareRemote,
  bareRemote,
  clonedProject,
  commit,
  commitAll,
  git,
  pushedProject,
  tracedGit,
} from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const place = '.agentform/records/test/Agent/front-desk.json';
const older = agentRecord({ a: 1 }, { lastUpdate: 1000, appliedAt: '2026-01-01T00:00:00.000Z' });
const newer = agentRecord({ a: 2 }, { lastUpdate: 2000, appliedAt: '2026-01-02T00:00:00.000Z' });

function untimed({ lastUpdate: _, ...record }: ResourceRecord): ResourceRecord {
  return record;
}

/** A record that was applied on this day of January. The record does not contain the time on the service's clock. */
function day(number: number, a: number): ResourceRecord {
  return untimed(agentRecord({ a }, { appliedAt: `2026-01-${number}T00:00:00.000Z` }));
}

const freezeOf = (number: number) => ({ by: 'Jo', since: `2026-01-0${number}T00:00:00.000Z`, reason: 'demo' });
const releaseOf = (number: number) => ({ by: 'Jo', at: `2026-01-0${number}T00:00:00.000Z` });

let remote: BareRemote;
let project: TestProject;
let clones: TestProject[];

beforeEach(async () => {
  remote = await bareRemote();
  project = await pushedProject(remote, { 'README.md': 'x' });
  clones = [];
});
afterEach(async () => {
  await Promise.all([project, ...clones].map((each) => each.remove()));
  await remote.remove();
});

describe('records older than a committed version', () => {
  test('A record is older after a revert, and the named command restores the newer one.', async () => {
    await recorded(older);
    const expected = await recorded(newer);
    await git(project.root, 'revert', '--no-edit', 'HEAD');
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

  test.each([
    ['a hold', older, { ...older, holds: { freeze: freezeOf(2) } }],
    ['a release', { ...older, holds: { freeze: freezeOf(2) } }, { ...older, holds: { released: releaseOf(3) } }],
    ['a second hold', { ...older, holds: { released: releaseOf(3) } }, { ...older, holds: { freeze: freezeOf(4) } }],
  ])('A record is older after the revert of %s, even if its times are unchanged.', async (...parts) => {
    const [, before, after] = parts;
    await recorded(before);
    const expected = await recorded(after);
    expect(await newerThanRecord()).toBeUndefined();
    await recorded(before);
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
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

  test('A record is older after a merge that dropped the newer version.', async () => {
    await recorded(older);
    await git(project.root, 'branch', 'topic');
    const expected = await recorded(newer);
    await git(project.root, 'checkout', '--quiet', 'topic');
    await git(project.root, 'merge', '--quiet', '--strategy=ours', '--no-edit', 'main');
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12), inHistory: true });
  });

  test('A record is older if the service gives no time for its kind.', async () => {
    const [{ lastUpdate: _, ...before }, { lastUpdate: __, ...after }] = [older, newer];
    await recorded(before);
    await recorded(after);
    await recorded(before);
    expect(await newerThanRecord()).toMatchObject({ inHistory: true });
  });

  test('A record is older in a project folder with a blank and a quote in its path.', async () => {
    const folder = "it's a project";
    await recorded(older, folder);
    const expected = await recorded(newer, folder);
    await recorded(older, folder);
    const found = await newerThanRecord(join(project.root, folder));
    expect(found?.path).toBe(`:/${folder}/${place}`);
    await git(project.root, 'checkout', expected, '--', found?.path ?? '');
    expect(await newerThanRecord(join(project.root, folder))).toBeUndefined();
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

  test.each([
    ['only the record has a time of the service', older, untimed(newer)],
    ['only the newer version has a time of the service', untimed(older), newer],
    ['both have the same time of the service', older, { ...newer, lastUpdate: 1000 }],
  ])('A record is older by the time of the apply if %s.', async (_which, before, after) => {
    await recorded(before);
    const expected = await recorded(after);
    await write(before);
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12) });
  });

  test('A record is older than the latest of any number of later versions.', async () => {
    const versions = Array.from({ length: 24 }, (_, index) => day(10 + (index % 22), index));
    const commits: string[] = [];
    for (const version of versions) commits.push(await recorded(version));
    await write(day(10, 0));
    expect(await newerThanRecord()).toMatchObject({ commit: commits[21]?.slice(0, 12) });
  });

  test('A record is older in a repository with SHA-256 ids, too.', async () => {
    await rm(join(project.root, '.git'), { recursive: true });
    await git(project.root, 'init', '--quiet', '--object-format=sha256');
    await recorded(older);
    const expected = await recorded(newer);
    await recorded(agentRecord({ a: 3 }, { lastUpdate: 1500 }));
    expect(await newerThanRecord()).toBeUndefined();
    await git(project.root, 'revert', '--no-edit', 'HEAD~2..HEAD');
    expect(await newerThanRecord()).toMatchObject({ commit: expected.slice(0, 12) });
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

  test('A version that was applied later and committed before, or at the same time, causes no warning.', async () => {
    await recorded(day(13, 0));
    await recorded(day(12, 1));
    await recorded(day(11, 2));
    await recorded(day(12, 3));
    await write(day(12, 1));
    expect(await newerThanRecord()).toBeUndefined();
  });

  test('A restored record of another agent or host causes no warning.', async () => {
    await recorded(newer);
    for (const parts of [{ id: 'camp_2' }, { host: 'other.example' }]) {
      await write({ ...older, ...parts });
      expect(await newerThanRecord()).toBeUndefined();
    }
  });

  test('A version that a partial clone would have to fetch causes no warning.', async () => {
    await recorded(older);
    await recorded(newer);
    await write(older);
    await commit(project, 'restored');
    await remote.git('config', 'uploadpack.allowFilter', 'true');
    clones.push(await clonedProject(remote, {}, ['--filter=blob:none']));
    expect(await newerThanRecord(clones[0]?.root)).toBeUndefined();
  });

  test('A record that was only replaced by newer ones causes no warning, whatever the clocks.', async () => {
    await recorded(older);
    await recorded(newer);
    expect(await newerThanRecord()).toBeUndefined();
    const { lastUpdate: _, ...untimed } = newer;
    await recorded({ ...untimed, appliedAt: '2025-12-31T00:00:00.000Z' });
    expect(await newerThanRecord()).toBeUndefined();
    await write({ ...untimed, appliedAt: '2025-12-30T00:00:00.000Z' });
    expect(await newerThanRecord()).toBeUndefined();
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

  test('A commit that a shallow clone lacks causes no warning.', async () => {
    await recorded(older);
    await recorded(newer);
    await write(older);
    await commit(project, 'restored');
    clones.push(await clonedProject(remote, {}, ['--depth=1']));
    expect(await newerThanRecord(clones[0]?.root)).toBeUndefined();
    await git(clones[0]?.root ?? '', 'fetch', '--quiet', '--unshallow');
    expect(await newerThanRecord(clones[0]?.root)).toBeDefined();
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

async function newerThanRecord(root = project.root): Promise<NewerVersion | undefined> {
  return (await new FileStore(root).newerVersions('test', [key])).get('Agent/front-desk');
}

/** Saves and commits a record. Returns the commit. */
async function recorded(record: ResourceRecord, folder = ''): Promise<string> {
  await write(record, folder);
  return commitAll(project.root, 'applied');
}

function write(record: ResourceRecord, folder = ''): Promise<void> {
  return put(JSON.stringify(record), join(folder, `.agentform/records/test/Agent/${record.name}.json`));
}

async function put(text: string, path = place): Promise<void> {
  await mkdir(dirname(join(project.root, path)), { recursive: true });
  await writeFile(join(project.root, path), text);
}
