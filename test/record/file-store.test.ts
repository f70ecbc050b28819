import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryPathOf } from '../../src/files/whole-file.ts';
import { FileStore, findInFiles } from '../../src/record/file-store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { bareRemote, commit, commitAll, git, initRepository, pushedProject } from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const place = '.agentform/records/test/Agent/front-desk.json';

let root: string;
let store: FileStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-store-'));
  store = new FileStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('saved records', () => {
  test('A record is at .agentform/records/ENVIRONMENT/KIND/NAME.json, with sorted keys at every depth.', async () => {
    const fields = { 'settings.b': { y: 1, x: [{ n: 1, m: 2 }] }, 'settings.a': 1 };
    await store.save(agentRecord(fields), undefined);
    const text = await readFile(join(root, place), 'utf8');
    expect(text.endsWith('}\n')).toBe(true);
    const inOrder = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(inOrder);
      expect(Object.keys(value)).toEqual(Object.keys(value).sort());
      return Object.values(value).map(inOrder);
    };
    inOrder(JSON.parse(text));
  });

  test('A record has the same bytes in any order of members.', async () => {
    await store.save(agentRecord({ b: 1, a: 2 }), undefined);
    const text = await readFile(join(root, place), 'utf8');
    const { version } = (await store.read(key)) ?? {};
    const reversed = Object.fromEntries(Object.entries(agentRecord({ a: 2, b: 1 })).reverse()) as never;
    expect(await store.save(reversed, version)).toBe(version);
    expect(await readFile(join(root, place), 'utf8')).toBe(text);
  });

  test('A record refuses a save after another program removed or edited the file.', async () => {
    const version = await store.save(agentRecord({ a: 1 }), undefined);
    await writeFile(join(root, place), `${JSON.stringify(agentRecord({ a: 3 }))}\n`);
    await expect(store.save(agentRecord({ a: 2 }), version)).rejects.toMatchObject({ code: 'record-moved' });
    await rm(join(root, place));
    await expect(store.save(agentRecord({ a: 2 }), version)).rejects.toMatchObject({ code: 'record-moved' });
    await expect(store.remove(key, version)).rejects.toMatchObject({ code: 'record-moved' });
  });
});

describe('listed records', () => {
  test('Listing records returns those of one environment, without the leftovers of a killed run.', async () => {
    for (const name of ['b', 'a']) await store.save(agentRecord({}, { name }), undefined);
    await store.save(agentRecord({}, { environment: 'other' }), undefined);
    const folder = dirname(join(root, place));
    await writeFile(join(folder, 'front-desk.json.0b7.tmp'), '{ "formatVersion"');
    await writeFile(join(folder, 'README'), 'hello');
    await writeFile(join(root, '.agentform/records/test/.DS_Store'), '');
    expect((await store.list('test')).map(({ record }) => record.name)).toEqual(['a', 'b']);
  });

  test('Leftovers of a killed save are removed when the next run takes the lock of the environment.', async () => {
    await store.save(agentRecord({}), undefined);
    await store.save(agentRecord({}, { environment: 'other' }), undefined);
    const [folder, other] = ['test', 'other'].map((name) => join(root, '.agentform/records', name, 'Agent'));
    for (const each of [folder, other])
      await writeFile(temporaryPathOf(join(each ?? '', 'front-desk.json')), '{ "form');
    await writeFile(join(folder ?? '', 'notes.tmp'), 'mine');
    const lock = await store.lock('test');
    expect(await readdir(folder ?? '')).toEqual(['front-desk.json', 'notes.tmp']);
    expect(await readdir(other ?? '')).toHaveLength(2);
    await lock.release();
  });

  test('A lock is released again if leftovers cannot be searched.', async () => {
    await mkdir(join(root, '.agentform/records'), { recursive: true });
    await writeFile(join(root, '.agentform/records/test'), '');
    await expect(store.lock('test')).rejects.toMatchObject({ code: 'record-unreadable' });
    await rm(join(root, '.agentform/records/test'));
    await (await store.lock('test')).release();
  });

  test('A save leaves no file beside the record.', async () => {
    const version = await store.save(agentRecord({}), undefined);
    await store.save(agentRecord({ a: 1 }), version);
    expect(await readdir(dirname(join(root, place)))).toEqual(['front-desk.json']);
  });

  test('A failed save leaves no file beside the record, and names the record.', async () => {
    await mkdir(join(root, place), { recursive: true });
    await expect(store.save(agentRecord({}), undefined)).rejects.toMatchObject({
      code: expect.stringMatching(/record-unreadable|file-unwritable/),
      message: `the record ${place} cannot be read: it is a folder`,
    });
    expect(await readdir(dirname(join(root, place)))).toEqual(['front-desk.json']);
  });
});

test('The environments are the folders with records and a valid name.', async () => {
  expect(await store.environments()).toEqual([]);
  for (const environment of ['test', 'live-2']) await store.save(agentRecord({}, { environment }), undefined);
  for (const name of ['Not an environment', 'test.bak']) await mkdir(join(root, '.agentform/records', name));
  expect(await store.environments()).toEqual(['live-2', 'test']);
});

test('Records are found even if the configuration names another store.', async () => {
  expect(await findInFiles(root, 'test')).toBeUndefined();
  await store.save(agentRecord({}), undefined);
  expect(await findInFiles(root, 'test')).toEqual({ where: 'in files' });
  expect(await findInFiles(root, 'other')).toBeUndefined();
});

test('A store that cannot be written is detected before any request.', async () => {
  await store.requireWritable();
  expect(await readdir(join(root, '.agentform'))).toEqual(['records']);
  await rm(join(root, '.agentform/records'), { recursive: true });
  await writeFile(join(root, '.agentform/records'), '');
  await expect(store.requireWritable()).rejects.toMatchObject({
    code: 'file-unwritable',
    message: 'records cannot be written to .agentform/records: a file has the name of its folder; nothing was sent',
    cause: expect.objectContaining({ code: 'EEXIST' }),
  });
});

describe('changes between the check and the write', () => {
  const refused = (deed: string, why: RegExp) => ({
    code: 'file-unwritable',
    message: expect.stringMatching(new RegExp(`^the record .*front-desk\\.json cannot be ${deed}: .*${why.source}`)),
    cause: expect.anything(),
  });

  test('A link made after the check leads no save out of the project.', async () => {
    const saving = store.save(agentRecord({}), undefined);
    symlinkSync(tmpdir(), join(root, '.agentform'));
    await expect(saving).rejects.toMatchObject(refused('written', /symbolic link/));
  });

  test('A change made after the check is reported for a removal.', async () => {
    const version = await store.save(agentRecord({}), undefined);
    const removing = store.remove(key, version);
    rmSync(join(root, place));
    await expect(removing).rejects.toMatchObject(refused('removed', /./));
  });
});

test('A saved record is immediately visible to everyone.', () => {
  expect(store.sharesAtOnce).toBe(true);
});

describe('the history of records in files', () => {
  test('The history of records is that of the repository that they are committed to.', async () => {
    initRepository(root);
    expect(await store.history({ environment: 'test', records: [key] })).toEqual([]);
    const version = await store.save(agentRecord({ a: 1 }), undefined);
    const first = await commitAll(root, 'applied');
    await store.save(agentRecord({ a: 2 }), version);
    await commitAll(root, 'applied again');
    expect((await store.history({ environment: 'test', records: [key] })).map(({ what }) => what)).toEqual([
      'applied again',
      'applied',
    ]);
    expect(await store.readVersions([{ ...key, commit: first }])).toEqual([agentRecord({ a: 1 })]);
  });

  test('The history of records shows that a record is older than a committed one.', async () => {
    initRepository(root);
    const version = await store.save(agentRecord({}, { lastUpdate: 2000 }), undefined);
    await store.save(agentRecord({}, { name: 'other' }), undefined);
    await commitAll(root, 'applied');
    await store.save(agentRecord({}, { lastUpdate: 1000 }), version);
    const found = await store.newerVersions('test', [key, { ...key, name: 'other' }]);
    expect([...found.keys()]).toEqual(['Agent/front-desk']);
  });

  test('The history of records is empty outside git, and no record counts as older.', async () => {
    const refusal = {
      code: 'record-unreachable',
      message: expect.stringMatching(/^the history of records in files comes from git, but git cannot read .*: ./),
    };
    expect(await store.history({ environment: 'test', records: [key] })).toEqual([]);
    expect(await store.historyLimit()).toBe('no-repository');
    await expect(store.readVersions([{ ...key, commit: 'HEAD' }])).rejects.toMatchObject(refusal);
    expect(await store.newerVersions('test', [key])).toEqual(new Map());
  });
});

describe('unreadable records', () => {
  const broken: Record<string, string> = {
    'is cut off': '{ "formatVersion": 1, "enviro',
    'is empty': '',
    'is a list': '[]',
    'lacks required members': '{ "formatVersion": 1 }',
    'has no version': JSON.stringify({ ...agentRecord({}), formatVersion: undefined }),
    'has an older version than there ever was': JSON.stringify({ ...agentRecord({}), formatVersion: 0 }),
    'has a field of another type': JSON.stringify({ ...agentRecord({}), host: 7 }),
    'has an unknown member': JSON.stringify({ ...agentRecord({}), surprise: 1 }),
    'holds merge markers': `<<<<<<< HEAD\n${JSON.stringify(agentRecord({}))}\n=======\n`,
  };
  test.each(Object.entries(broken))('A record that %s is refused with its place.', async (_, text) => {
    await put(text);
    const refusal = { code: 'record-unreadable', message: expect.stringContaining(place), exitCode: 1 };
    await expect(store.read(key)).rejects.toMatchObject(refusal);
    await expect(store.list('test')).rejects.toMatchObject(refusal);
  });

  test('A record of a newer agentform is refused with both versions, whatever else it contains.', async () => {
    for (const formatVersion of [2, 2.5, 99]) {
      await put(JSON.stringify({ formatVersion, shape: 'of the future' }));
      await expect(store.list('test')).rejects.toMatchObject({
        code: 'record-newer',
        message: expect.stringMatching(new RegExp(`front-desk\\.json.*\\b${formatVersion}\\b.*\\b1\\b`)),
        facts: { found: formatVersion, supported: 1 },
      });
    }
  });

  test('A record of another resource than its file is refused.', async () => {
    const other: ResourceRecord = agentRecord({}, { name: 'somebody-else' });
    await put(JSON.stringify(other));
    await expect(store.read(key)).rejects.toMatchObject({ code: 'record-unreadable' });
  });
});

test('A file in place of the records folder does not count as no records.', async () => {
  await mkdir(join(root, '.agentform'), { recursive: true });
  await writeFile(join(root, '.agentform/records'), '');
  const refusal = { code: 'record-unreadable', message: expect.stringContaining('is a file') };
  await expect(store.list('test')).rejects.toMatchObject(refusal);
  await expect(store.read(key)).rejects.toMatchObject({ code: 'record-unreadable' });
});

test('A file beside the folders of kinds is ignored.', async () => {
  await store.save(agentRecord({}), undefined);
  await writeFile(join(root, '.agentform/records/test/.DS_Store'), '');
  expect(await store.list('test')).toHaveLength(1);
});

test('A folder that cannot be created is reported in a sentence.', async () => {
  await mkdir(join(root, '.agentform'), { recursive: true });
  await writeFile(join(root, '.agentform/locks'), '');
  await expect(store.lock('test')).rejects.toMatchObject({ code: 'file-unwritable' });
});

describe('links in the records folder', () => {
  let outside: string;
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'agentform-outside-'));
    await mkdir(join(root, '.agentform/records/test/Agent'), { recursive: true });
  });
  afterEach(() => rm(outside, { recursive: true, force: true }));

  test.each(['/dev/zero', '/dev/stdin', 'nowhere', '.'])(
    'A link in place of a record is refused, whatever its target is: %s',
    async (target) => {
      await symlink(target, join(root, place));
      const refusal = {
        code: 'record-unreadable',
        message: expect.stringMatching(
          /front-desk\.json cannot be read: it is a symbolic link, which is not followed; replace it with a regular file/,
        ),
      };
      await expect(store.list('test')).rejects.toMatchObject(refusal);
      await expect(store.save(agentRecord({}), undefined)).rejects.toMatchObject(refusal);
    },
  );

  test.each(['.agentform', '.agentform/records', '.agentform/records/test', '.agentform/records/test/Agent'])(
    'A link in place of the folder %s is refused, and no file outside the project is read or written.',
    async (folder) => {
      await mkdir(join(outside, 'test/Agent'), { recursive: true });
      await writeFile(join(outside, 'test/Agent/front-desk.json'), JSON.stringify(agentRecord({})));
      await rm(join(root, folder), { recursive: true });
      await symlink(outside, join(root, folder));
      const refusal = {
        message: expect.stringMatching(/is a symbolic link, which is not followed; replace it with a folder/),
        cause: expect.anything(),
      };
      const before = await readdir(outside, { recursive: true });
      await expect(store.list('test')).rejects.toMatchObject({ code: 'record-unreadable', ...refusal });
      await expect(store.read(key)).rejects.toMatchObject({ code: 'record-unreadable', ...refusal });
      await expect(store.save(agentRecord({}), undefined)).rejects.toMatchObject(refusal);
      await expect(store.remove(key, 'any')).rejects.toMatchObject(refusal);
      if (folder.endsWith('records') || folder === '.agentform') {
        await expect(store.requireWritable()).rejects.toMatchObject(refusal);
        await expect(store.environments()).rejects.toMatchObject(refusal);
      }
      if (folder === '.agentform') await expect(store.lock('test')).rejects.toMatchObject(refusal);
      expect(await readdir(outside, { recursive: true })).toEqual(before);
    },
  );
});

test('A pipe without a writer and a record that is too large are refused immediately.', async () => {
  await mkdir(join(root, '.agentform/records/test/Agent'), { recursive: true });
  execFileSync('mkfifo', [join(root, place)]);
  await expect(store.list('test')).rejects.toMatchObject({
    message: expect.stringContaining('it is not a regular file'),
  });
  await rm(join(root, place));
  await put('');
  await truncate(join(root, place), 17 * 1024 * 1024);
  await expect(store.list('test')).rejects.toMatchObject({
    message: expect.stringContaining('it is 17.0 MiB, but the limit is 16 MiB'),
  });
});

test('A record with values nested too deeply is refused in a sentence.', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  await put(JSON.stringify(agentRecord({ a: 'DEEP' })).replace('"DEEP"', deep));
  await expect(store.list('test')).rejects.toMatchObject({
    code: 'record-unreadable',
    message: expect.stringMatching(/front-desk\.json cannot be read: its values are nested more than \d+ levels deep/),
  });
});

async function put(text: string): Promise<void> {
  await mkdir(dirname(join(root, place)), { recursive: true });
  await writeFile(join(root, place), text);
}

test('A branch from before a record move knows the move from the main branch, unless it moved the records back.', async () => {
  const remote = await bareRemote();
  const project = await pushedProject(remote, { 'README.md': 'x' });
  const own = new FileStore(project.root);
  const mark = { to: 'the git store', at: '2026-11-30T10:00:00.000Z', by: 'Tess' };
  await own.markMoved(mark);
  await commit(project, 'move');
  await git(project.root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  await git(project.root, 'checkout', '--quiet', '-b', 'older', 'HEAD~1');
  expect(await own.movedTo()).toEqual(mark);
  await git(project.root, 'checkout', '--quiet', '-b', 'back', 'main');
  await own.markMoved(undefined);
  await commitAll(project.root, 'move back');
  expect(await own.movedTo()).toBeUndefined();
  await project.remove();
  await remote.remove();
});
