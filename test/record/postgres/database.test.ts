import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../../src/errors.ts';
import { databaseAddress } from '../../../src/record/postgres/address.ts';
import {
  applicationName,
  ConnectionLost,
  clientSettings,
  Database,
  type RetryDelays,
} from '../../../src/record/postgres/database.ts';
import { lossyProxy } from '../../support/lossy-proxy.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';

const addressAt = (url: string) =>
  databaseAddress({ record: { store: 'postgres', url: '${secret.RECORDS_URL}' }, env: { RECORDS_URL: url } });

describe('database connections', () => {
  test('A connection only uses the URL, with a verified server certificate.', () => {
    const settings = clientSettings(addressAt('postgres://erika:pw@db.example.com:5433/records?options=-c%20a%3Db'));
    const { password, ...others } = settings;
    expect(typeof password === 'function' && password()).toBe('pw');
    expect(others).toEqual({
      host: 'db.example.com',
      port: 5433,
      user: 'erika',
      database: 'records',
      ssl: { rejectUnauthorized: true },
      enableChannelBinding: true,
      application_name: expect.stringMatching(/^agentform \d+ on ./),
      options: '-c a=b',
      connectionTimeoutMillis: 10_000,
      query_timeout: 65_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      pipeline: true,
    });
  });

  test('A connection on this machine is not encrypted, and no password is searched elsewhere.', () => {
    const settings = clientSettings(addressAt('postgres://erika@127.0.0.1/records'));
    expect(settings).toMatchObject({ ssl: false, enableChannelBinding: false });
    expect(settings).not.toHaveProperty('options');
    expect(typeof settings.password === 'function' && settings.password()).toBe('');
  });

  test('A connection is named after its process and machine, in at most 63 characters.', () => {
    expect(applicationName('build-7.example')).toBe(`agentform ${process.pid} on build-7.example`);
    expect(applicationName('a (b)')).toBe(`agentform ${process.pid} on a--b-`);
    expect(applicationName('x'.repeat(80))).toMatch(/^agentform \d+ on x+$/);
    expect(applicationName('x'.repeat(80))).toHaveLength(63);
  });
});

let cluster: PostgresCluster;
let url: string;
let database: Database;
let opened: Database[];
let losses: number;
let interruption: AbortController;

/** A wait so long that a test fails if it happens. */
const never = 100_000;

beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.database();
});
afterAll(() => cluster.stop());
beforeEach(() => {
  interruption = new AbortController();
  opened = [];
  open({ first: [1, 1], again: [1, 1, 1] });
});
afterEach(() => Promise.all(opened.map((one) => one.close())));

function open(pauses: RetryDelays, at = url): void {
  losses = 0;
  const onLost = () => {
    losses += 1;
  };
  database = new Database(addressAt(at), { onLost, pauses, signal: interruption.signal });
  opened.push(database);
}

const nowhere = () => url.replace(`:${cluster.port}/`, ':1/');
const one = { text: 'select 1 as one' };
const connections = async () => {
  const text = "select 1 from pg_stat_activity where application_name like 'agentform %'";
  return (await cluster.query(url, text)).length;
};
const moment = () => new Promise((settle) => setTimeout(settle, 2));
/** Waits until the server notices that all connections ended. */
async function untilNoneIsConnected(): Promise<void> {
  while ((await connections()) > 0) await moment();
}
/** Ends every connection, and waits until its client notices. */
async function cut(): Promise<void> {
  await cluster.cut(url);
  while (losses === 0) await moment();
}

/** Returns the argument that repeated work gets in each attempt. */
async function triesOf(failure: () => Promise<unknown>): Promise<boolean[]> {
  const tries: boolean[] = [];
  const work = async (isAgain: boolean) => {
    tries.push(isAgain);
    await failure();
  };
  await expect(database.persistently(work)).rejects.toBeInstanceOf(AgentformError);
  return tries;
}

describe('a database', () => {
  test('The database gets the timeouts of agentform, whatever its defaults.', async () => {
    const name = new URL(url).pathname.slice(1);
    for (const own of ['synchronous_commit = off', "client_encoding = 'LATIN1'", 'idle_session_timeout = 1000']) {
      await cluster.query(url, `alter database ${name} set ${own}`);
    }
    const timeouts = ['statement_timeout', 'lock_timeout', 'idle_session_timeout'];
    const names = [...timeouts, 'synchronous_commit', 'client_encoding'];
    const keepAlives = ['idle', 'interval', 'count'].map((what) => `tcp_keepalives_${what}`);
    const text = [...names, ...keepAlives].map((it) => `current_setting('${it}') as ${it}`).join();
    expect(await database.read({ text: `select ${text}` })).toEqual([
      {
        statement_timeout: '1min',
        lock_timeout: '30s',
        idle_session_timeout: '0',
        synchronous_commit: 'on',
        client_encoding: 'UTF8',
        tcp_keepalives_idle: '30',
        tcp_keepalives_interval: '10',
        tcp_keepalives_count: '3',
      },
    ]);
  });

  test('A database has one connection for all statements until it is closed, which is not a loss.', async () => {
    await Promise.all([database.once(one), database.once({ text: 'select $1::int as one', values: [1] })]);
    expect(await connections()).toBe(1);
    await database.close();
    await untilNoneIsConnected();
    expect(losses).toBe(0);
  });

  test('A lost connection is reported once, and opened again.', async () => {
    await database.once(one);
    await cut();
    expect(await database.once(one)).toEqual([{ one: 1 }]);
    expect(losses).toBe(1);
  });

  test('The next statement tries an unreachable database again, which can also be closed.', async () => {
    const proxy = await lossyProxy(cluster.port);
    open({ first: [], again: [] }, url.replace(`:${cluster.port}/`, `:${proxy.port}/`));
    proxy.cut(false);
    await expect(database.once(one)).rejects.toBeInstanceOf(ConnectionLost);
    proxy.cut(true);
    expect(await database.once(one)).toEqual([{ one: 1 }]);
    await database.close();
    await proxy.stop();
    open({ first: [], again: [] }, nowhere());
    const asking = [database.once(one), database.close()];
    expect((await Promise.allSettled(asking)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('statements that can be repeated', () => {
  test('A repeatable statement is tried as often as there are pauses, before and after the first connection.', async () => {
    open({ first: [1, 1], again: [1, 1, 1] }, nowhere());
    expect(await triesOf(() => database.once(one))).toEqual([false, true, true]);
    open({ first: [1, 1], again: [1, 1, 1] });
    await database.once(one);
    const lose = () => database.once({ text: 'select pg_terminate_backend(pg_backend_pid())' });
    expect(await triesOf(lose)).toEqual([false, true, true, true]);
  });

  test('A repeatable statement is not repeated if the server refused it or the database is closed.', async () => {
    expect(await triesOf(() => database.once({ text: 'select nothing' }))).toEqual([false]);
    open({ first: [never], again: [never] }, nowhere());
    await database.close();
    expect(await triesOf(() => database.once(one))).toEqual([false]);
  });

  test('A repeatable statement ends immediately with the run if there never was a connection.', async () => {
    open({ first: [never, 1], again: [never] }, nowhere());
    const tries = triesOf(() => database.once(one));
    setTimeout(() => interruption.abort(), 50);
    expect(await tries).toEqual([false, true]);
  });

  test('A repeatable statement continues after an interruption if a connection existed, to record what was sent.', async () => {
    open({ first: [], again: [60] });
    await database.once(one);
    interruption.abort();
    const before = performance.now();
    const lose = () => database.once({ text: 'select pg_terminate_backend(pg_backend_pid())' });
    expect(await triesOf(lose)).toEqual([false, true]);
    expect(performance.now() - before).toBeGreaterThan(55);
  });
});

describe('database transactions', () => {
  beforeEach(() => cluster.query(url, 'create table if not exists a (b int); delete from a'));
  const rows = () => cluster.query(url, 'select b from a');
  const insert = { text: 'insert into a values ($1)', values: [1] };

  test('A transaction is done as a whole, on a connection that ends with it.', async () => {
    await database.transaction(async (run) => {
      await run(insert);
      expect(await run(one)).toEqual([{ one: 1 }]);
      expect(await rows()).toEqual([]);
    });
    expect(await rows()).toEqual([{ b: 1 }]);
    await untilNoneIsConnected();
  });

  test('A failed transaction changes nothing, and reports the reason.', async () => {
    const refused = new AgentformError('record-newer', 'it is newer');
    const failing = (fail: (run: (statement: { text: string }) => Promise<unknown>) => Promise<unknown>) =>
      database.transaction(async (run) => {
        await run(insert);
        await fail(run);
      });
    await expect(failing(() => Promise.reject(refused))).rejects.toBe(refused);
    await expect(failing((run) => run({ text: 'select nothing' }))).rejects.toMatchObject({
      code: 'record-unreachable',
      message: expect.stringMatching(/^the record database \(RECORDS_URL\) refused the request: .*nothing/),
    });
    expect(await rows()).toEqual([]);
  });
});
