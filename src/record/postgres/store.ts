import { AgentformError, reasonOf } from '../../errors.ts';
import { tooLarge } from '../../files/plain-file.ts';
import { authorIn, repositoryAround } from '../../git/repository.ts';
import { isName } from '../../json/check.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import type { Secret } from '../../secrets/secret.ts';
import {
  bytesFor,
  maxRecords,
  moveMarkText,
  parseMoveMark,
  parseRecord,
  RecordLimits,
  recordSizeLimit,
  recordVersion,
  savedText,
} from '../record-text.ts';
import {
  changedMeanwhile,
  type HistoryQuery,
  type MoveMark,
  type PastChange,
  type RecordKey,
  type RecordLock,
  type RecordStore,
  type RecordVersion,
  type StoreContext,
  type StoredRecord,
  unknownVersion,
} from '../store.ts';
import { databaseAddress, databaseSettings } from './address.ts';
import { Database, type Query, type RetryDelays } from './database.ts';
import { type HistoryRow, historyOf } from './history.ts';
import { advisoryKey, migrate, newestVersion, quotedIdentifier, tablesVersion } from './schema.ts';

interface StoredRow {
  readonly version: string;
  /** The size of the text in bytes. */
  readonly size: number;
  /** Null if the text is too large to fetch. */
  readonly text: string | null;
}

interface RecordRow extends StoredRow {
  readonly kind: string;
  readonly name: string;
}

interface RemovedRow {
  readonly size: null;
}

const size = 'octet_length(text)';

/** Returns the columns to select. Omits large texts, because anyone with access may have written them. */
function columns(condition = 'true'): string {
  const isSent = `${size} <= ${recordSizeLimit} and ${condition}`;
  return `left(version, 100) as version, ${size} as size, case when ${isSent} then text end as text`;
}

/** The maximum length of each text about a change, in characters. */
const maxWords = 1000;

const maxEntries = 100_000;

/** The last version of a record up to a change. */
type VersionRow = (StoredRow | RemovedRow) & {
  /** The position of the key in the query, counted from 1. */
  readonly ordinal: string;
};

/** A write of a record with compare-and-set. */
interface Write {
  readonly key: RecordKey;
  /** The version that must be current. Undefined if there must be no record. */
  readonly expected: string | undefined;
  /** The new text. An undefined text removes the record. */
  readonly text: string | undefined;
}

/**
 * Stores records as table rows. All readers see a save as soon as the database acknowledges it. The database is contacted
 * only on first use.
 */
export class PostgresStore implements RecordStore {
  readonly sharesAtOnce = true;
  readonly secrets: readonly Secret[];
  readonly #context: StoreContext;
  readonly #database: Database;
  readonly #name: string;
  /** The schema name, quoted for statements. */
  readonly #schema: string;
  #version: Promise<number> | undefined;
  #change: Promise<string> | undefined;
  /** The locks that this run holds, by environment. */
  readonly #locks = new Map<string, AbortController>();

  constructor(context: StoreContext, pauses?: RetryDelays) {
    this.#context = context;
    const address = databaseAddress(context);
    this.secrets = address.secrets;
    this.#database = new Database(address, { onLost: () => this.#loseLocks(), pauses, signal: context.signal });
    this.#name = databaseSettings(context.record).schema;
    this.#schema = quotedIdentifier(this.#name);
  }

  async environments(): Promise<string[]> {
    if (!(await this.#hasTables())) return [];
    const text = `select distinct environment from ${this.#schema}.record
      where octet_length(environment) <= 100 order by environment limit 1000`;
    const rows = await this.#database.read<{ environment: string }>({ text });
    return rows.map(({ environment }) => environment).filter(isName);
  }

  async list(environment: string): Promise<StoredRecord[]> {
    if (!(await this.#hasTables())) return [];
    const fits = `sum(${size}) over () <= ${bytesFor(0)} + count(*) over () * ${bytesFor(1) - bytesFor(0)}`;
    const wanted = `select left(kind, 100) as kind, left(name, 100) as name, ${columns(fits)}
      from ${this.#schema}.record where environment = $1 order by kind collate "C", name collate "C" limit ${maxRecords + 1}`;
    const rows = await this.#database.read<RecordRow>({ text: wanted, values: [environment] });
    const limits = new RecordLimits(`${this.#name}.record of ${environment}`, rows.length);
    for (const row of rows) limits.takeText(row.size);
    return limits.collect(rows, (row) => this.#stored({ environment, kind: row.kind, name: row.name }, row));
  }

  async read(key: RecordKey): Promise<StoredRecord | undefined> {
    const row = await this.#row(key);
    return row && this.#stored(key, row);
  }

  /** Does nothing, because every read queries the database. */
  refresh = async () => undefined;

  async save(record: ResourceRecord, expected: string | undefined): Promise<string> {
    const text = savedText(record);
    await this.#write({ key: record, expected, text });
    return recordVersion(text);
  }

  remove(key: RecordKey, expected: string): Promise<void> {
    return this.#write({ key, expected, text: undefined });
  }

  /**
   * Locks an environment. The lock belongs to the connection, so it ends if the connection, process or machine fails.
   */
  async lock(environment: string): Promise<RecordLock> {
    await this.#makeTables();
    if (this.#locks.has(environment)) throw lockedError(environment);
    const key = this.#lockKey(environment);
    const controller = new AbortController();
    this.#locks.set(environment, controller);
    try {
      const text = 'select pg_try_advisory_lock($1) as taken';
      const [answer] = await this.#database.once<{ taken: boolean }>({ text, values: [key] });
      if (answer?.taken !== true) throw lockedError(environment, await this.lockedBy(environment));
    } catch (error) {
      this.#locks.delete(environment);
      throw error;
    }
    return { lost: controller.signal, release: () => this.#release(environment, { key, controller }) };
  }

  /** Describes the holder as far as this user may see it. */
  async lockedBy(environment: string): Promise<string | undefined> {
    const text = `select a.application_name as name, a.backend_start as since
      from pg_locks l join pg_stat_activity a using (pid) join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and d.datname = current_database()
        and (l.classid::bigint << 32 | l.objid::bigint) = $1::bigint`;
    const [row] = await this.#database.read<{ name: string | null; since: Date | null }>({
      text,
      values: [this.#lockKey(environment)],
    });
    if (row === undefined) return undefined;
    const [, pid, host] = /^agentform (\d+) on ([\w.-]+)$/.exec(row.name ?? '') ?? [];
    // Only the same user and privileged users can see when a session started.
    const since = row.since ? `, since ${row.since.toISOString()}` : '';
    return pid === undefined ? 'an unknown process' : `process ${pid} on ${host}${since}`;
  }

  async requireWritable(): Promise<void> {
    await this.#makeTables();
    const text = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as frozen,
      (select coalesce(bool_and(has_table_privilege(format('%s.%s', $1::text, name), privilege)), false)
       from (values ('record', 'insert'), ('record', 'update'), ('record', 'delete'), ('history', 'insert'),
                    ('change', 'insert'), ('change', 'update')) as needed (name, privilege)) as allowed`;
    const [found] = await this.#database.read<{ frozen: boolean; allowed: boolean }>({ text, values: [this.#schema] });
    const { variable } = this.#database.address;
    if (found?.frozen) {
      const why = `the record database (${variable}) is read-only, perhaps because it is a standby; use the URL of the primary server`;
      throw new AgentformError('record-unreachable', why);
    }
    if (found?.allowed) return;
    const why = `the user of the record database (${variable}) is not allowed to write to the tables in the schema ${this.#name}`;
    throw new AgentformError('record-denied', `${why}; grant the user the rights that docs/records.md lists`);
  }

  /** Describes the saves since the last call as one change. The saves are already visible. */
  async share(what: string, movedTo?: string): Promise<void> {
    const change = await this.#change;
    if (change === undefined) return;
    this.#change = undefined;
    const text = `update ${this.#schema}.change set what = $2, moved_to = $3 where id = $1 and what is null`;
    await this.#database.read({ text, values: [change, what, movedTo ?? null] });
  }

  async history({ environment, records }: HistoryQuery) {
    if (!(await this.#hasTables())) return [];
    const named =
      records === undefined ? '' : ' and (h.kind, h.name) in (select * from unnest($2::text[], $3::text[]))';
    const words = ['by', 'commit', 'what'].map((name) => `left(c.${name}, ${maxWords}) as ${name}`).join();
    const text = `select c.id, c.at, ${words}, c.moved_to is not null as is_move,
        left(h.kind, 100) as kind, left(h.name, 100) as name, h.operation
      from ${this.#schema}.history h join ${this.#schema}.change c on c.id = h.change
      where h.environment = $1${named} order by c.id desc, h.id limit ${maxEntries}`;
    const values = [environment, ...(records === undefined ? [] : keyColumns(records))];
    return historyOf(await this.#database.read<HistoryRow>({ text, values }), environment);
  }

  async historyLimit(environment: string) {
    if (!(await this.#hasTables())) return undefined;
    const text = `select count(*) > ${maxEntries} as more from
      (select 1 from ${this.#schema}.history where environment = $1 limit ${maxEntries + 1}) h`;
    const [row] = await this.#database.read<{ more: boolean }>({ text, values: [environment] });
    return row?.more ? ('length' as const) : undefined;
  }

  async readVersions(versions: readonly RecordVersion[]): Promise<(ResourceRecord | undefined)[]> {
    const [first] = versions;
    if (first === undefined) return [];
    for (const version of versions) {
      if (!/^\d{1,18}$/.test(version.commit)) throw unknownVersion(version, 'changes', 'it is not a change number');
    }
    await this.#requireChanges(versions);
    const text = `select w.ordinal, h.version, h.size, h.text
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality as w (environment, kind, name, change, ordinal)
      cross join lateral (select ${columns()} from ${this.#schema}.history h
        where h.environment = w.environment and h.kind = w.kind and h.name = w.name and h.change <= w.change
        order by h.id desc limit 1) h`;
    const environments = versions.map(({ environment }) => environment);
    const values = [environments, ...keyColumns(versions), versions.map(({ commit }) => commit)];
    const rows = await this.#database.read<VersionRow>({ text, values });
    const found = new Map(rows.map((row) => [Number(row.ordinal), row]));
    return versions.map((key, index) => {
      const row = found.get(index + 1);
      return row === undefined || row.size === null ? undefined : this.#stored(key, row).record;
    });
  }

  async #requireChanges(versions: readonly RecordVersion[]): Promise<void> {
    const wanted = [...new Set(versions.map(({ commit }) => commit))];
    const text = `select id from ${this.#schema}.change where id = any($1::bigint[])`;
    const rows = (await this.#hasTables()) ? await this.#database.read<{ id: string }>({ text, values: [wanted] }) : [];
    const known = new Set(rows.map(({ id }) => BigInt(id)));
    const unknown = versions.find(({ commit }) => !known.has(BigInt(commit)));
    if (unknown !== undefined) throw unknownVersion(unknown, 'changes', 'there is no such change');
  }

  async movedTo(): Promise<MoveMark | undefined> {
    if (!(await this.#hasTables())) return undefined;
    const text = `select left(moved, 1000) as moved from ${this.#schema}.tables`;
    const [row] = await this.#database.read<{ moved: string | null }>({ text });
    return row?.moved ? parseMoveMark(row.moved) : undefined;
  }

  async markMoved(mark: MoveMark | undefined): Promise<void> {
    await this.#makeTables();
    const text = `update ${this.#schema}.tables set moved = $1`;
    await this.#database.read({ text, values: [mark === undefined ? null : moveMarkText(mark)] });
  }

  async addHistory(changes: AsyncIterable<PastChange>): Promise<void> {
    await this.#makeTables();
    const schema = this.#schema;
    await this.#database.transaction(async (run) => {
      const last = new Map<string, PastChange['records'][number]>();
      for await (const change of changes) {
        const { date, by, what, from = null, records } = change;
        const text = `insert into ${schema}.change (at, by, commit, what) values ($1, $2, $3, $4) returning id`;
        const [row] = await run({ text, values: [date, by, from, what] });
        for (const record of records) {
          last.set(JSON.stringify([record.environment, addressOf(record)]), record);
          await run(pastStep(schema, String(row?.id), record));
        }
      }
      for (const { environment, kind, name, text } of last.values()) {
        if (text === undefined) continue;
        const values = [environment, kind, name, recordVersion(text), text];
        await run({ text: `insert into ${schema}.record values ($1, $2, $3, $4, $5) on conflict do nothing`, values });
      }
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #hasTables(): Promise<boolean> {
    this.#version ??= tablesVersion(this.#database, this.#name).then(async (version) => {
      if (version === 0 || version === newestVersion) return version;
      await migrate(this.#database, this.#name);
      return newestVersion;
    });
    return (await this.#version) > 0;
  }

  /** Creates missing tables. Called only before writes, so that users who only plan need fewer rights. */
  async #makeTables(): Promise<void> {
    if (await this.#hasTables()) return;
    await migrate(this.#database, this.#name);
    this.#version = Promise.resolve(newestVersion);
  }

  async #row({ environment, kind, name }: RecordKey): Promise<StoredRow | undefined> {
    if (!(await this.#hasTables())) return undefined;
    const text = `select ${columns()} from ${this.#schema}.record where environment = $1 and kind = $2 and name = $3`;
    return (await this.#database.read<StoredRow>({ text, values: [environment, kind, name] }))[0];
  }

  #stored(key: RecordKey, { version, size: bytes, text }: StoredRow): StoredRecord {
    if (text === null) throw this.#unreadable(key, reasonOf(tooLarge(bytes, recordSizeLimit)));
    const recordName = this.#recordName(key);
    const { record } = parseRecord(text, recordName, { damaged: this.#remedy, conflict: () => this.#remedy });
    if (record.environment === key.environment && addressOf(record) === addressOf(key)) return { record, version };
    throw this.#unreadable(key, 'it belongs to another resource');
  }

  #recordName(key: RecordKey): string {
    return `of ${addressOf(key)} in ${key.environment} (${this.#name}.record)`;
  }

  #unreadable(key: RecordKey, why: string): AgentformError {
    const place = this.#recordName(key);
    const message = `the record ${place} cannot be used: ${why}; ${this.#remedy}`;
    return new AgentformError('record-unreadable', message, { facts: { place } });
  }

  get #remedy(): string {
    return `restore its row from ${this.#name}.history, or delete the row to start without a record`;
  }

  /**
   * Writes a record if its current version is the expected version. If the connection was lost, the write counts as
   * done if the record already has the new text.
   */
  async #write(write: Write): Promise<void> {
    await this.#makeTables();
    await this.#database.persistently(async (isAgain) => {
      const change = await this.#changeOf();
      if ((await this.#database.once(this.#statement(write, change))).length > 0) return;
      const wanted = write.text === undefined ? undefined : recordVersion(write.text);
      if (isAgain && (await this.#row(write.key))?.version === wanted) return;
      throw changedMeanwhile(write.key, this.#recordName(write.key));
    });
  }

  /**
   * Returns the statement for a write. The statement is a single transaction, so the record and its history change
   * together or not at all.
   */
  #statement({ key: { environment, kind, name }, expected, text }: Write, change: string) {
    const where = 'where environment = $1 and kind = $2 and name = $3';
    const statements = {
      added: `insert into ${this.#schema}.record (environment, kind, name, version, text) values ($1, $2, $3, $4, $5)
        on conflict do nothing`,
      changed: `update ${this.#schema}.record set version = $4, text = $5 ${where} and version = $7`,
      removed: `delete from ${this.#schema}.record ${where} and version = $7`,
    } as const;
    const operation = expected === undefined ? 'added' : text === undefined ? 'removed' : 'changed';
    const version = text === undefined ? null : recordVersion(text);
    return {
      text: `with written as (${statements[operation]} returning 1)
        insert into ${this.#schema}.history (change, environment, kind, name, operation, version, text)
        select $6::bigint, $1, $2, $3, '${operation}', $4, $5 from written returning 1`,
      values: [environment, kind, name, version, text ?? null, change, ...(expected === undefined ? [] : [expected])],
    };
  }

  /** Returns the id of the change that contains all saves since the last `share`. */
  #changeOf(): Promise<string> {
    this.#change ??= this.#beginChange().catch((error: unknown) => {
      this.#change = undefined;
      throw error;
    });
    return this.#change;
  }

  async #beginChange(): Promise<string> {
    const { root, env } = this.#context;
    const [{ name }, repository] = await Promise.all([authorIn(root, env), repositoryAround(root)]);
    const text = `insert into ${this.#schema}.change (by, commit) values ($1, $2) returning id`;
    const [row] = await this.#database.once<{ id: string }>({ text, values: [name, repository?.head ?? null] });
    if (row === undefined) throw new Error('the database returned no id for a change');
    return row.id;
  }

  /** Releases a lock. If that fails, the lock ends with the connection. */
  async #release(
    environment: string,
    { key, controller }: { readonly key: string; readonly controller: AbortController },
  ): Promise<void> {
    if (this.#locks.get(environment) !== controller) return;
    this.#locks.delete(environment);
    await this.#database.once({ text: 'select pg_advisory_unlock($1)', values: [key] }).catch(() => undefined);
  }

  #loseLocks(): void {
    const { variable } = this.#database.address;
    for (const [environment, controller] of this.#locks) {
      this.#locks.delete(environment);
      const why =
        `the connection to the record database (${variable}) was lost, which released the lock on ${environment}; ` +
        'nothing more is sent; run the command again';
      controller.abort(new AgentformError('record-unreachable', why));
    }
  }

  #lockKey(environment: string): string {
    return advisoryKey([this.#name, environment]);
  }
}

function pastStep(schema: string, change: string, record: PastChange['records'][number]): Query {
  const { environment, kind, name, change: operation, text = null } = record;
  return {
    text: `insert into ${schema}.history (change, environment, kind, name, operation, version, text)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [change, environment, kind, name, operation, text === null ? null : recordVersion(text), text],
  };
}

/** Returns the kinds and names of records as two arrays. The statement combines them as columns. */
function keyColumns(records: readonly Pick<RecordKey, 'kind' | 'name'>[]): [kinds: string[], names: string[]] {
  return [records.map(({ kind }) => kind), records.map(({ name }) => name)];
}

function lockedError(environment: string, holder?: string): AgentformError {
  const who = holder === undefined ? '' : ` (${holder})`;
  return new AgentformError(
    'record-locked',
    `another run is writing to the environment ${environment}${who}; wait for it`,
    {
      facts: { environment, ...(holder !== undefined && { holder }) },
    },
  );
}
