import { type Failure, policyOf } from './failure.ts';

/** How often, and for how long, a request is repeated. Times are in milliseconds. */
export interface RetryPolicy {
  /** The maximum number of attempts, including the first; a 429 does not count. */
  readonly tries: number;
  /** The maximum total time of all attempts and waits; waits for 429 do not count. */
  readonly budgetMs: number;
  /** The maximum number of attempts without a connection. */
  readonly connectTries: number;
  /** After this time, an attempt that ends without a connection is the last one, because the host drops packets. */
  readonly connectBudgetMs: number;
  /** The longest wait before the second attempt; doubled with each further one. */
  readonly backoffMs: number;
  /** The maximum number of 429 responses to one request. */
  readonly throttledTries: number;
  /** The maximum total wait of one request for 429, and the longest single pause. */
  readonly throttledBudgetMs: number;
  /** The pause of all requests after a 429 without Retry-After; doubled until a request succeeds. */
  readonly throttledPauseMs: number;
}

/**
 * At most 6 attempts in 20 s. A host that refuses connections fails in about a second, and one that does not answer in
 * ten.
 */
export const defaultRetryPolicy: RetryPolicy = {
  tries: 6,
  budgetMs: 20_000,
  connectTries: 3,
  connectBudgetMs: 6_000,
  backoffMs: 400,
  throttledTries: 20,
  throttledBudgetMs: 300_000,
  throttledPauseMs: 1_000,
};

/** The minimum share of the budget for another attempt. */
const leastPartOfBudget = 1 / 20;

/** The used budget of one request, which decides whether and when it is repeated. */
export class RetryBudget {
  readonly #policy: RetryPolicy;
  readonly #repeatable: boolean;
  #counted = 0;
  #unconnected = 0;
  #throttled = 0;
  #spentMs = 0;
  #throttledMs = 0;
  #wasUnclear = false;

  constructor(policy: RetryPolicy, repeatable: boolean) {
    this.#policy = policy;
    this.#repeatable = repeatable;
  }

  /** The number of all attempts that have failed so far. */
  get tries(): number {
    return this.#counted + this.#throttled;
  }

  /** Whether one of the attempts may have been carried out. */
  get wasUnclear(): boolean {
    return this.#wasUnclear;
  }

  /** The first attempt has the whole timeout, and later ones the rest of the budget. */
  timeoutFor(timeoutMs: number): number {
    return this.#counted === 0 ? timeoutMs : Math.min(timeoutMs, this.#leftMs);
  }

  /**
   * Counts a failed attempt. Returns the wait before the next one in milliseconds, or undefined to give up. `tookMs` is
   * the duration of the attempt, and `pauseMs` the limiter's present pause.
   */
  next(
    failure: Failure,
    { tookMs, pauseMs }: { readonly tookMs: number; readonly pauseMs: number },
  ): number | undefined {
    const { repeat, outcome } = policyOf(failure);
    if (outcome === 'unclear') this.#wasUnclear = true;
    if (repeat === 'apart') return this.#nextAfterThrottling(pauseMs);
    this.#counted += 1;
    if (failure.reason === 'unconnected') this.#unconnected += 1;
    const waitMs = Math.max(pauseMs, this.#backoffMs());
    this.#spentMs += tookMs + waitMs;
    return this.#mayRepeat(failure) && this.#hasTriesLeft(failure) ? waitMs : undefined;
  }

  /** The limiter waits for all requests together. */
  #nextAfterThrottling(pauseMs: number): number | undefined {
    this.#throttled += 1;
    this.#throttledMs += pauseMs;
    const { throttledTries, throttledBudgetMs } = this.#policy;
    return this.#throttled < throttledTries && this.#throttledMs <= throttledBudgetMs ? 0 : undefined;
  }

  #mayRepeat(failure: Failure): boolean {
    const { repeat } = policyOf(failure);
    return repeat === 'always' || (repeat === 'safe' && this.#repeatable);
  }

  #hasTriesLeft({ reason }: Failure): boolean {
    const { tries, connectTries, connectBudgetMs, budgetMs } = this.#policy;
    if (reason === 'unconnected' && this.#spentMs >= connectBudgetMs) return false;
    return this.#counted < tries && this.#unconnected < connectTries && this.#leftMs >= budgetMs * leastPartOfBudget;
  }

  get #leftMs(): number {
    return this.#policy.budgetMs - this.#spentMs;
  }

  /** Full jitter, so that requests that failed together are not repeated together. */
  #backoffMs(): number {
    return Math.random() * this.#policy.backoffMs * 2 ** (this.#counted - 1);
  }
}

/** Headers in the form of undici, with lowercase names. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The requested wait in milliseconds: Retry-After as seconds or as a date (RFC 9110, 10.2.3). A date is compared with
 * the answer's Date, so that a wrong local clock does no harm. Undefined for a missing or invalid header.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = [headers['retry-after']].flat()[0]?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,12}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse accepts almost anything; HTTP dates start with a weekday.
  const until = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (readDate(headers)?.valueOf() ?? Date.now()));
}

/** The service's time of the answer (RFC 9110, 6.6.1); undefined if the answer has none. */
export function readDate(headers: Headers): Date | undefined {
  const [text = ''] = [headers.date].flat();
  const date = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.valueOf()) ? undefined : date;
}
