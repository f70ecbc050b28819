import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { advisoryKey } from '../../../../src/record/postgres/schema.ts';
import { PostgresStore } from '../../../../src/record/postgres/store.ts';
import { recordText } from '../../../../src/record/record-text.ts';
import {
  cluster,
  key,
  open,
  refusal,
  stores,
  url,
  useDatabase,
  users,
  userWith,
} from '../../../record/postgres/open-store.ts';
import { type LossyProxy, lossyProxy } from '../../../support/lossy-proxy.ts';
import { agentRecord } from '../../../support/observations.ts';

useDatabase();

describe('errors of the database store', () => {
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

  test('Records that row-level security hides do not count as missing.', async () => {
    await open().save(agentRecord({}), undefined);
    const reader = await userWith(
      'usage on schema agentform',
      'select on agentform.record',
      'select on agentform.tables',
    );
    await cluster.query(url, 'alter table agentform.record enable row level security');
    await expect(open(reader).list('test')).rejects.toMatchObject({
      code: 'record-denied',
      message: expect.stringContaining('row-level security policy for table "record"; grant the user the rights'),
    });
    expect(await open().list('test')).toHaveLength(1);
  });

  test('A database that cannot store every character is detected before the first write.', async () => {
    const withEncoding = async (encoding: string) => {
      const name = `in_${encoding.toLowerCase()}`;
      await cluster.query(url, `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
      return open(url.replace(/[^/]+$/, name));
    };
    await expect((await withEncoding('LATIN1')).requireWritable()).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(
        /\(RECORDS_URL\) has the encoding LATIN1, .* use a database with the encoding UTF8$/,
      ),
    });
    const bytes = await withEncoding('SQL_ASCII');
    await bytes.save(agentRecord({ a: '😀' }), undefined);
    expect(await bytes.read(key)).toMatchObject({ record: agentRecord({ a: '😀' }) });
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
      /cannot be used: it belongs to another resource; restore its row from agentform\.history, or delete the row/,
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
        'the record of Agent/front-desk in test (agentform.record) cannot be used: it is 104.9 MiB, but the limit is 16 MiB; ' +
        'restore its row from agentform.history, or delete the row to start without a record',
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
});

describe('database locks', () => {
  test.each(['x agentform 12 on h', 'agentform 12 on h x', 'agentform on h'])(
    'A lock held by %s has an unknown holder.',
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
        message: 'another run is writing to the environment test (an unknown process); wait for it',
        facts: { environment: 'test', holder: 'an unknown process' },
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
    const store = new PostgresStore({ root: tmpdir(), record, env: { U: away } }, pauses);
    stores.push(store);
    await store.list('test');
    proxy.cut(false);
    const saving = store.save(agentRecord({}), undefined);
    await expect(saving).rejects.toMatchObject({ code: 'record-unreachable' });
  });
});
