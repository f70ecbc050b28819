import { createHash } from 'node:crypto';
import { AgentformError } from '../../errors.ts';
import type { DatabaseAddress } from './address.ts';
import type { Database } from './database.ts';

/**
 * The table migrations. The version of the tables is the number of migrations. Never edit a released migration.
 * `record` contains current records, `history` contains all versions, and `change` groups versions that were saved
 * together.
 */
const migrations: readonly ((schema: string) => string)[] = [
  (schema) => `
create table ${schema}.change (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  by text not null,
  commit text,
  what text,
  moved_to text
);
create table ${schema}.record (
  environment text not null,
  kind text not null,
  name text not null,
  version text not null,
  text text not null,
  primary key (environment, kind, name)
);
create table ${schema}.history (
  id bigint generated always as identity primary key,
  change bigint not null references ${schema}.change,
  environment text not null,
  kind text not null,
  name text not null,
  operation text not null check (operation in ('added', 'changed', 'removed')),
  version text,
  text text
);
create index on ${schema}.history (environment, kind, name, id);
`,
];

/** The table version that this agentform reads and writes. */
export const newestVersion = migrations.length;

/** Quotes a schema name. Allowed names need no escaping. */
export function quotedIdentifier(schema: string): string {
  return `"${schema}"`;
}

const tableNames = ['tables', 'record', 'history', 'change'];

/**
 * Returns the version of the tables, or 0 if none of them exist. Throws `record-newer` if this agentform does not
 * support that version. Throws `record-unreadable` if only some of the tables exist, because a plan without records
 * would create every resource again.
 */
export async function tablesVersion(database: Database, schema: string): Promise<number> {
  const text = `select name from unnest($1::text[]) as name where to_regclass(format('%s.%s', $2::text, name)) is null`;
  const values = [tableNames, quotedIdentifier(schema)];
  const missing = (await database.read<{ name: string }>({ text, values })).map(({ name }) => name);
  if (missing.length === tableNames.length) return 0;
  if (missing.length > 0) throw incomplete(`lacks the table ${missing.join(', ')}`, schema, database);
  const rows = await database.read<{ version: number }>({
    text: `select version from ${quotedIdentifier(schema)}.tables`,
  });
  const [row] = rows;
  if (row === undefined || row.version === 0)
    throw incomplete('has no version in its table `tables`', schema, database);
  return supported(row.version, { schema, address: database.address });
}

function incomplete(what: string, schema: string, { address }: Database): AgentformError {
  return new AgentformError(
    'record-unreadable',
    `the schema ${schema} in the record database (${address.variable}) ${what}, so its records cannot be read; restore ` +
      `the schema from a backup, or drop it to start without records`,
  );
}

/** Migrates the tables to the newest version. Several runs may do this at the same time. */
export async function migrate(database: Database, schema: string): Promise<void> {
  const { address } = database;
  await database.transaction(async (run) => {
    await run({ text: 'select pg_advisory_xact_lock($1)', values: [advisoryKey([schema, 'tables'])] });
    const [settings] = await run({ text: `select current_setting('server_encoding') as encoding` });
    requireUnicode(String(settings?.encoding), address);
    const known = await run({ text: 'select 1 from pg_namespace where nspname = $1', values: [schema] });
    if (known.length === 0) await run({ text: `create schema ${quotedIdentifier(schema)}` });
    await run({
      text: `create table if not exists ${quotedIdentifier(schema)}.tables (version integer not null, moved text)`,
    });
    const [row] = await run({ text: `select version from ${quotedIdentifier(schema)}.tables` });
    const version = supported(Number(row?.version ?? 0), { schema, address });
    if (row === undefined) await run({ text: `insert into ${quotedIdentifier(schema)}.tables values (0)` });
    for (const migration of migrations.slice(version)) await run({ text: migration(quotedIdentifier(schema)) });
    await run({ text: `update ${quotedIdentifier(schema)}.tables set version = $1`, values: [newestVersion] });
  });
}

/** Throws if some texts cannot be saved. An apply would notice this only after sending them. */
function requireUnicode(encoding: string, { variable }: DatabaseAddress): void {
  // With SQL_ASCII, the server stores any bytes.
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new AgentformError(
    'record-unreachable',
    `the record database (${variable}) has the encoding ${encoding}, which lacks many characters; use a database with the encoding UTF8`,
  );
}

function supported(
  version: number,
  { schema, address }: { readonly schema: string; readonly address: DatabaseAddress },
): number {
  if (version <= newestVersion) return version;
  throw new AgentformError(
    'record-newer',
    `the schema ${schema} in the record database (${address.variable}) has version ${version}, but this ` +
      `agentform reads up to version ${newestVersion}; upgrade agentform`,
    { facts: { found: version, supported: newestVersion } },
  );
}

/**
 * Returns the number of an advisory lock. The number is a hash of the lock's purpose, because all users of the database
 * share these numbers.
 */
export function advisoryKey(of: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['agentform', ...of]))
    .digest();
  return digest.readBigInt64BE().toString();
}
