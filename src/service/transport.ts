import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, errors, type FormData, Pool } from 'undici';
import { errorCodeOf } from '../errors.ts';
import { cached } from '../json/json.ts';
import { type Attempted, abandoned, closed, type Failure, fail, lost, silent, unconnected } from './failure.ts';

interface TransportOptions {
  /** The maximum number of connections to each origin. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly proxy: HttpsProxy | undefined;
}

/**
 * A proxy for https. It tunnels requests to the service, and can see only the host name of the service. A proxy for
 * http could read the token, so http requests go only to loopback (see destinationOf).
 */
export interface HttpsProxy {
  readonly https: string;
  /** The hosts to reach without the proxy, as in NO_PROXY. */
  readonly except: string;
}

/**
 * The body of a request: JSON text or a form. For a form, undici chooses the boundary and therefore also sets the
 * content type.
 */
export type Payload = string | FormData | undefined;

interface Exchange {
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** The path with the query, which contains the token. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly body: Payload;
  readonly repeatable: boolean;
  /** The time limit for connecting, sending and reading together, in milliseconds. */
  readonly timeoutMs: number;
}

/** A response with any status. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

/** The connection of one exchange, which is a request and its reply. */
interface Lane {
  readonly dispatcher: Dispatcher;
  /** Whether any part of the request may have been sent. */
  mayHaveSent: boolean;
  /** Whether the connection is used only for this exchange. */
  readonly isSingle: boolean;
}

/**
 * Sends one request and reads its reply, without retries or redirects. Repeatable requests share kept-alive
 * connections. All other requests get a new connection, because the server may have closed a kept-alive connection.
 * This would look like a lost response. Only on a new connection is it certain whether anything was sent.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #clientOptions: Client.Options;
  readonly #connector: Connector;
  readonly #pools = new Map<string, Dispatcher>();
  readonly #singles = new Set<Dispatcher>();
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    // The exchange has its own exact timeout, because undici checks timeouts only about every second.
    this.#clientOptions = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: options.maxAnswerBytes };
    this.#connector = new Connector(options.connectTimeoutMs);
  }

  async exchange(exchange: Exchange): Promise<Attempted<Reply>> {
    if (this.#isClosed) return fail(closed());
    const lane = exchange.repeatable ? this.#pooled(exchange.origin) : this.#single(exchange.origin);
    const alarm = new AbortController();
    const timer = setTimeout(() => alarm.abort(), exchange.timeoutMs);
    try {
      const bounds = { signal: alarm.signal, maxBytes: this.#options.maxAnswerBytes };
      return { ok: true, value: await send(lane.dispatcher, exchange, bounds) };
    } catch (error) {
      return fail(this.#failureOf(error, { exchange, lane, timedOut: alarm.signal.aborted }));
    } finally {
      clearTimeout(timer);
      if (lane.isSingle) {
        this.#singles.delete(lane.dispatcher);
        void lane.dispatcher.destroy();
      }
    }
  }

  /** Closes all connections. Exchanges in progress fail with an error. */
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
    if (this.#isClosed) return isConnectFailure || !lane.mayHaveSent ? closed() : abandoned();
    if (isConnectFailure) return unconnected(exchange.host, error);
    if (!timedOut) return lost(error);
    return lane.mayHaveSent ? silent(exchange.timeoutMs) : unconnected(exchange.host);
  }

  #pooled(origin: string): Lane {
    const { connections } = this.#options;
    const pool = cached(this.#pools, origin, () =>
      this.#open(origin, (path) => {
        const connect = this.#connector.timed(path);
        return new Pool(origin, { ...this.#clientOptions, connections, connect });
      }),
    );
    return { dispatcher: pool, mayHaveSent: true, isSingle: false };
  }

  #single(origin: string): Lane {
    const state = { mayHaveSent: false };
    const client = this.#open(origin, (path) => {
      const connect = this.#connector.timed(path, () => {
        state.mayHaveSent = true;
      });
      return new Client(origin, { ...this.#clientOptions, connect });
    });
    this.#singles.add(client);
    return Object.assign(state, { dispatcher: client, isSingle: true });
  }

  /** Opens a dispatcher for an origin, either directly or through the proxy. `make` builds the dispatcher. */
  #open(origin: string, make: (path: buildConnector.connector) => Dispatcher): Dispatcher {
    const { proxy } = this.#options;
    if (proxy === undefined || !origin.startsWith('https:')) return make(direct);
    return new EnvHttpProxyAgent({
      httpProxy: '',
      httpsProxy: proxy.https,
      noProxy: proxy.except,
      factory: (_, { connect }: { readonly connect?: unknown }) =>
        make(isConnector(connect) ? tunnel(connect) : direct),
    });
  }
}

/** The maximum number of interim responses (status below 200), which a server could send without end. */
const maxInterim = 100;

interface Bounds {
  readonly signal: AbortSignal;
  /** The maximum size of a body, both compressed and decompressed, in bytes. */
  readonly maxBytes: number;
}

async function send(dispatcher: Dispatcher, exchange: Exchange, { signal, maxBytes }: Bounds): Promise<Reply> {
  const { origin, path, method, body } = exchange;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'agentform',
  };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  let interim = 0;
  const onInfo = () => {
    interim += 1;
    if (interim > maxInterim)
      throw Object.assign(new Error('the interim responses did not end'), { code: 'INTERIM_ANSWERS' });
  };
  const answer = await dispatcher.request({ origin, path, method, headers, body: body ?? null, signal, onInfo });
  const coding = answer.headers['content-encoding'];
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: await readBody(answer.body, { coding, maxBytes, signal }),
  };
}

const direct = buildConnector({ timeout: 0 });

/** Connects through a proxy. Certificate errors keep their codes. All other errors get the code PROXY_FAILED. */
function tunnel(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error] = result;
      if (error === null || /CERT|SELF_SIGNED|ISSUER|VERIFY/.test(errorCodeOf(error) ?? '')) callback(...result);
      else callback(Object.assign(new Error('no tunnel'), { code: 'PROXY_FAILED' }), null);
    });
}

function isConnector(value: unknown): value is buildConnector.connector {
  return typeof value === 'function';
}

/**
 * Opens connections, and remembers which errors occurred while connecting. Only these errors prove that nothing was
 * sent. Error codes do not prove this, because a reset may occur during a TLS handshake or during a request.
 */
class Connector {
  readonly #timeoutMs: number;
  readonly #opening = new Set<() => void>();
  readonly #failures = new WeakSet<Error>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Connects with an exact timeout. undici's timeout is accurate only to about a second, and ignores the abort signal
   * of a request that waits for its connection.
   */
  timed(path: buildConnector.connector, onConnected?: () => void): buildConnector.connector {
    return (options, callback) => {
      let isOver = false;
      const settle: buildConnector.Callback = (...result) => {
        // The tunnel may be established after the caller stopped waiting for it. In that case, close the tunnel.
        if (isOver) return void result[1]?.destroy();
        isOver = true;
        clearTimeout(timer);
        this.#opening.delete(giveUp);
        if (result[0] === null) onConnected?.();
        else this.#failures.add(result[0]);
        callback(...result);
      };
      // undici's connector returns the socket, contrary to its type. The connector for a proxy does not return the
      // socket.
      const giveUp = () => {
        const error = new errors.ConnectTimeoutError();
        if (socket instanceof Socket) socket.destroy(error);
        settle(error, null);
      };
      const timer = setTimeout(giveUp, this.#timeoutMs);
      this.#opening.add(giveUp);
      const socket: unknown = path(options, settle);
    };
  }

  /** Ends attempts to connect. Otherwise undici would wait until its timeout, and keep the process alive. */
  close(): void {
    for (const giveUp of this.#opening) giveUp();
  }

  /** Returns whether an error occurred while connecting. */
  failedWith(error: unknown): boolean {
    return error instanceof Error && this.#failures.has(error);
  }
}

/** The problem with a body. The problem completes the phrase "a body that is". */
export type BodyProblem =
  | 'cut off'
  | 'not complete within the time limit'
  | 'too large'
  | 'not UTF-8'
  | 'compressed in an unknown way'
  | 'not what its content-encoding says';

/** A complete decoded body, or the problem with the body. */
export type Body = { readonly bytes: Uint8Array } | { readonly problem: BodyProblem };

interface BodyEncoding {
  /** The header `content-encoding` as undici returns it. */
  readonly coding: string | string[] | undefined;
  /** The maximum size after each step of decompression. undici itself limits the size of the received body. */
  readonly maxBytes: number;
  /** Aborted at the time limit. */
  readonly signal: AbortSignal;
}

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const decompressions: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['identity', async (bytes) => bytes],
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', decompressDeflate],
]);

/**
 * Decodes `deflate`, a zlib stream (RFC 9110, 8.4.1.2). Some servers omit the zlib header. The zlib header is present
 * if the low four bits of the first byte are 8, the compression method.
 */
function decompressDeflate(...[bytes, options]: Parameters<Decompress>): ReturnType<Decompress> {
  const hasHead = ((bytes[0] ?? 0) & 0x0f) === 8;
  return (hasHead ? promisify(inflate) : promisify(inflateRaw))(bytes, options);
}

/**
 * The maximum number of content codings of a body. The limit is needed because each coding requires decoding the whole
 * body.
 */
const maxCodings = 3;

/**
 * Reads a body to its end and removes its content codings, the last coding first. Requests ask for uncompressed
 * responses, but a gateway may still compress them. Never throws, because the status is more useful than an error in
 * the body.
 */
async function readBody(
  body: Dispatcher.ResponseData['body'],
  { coding, maxBytes, signal }: BodyEncoding,
): Promise<Body> {
  const names = [coding ?? []].flat().join(',').toLowerCase().split(',');
  const codings = names.map((name) => name.trim()).filter((name) => name !== '');
  let decoded: Uint8Array;
  try {
    decoded = await body.bytes();
  } catch (error) {
    if (error instanceof errors.ResponseExceededMaxSizeError) return { problem: 'too large' };
    return { problem: signal.aborted ? 'not complete within the time limit' : 'cut off' };
  }
  if (codings.length > maxCodings) return { problem: 'compressed in an unknown way' };
  for (const name of codings.reverse()) {
    const decompress = decompressions.get(name);
    if (decompress === undefined) return { problem: 'compressed in an unknown way' };
    try {
      if (decoded.length > 0) decoded = await decompress(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      return { problem: problems.get(errorCodeOf(error) ?? '') ?? 'not what its content-encoding says' };
    }
  }
  return { bytes: decoded };
}

/** The meanings of zlib error codes. */
const problems: ReadonlyMap<string, BodyProblem> = new Map([
  ['ERR_BUFFER_TOO_LARGE', 'too large'],
  ['Z_BUF_ERROR', 'cut off'],
]);
