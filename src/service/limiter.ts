/** The default number of concurrent requests, for the command line, the library and the action. */
export const defaultConcurrency = 16;

interface LimiterOptions {
  /** The initial number of concurrent requests, which is also the maximum. */
  readonly concurrency: number;
  /**
   * The pause after a 429 without Retry-After, in milliseconds. The pause doubles each time until a request succeeds.
   */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  /** The longest pause for which requests wait, in milliseconds. During a longer pause, requests are refused. */
  readonly patienceMs: number;
}

/** The limiter's decision about a request: a permit, or a refusal because of a long pause or a closed client. */
export type Admission =
  | { readonly admitted: true; readonly permit: Permit }
  | { readonly admitted: false; readonly pauseMs: number | undefined };

/** A permit: the number of times that the limit had been lowered when the request was admitted. */
export type Permit = number;

/**
 * The number of rounds of successes after which the limit is raised by one. A round is one success for each concurrent
 * request.
 */
const roundsPerStep = 4;

/** The maximum delay of setTimeout. A timer with a longer delay would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Limits the concurrent requests of a client. When the service reports overload, the limit is halved, and no request
 * starts until the pause is over. The service refuses all requests of a burst together, so these refusals count as one
 * sign of overload. Therefore, only a request that was admitted after the last reduction can cause another reduction.
 * Successes raise the limit slowly. This is additive increase and multiplicative decrease, as in TCP. The increase is
 * slower than in TCP, because a service may limit the number of requests in a time window. At this limit, the service
 * returns 429 for all requests in progress.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #queue: ((admission: Admission) => void)[] = [];
  #limit: number;
  #running = 0;
  #cuts: Permit = 0;
  #cutsSinceSuccess = 0;
  #opensAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#limit = options.concurrency;
  }

  /** Waits for capacity. A retry waits at the head of the queue. Every admitted request must call `leave`. */
  enter({ again = false }: { readonly again?: boolean } = {}): Admission | Promise<Admission> {
    if (this.#turnsAway()) return this.#refusal();
    return new Promise((resolve) => {
      if (again) this.#queue.unshift(resolve);
      else this.#queue.push(resolve);
      this.#advance();
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#advance();
  }

  /** Whether a request waits for capacity. */
  get isAwaited(): boolean {
    return this.#queue.length > 0;
  }

  /** Counts a success, and raises the limit after enough successes. */
  speedUp(): void {
    this.#cutsSinceSuccess = 0;
    if (this.#limit < this.#options.concurrency) {
      this.#limit = Math.min(this.#options.concurrency, this.#limit + 1 / (roundsPerStep * this.#limit));
    }
  }

  /**
   * Lowers the limit after the service reports overload, but only once for each burst. Returns the current pause in
   * milliseconds. If the service requests a pause of 0, uses the limiter's own pause.
   */
  slowDown(permit: Permit, retryAfterMs: number | undefined): number {
    const isNews = permit === this.#cuts;
    if (isNews) {
      this.#limit = Math.max(1, this.#limit / 2);
      this.#cuts += 1;
      this.#cutsSinceSuccess += 1;
    }
    if (isNews || retryAfterMs !== undefined) {
      this.#opensAt = Math.max(this.#opensAt, performance.now() + (retryAfterMs || this.#ownPauseMs()));
    }
    if (this.#turnsAway()) this.#empty();
    return this.pauseLeftMs;
  }

  /** Refuses all waiting and new requests. */
  close(): void {
    this.#isClosed = true;
    this.#empty();
  }

  /** Returns a random pause between half the nominal pause and the nominal pause. */
  #ownPauseMs(): number {
    const { pauseMs, maxPauseMs } = this.#options;
    const doubled = Math.min(maxPauseMs, pauseMs * 2 ** Math.max(0, this.#cutsSinceSuccess - 1));
    return doubled * (0.5 + Math.random() / 2);
  }

  /** The remaining time of the pause, in milliseconds. */
  get pauseLeftMs(): number {
    return this.#opensAt === 0 ? 0 : Math.max(0, this.#opensAt - performance.now());
  }

  #hasCapacity(): boolean {
    return this.#running < Math.floor(this.#limit) && this.pauseLeftMs === 0;
  }

  #turnsAway(): boolean {
    return this.#isClosed || this.pauseLeftMs > this.#options.patienceMs;
  }

  #refusal(): Admission {
    return { admitted: false, pauseMs: this.#isClosed ? undefined : this.pauseLeftMs };
  }

  /**
   * Admits waiting calls while there is capacity. During a pause, sets a timer to continue afterwards. The timer keeps
   * the process alive, because waiting calls are unfinished work.
   */
  #advance(): void {
    while (this.#queue.length > 0 && this.#hasCapacity()) {
      this.#running += 1;
      this.#queue.shift()?.({ admitted: true, permit: this.#cuts });
    }
    if (this.#timer !== undefined || this.#queue.length === 0) return;
    const pauseMs = this.pauseLeftMs;
    if (pauseMs === 0 && !this.#hasCapacity()) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#advance();
      },
      Math.min(Math.ceil(pauseMs), maxTimerMs),
    );
  }

  #empty(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#queue.splice(0)) resolve(this.#refusal());
  }
}
