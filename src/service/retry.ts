import { type Failure, policyOf } from './failure.ts';

/** How often and how long to retry a request. Times are in milliseconds. */
export interface RetryPolicy {
  /** The maximum number of attempts, including the first. Attempts that end in a 429 do not count. */
  readonly tries: number;
  /** The total time of all attempts and waits, except waits after a 429 response. */
  readonly budgetMs: number;
  /** The maximum number of attempts that fail to connect. */
  readonly connectTries: number;
  /** The time after which a failure to connect is not retried, because the host probably drops packets. */
  readonly connectBudgetMs: number;
  /** The maximum wait before the second attempt. The wait doubles with each attempt. */
  readonly backoffMs: number;
  /** The maximum number of 429 responses to one request. */
  readonly throttledTries: number;
  /**
   * The maximum total time that one request waits after 429 responses. If the pause is longer, waiting requests fail
   * immediately.
   */
  readonly throttledBudgetMs: number;
  /**
   * The pause for all requests after a 429 without Retry-After. The pause doubles each time until a request succeeds.
   */
  readonly throttledPauseMs: number;
  /** The maximum pause after a 429 without Retry-After. */
  readonly maxThrottledPauseMs: number;
}

/**
 * Makes at most 6 attempts in 20 s. If the host refuses connections, a request fails after about a second. If the host
 * does not respond, a request fails after about ten seconds.
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
  maxThrottledPauseMs: 30_000,
};

/** The share of the time budget that must remain to start another attempt. */
const minPartOfBudget = 1 / 20;

/** Counts the attempts of one request. Decides whether and when to retry. */
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

  /** The number of failed attempts, including those that ended in a 429. */
  get tries(): number {
    return this.#counted + this.#throttled;
  }

  /** Returns whether the service may have carried out any of the attempts. */
  get wasUnclear(): boolean {
    return this.#wasUnclear;
  }

  /**
   * Returns the timeout of the next attempt. The first attempt gets the full timeout, and later attempts get at most
   * the remaining budget.
   */
  timeoutFor(timeoutMs: number): number {
    return this.#counted === 0 ? timeoutMs : Math.min(timeoutMs, this.#leftMs);
  }

  /**
   * Counts a failed attempt. Returns the time in milliseconds to wait before the next attempt, or undefined if there
   * must be no further attempt. `tookMs` is the time that the attempt took, and `pauseMs` is the limiter's current
   * pause.
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

  /** Counts a 429. Returns 0 or undefined, because the limiter already makes all requests wait. */
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
    return this.#counted < tries && this.#unconnected < connectTries && this.#leftMs >= budgetMs * minPartOfBudget;
  }

  get #leftMs(): number {
    return this.#policy.budgetMs - this.#spentMs;
  }

  /**
   * Returns a random wait (full jitter), so that requests that failed at the same time are retried at different times.
   */
  #backoffMs(): number {
    return Math.random() * this.#policy.backoffMs * 2 ** (this.#counted - 1);
  }
}

/** Headers as undici returns them, with lowercase names. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Converts Retry-After, in seconds or as a date, to milliseconds (RFC 9110, 10.2.3). Compares a date with the
 * response's Date, so that a wrong local clock has no effect. Returns undefined if the header is missing or invalid.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = [headers['retry-after']].flat()[0]?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,12}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse accepts almost any text, but an HTTP date starts with a weekday.
  const until = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (readDate(headers)?.valueOf() ?? Date.now()));
}

/** Parses the Date header of a response (RFC 9110, 6.6.1). Returns undefined if the header is missing or invalid. */
export function readDate(headers: Headers): Date | undefined {
  const [text = ''] = [headers.date].flat();
  const date = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.valueOf()) ? undefined : date;
}
