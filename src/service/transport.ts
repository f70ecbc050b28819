import { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher, errors, type FormData, Pool } from 'undici';
import { abandoned, broken, closed, type Failure, fail, type Result, silent, succeed, unconnected } from './failure.ts';

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

/**
 * Opens connections and remembers which errors came from doing so. Only that tells "nothing was sent" for sure: the
 * codes do not, since a reset may end a TLS handshake as well as a request.
 */
class Connector {
  readonly #timeoutMs: number;
  readonly #open = buildConnector({ timeout: 0 });
  readonly #opening = new Map<NodeJS.Timeout, unknown>();
  readonly #failures = new WeakSet<Error>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The timeout is ours, because undici's ticks in about a second, and because it does not heed the signal of a request
   * that still waits for its connection.
   */
  readonly connect: buildConnector.connector = (options, callback) => {
    const timer = setTimeout(() => giveUp(this.#opening.get(timer)), this.#timeoutMs);
    const socket: unknown = this.#open(options, (...result) => {
      clearTimeout(timer);
      this.#opening.delete(timer);
      if (result[0] !== null) this.#failures.add(result[0]);
      callback(...result);
    });
    this.#opening.set(timer, socket);
  };

  /** Ends what is being opened; undici leaves that to its timeout, and the process would stay for it. */
  close(): void {
    for (const socket of this.#opening.values()) giveUp(socket);
  }

  /** Whether the error came from connecting. */
  failedWith(error: unknown): boolean {
    return error instanceof Error && this.#failures.has(error);
  }

  /** The same, for a dispatcher with one connection, telling whether it was ever made. */
  watched(): { readonly connect: buildConnector.connector; readonly hasConnected: () => boolean } {
    let connected = false;
    const connect: buildConnector.connector = (options, callback) => {
      this.connect(options, (...result) => {
        if (result[0] === null) connected = true;
        callback(...result);
      });
    };
    return { connect, hasConnected: () => connected };
  }
}

/** undici's connector answers the socket, though its type does not say so. Its error ends in the callback. */
function giveUp(socket: unknown): void {
  if (socket instanceof Socket) socket.destroy(new errors.ConnectTimeoutError());
}

/** A body as text, or what is wrong with it. */
export type Body = { readonly text: string } | { readonly flaw: 'cut off' | 'too large' | 'not UTF-8' };

/**
 * Reads a body to its end. It never throws: once there is a status, the status says more than a connection that broke
 * after it. Invalid UTF-8 is a flaw, because replacing it would show as a change that nobody made.
 */
async function readBody(body: Dispatcher.ResponseData['body']): Promise<Body> {
  try {
    return decodeText(await body.bytes());
  } catch (error) {
    return { flaw: error instanceof errors.ResponseExceededMaxSizeError ? 'too large' : 'cut off' };
  }
}

function decodeText(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { flaw: 'not UTF-8' };
  }
}
