import { setMaxListeners } from 'node:events';
import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import { FormData } from 'undici';
import type { ServiceError } from '../errors.ts';
import { partRedactor, type Redact, redactor } from '../secrets/redact.ts';
import { emulatorToken } from '../secrets/secret.ts';
import { seconds } from '../text/time.ts';
import { hasSucceeded, readAnswer } from './answer.ts';
import type { Call, Connection, Method } from './call.ts';
import { type AllowedHosts, type Destination, destinationOf } from './destination.ts';
import {
  type Attempted,
  closed,
  type Failure,
  fail,
  quotable,
  type Reason,
  serviceError,
  type TokenSource,
} from './failure.ts';
import { defaultConcurrency, Limiter, type Permit } from './limiter.ts';
import { defaultRetryPolicy, RetryBudget, type RetryPolicy, readDate } from './retry.ts';
import { type HttpsProxy, type Payload, type Reply, Transport } from './transport.ts';

export interface ServiceClientOptions {
  /**
   * The maximum number of concurrent requests to all hosts together. Defaults to `defaultConcurrency`. A 429
   * temporarily lowers the limit.
   */
  readonly concurrency?: number;
  /** The time limit of one attempt in milliseconds, from connecting to the end of the response. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** The time limit for connecting in milliseconds. Defaults to 4,000. */
  readonly connectTimeoutMs?: number;
  /**
   * The maximum size of a response in bytes. Defaults to 8 MiB, so that every agent that a manifest may declare can be
   * read back.
   */
  readonly maxAnswerBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Masks additional secrets in the service's messages and in paths. */
  readonly redact?: Redact;
  /** The only hosts that may receive a token. If omitted, any host may receive a token. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** The proxy for https. If omitted, no proxy is used. */
  readonly proxy?: HttpsProxy | undefined;
  /** Called after each attempt. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Called with the length in milliseconds of each pause of about a second or more. A pause delays all requests. */
  readonly onPause?: (waitMs: number) => void;
}

/** The options with the defaults that every call needs. */
interface CallerOptions extends Pick<ServiceClientOptions, 'allowedHosts' | 'onRequest' | 'onPause'> {
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly redact: Redact;
}

export interface Received<T> {
  /**
   * Returns the value. Each call decodes a deferred response, and throws a ServiceError if the response is unusable.
   */
  readonly value: () => T;
}

/** The result of one attempt. If `waitMs` is set, the call may be repeated after that many milliseconds. */
type Attempt<T> = Attempted<T> & { readonly waitMs?: number | undefined };

/** Carries out calls: waits for the limiter, sends, retries, and makes the final error. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #transport: Transport;
  readonly #limiter: Limiter;
  /**
   * The last failure to connect, by origin. After such a failure, waiting requests fail immediately for a short time,
   * without trying to connect.
   */
  readonly #outages = new Map<string, { readonly failure: Failure; readonly until: number }>();
  /** Aborted to end all pauses between attempts. */
  readonly #closing = new AbortController();
  readonly #times = new WeakMap<object, string>();
  #now: Date | undefined;
  #toldUntil = 0;
  /** The status of the latest response that paused all requests. */
  #pausingStatus = 429;

  constructor(options: ServiceClientOptions) {
    const { concurrency = defaultConcurrency, timeoutMs = 30_000, connectTimeoutMs = 4_000, proxy } = options;
    const { maxAnswerBytes = 8 * 1024 * 1024, redact = (text) => text } = options;
    const retry = { ...defaultRetryPolicy, ...options.retry };
    const { throttledPauseMs: pauseMs, maxThrottledPauseMs: maxPauseMs, throttledBudgetMs: patienceMs } = retry;
    this.#options = { ...options, timeoutMs, retry, redact };
    setMaxListeners(0, this.#closing.signal);
    this.#transport = new Transport({
      connections: concurrency,
      connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
      maxAnswerBytes,
      proxy,
    });
    this.#limiter = new Limiter({ concurrency, pauseMs, maxPauseMs, patienceMs });
  }

  /**
   * Carries out a call. Throws a ServiceError if the call fails. Before anything is sent, may throw `token-exposed` or
   * `host-not-allowed`.
   */
  async carryOut<T>(call: Call<T>, connection: Connection): Promise<T> {
    return (await this.receive(call, connection)).value();
  }

  /** Works like `carryOut`, but decodes the response only on demand if the call's `mayDefer` allows it. */
  async receive<T>(call: Call<T>, connection: Connection): Promise<Received<T>> {
    const pending = beginCall(call, connection, this.#options);
    for (;;) {
      const attempt = await this.#attempt(pending);
      if (attempt.ok) return attempt.value;
      const isLast = attempt.waitMs === undefined || this.#closing.signal.aborted;
      if (!isLast) await setTimeout(attempt.waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (isLast || this.#closing.signal.aborted) throw callError(pending, attempt.failure);
    }
  }

  /** Makes calls in progress fail with an error, so that they do not keep the process alive. */
  async close(): Promise<void> {
    this.#limiter.close();
    this.#closing.abort();
    await this.#transport.close();
  }

  /**
   * Makes one attempt. Releases the slot of the limiter before any pause. Retries are admitted before new calls, so
   * that an unresponsive server is detected after a few requests.
   */
  async #attempt<T>(pending: PendingCall<T>): Promise<Attempt<Received<T>>> {
    this.#tellPause(this.#limiter.pauseLeftMs);
    const admission = await this.#limiter.enter({ again: pending.budget.tries > 0 });
    if (!admission.admitted) return fail(turnedAway(admission.pauseMs, this.#pausingStatus));
    let isInside = true;
    const leave = () => {
      if (isInside) this.#limiter.leave();
      isInside = false;
    };
    try {
      const outage = this.#outages.get(pending.destination.origin);
      if (outage !== undefined && performance.now() < outage.until) return fail(outage.failure);
      return await this.#try(pending, admission.permit, leave);
    } finally {
      leave();
    }
  }

  /**
   * Sends the request once. Calls `leave` to release the slot as soon as a successful response arrives. If several
   * responses arrive together, the next requests do not wait until all responses are decoded.
   */
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
    if (waitMs !== undefined || this.#limiter.isAwaited) this.#tellPause(pauseMs);
    this.#noteOutage(destination.origin, { failure: result.failure, isLast: waitMs === undefined });
    return { ...result, waitMs };
  }

  #read<T>(reply: Reply, pending: PendingCall<T>): Attempted<Received<T>> {
    const { call, redactMessage } = pending;
    // Prepares only messages that are shown. Only the messages of writes with a specified response are shown. A
    // response of unspecified shape is returned as data.
    const isShown = call.method !== 'GET' && !call.isAnswerOpen;
    const answered = { ...call, quote: isShown ? (text: string) => quotable(text, redactMessage) : undefined };
    const date = readDate(reply.headers);
    if (date !== undefined && (this.#now === undefined || date > this.#now)) this.#now = date;
    const { status, body } = reply;
    const isDeferred = hasSucceeded(reply) && 'bytes' in body && call.mayDefer?.({ status, bytes: body.bytes });
    if (isDeferred) return { ok: true, value: { value: () => requireValue(readAnswer(reply, answered), pending) } };
    const result = readAnswer(reply, answered);
    if (!result.ok) return result;
    const { value } = result;
    if (date !== undefined && typeof value === 'object' && value !== null) this.#times.set(value, date.toISOString());
    return { ok: true, value: { value: () => value } };
  }

  /**
   * Returns the time at which the service sent the response that contained this value, in UTC and ISO 8601 format.
   * Returns undefined if the response had no date.
   */
  timeOf(answer: unknown): string | undefined {
    return typeof answer === 'object' && answer !== null ? this.#times.get(answer) : undefined;
  }

  /** Returns the latest time in any response, by the service's clock. Returns undefined if no response had a date. */
  now(): Date | undefined {
    return this.#now;
  }

  /**
   * Slows down all requests after a 429, or after another failure with Retry-After. Returns the current pause in
   * milliseconds. Returns 0 after any other failure.
   */
  #slowDown({ reason, status = 429, retryAfterMs }: Failure, permit: Permit): number {
    if (reason !== 'throttled' && retryAfterMs === undefined) return 0;
    this.#pausingStatus = status;
    return this.#limiter.slowDown(permit, retryAfterMs);
  }

  /** Reports a pause once for all requests that wait for its end. */
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

function requireValue<T>(result: Attempted<T>, pending: PendingCall<T>): T {
  if (result.ok) return result.value;
  throw callError(pending, result.failure);
}

function turnedAway(pauseMs: number | undefined, status: number): Failure {
  if (pauseMs === undefined) return closed();
  const what = `the service returned ${status} for another request, asking to wait ${seconds(pauseMs)}`;
  return { reason: 'throttled', status, what };
}

/** The shortest pause to report, in milliseconds. A shorter pause would end before anyone could read the report. */
const toldPauseMs = 900;

/** The time in milliseconds for which other requests fail after a failure to connect. */
const outageMs = 1_000;

/** A call in progress, with the data that all attempts share. */
interface PendingCall<T> {
  readonly call: Call<T>;
  readonly destination: Destination;
  readonly body: Payload;
  readonly budget: RetryBudget;
  readonly redact: Redact;
  /** Redacts a message from the service, which may quote a part of a secret. */
  readonly redactMessage: Redact;
  /** The source of the token. Undefined if it is unknown. */
  readonly tokenSource: TokenSource | undefined;
}

/** Prepares a call. Throws `token-exposed`, `host-not-allowed` or a ServiceError if nothing can be sent. */
function beginCall<T>(
  call: Call<T>,
  connection: Connection,
  { retry, redact, allowedHosts }: Pick<CallerOptions, 'retry' | 'redact' | 'allowedHosts'>,
): PendingCall<T> {
  const { tokenName: name, tokenAt } = connection;
  const { body } = call;
  // The redactor is created only when it is used, because most calls succeed.
  const redactCall = (text: string) => redactor(secretsOf(call, connection))(redact(text));
  const pending: Omit<PendingCall<T>, 'destination'> = {
    call,
    // A form is not converted to a string, because each attempt must read the form again.
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    tokenSource: name === undefined ? undefined : { name, at: tokenAt },
    budget: new RetryBudget(retry, call.repeatable),
    redact: redactCall,
    redactMessage: (text) => partRedactor(secretsOf(call, connection))(redactCall(text)),
  };
  const destination = destinationOf(call, connection, allowedHosts);
  if (!destination.ok) throw callError(pending, destination.failure);
  return { ...pending, destination: destination.value };
}

function callError(
  { call, budget, ...context }: Omit<PendingCall<unknown>, 'destination'>,
  failure: Failure,
): ServiceError {
  return serviceError(call, failure, { ...context, tries: budget.tries, wasUnclear: budget.wasUnclear });
}

function secretsOf(call: Call<unknown>, { token, query, sensitiveQuery = new Set() }: Connection) {
  const sensitive = Object.entries({ ...query, ...call.query }).filter(([name]) => sensitiveQuery.has(name));
  const hidden = token === emulatorToken ? [] : [token];
  return [...hidden, ...sensitive.map(([, value]) => value), ...(call.sensitive ?? [])];
}

/** The facts about an attempt that the debug hook receives. The token, query and body are omitted. */
export interface RequestLine {
  /** The operation id in the OpenAPI document. */
  readonly operation: string;
  readonly method: Method;
  /** The path without the query. */
  readonly path: string;
  /** The number of the attempt, counted from 1. Attempts that ended in a 429 are counted. */
  readonly try: number;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The status. It is absent if there was no response. */
  readonly status?: number;
  /** Why the attempt failed. It is absent if the attempt succeeded. */
  readonly failed?: Reason;
}
