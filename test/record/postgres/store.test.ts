import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PostgresStore } from '../../../src/record/postgres/store.ts';
import { commitAll, gitEnv, initRepository } from '../../support/git.ts';
import { type LossyProxy, lossyProxy } from '../../support/lossy-proxy.ts';
import { agentRecord } from '../../support/observations.ts';
import { ownerPassword } from '../../support/postgres.ts';
import { cluster, key, open, refusal, stores, url, useDatabase, userWith } from './open-store.ts';

useDatabase();

describe('errors of the database store', () => {
  const elsewhere: [(of: string) => string, RegExp][] = [
    [(of) => of.replace(`:${new URL(of).port}/`, ':1/'), /cannot be reached: the connection was refused$/],
    [(of) => of.replace('127.0.0.1', 'db.invalid'), /cannot be reached: its host name is unknown/],
    [(of) => of.replace(/:[^:@]*@/, ':hunter22@'), /refused the request: the user or the password in the URL/],
    [(of) => `${of}x`, /refused the request: the database that the URL names does not exist$/],
    [(of) => `${of}?sslmode=require`, /cannot be reached: it does not offer TLS; turn TLS on,/],
  ];

  test('A database error is reported in a sentence without a part of the URL.', async () => {
    for (const [change, message] of elsewhere) {
      const error = await open(change(url)).list('test').then(String, String);
      expect(error).toMatch(message);
      expect(error).toContain('the record database (RECORDS_URL)');
      expect(error).not.toMatch(/hunter22|127\.0\.0\.1|owner|db\.invalid|p@ss/);
      expect(error).not.toContain(ownerPassword);
    }
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
});

describe('database tables', () => {
  test('A reader finds nothing without tables, and creates none.', async () => {
    const store = open();
    expect([await store.list('test'), await store.environments(), await store.read(key)]).toEqual([[], [], undefined]);
    expect(store.sharesAtOnce).toBe(true);
    expect(await store.history({ environment: 'test' })).toEqual([]);
    expect(await store.readVersions([])).toEqual([]);
    await store.share('Nothing');
    expect(await cluster.query(url, `select 1 from pg_namespace where nspname = 'agentform'`)).toEqual([]);
  });

  test.each([
    ['drop table agentform.tables', 'lacks the table tables'],
    ['drop table agentform.record, agentform.history', 'lacks the table record, history'],
    ['delete from agentform.tables', 'has no version in its table `tables`'],
  ])(
    'A database that lost tables through `%s` does not count as a database without records.',
    async (loss, message) => {
      await open().save(agentRecord({}), undefined);
      await cluster.query(url, loss);
      const refusal = {
        code: 'record-unreadable',
        message: expect.stringContaining(`the schema agentform in the record database (RECORDS_URL) ${message}`),
      };
      await expect(open().list('test')).rejects.toMatchObject(refusal);
      await expect(open().lock('test')).rejects.toMatchObject(refusal);
    },
  );

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
  const since = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
  const holder = new RegExp(`^process ${process.pid} on [\\w.-]{2,}, since ${since}$`);

  test('A lock names its holder.', async () => {
    const lock = await open().lock('test');
    const { message, facts } = await refusal(open());
    expect(facts).toEqual({ environment: 'test', holder: expect.stringMatching(holder) });
    expect(message).toBe(`another run is writing to the environment test (${facts.holder}); wait for it`);
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
  test('The history names the checked out commit, and accepts any number of changes.', async () => {
    const root = await mkdtemp(join(tmpdir(), 'agentform-history-'));
    initRepository(root);
    const commit = await commitAll(root, 'x');
    const record = { store: 'postgres', url: '${secret.U}' } as const;
    const store = new PostgresStore({ root, record, env: { ...gitEnv, U: url } });
    stores.push(store);
    await (await store.lock('test')).release();
    await cluster.query(url, `alter table agentform.change alter column id restart with 1234567`);
    await store.save(agentRecord({ a: 1 }), undefined);
    const [entry] = await store.history({ environment: 'test' });
    expect(entry).toMatchObject({ commit: '1234567', from: commit });
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
    const store = new PostgresStore({
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

  test('The history refuses what is not a change.', async () => {
    const store = open();
    const read = (at: string) => store.readVersions([{ ...key, commit: at }]);
    await expect(read('99')).rejects.toMatchObject({ code: 'record-unknown' });
    await expect(read('x1')).rejects.toMatchObject({ code: 'record-unknown' });
    await store.save(agentRecord({}), undefined);
    const wrong = 'it is not a change number';
    const refused = [
      ['4f2c01d9', wrong],
      ['99', 'there is no such change'],
      ['1; drop table x', wrong],
      ['x1', wrong],
      ['9'.repeat(40), wrong],
    ] as const;
    for (const [at, why] of refused) {
      await expect(read(at)).rejects.toMatchObject({
        code: 'record-unknown',
        message:
          `no record at ${JSON.stringify(at)}: ${why}; ` +
          'run `agentform history Agent/front-desk -e test` to list the changes',
      });
    }
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

  test('A save by another run is refused, even with an equal record.', async () => {
    await open().save(agentRecord({ a: 1 }), undefined);
    await expect(open().save(agentRecord({ a: 1 }), undefined)).rejects.toMatchObject({ code: 'record-moved' });
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
});
