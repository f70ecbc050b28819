import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { AgentformError, errorCodeOf, reasonOf } from '../../errors.ts';
import { visibleLine } from '../../text/visible.ts';
import type { DatabaseAddress } from './address.ts';

/** Time limits for a connection and for a statement, in milliseconds. */
const patience = { connect: 10_000, statement: 60_000 } as const;
/**
 * The delays before each retry, in milliseconds. `first` applies until a connection succeeds, and `again` after a
 * connection is lost.
 */
export interface RetryDelays {
  readonly first: readonly number[];
  readonly again: readonly number[];
}

const defaultRetryDelays: RetryDelays = { first: [500, 2000], again: [100, 500, 1000, 2000, 4000, 8000, 8000] };

/**
 * Session settings. If a machine disappears, the server releases its locks after about a minute. The server
 * acknowledges a write only after storing it on disk. If row-level security would hide records, a query fails. Otherwise,
 * the agents of these records would count as new. While an apply waits for the service, the session is idle and must
 * keep its lock (PostgreSQL before version 14 has no limit for this).
 */
const sessionSettings = [
  `set statement_timeout = ${patience.statement}`,
  'set lock_timeout = 30000',
  'set tcp_keepalives_idle = 30',
  'set tcp_keepalives_interval = 10',
  'set tcp_keepalives_count = 3',
  'set synchronous_commit = on',
  'set row_security = off',
  "select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'",
].join('; ');

interface DatabaseOptions {
  /** Called after the connection was lost. The loss also releases the connection's locks. */
  readonly onLost: () => void;
  readonly pauses?: RetryDelays | undefined;
  /** A signal that is aborted if the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/** A statement with separate values, to prevent SQL injection. */
export interface Query {
  readonly text: string;
  readonly values?: readonly (string | number | null | readonly string[])[];
}

/**
 * A database connection that opens on demand, and opens again after it is lost. Statements are sent without waiting for
 * earlier results. Each statement is a separate transaction, except in `transaction`.
 */
export class Database {
  readonly address: DatabaseAddress;
  readonly #onLost: () => void;
  readonly #pauses: RetryDelays;
  readonly #signal: AbortSignal | undefined;
  #client: Promise<Client> | undefined;
  #wasConnected = false;
  #isClosed = false;

  constructor(address: DatabaseAddress, { onLost, pauses = defaultRetryDelays, signal }: DatabaseOptions) {
    this.address = address;
    this.#onLost = onLost;
    this.#pauses = pauses;
    this.#signal = signal;
  }

  /**
   * Runs a statement once and returns its rows. Throws `ConnectionLost` if the connection was lost or could not be
   * opened. The statement may then have been carried out.
   */
  async once<Row extends QueryResultRow>({ text, values = [] }: Query): Promise<Row[]> {
    const client = await this.#connected();
    try {
      return (await client.query<Row>({ text, values: [...values] })).rows;
    } catch (error) {
      throw databaseError(error, this.address);
    }
  }

  /** Runs `work`, which may be repeated. If the connection is lost, repeats `work`, at most once for each delay. */
  async persistently<Result>(work: (isAgain: boolean) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work(attempt > 0);
      } catch (error) {
        const pause = (this.#wasConnected ? this.#pauses.again : this.#pauses.first)[attempt];
        if (!(error instanceof ConnectionLost) || pause === undefined || this.#isOver) throw error;
        await sleep(pause, undefined, this.#wasConnected ? {} : { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  read<Row extends QueryResultRow>(statement: Query): Promise<Row[]> {
    return this.persistently(() => this.once<Row>(statement));
  }

  /** Runs statements in one transaction, on a separate connection. */
  async transaction(work: (run: (statement: Query) => Promise<QueryResultRow[]>) => Promise<void>): Promise<void> {
    const client = await connect(this.address);
    const run = async ({ text, values = [] }: Query) => (await client.query({ text, values: [...values] })).rows;
    try {
      await run({ text: 'begin' });
      await work(run);
      await run({ text: 'commit' });
    } catch (error) {
      throw error instanceof AgentformError ? error : databaseError(error, this.address);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  /**
   * Returns whether to stop trying. An interrupted run does not wait for a database that it never reached. A run that
   * has reached the database still records its changes.
   */
  get #isOver(): boolean {
    return this.#isClosed || (!this.#wasConnected && this.#signal?.aborted === true);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    try {
      const client = await connect(this.address);
      this.#wasConnected = true;
      client.once('end', () => this.#ended());
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  #ended(): void {
    this.#client = undefined;
    if (!this.#isClosed) this.#onLost();
  }
}

async function connect(address: DatabaseAddress): Promise<Client> {
  const client = new Client(clientSettings(address));
  // Without a listener, an error event would end the process. Queries fail anyway if the connection is closed.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw databaseError(error, address);
  }
}

export function clientSettings({ host, port, user, password, database, tls, options }: DatabaseAddress): ClientConfig {
  return {
    host,
    port,
    user,
    // Passing a function prevents the library from looking for a missing password in files and variables.
    password: () => password?.reveal() ?? '',
    database,
    ssl: tls && { rejectUnauthorized: true },
    enableChannelBinding: tls,
    application_name: applicationName(hostname()),
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: patience.connect,
    query_timeout: patience.statement + 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    pipeline: true,
  };
}

/** Returns the connection's name, as other users see it: `agentform 4711 on build-7`, at most 63 bytes. */
export function applicationName(host: string): string {
  return `agentform ${process.pid} on ${host.replace(/[^\w.-]/g, '-')}`.slice(0, 63);
}

/** Thrown if the connection was lost or could not be opened. The last statement may have been carried out. */
export class ConnectionLost extends AgentformError {}

/** Returns the error for a database failure. Its message hides the URL, even if the server quotes the URL. */
export function databaseError(error: unknown, address: DatabaseAddress): AgentformError {
  const { variable, redact } = address;
  const state = sqlState(error);
  const subject = `the record database (${variable})`;
  // The server closed the connection, or is starting or stopping.
  if (state === undefined || state.startsWith('08') || state.startsWith('57P')) {
    const lasting = lastingReason(error);
    if (lasting !== undefined)
      return new AgentformError('record-unreachable', `${subject} cannot be reached: ${lasting}`);
    return new ConnectionLost('record-unreachable', `${subject} cannot be reached: ${redact(networkReason(error))}`);
  }
  const message = redact(visibleLine(reasonOf(error)));
  if (state === '42501') {
    const remedy = 'grant the user the rights that docs/records.md lists';
    return new AgentformError('record-denied', `${subject} denied the request: ${message}; ${remedy}`, {
      facts: { state },
    });
  }
  const why = refusals[state] ?? (state.startsWith('28') ? refusedLogin : `${message} (${state})`);
  return new AgentformError('record-unreachable', `${subject} refused the request: ${why}`, { facts: { state } });
}

/** Returns the standard SQLSTATE code of a server error. Returns undefined for connection errors. */
export function sqlState(error: unknown): string | undefined {
  const code = errorCodeOf(error);
  const isServers = typeof error === 'object' && error !== null && 'severity' in error;
  return isServers && code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

const refusedLogin =
  'the user or the password in the URL is wrong, or the server does not accept that user from this machine';

const refusals: Readonly<Record<string, string>> = {
  '3D000': 'the database that the URL names does not exist',
  '25006': 'it is read-only, perhaps because it is a standby; use the URL of the primary server',
  '42P01': 'one of its tables is missing; restore the tables from a backup',
  '53300': 'it has too many connections',
  '55P03': 'another session locked its tables for more than 30 seconds; run the command again',
};

/** Returns the message for a permanent problem. Returns undefined if the problem is temporary. */
function lastingReason(error: unknown): string | undefined {
  const code = errorCodeOf(error) ?? '';
  if (code === 'ENOTFOUND') return 'its host name is unknown';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is for a different host name than the one in the URL';
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `its certificate cannot be verified (${code}); set NODE_EXTRA_CA_CERTS to a file with the authority's certificate`;
  }
  if (!reasonOf(error).includes('does not support SSL')) return undefined;
  return 'it does not offer TLS; turn TLS on, or add ?sslmode=disable to the URL if the network can be trusted';
}

function networkReason(error: unknown): string {
  const message = visibleLine(reasonOf(error));
  const words = networkWords.get(errorCodeOf(error) ?? '');
  return words ?? (/timeout/i.test(message) ? lateMessage : message);
}

const lateMessage = 'it did not respond in time';

const networkWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed'],
  ['EAI_AGAIN', 'its host name could not be resolved; try again'],
  ['ETIMEDOUT', lateMessage],
  ['EHOSTUNREACH', 'there is no route to its host'],
  ['ENETUNREACH', 'there is no route to its network'],
]);
