import { setMaxListeners } from 'node:events';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { FormData } from 'undici';
import type { ServiceError } from '../errors.ts';
import { type Redact, redactor } from '../secrets/redact.ts';
import { emulatorToken } from '../secrets/secret.ts';
import { seconds } from '../text/time.ts';
import { hasSucceeded, readAnswer } from './answer.ts';
import { type AllowedHosts, type Call, type Connection, type Destination, destinationOf, type Method } from './call.ts';
import {
  closed,
  type Failure,
  fail,
  quotable,
  type Reason,
  type Result,
  serviceError,
  succeed,
  type TokenSource,
} from './failure.ts';
import { Limiter, type Permit } from './limiter.ts';
import { RetryBudget, type RetryPolicy, readDate } from './retry.ts';
import { type HttpsProxy, type Payload, type Reply, Transport } from './transport.ts';

export interface CallerOptions {
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly retry: RetryPolicy;
  readonly redact: Redact;
  readonly allowedHosts: AllowedHosts | undefined;
  readonly proxy: HttpsProxy | undefined;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
  readonly onPause: ((waitMs: number) => void) | undefined;
}

/** A successful answer. */
export interface Received<T> {
  /** The value; decodes the body on the first call. Throws a ServiceError. */
  readonly value: () => T;
}

/** One attempt. A failed one with `waitMs` may be repeated after that many milliseconds. */
type Attempt<T> = Result<T> & { readonly waitMs?: number | undefined };

/** Carries out calls: admits, attempts and repeats them, and makes the final error. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #transport: Transport;
  readonly #limiter: Limiter;
  /** By origin: after one failed connect, the hundreds of waiting requests need not each try, and get its error. */
  readonly #outages = new Map<string, { readonly failure: Failure; readonly until: number }>();
  /** Ends the waits before further tries. */
  readonly #closing = new AbortController();
  readonly #times = new WeakMap<object, string>();
  #now: Date | undefined;
  #toldUntil = 0;

  constructor(options: CallerOptions) {
    const { concurrency, retry } = options;
    const { throttledPauseMs: pauseMs, throttledBudgetMs: patienceMs } = retry;
    this.#options = options;
    setMaxListeners(0, this.#closing.signal);
    this.#transport = new Transport({ ...options, connections: concurrency });
    this.#limiter = new Limiter({ concurrency, pauseMs, longestPauseMs: 30 * pauseMs, patienceMs });
  }

  /**
   * The value in the service's answer. Throws a ServiceError, or `token-exposed` or `host-not-allowed` before anything
   * is sent.
   */
  async carryOut<T>(call: Call<T>, connection: Connection): Promise<T> {
    return (await this.receive(call, connection)).value();
  }

  /** The same before it is decoded. */
  async receive<T>(call: Call<T>, connection: Connection): Promise<Received<T>> {
    const pending = beginCall(call, connection, this.#options);
    for (;;) {
      const attempt = await this.#attempt(pending);
      if (attempt.ok) return attempt.value;
      const isLast = attempt.waitMs === undefined || this.#closing.signal.aborted;
      if (!isLast) await setTimeout(attempt.waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (isLast || this.#closing.signal.aborted) throw errorOf(pending, attempt.failure);
    }
  }

  /** Makes calls in progress fail, so that nothing keeps the process alive. */
  async close(): Promise<void> {
    this.#limiter.close();
    this.#closing.abort();
    await this.#transport.close();
  }

  /**
   * Releases the slot of the request before any wait. Started calls come before new ones, so that the first few
   * requests detect an unresponsive server.
   */
  async #attempt<T>(pending: PendingCall<T>): Promise<Attempt<Received<T>>> {
    const entry = await this.#limiter.enter({ again: pending.budget.tries > 0 });
    if (!entry.admitted) return fail(turnedAway(entry.pauseMs));
    let isInside = true;
    const leave = () => {
      if (isInside) this.#limiter.leave();
      isInside = false;
    };
    try {
      const outage = this.#outages.get(pending.destination.origin);
      if (outage !== undefined && performance.now() < outage.until) return fail(outage.failure);
      return await this.#try(pending, entry.permit, leave);
    } finally {
      leave();
    }
  }

  /** `leave` gives the slot back earlier: hundreds of responses may arrive together, and none of the next requests waits for them. */
  async #try<T>(pending: PendingCall<T>, permit: Permit, leave: () => void): Promise<Attempt<Received<T>>> {
    const startedAt = performance.now();
    const { call, destination, body, budget } = pending;
    const timeoutMs = budget.timeoutFor(this.#options.timeoutMs) + (call.extraMs ?? 0);
    const reply = await this.#transport.exchange({ ...call, ...destination, body, timeoutMs });
    const tookMs = performance.now() - startedAt;
    if (reply.ok && hasSucceeded(reply.value)) {
      leave();
      await turn();
    }
    const result = reply.ok ? this.#read(reply.value, pending) : reply;
    this.#options.onRequest?.({
      operation: call.operation,
      method: call.method,
      path: pending.redact(destination.pathname),
      try: budget.tries + 1,
      ms: Math.round(tookMs),
      ...(reply.ok && { status: reply.value.status }),
      ...(!result.ok && { failed: result.failure.reason }),
    });
    if (result.ok) {
      this.#limiter.speedUp();
      this.#outages.delete(destination.origin);
      return result;
    }
    const pauseMs = this.#slowDown(result.failure, permit);
    const waitMs = budget.next(result.failure, { tookMs, pauseMs });
    this.#noteOutage(destination.origin, { failure: result.failure, isLast: waitMs === undefined });
    return { ...result, waitMs };
  }

  #read<T>(reply: Reply, pending: PendingCall<T>): Result<Received<T>> {
    const { call, redact } = pending;
    // Only messages about writes are shown: there are thousands of reads, and open answers are passed on as data.
    const isShown = call.method !== 'GET' && !call.isAnswerOpen;
    const read = () => readAnswer(reply, { ...call, quote: isShown ? (text) => quotable(text, redact) : undefined });
    const date = readDate(reply.headers);
    if (date !== undefined && (this.#now === undefined || date > this.#now)) this.#now = date;
    const { status, body } = reply;
    const isKnown = hasSucceeded(reply) && 'bytes' in body && call.isKnown?.({ status, bytes: body.bytes });
    if (isKnown) return succeed({ value: () => requireValue(read(), pending) });
    const result = read();
    if (!result.ok) return result;
    const { value } = result;
    if (date !== undefined && typeof value === 'object' && value !== null) this.#times.set(value, date.toISOString());
    return succeed({ value: () => value });
  }

  /** The time of the service at its answer with this value, as ISO 8601 in UTC; undefined if the answer had none. */
  timeOf(answer: unknown): string | undefined {
    return typeof answer === 'object' && answer !== null ? this.#times.get(answer) : undefined;
  }

  /** The latest time in an answer so far, by the clock of the service; undefined if no answer had a time. */
  now(): Date | undefined {
    return this.#now;
  }

  /** The present pause of all requests in milliseconds. A 503 may request it as well as a 429. */
  #slowDown({ reason, retryAfterMs }: Failure, permit: Permit): number {
    if (reason !== 'throttled' && retryAfterMs === undefined) return 0;
    const pauseMs = this.#limiter.slowDown(permit, retryAfterMs);
    this.#tellPause(pauseMs);
    return pauseMs;
  }

  /** All requests of a burst get the same pause. A pause that is too long is a separate error. */
  #tellPause(pauseMs: number): void {
    const until = performance.now() + pauseMs;
    const isNews = until > this.#toldUntil + toldPauseMs / 2;
    if (!isNews || pauseMs < toldPauseMs || pauseMs > this.#options.retry.throttledBudgetMs) return;
    this.#toldUntil = until;
    this.#options.onPause?.(pauseMs);
  }

  #noteOutage(origin: string, { failure, isLast }: { failure: Failure; isLast: boolean }): void {
    if (failure.reason !== 'unconnected') this.#outages.delete(origin);
    else if (isLast) this.#outages.set(origin, { failure, until: performance.now() + outageMs });
  }
}

function requireValue<T>(result: Result<T>, pending: PendingCall<T>): T {
  if (result.ok) return result.value;
  throw errorOf(pending, result.failure);
}

function turnedAway(pauseMs: number | undefined): Failure {
  if (pauseMs === undefined) return closed();
  const what = `the service answered 429 to another request, asking to wait ${seconds(pauseMs)}`;
  return { reason: 'throttled', status: 429, what };
}

/** The minimum reported pause in milliseconds. A shorter one is over before a person could read about it. */
const toldPauseMs = 900;

/** How long a failed connection counts for other requests, in milliseconds. */
const outageMs = 1_000;

/** One call in progress: the shared data of its attempts, and their used budget. */
export interface PendingCall<T> {
  readonly call: Call<T>;
  readonly destination: Destination;
  /** JSON text, or a form. */
  readonly body: Payload;
  readonly budget: RetryBudget;
  readonly redact: Redact;
  /** The process variable of the token, and the file that names it; undefined if unknown. */
  readonly tokenSource: TokenSource | undefined;
}

export interface PendingCallOptions {
  readonly retry: RetryPolicy;
  readonly redact: Redact;
  readonly allowedHosts: AllowedHosts | undefined;
}

/** Throws `token-exposed` and `host-not-allowed` before anything is sent. */
export function beginCall<T>(
  call: Call<T>,
  connection: Connection,
  { retry, redact, allowedHosts }: PendingCallOptions,
): PendingCall<T> {
  const { tokenName: name, tokenAt } = connection;
  const place = tokenAt === undefined ? '' : ` (${tokenAt.file}:${tokenAt.line})`;
  const { body } = call;
  return {
    call,
    destination: destinationOf(call, connection, allowedHosts),
    // A form is read again for every try.
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    tokenSource: name === undefined ? undefined : { name, place },
    budget: new RetryBudget(retry, call.repeatable),
    // Made on demand, because most calls succeed.
    redact: (text) => redactor(secretsOf(call, connection))(redact(text)),
  };
}

export function errorOf({ call, budget, redact, tokenSource }: PendingCall<unknown>, failure: Failure): ServiceError {
  return serviceError(call, failure, { tries: budget.tries, wasUnclear: budget.wasUnclear, redact, tokenSource });
}

function secretsOf(call: Call<unknown>, { token, query, sensitiveQuery = new Set() }: Connection) {
  const sensitive = Object.entries({ ...query, ...call.query }).filter(([name]) => sensitiveQuery.has(name));
  const hidden = token === emulatorToken ? [] : [token];
  return [...hidden, ...sensitive.map(([, value]) => value), ...(call.sensitive ?? [])];
}

/** One attempt for the debug hook, without token, query and body. */
export interface RequestLine {
  /** Operation id of the OpenAPI document. */
  readonly operation: string;
  readonly method: Method;
  /** The path without the query. */
  readonly path: string;
  /** Counted from 1, including attempts that ended in 429. */
  readonly try: number;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** Absent if no answer came. */
  readonly status?: number;
  /** Why it failed, if so. */
  readonly failed?: Reason;
}
