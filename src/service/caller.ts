import type { Redact } from '../kinds/redact.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { readAnswer } from './answer.ts';
import type { Call, Connection } from './call.ts';
import { type Failure, fail, type Result } from './failure.ts';
import { beginJourney, errorOf, type Journey } from './journey.ts';
import { Limiter, type Ticket } from './limiter.ts';
import { closed, seconds } from './network-failure.ts';
import { Outages } from './outages.ts';
import type { RequestLine } from './request-line.ts';
import type { RetryPolicy } from './retry.ts';
import { type Reply, Transport } from './transport.ts';
import { Waits } from './waits.ts';

export interface CallerOptions {
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly retry: RetryPolicy;
  readonly redact: Redact;
  readonly allowedHosts: AllowedHosts | undefined;
  readonly onRequest: ((line: RequestLine) => void) | undefined;
}

/** One try. A failed one with `waitMs` may be repeated after so many milliseconds. */
type Attempt<T> = Result<T> & { readonly waitMs?: number | undefined };

/** Carries calls out: admits them, tries, repeats, and makes the error in the end. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #transport: Transport;
  readonly #limiter: Limiter;
  readonly #outages = new Outages();
  readonly #waits = new Waits();

  constructor(options: CallerOptions) {
    const { concurrency, retry } = options;
    const { throttledPauseMs: pauseMs, throttledBudgetMs: patienceMs } = retry;
    this.#options = options;
    this.#transport = new Transport({ ...options, connections: concurrency });
    this.#limiter = new Limiter({ concurrency, pauseMs, longestPauseMs: 30 * pauseMs, patienceMs });
  }

  /** The value that the service answers. Throws a ServiceError, or before anything is sent `token-exposed` or `host-not-allowed`. */
  async carryOut<T>(call: Call<T>, connection: Connection): Promise<T> {
    const journey = beginJourney(call, connection, this.#options);
    for (;;) {
      const attempt = await this.#attempt(journey);
      if (attempt.ok) return attempt.value;
      const goesOn = attempt.waitMs !== undefined && (await this.#waits.wait(attempt.waitMs));
      if (!goesOn) throw errorOf(journey, attempt.failure);
    }
  }

  /** Calls under way fail, and nothing is left that keeps the process alive. */
  async close(): Promise<void> {
    this.#limiter.close();
    this.#waits.close();
    await this.#transport.close();
  }

  /**
   * The place among the running requests is given back before any wait. What has begun goes before what has not, so
   * that a server which does not answer is found out by the first few requests and not by all of them.
   */
  async #attempt<T>(journey: Journey<T>): Promise<Attempt<T>> {
    const entry = await this.#limiter.enter({ again: journey.tally.tries > 0 });
    if (!entry.admitted) return fail(turnedAway(entry.pauseMs));
    try {
      const outage = this.#outages.current(journey.destination.origin);
      return outage === undefined ? await this.#try(journey, entry.ticket) : fail(outage);
    } finally {
      this.#limiter.leave();
    }
  }

  async #try<T>(journey: Journey<T>, ticket: Ticket): Promise<Attempt<T>> {
    const startedAt = performance.now();
    const reply = await this.#exchange(journey);
    const result = reply.ok ? readAnswer(reply.value, journey.call) : reply;
    const tookMs = performance.now() - startedAt;
    this.#tell(journey, { reply, result, tookMs });
    if (result.ok) return this.#succeeded(journey, result);
    const pauseMs = this.#slowDown(result.failure, ticket);
    const waitMs = journey.tally.next(result.failure, { tookMs, pauseMs });
    this.#noteOutage(journey, { failure: result.failure, isLast: waitMs === undefined });
    return { ...result, waitMs };
  }

  #exchange({ call, destination, body, tally }: Journey<unknown>): Promise<Result<Reply>> {
    const { origin, host, path } = destination;
    const { method, repeatable, extraMs = 0 } = call;
    const timeoutMs = tally.timeoutFor(this.#options.timeoutMs) + extraMs;
    return this.#transport.exchange({ origin, host, path, method, body, repeatable, timeoutMs });
  }

  #succeeded<T>({ destination }: Journey<T>, result: Result<T>): Result<T> {
    this.#limiter.speedUp();
    this.#outages.forget(destination.origin);
    return result;
  }

  /** For how long every request is now held back, in milliseconds. A 503 may ask for it as well as a 429. */
  #slowDown({ reason, retryAfterMs }: Failure, ticket: Ticket): number {
    if (reason !== 'throttled' && retryAfterMs === undefined) return 0;
    return this.#limiter.slowDown(ticket, retryAfterMs);
  }

  #noteOutage({ destination }: Journey<unknown>, { failure, isLast }: { failure: Failure; isLast: boolean }): void {
    if (failure.reason !== 'unconnected') this.#outages.forget(destination.origin);
    else if (isLast) this.#outages.note(destination.origin, failure);
  }

  #tell({ call, destination, tally, redact }: Journey<unknown>, { reply, result, tookMs }: Told): void {
    this.#options.onRequest?.({
      operation: call.operation,
      method: call.method,
      path: redact(destination.pathname),
      try: tally.tries + 1,
      ms: Math.round(tookMs),
      ...(reply.ok && { status: reply.value.status }),
      ...(!result.ok && { failed: result.failure.reason }),
    });
  }
}

interface Told {
  readonly reply: Result<Reply>;
  readonly result: Result<unknown>;
  readonly tookMs: number;
}

function turnedAway(pauseMs: number | undefined): Failure {
  if (pauseMs === undefined) return closed();
  const what = `the service answered 429 to another request, asking to wait ${seconds(pauseMs)}`;
  return { reason: 'throttled', status: 429, what };
}
