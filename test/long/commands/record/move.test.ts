import { watch } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  committedVersions,
  configure,
  endMoving,
  env,
  historyNow,
  move,
  opened,
  project,
  remote,
  save,
  spansNow,
  startMoving,
  valueNow,
} from '../../../commands/record/moving.ts';
import { clonedProject, commit, git } from '../../../support/git.ts';
import { type PostgresCluster, startPostgres } from '../../../support/postgres.ts';

const url = '${secret.RECORDS_URL}';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());
beforeEach(async () => startMoving({ RECORDS_URL: await cluster.database() }));
afterEach(endMoving);

test('A move that is interrupted after its first push says so, and can be repeated.', async () => {
  await committedVersions();
  const controller = new AbortController();
  const watcher = watch(join(remote.path, 'refs/heads'), () => controller.abort());
  await expect(move({ to: 'git', signal: controller.signal })).rejects.toMatchObject({
    code: 'interrupted',
    message: 'the move was interrupted and is incomplete; run the same command again to finish it',
  });
  watcher.close();
  // The remote's part of the interrupted push may still run for a second. If the signal arrives just when git creates its
  // lock, git leaves the lock behind.
  await sleep(1500);
  await rm(join(remote.path, 'refs/heads/agentform-records.lock'), { force: true });
  expect(await move({ to: 'git' })).toMatchObject({ moved: new Map([['test', ['Agent/front-desk']]]) });
});

test('A move waits for an interrupted push that still has the branch locked.', async () => {
  const hook = join(remote.path, 'hooks/pre-receive');
  const lock = 'refs/heads/agentform-records.lock';
  const script = `echo x >> asked; if [ "$(wc -l < asked)" -gt 4 ]; then rm -f ${lock}; else touch ${lock}; fi`;
  await writeFile(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await save(1);
  expect(await move({ to: 'git' })).toMatchObject({ configure: { store: 'git' } });
  expect((await readFile(join(remote.path, 'asked'), 'utf8')).length).toBeGreaterThan(8);
  await rm(hook);
});

test('A move that ends after it copied the history can be repeated, even if a newer record was never committed.', async () => {
  await committedVersions();
  await save(3);
  const hook = join(remote.path, 'hooks/update');
  await writeFile(hook, '#!/bin/sh\n[ ! -e pushed ] && touch pushed\n', { mode: 0o755 });
  await expect(move({ to: 'git' })).rejects.toMatchObject({ code: 'record-unreachable' });
  await rm(hook);
  // A killed move would not have saved the newer record.
  await rm(join(project.root, '.git/agentform'), { recursive: true });
  expect(await remote.subjects()).toEqual(['version 1', 'version 2']);
  expect(await move({ to: 'git' })).toMatchObject({ moved: new Map([['test', ['Agent/front-desk']]]) });
  await configure('{ store: git }');
  expect(await valueNow()).toBe(3);
});

test('A move that ends before it removed the records can be repeated, whatever line ends the files have.', async () => {
  await committedVersions();
  const file = '.agentform/records/test/Agent/front-desk.json';
  const text = await project.read(file);
  await move({ to: 'git' });
  await project.write(file, text.replaceAll('\n', '\r\n'));
  expect(await move({ to: 'git' })).toMatchObject({ moved: new Map([['test', ['Agent/front-desk']]]) });
  await configure('{ store: git }');
  expect(await valueNow()).toBe(2);
});

test('Records move in every direction with one command, and their history keeps its times and people.', async () => {
  await committedVersions();
  const before = await historyNow();
  expect(before.map(({ what, value }) => [what, value])).toEqual([
    ['version 2', 2],
    ['version 1', 1],
  ]);

  const toDatabase = await move({ to: 'postgres', url });
  expect(toDatabase).toMatchObject({ history: 2, lost: [], configure: { store: 'postgres', url } });
  await configure(`{ store: postgres, url: "${url}" }`);
  expect(await historyNow()).toEqual(before);
  expect(await valueNow()).toBe(2);
  await save(3);
  const inDatabase = await historyNow();

  const toBranch = await move({ to: 'git' });
  expect(toBranch).toMatchObject({ history: 3, lost: [], configure: { store: 'git', branch: 'agentform-records' } });
  await configure('{ store: git }');
  expect(await historyNow()).toEqual(inDatabase);
  expect(await remote.subjects()).toEqual([...inDatabase.map(({ what }) => what)].reverse());
  await save(4);

  const back = await move({ to: 'postgres' });
  expect(back).toMatchObject({ history: 1, lost: [] });
  await configure(`{ store: postgres, url: "${url}" }`);
  const values = (await historyNow()).map(({ value }) => value);
  expect(values).toEqual([4, undefined, 3, 2, 1].filter((value) => values.includes(value)));
  expect(await valueNow()).toBe(4);
  expect(await spansNow()).toBe(1);
});

describe('the mark of moved records', () => {
  test('A checkout that still names the old store is refused after a move to postgres.', async () => {
    await save(1);
    await move({ to: 'postgres', url });
    await expect(valueNow()).rejects.toMatchObject({
      code: 'record-elsewhere',
      message: expect.stringContaining('records were moved to postgres on 2026-11-27 (by Tess)'),
    });
    await move({ to: 'file', from: 'postgres', url });
    expect(await valueNow()).toBe(1);
  });

  test('A clone from before the move is refused with its old agentform.yaml, for every store.', async () => {
    await configure('{ store: git }');
    await save(1);
    await commit(project, 'on a branch');
    const other = await clonedProject(remote, env);
    await move({ to: 'postgres', url });
    await expect(opened((store) => store.list('test'), other.root)).rejects.toMatchObject({
      message: expect.stringContaining('records were moved to postgres on 2026-11-27'),
    });
    await configure(`{ store: postgres, url: "${url}" }`);
    await move({ to: 'file' });
    await expect(valueNow()).rejects.toMatchObject({ message: expect.stringContaining('records were moved to file') });
    await expect(move({ to: 'git' })).rejects.toMatchObject({
      message: expect.stringContaining('records were moved to file'),
    });
    await other.remove();
  });

  test('A checkout with record files is refused once it fetches the mark, except after a move back.', async () => {
    await save(1);
    await commit(project, 'in files');
    const other = await clonedProject(remote, env);
    await move({ to: 'git' });
    await commit(project, 'moved');
    expect(await opened(async (store) => (await store.list('test')).length, other.root)).toBe(1);
    await git(other.root, 'fetch', '--quiet', 'origin');
    await expect(opened((store) => store.list('test'), other.root)).rejects.toMatchObject({
      message: expect.stringContaining('records were moved to git on 2026-11-27'),
    });
    await git(project.root, 'fetch', '--quiet', 'origin');
    await git(project.root, 'remote', 'set-head', 'origin', 'main');
    await move({ to: 'file', from: 'git' });
    expect(await valueNow()).toBe(1);
    await commit(project, 'moved back');
    expect(await valueNow()).toBe(1);
    expect(await spansNow()).toBe(1);
    await other.remove();
  });
});

test('The old settings come from before the last change of agentform.yaml, even if it is committed.', async () => {
  await configure('{ store: git, branch: old-records }');
  await commit(project, 'on a branch');
  await save(1);
  await configure('{ store: file }');
  expect(await move({ to: 'file' })).toMatchObject({
    moved: new Map([['test', ['Agent/front-desk']]]),
    configure: undefined,
  });
  await move({ to: 'git', branch: 'old-records' });
  await commit(project, 'in files');
  await move({ to: 'file' });
  expect(await valueNow()).toBe(1);
});
