export interface LimiterOptions {
  /** The maximum number of concurrent requests, and the initial one. */
  readonly concurrency: number;
  /** Pause after a 429 without Retry-After, in milliseconds; doubled until a request succeeds. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** The longest pause that a request waits for, in milliseconds. A longer one refuses the request. */
  readonly patienceMs: number;
}

/** Admitted with a permit; or refused, with the necessary pause or because the client was closed. */
export type Entry =
  | { readonly admitted: true; readonly permit: Permit }
  | { readonly admitted: false; readonly pauseMs: number | undefined };

/** The number of reductions of the limit before the request entered. */
export type Permit = number;

/** The number of rounds that raise the limit by one. A round has one success for each concurrent request. */
const roundsPerStep = 4;

/** The maximum delay of setTimeout; longer ones fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The number of concurrent requests of the whole client.
 *
 * If the service reports overload, the limit is halved, and nothing new starts until the pause is over. Many requests
 * of one burst are refused at about the same time, which is one reason to slow down, not many. So a request that
 * entered before the last reduction causes no further one. Each success then adds a fraction, so that a few rounds of
 * successes add one. This is additive increase and multiplicative decrease, as in TCP, but slower: a service that
 * counts requests in a time window answers 429 to all requests in progress when the window is full.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #queue: ((entry: Entry) => void)[] = [];
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

  /** Waits for capacity. A returning call waits at the head of the queue. Each admitted call must leave again. */
  enter({ again = false }: { readonly again?: boolean } = {}): Entry | Promise<Entry> {
    if (this.#turnsAway()) return this.#refusal();
    if (this.#queue.length === 0 && this.#hasCapacity()) return this.#admission();
    return new Promise((resolve) => {
      if (again) this.#queue.unshift(resolve);
      else this.#queue.push(resolve);
      this.#awaitOpening();
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#advance();
  }

  /** Called after a success: raises the limit. */
  speedUp(): void {
    this.#cutsSinceSuccess = 0;
    if (this.#limit < this.#options.concurrency) {
      this.#limit = Math.min(this.#options.concurrency, this.#limit + 1 / (roundsPerStep * this.#limit));
    }
  }

  /**
   * Called when the service asks to slow down. Returns the pause from now on in milliseconds. For a requested pause of
   * 0, it uses our own.
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
    return this.#pauseLeftMs();
  }

  /** Rejects waiting and new calls. */
  close(): void {
    this.#isClosed = true;
    this.#empty();
  }

  /** A random pause of at least half of the nominal one. */
  #ownPauseMs(): number {
    const { pauseMs, longestPauseMs } = this.#options;
    const doubled = Math.min(longestPauseMs, pauseMs * 2 ** Math.max(0, this.#cutsSinceSuccess - 1));
    return doubled * (0.5 + Math.random() / 2);
  }

  #pauseLeftMs(): number {
    return this.#opensAt === 0 ? 0 : Math.max(0, this.#opensAt - performance.now());
  }

  #hasCapacity(): boolean {
    return this.#running < Math.floor(this.#limit) && this.#pauseLeftMs() === 0;
  }

  #turnsAway(): boolean {
    return this.#isClosed || this.#pauseLeftMs() > this.#options.patienceMs;
  }

  #refusal(): Entry {
    return { admitted: false, pauseMs: this.#isClosed ? undefined : this.#pauseLeftMs() };
  }

  #admission(): Entry {
    this.#running += 1;
    return { admitted: true, permit: this.#cuts };
  }

  #advance(): void {
    while (this.#queue.length > 0 && this.#hasCapacity()) this.#queue.shift()?.(this.#admission());
    this.#awaitOpening();
  }

  /**
   * The timer keeps the process alive, because a waiting call has work left. If the pause has ended in the meantime, no
   * leaving call would admit the queue.
   */
  #awaitOpening(): void {
    if (this.#timer !== undefined || this.#queue.length === 0) return;
    const pauseMs = this.#pauseLeftMs();
    if (pauseMs === 0 && !this.#hasCapacity()) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#advance();
      },
      Math.min(Math.ceil(pauseMs), longestTimerMs),
    );
  }

  #empty(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#queue.splice(0)) resolve(this.#refusal());
  }
}
