import { watch } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openArchive } from '../../../src/commands/history/versions.ts';
import { type MoveOptions, moveRecords } from '../../../src/commands/record/move.ts';
import { movedText } from '../../../src/commands/record/text.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { withStore } from '../../../src/record/store-table.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, commit, git, gitEnv, pushedProject } from '../../support/git.ts';
import { testHost } from '../../support/host.ts';
import { agentRecord } from '../../support/observations.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const url = '${secret.RECORDS_URL}';

let cluster: PostgresCluster;
let remote: BareRemote;
let project: TestProject;
let env: Record<string, string>;

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  remote = await bareRemote();
  env = { ...gitEnv, RECORDS_URL: await cluster.database() };
  const file = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: file }
environments:
  test: { baseUrl: "https://agents.example", token: "\${secret.AGENT_TOKEN}" }
`;
  project = await pushedProject(remote, { 'agentform.yaml': file }, env);
});
afterEach(() => Promise.all([project.remove(), remote.remove()]));

const host = () => ({ ...testHost(env), now: () => new Date('2026-11-27T09:00:00Z') });
const move = (options: Partial<MoveOptions> & Pick<MoveOptions, 'to'>, root = project.root) =>
  moveRecords(host(), { project: root, ...options });
const configure = async (record: string) => {
  const text = await project.read('agentform.yaml');
  await project.write('agentform.yaml', text.replace(/record: .*/, `record: ${record}`));
};
const opened = async <Result>(work: (store: RecordStore) => Promise<Result>, root = project.root) =>
  withStore({ project: await loadProject(root), environment: 'test', env }, work);
const save = (value: number) =>
  opened(async (store) => {
    await store.save(agentRecord({ a: value }), (await store.read(key))?.version);
    await store.share('Apply to test');
  });
const valueNow = () => opened(async (store) => (await store.read(key))?.record.fields.a?.value);
const historyNow = () =>
  opened(async (store) => {
    const entries = await store.history({ environment: 'test' });
    const records = await store.readVersions(entries.map(({ commit: at }) => ({ ...key, commit: at })));
    return entries.map(({ date, by, what, from }, index) => ({
      ...{ date: date.slice(0, 19), by, what, from, value: records[index]?.fields.a?.value },
    }));
  });

/** How many times the record began, according to its history. */
const spansNow = () =>
  opened(async (store) => (await openArchive(store, 'test')).spans.get('Agent/front-desk')?.length);

/** Commits two versions of a record in files. */
async function committedVersions(): Promise<void> {
  for (const value of [1, 2]) {
    await save(value);
    await commit(project, `version ${value}`);
  }
}

test('A move that is interrupted after its first push says so, and can be repeated.', async () => {
  await committedVersions();
  const controller = new AbortController();
  const watcher = watch(join(remote.path, 'refs/heads'), () => controller.abort());
  await expect(move({ to: 'git', signal: controller.signal })).rejects.toMatchObject({
    code: 'interrupted',
    message: 'the move was interrupted and is incomplete; run the same command again to finish it',
  });
  watcher.close();
  expect(await move({ to: 'git' })).toMatchObject({ moved: new Map([['test', ['Agent/front-desk']]]) });
});

describe('the history of moved records', () => {
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

  test('A move to files leaves the history in the old store, and the message says so.', async () => {
    await configure('{ store: git }');
    await save(1);
    await save(2);
    const moved = await move({ to: 'file' });
    expect(moved.lost).toEqual([
      'the history was not moved, because git keeps the history of record files; the branch agentform-records still has the 2 earlier changes',
    ]);
    const { answer, messages } = movedText(moved);
    expect(answer).toBe('test: 1 moved\n');
    expect(messages).toEqual([
      expect.stringMatching(/^warning: the history was not moved/),
      'Now put `record: { store: file }` into agentform.yaml, and commit it with .agentform/records.',
    ]);
  });
});

describe('the mark of moved records', () => {
  test.each(['postgres', 'git'] as const)(
    'A checkout that still names the old store is refused after a move to %s.',
    async (to) => {
      await save(1);
      await move({ to, ...(to === 'postgres' && { url }) });
      await expect(valueNow()).rejects.toMatchObject({
        code: 'record-elsewhere',
        message: expect.stringContaining(`records were moved to ${to} on 2026-11-27 (by Tess)`),
      });
      await move({ to: 'file', from: to, ...(to === 'postgres' && { url }) });
      expect(await valueNow()).toBe(1);
    },
  );

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

test.each([
  [{ to: 'git', from: 'git' } as const, /--from and --to are both git/],
  [{ to: 'git', url } as const, /--url cannot be used: it is for the store postgres/],
  [
    { to: 'postgres', url: 'postgres://u:hunter2@db/x' } as const,
    /--url cannot be used: it must be a reference to a secret/,
  ],
  [
    { to: 'git', branch: 'a.lock' } as const,
    /--branch cannot be used: branch is 'a.lock': expected a valid git branch name/,
  ],
  [{ to: 'postgres', schema: 'A b' } as const, /--schema cannot be used: schema is 'A b': expected/],
])('Options that do not fit are refused without showing a possible secret: %j', async (options, message) => {
  await expect(move(options)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  await expect(move(options)).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') });
});
