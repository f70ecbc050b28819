import { Client, type Dispatcher, type FormData, Pool } from 'undici';
import { type Body, readBody } from './body.ts';
import { Connector } from './connector.ts';
import { type Failure, fail, type Result, succeed } from './failure.ts';
import { abandoned, broken, closed, silent, unconnected } from './network-failure.ts';

export interface TransportOptions {
  /** Connections of the pool of each origin. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** JSON text, or a form, whose content type undici writes because it chooses the boundary. */
export type Payload = string | FormData | undefined;

export interface Exchange {
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** With the query, and so with the token. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly body: Payload;
  readonly repeatable: boolean;
  /** For connecting, sending and reading together. */
  readonly timeoutMs: number;
}

/** What came back, of any status. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

/** What one exchange goes over. */
interface Lane {
  readonly dispatcher: Dispatcher;
  /** Whether something may have been sent, as far as the lane can tell. */
  mayHaveSent(): boolean;
  leave(): void;
}

/**
 * Exchanges one request for one reply, once: no retries, no redirects. Repeatable requests share kept-alive
 * connections. The others get a connection of their own, for two reasons: a kept one may have been closed by the server
 * in the meantime, which cannot be told from a lost answer; and of an own one it is known whether anything was sent.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #connector: Connector;
  readonly #pools = new Map<string, Pool>();
  readonly #singles = new Set<Client>();
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#connector = new Connector(options.connectTimeoutMs);
  }

  async exchange(exchange: Exchange): Promise<Result<Reply>> {
    if (this.#isClosed) return fail(closed());
    const lane = exchange.repeatable ? this.#pooled(exchange.origin) : this.#single(exchange.origin);
    const alarm = new AbortController();
    const timer = setTimeout(() => alarm.abort(), exchange.timeoutMs);
    try {
      return succeed(await send(lane.dispatcher, exchange, alarm.signal));
    } catch (error) {
      return fail(this.#failureOf(error, { exchange, lane, timedOut: alarm.signal.aborted }));
    } finally {
      clearTimeout(timer);
      lane.leave();
    }
  }

  /** Ends every connection; exchanges under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connector.close();
    await Promise.all([...this.#pools.values(), ...this.#singles].map((dispatcher) => dispatcher.destroy()));
  }

  #failureOf(
    error: unknown,
    { exchange, lane, timedOut }: { exchange: Exchange; lane: Lane; timedOut: boolean },
  ): Failure {
    const isConnectFailure = this.#connector.failedWith(error);
    if (this.#isClosed) return isConnectFailure || !lane.mayHaveSent() ? closed() : abandoned();
    if (isConnectFailure) return unconnected(exchange.host, error);
    if (!timedOut) return broken(error);
    return lane.mayHaveSent() ? silent(exchange.timeoutMs) : unconnected(exchange.host);
  }

  #pooled(origin: string): Lane {
    const pool = this.#pools.get(origin) ?? this.#openPool(origin);
    return { dispatcher: pool, mayHaveSent: () => true, leave: () => {} };
  }

  #openPool(origin: string): Pool {
    const { connections } = this.#options;
    const pool = new Pool(origin, { ...this.#clientOptions(), connections, connect: this.#connector.connect });
    this.#pools.set(origin, pool);
    return pool;
  }

  #single(origin: string): Lane {
    const { connect, hasConnected } = this.#connector.watched();
    const client = new Client(origin, { ...this.#clientOptions(), connect });
    this.#singles.add(client);
    const leave = () => {
      this.#singles.delete(client);
      void client.destroy();
    };
    return { dispatcher: client, mayHaveSent: hasConnected, leave };
  }

  /** The exchange has one timeout of its own, and it is exact; undici's tick in seconds. */
  #clientOptions(): Client.Options {
    return { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: this.#options.maxAnswerBytes };
  }
}

async function send(dispatcher: Dispatcher, exchange: Exchange, signal: AbortSignal): Promise<Reply> {
  const { path, method, body } = exchange;
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'agentform' };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const answer = await dispatcher.request({ path, method, headers, body: body ?? null, signal });
  return { status: answer.statusCode, headers: answer.headers, body: await readBody(answer.body) };
}
