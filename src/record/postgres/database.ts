import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { AgentformError } from '../../errors.ts';
import type { DatabaseAddress } from './address.ts';
import { ConnectionLost, failureOf } from './failure.ts';

/** Milliseconds that a connection may take, and that a statement may. */
const patience = { connect: 10_000, statement: 60_000 } as const;
/** Milliseconds between tries to connect: before the first connection, and after one was lost. */
export interface RetryDelays {
  readonly first: readonly number[];
  readonly again: readonly number[];
}

const defaultRetryDelays: RetryDelays = { first: [500, 2000], again: [100, 500, 1000, 2000, 4000, 8000, 8000] };

/**
 * A machine that vanished holds its locks until the server notices: after about a minute, as with locks in files. Half of
 * what is written is never seen, and what was answered is on the disk.
 */
const sessionSettings = [
  `set statement_timeout = ${patience.statement}`,
  'set lock_timeout = 30000',
  'set tcp_keepalives_idle = 30',
  'set tcp_keepalives_interval = 10',
  'set tcp_keepalives_count = 3',
  'set synchronous_commit = on',
].join('; ');

export interface DatabaseOptions {
  /** Called when a connection was lost, and with it everything bound to it. */
  readonly onLost: () => void;
  readonly pauses?: RetryDelays | undefined;
  /** Aborted where the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/** A statement, with its values separate from the text. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly (string | number | null | readonly string[])[];
}

/**
 * One connection at a time, made on demand and again after a loss. Statements are sent without waiting for earlier
 * results; each is a separate transaction.
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

  /** The rows of the answer. Throws `ConnectionLost` if the statement may have been carried out. */
  async once<Row extends QueryResultRow>({ text, values = [] }: Statement): Promise<Row[]> {
    const client = await this.#connected();
    try {
      return (await client.query<Row>({ text, values: [...values] })).rows;
    } catch (error) {
      throw failureOf(error, this.address);
    }
  }

  /** Does what may be done again, again after the connection was lost in the middle of it, as often as there are pauses. */
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

  read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return this.persistently(() => this.once<Row>(statement));
  }

  /** Carries out all of it or nothing, on a separate connection. */
  async transaction(work: (run: (statement: Statement) => Promise<QueryResultRow[]>) => Promise<void>): Promise<void> {
    const client = await connect(this.address);
    const run = async ({ text, values = [] }: Statement) => (await client.query({ text, values: [...values] })).rows;
    try {
      await run({ text: 'begin' });
      await work(run);
      await run({ text: 'commit' });
    } catch (error) {
      throw error instanceof AgentformError ? error : failureOf(error, this.address);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  /** An interrupted run does not wait for a database that was never reached; sent changes are still recorded. */
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
  // Waiting queries get a rejection, and all others the end of the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw failureOf(error, address);
  }
}

/** The options of a connection. */
export function clientSettings({ host, port, user, password, database, tls, options }: DatabaseAddress): ClientConfig {
  return {
    host,
    port,
    user,
    // A function, because a missing one would be searched in files and variables outside the project.
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

/** By what others see who is connected: `agentform 4711 on build-7`, at most 63 bytes. */
export function applicationName(host: string): string {
  return `agentform ${process.pid} on ${host.replace(/[^\w.-]/g, '-')}`.slice(0, 63);
}
