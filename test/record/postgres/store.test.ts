import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AgentformError } from '../../../src/errors.ts';
import { advisoryKey } from '../../../src/record/postgres/schema.ts';
import { openPostgresStore } from '../../../src/record/postgres/store.ts';
import { recordText } from '../../../src/record/record-text.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { git, gitEnv } from '../../support/git.ts';
import { type LossyProxy, lossyProxy } from '../../support/lossy-proxy.ts';
import { agentRecord } from '../../support/observations.ts';
import { ownerPassword, type PostgresCluster, startPostgres } from '../../support/postgres.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

let cluster: PostgresCluster;
let url: string;
let stores: RecordStore[];
let users = 0;

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  stores = [];
  url = await cluster.database();
});
afterEach(() => Promise.all(stores.map((store) => store.close())));

function open(at = url, schema?: string): RecordStore {
  const record = { store: 'postgres', url: '${secret.RECORDS_URL}', ...(schema && { schema }) } as const;
  const store = openPostgresStore({ root: tmpdir(), record, env: { ...gitEnv, RECORDS_URL: at } });
  stores.push(store);
  return store;
}

/** The URL for a user who only has these rights in the database. */
async function userWith(...grants: string[]): Promise<string> {
  users += 1;
  const name = `user${users}`;
  await cluster.query(url, `create role ${name} login password 'its-pw'`);
  for (const grant of grants) await cluster.query(url, `grant ${grant} to ${name}`);
  return url.replace(/\/\/[^@]*@/, `//${name}:its-pw@`);
}

describe('errors of the database store', () => {
  const elsewhere: [string, (of: string) => string, RegExp][] = [
    ['no server', (of) => of.replace(`:${new URL(of).port}/`, ':1/'), /cannot be reached: the connection was refused$/],
    ['no such host', (of) => of.replace('127.0.0.1', 'db.invalid'), /cannot be reached: its host name is unknown/],
    [
      'another password',
      (of) => of.replace(/:[^:@]*@/, ':hunter22@'),
      /refused the request: the user or the password in the URL/,
    ],
    ['no such database', (of) => `${of}x`, /refused the request: the database that the URL names does not exist$/],
    ['no TLS', (of) => `${of}?sslmode=require`, /cannot be reached: it does not offer TLS; turn TLS on,/],
  ];

  test.each(elsewhere)(
    'A database error is reported in a sentence without a part of the URL: %s',
    async (_what, change, message) => {
      const error = await open(change(url)).list('test').then(String, String);
      expect(error).toMatch(message);
      expect(error).toContain('the record database (RECORDS_URL)');
      expect(error).not.toMatch(/hunter22|127\.0\.0\.1|owner|db\.invalid|p@ss/);
      expect(error).not.toContain(ownerPassword);
    },
  );

  test('Readers and writers refuse a newer schema with both versions.', async () => {
    await (await open().lock('test')).release();
    await cluster.query(url, 'update agentform.tables set version = 7');
    for (const attempt of [() => open().list('test'), () => open().lock('test'), () => open().requireWritable()]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'record-newer',
        message: expect.stringMatching(/schema agentform .* has version 7, but this agentform reads up to version 1;/),
        facts: { found: 7, supported: 1 },
      });
    }
  });

  test('A user who may not create a schema can plan, and an apply fails before any request.', async () => {
    const store = open(await userWith());
    expect(await store.list('test')).toEqual([]);
    await expect(store.requireWritable()).rejects.toMatchObject({
      code: 'record-denied',
      message: expect.stringMatching(
        /denied the request: permission denied for database .*; grant the user the rights/,
      ),
    });
  });

  test('A user with read access can read, and a write is refused.', async () => {
    const version = await open().save(agentRecord({ a: 1 }), undefined);
    const reading = 'select on all tables in schema agentform';
    const store = open(await userWith('usage on schema agentform', reading));
    expect(await store.read(key)).toMatchObject({ version });
    await expect(store.requireWritable()).rejects.toMatchObject({
      code: 'record-denied',
      message: expect.stringMatching(/is not allowed to write to the tables in the schema agentform/),
    });
    await expect(store.save(agentRecord({ a: 2 }), version)).rejects.toMatchObject({ code: 'record-denied' });
    expect(await open().read(key)).toMatchObject({ version });
  });

  test('The rights in the docs are sufficient.', async () => {
    await (await open().lock('test')).release();
    const rights = ['usage on schema agentform', 'select, insert, update, delete on agentform.record'];
    const more = ['select, insert on agentform.history', 'select, insert, update on agentform.change'];
    const store = open(await userWith(...rights, ...more, 'select on agentform.tables'));
    const lock = await store.lock('test');
    await store.requireWritable();
    await store.remove(key, await store.save(agentRecord({}), undefined));
    await store.share('Apply to test');
    expect(await store.history({ environment: 'test', records: [key] })).toEqual([]);
    await lock.release();
  });

  test('A read-only database is detected before the first write.', async () => {
    await (await open().lock('test')).release();
    await cluster.query(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    await expect(open().requireWritable()).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/is read-only, perhaps because it is a standby/),
    });
    await expect(open().save(agentRecord({}), undefined)).rejects.toThrow(/refused the request: it is read-only/);
  });

  test('A save of more than 16 MiB is refused with the reason.', async () => {
    const min = Buffer.byteLength(recordText(agentRecord({ a: '' })));
    const withBytes = (count: number) => agentRecord({ a: 'x'.repeat(count - min) });
    await expect(open().save(withBytes(2 ** 24 + 1), undefined)).rejects.toMatchObject({
      code: 'record-unreadable',
      message: expect.stringMatching(/ cannot be saved: it would be larger than 16 MiB$/),
    });
    await open().save(withBytes(2 ** 24), undefined);
  });

  test('A change that could not be started is started by the next save.', async () => {
    await (await open().lock('test')).release();
    const tables = ['record', 'history', 'tables'].map((name) => `select, insert, update on agentform.${name}`);
    const store = open(await userWith('usage on schema agentform', ...tables));
    await expect(store.save(agentRecord({}), undefined)).rejects.toMatchObject({ code: 'record-denied' });
    await cluster.query(url, `grant select, insert, update on agentform.change to user${users}`);
    await store.save(agentRecord({}), undefined);
    expect(await store.history({ environment: 'test', records: [key] })).toMatchObject([{ by: 'Tess' }]);
  });

  test.each<[string, string, RegExp]>([
    [
      'invalid JSON',
      '{',
      /record of Agent\/front-desk in test \(agentform\.record\) cannot be read: .*; restore its row from agentform\.history/,
    ],
    ['a newer record', '{"formatVersion":9}', /format version 9, but this agentform reads up to version 1; upgrade/],
    [
      'the record of another resource',
      JSON.stringify({ ...agentRecord({}), name: 'other' }),
      /it belongs to another resource/,
    ],
    [
      'another environment',
      JSON.stringify({ ...agentRecord({}), environment: 'other' }),
      /belongs to another resource/,
    ],
  ])('A row with %s is refused with its resource.', async (_what, text, message) => {
    await open().save(agentRecord({}), undefined);
    await cluster.query(url, 'update agentform.record set text = $1', [text]);
    await expect(open().list('test')).rejects.toThrow(message);
    await expect(open().read(key)).rejects.toThrow(message);
  });
});

describe('a row that another program wrote', () => {
  const huge = 110_000_000;

  test('A row with a text of 110 MB is refused by its size, which is read first.', async () => {
    const store = open();
    await store.save(agentRecord({}), undefined);
    await store.save(agentRecord({}, { name: 'other' }), undefined);
    const [change] = await store.history({ environment: 'test' });
    for (const table of ['record', 'history']) {
      await cluster.query(url, `update agentform.${table} set text = repeat('x', ${huge}) where name = 'front-desk'`);
    }
    const other = open();
    const before = process.memoryUsage().rss;
    await expect(other.read(key)).rejects.toMatchObject({
      code: 'record-unreadable',
      message:
        'the record of Agent/front-desk in test (agentform.record) cannot be used: it is 104.9 MiB, but the limit is 16 MiB',
      facts: { place: 'of Agent/front-desk in test (agentform.record)' },
    });
    await expect(other.readVersions([{ ...key, commit: change?.commit ?? '' }])).rejects.toThrow(/it is 104.9 MiB/);
    await expect(other.list('test')).rejects.toThrow(
      /agentform.record of test cannot be read: more than .* in 2 records/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(huge / 2);
    expect(await other.read({ ...key, name: 'other' })).toBeDefined();
  });

  test('A row with names of megabytes takes no more memory than the limit.', async () => {
    const store = open();
    await store.save(agentRecord({}), undefined);
    // The maximum length of a key in an index.
    const [long, key] = [`repeat('x', 5000000)`, `repeat('x', 50000)`];
    await cluster.query(url, `update agentform.change set by = ${long}, what = ${long}, commit = ${long}`);
    await cluster.query(
      url,
      `insert into agentform.record (environment, kind, name, version, text) values (${key}, ${key}, ${key}, ${long}, '{}')`,
    );
    expect(await store.environments()).toEqual(['test']);
    const [entry] = await store.history({ environment: 'test' });
    expect([entry?.by, entry?.from].map((text) => text?.length)).toEqual([1000, 1000]);
    await cluster.query(url, `update agentform.record set environment = 'test' where environment <> 'test'`);
    expect(String(await open().list('test').catch(String)).length).toBeLessThan(1000);
  });
});

describe('database tables', () => {
  test('Concurrent runs create the tables once.', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
    await Promise.all(names.map((name) => open().save(agentRecord({}, { name }), undefined)));
    expect(await open().list('test')).toHaveLength(8);
    expect(await cluster.query(url, 'select version from agentform.tables')).toEqual([{ version: 1 }]);
  });

  test('A reader does not create the tables.', async () => {
    const store = open();
    expect([await store.list('test'), await store.environments(), await store.read(key)]).toEqual([[], [], undefined]);
    expect(await store.strays('test')).toEqual([]);
    expect(await cluster.query(url, `select 1 from pg_namespace where nspname = 'agentform'`)).toEqual([]);
  });

  test('The tables of two projects are in two schemas, and neither sees the other.', async () => {
    const [one, two] = [open(), open(url, 'south')];
    const lock = await one.lock('test');
    await (await two.lock('test')).release();
    await one.save(agentRecord({}), undefined);
    expect(await two.list('test')).toEqual([]);
    await lock.release();
  });
});

describe('database locks', () => {
  /** The error that another run gets for the lock. */
  async function refusal(store: RecordStore) {
    const { code, message, facts } = await store.lock('test').then(
      () => Promise.reject(new Error('it got the lock')),
      (error: AgentformError) => error,
    );
    expect(code).toBe('record-locked');
    return { message, facts };
  }

  const since = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
  const holder = new RegExp(`^process ${process.pid} on [\\w.-]{2,}, since ${since}$`);

  test('A lock names its holder.', async () => {
    const lock = await open().lock('test');
    const { message, facts } = await refusal(open());
    expect(facts).toEqual({ environment: 'test', holder: expect.stringMatching(holder) });
    expect(message).toBe(`another run is writing to the environment test (${facts.holder}); wait for it`);
    await lock.release();
  });

  test.each(['x agentform 12 on h', 'agentform 12 on h x', 'agentform on h'])(
    'A lock held by %s names no holder.',
    async (name) => {
      await (await open().lock('test')).release();
      const statements = [
        `set application_name = '${name}'`,
        `select pg_advisory_lock(${advisoryKey(['agentform', 'test'])})`,
      ];
      const holding = cluster.query(url, [...statements, 'select pg_sleep(600)'].join(';')).catch(() => undefined);
      const granted = `select 1 from pg_locks where locktype = 'advisory' and granted`;
      while ((await cluster.query(url, granted)).length === 0);
      expect(await refusal(open())).toEqual({
        message: 'another run is writing to the environment test; wait for it',
        facts: { environment: 'test' },
      });
      await cluster.query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`,
      );
      await holding;
    },
  );

  test('A lock names no time if the server does not show it.', async () => {
    const lock = await open().lock('test');
    const { message } = await refusal(open(await userWith('usage on schema agentform', 'select on agentform.tables')));
    expect(message).toMatch(/^another run is writing to the environment test \(process \d+ on [\w.-]+\); wait for it$/);
    await lock.release();
  });

  test('A lock is given once, even to the same run, and only its own release ends it.', async () => {
    const store = open();
    const first = await store.lock('test');
    expect(await refusal(store)).toStrictEqual({
      message: 'another run is writing to the environment test; wait for it',
      facts: { environment: 'test' },
    });
    await refusal(open());
    await first.release();
    const second = await store.lock('test');
    await first.release();
    await refusal(open());
    await second.release();
    await (await open().lock('test')).release();
  });
});

describe('the history in the database', () => {
  test('The history without tables is empty, and creates none.', async () => {
    const store = open();
    expect(store.sharesAtOnce).toBe(true);
    expect(await store.history({ environment: 'test' })).toEqual([]);
    expect(await store.readVersions([])).toEqual([]);
    expect(await store.newerVersions('test', [])).toEqual(new Map());
    await store.share('Nothing');
    expect(await cluster.query(url, `select 1 from pg_namespace where nspname = 'agentform'`)).toEqual([]);
  });

  test('The history names the checked out commit, and accepts any number of changes.', async () => {
    const root = await mkdtemp(join(tmpdir(), 'agentform-history-'));
    await git(root, 'init', '--quiet');
    await git(root, 'commit', '--quiet', '--allow-empty', '--message', 'x');
    const record = { store: 'postgres', url: '${secret.U}' } as const;
    const store = openPostgresStore({ root, record, env: { ...gitEnv, U: url } });
    stores.push(store);
    await (await store.lock('test')).release();
    await cluster.query(url, `alter table agentform.change alter column id restart with 1234567`);
    await store.save(agentRecord({ a: 1 }), undefined);
    const [entry] = await store.history({ environment: 'test' });
    expect(entry).toMatchObject({ commit: '1234567', from: (await git(root, 'rev-parse', 'HEAD')).trim() });
    expect(await store.readVersions([{ ...key, commit: '1234567' }])).toMatchObject([{ fields: { a: { value: 1 } } }]);
    await rm(root, { recursive: true });
  });

  test('The history has a change for each sharing, with the final result of each record.', async () => {
    const store = open();
    const first = await store.save(agentRecord({ a: 1 }), undefined);
    const second = await store.save(agentRecord({ a: 2 }), first);
    await store.remove({ ...key, name: 'begun' }, await store.save(agentRecord({}, { name: 'begun' }), undefined));
    await store.share('Apply to test');
    await store.share('Nothing');
    await store.remove(key, second);
    await store.share('Forget in test');
    await store.save(agentRecord({ a: 3 }), undefined);
    const history = await open().history({ environment: 'test' });
    expect(history.map(({ what, by, records }) => [what, by, records.map(({ change }) => change)])).toEqual([
      ['Unfinished', 'Tess', ['added']],
      ['Forget in test', 'Tess', ['removed']],
      ['Apply to test', 'Tess', ['added']],
    ]);
    const [latest, removed, applied] = history.map(({ commit }) => commit);
    const versions = [latest, removed, applied].map((commit) => ({ ...key, commit: commit ?? '' }));
    const read = await store.readVersions([...versions, { ...key, name: 'never', commit: latest ?? '' }]);
    expect(read.map((record) => record?.fields.a?.value)).toEqual([3, undefined, 2, undefined]);
    expect(await store.readVersions([])).toEqual([]);
  });

  test('The history omits an unknown person, and the commit outside a repository.', async () => {
    const store = openPostgresStore({
      root: tmpdir(),
      record: { store: 'postgres', url: '${secret.U}' },
      env: { U: url, GITHUB_ACTOR: 'octo' },
    });
    stores.push(store);
    await store.save(agentRecord({}), undefined);
    const [entry] = await store.history({ environment: 'test', records: [key] });
    expect(entry).toEqual({ ...entry, by: 'octo', date: expect.stringMatching(/^20.*Z$/) });
    expect(entry).not.toHaveProperty('from');
  });

  test.each([
    ['4f2c01d9', 'it is not a change number'],
    ['99', 'there is no such change'],
    ['1; drop table x', 'it is not a change number'],
    ['x1', 'it is not a change number'],
    ['9'.repeat(40), 'it is not a change number'],
  ])('The history refuses %s as a change.', async (at, why) => {
    const store = open();
    await expect(store.readVersions([{ ...key, commit: at }])).rejects.toMatchObject({ code: 'record-unknown' });
    await store.save(agentRecord({}), undefined);
    await expect(store.readVersions([{ ...key, commit: at }])).rejects.toMatchObject({
      code: 'record-unknown',
      message:
        `no record at ${JSON.stringify(at)}: ${why}; ` +
        'run `agentform history Agent/front-desk -e test` to list the changes',
    });
  });
});

describe('a lost connection of the store', () => {
  let proxy: LossyProxy;
  let away: string;

  beforeEach(async () => {
    proxy = await lossyProxy(cluster.port);
    away = url.replace(`:${cluster.port}/`, `:${proxy.port}/`);
  });
  afterEach(() => proxy.stop());

  test.each([
    ['before the request', () => proxy.loseRequest('with written as')],
    ['after the request, with its answer', () => proxy.loseAnswerTo('with written as')],
  ])('A connection that is lost %s loses no save, and repeats none.', async (_when, lose) => {
    const store = open(away);
    const first = await store.save(agentRecord({ a: 1 }), undefined);
    lose();
    const second = await store.save(agentRecord({ a: 2 }), first);
    lose();
    await store.remove(key, second);
    lose();
    expect(await store.save(agentRecord({ a: 1 }), undefined)).toBe(first);
    const rows = await cluster.query(url, 'select operation from agentform.history order by id');
    expect(rows.map(({ operation }) => operation)).toEqual(['added', 'changed', 'removed', 'added']);
  });

  test('A connection lost before a save does not lose changes of other runs.', async () => {
    const store = open(away);
    const first = await store.save(agentRecord({ a: 1 }), undefined);
    await open().save(agentRecord({ a: 2 }), first);
    proxy.loseRequest('with written as');
    await expect(store.save(agentRecord({ a: 3 }), first)).rejects.toMatchObject({
      code: 'record-moved',
      message: 'another run changed the record of Agent/front-desk after it was read; run again',
      facts: { place: 'of Agent/front-desk in test (agentform.record)', records: ['Agent/front-desk'] },
    });
    expect((await open().read(key))?.record.fields.a).toEqual({ value: 2 });
  });

  test('A save by another run is refused, even with an equal record.', async () => {
    await open().save(agentRecord({ a: 1 }), undefined);
    await expect(open().save(agentRecord({ a: 1 }), undefined)).rejects.toMatchObject({ code: 'record-moved' });
  });

  test('A connection lost at the end is closed.', async () => {
    const store = open();
    await store.list('test');
    const connected = `select 1 from pg_stat_activity
      where datname = current_database() and application_name like 'agentform %'`;
    expect(await cluster.query(url, connected)).toHaveLength(1);
    await store.close();
    const deadline = Date.now() + 300_000;
    while ((await cluster.query(url, connected)).length > 0) expect(Date.now()).toBeLessThan(deadline);
  });

  test('A lost connection loses the lock, reports that, and still records what was sent.', async () => {
    const store = open(away);
    const lock = await store.lock('test');
    const first = await store.save(agentRecord({ a: 1 }), undefined);
    expect(lock.lost?.aborted).toBe(false);
    proxy.cut(true);
    const second = await store.save(agentRecord({ a: 2 }), first);
    expect(lock.lost?.aborted).toBe(true);
    expect(lock.lost?.reason).toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(
        /was lost, which released the lock on test; nothing more is sent; run the command again$/,
      ),
    });
    const next = await open().lock('test');
    await lock.release();
    await expect(open().lock('test')).rejects.toMatchObject({ code: 'record-locked' });
    await open().save(agentRecord({ a: 3 }), second);
    await expect(store.save(agentRecord({ a: 4 }), second)).rejects.toMatchObject({ code: 'record-moved' });
    await next.release();
  });

  test('A released lock is not lost afterwards.', async () => {
    const store = open(away);
    const lock = await store.lock('test');
    await lock.release();
    proxy.cut(true);
    await store.list('test');
    expect(lock.lost?.aborted).toBe(false);
  });

  test('A permanently lost connection ends with an unreachable store.', async () => {
    const record = { store: 'postgres', url: '${secret.U}' } as const;
    const pauses = { first: [], again: [10, 10] };
    const store = openPostgresStore({ root: tmpdir(), record, env: { U: away } }, pauses);
    stores.push(store);
    await store.list('test');
    proxy.cut(false);
    const saving = store.save(agentRecord({}), undefined);
    await expect(saving).rejects.toMatchObject({ code: 'record-unreachable' });
  });
});
