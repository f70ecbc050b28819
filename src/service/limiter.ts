export interface LimiterOptions {
  /** The maximum number of concurrent requests, and the initial one. */
  readonly concurrency: number;
  /** Pause after a 429 that names none, in milliseconds; doubled while nothing succeeds. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** Longest pause that a request waits for, in milliseconds; before a longer one it is turned away. */
  readonly patienceMs: number;
}

/** Admitted with a permit, or turned away: with the pause that would have been to wait for, or because of the end. */
export type Entry =
  | { readonly admitted: true; readonly permit: Permit }
  | { readonly admitted: false; readonly pauseMs: number | undefined };

/** How often the limit had been cut when the request entered. */
export type Permit = number;

/** Rounds of successes (one for each concurrent request) that raise the limit by one. */
const roundsPerStep = 4;

/** The maximum delay of setTimeout; longer ones fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The number of concurrent requests of the whole client.
 *
 * If the service reports overload, the limit is halved and nothing new starts until the pause is over. Many requests of
 * one burst hear that at about the same time, which is one reason to slow down, not many: a request that entered before
 * the last cut cuts no further. Each success then adds a part of one, so that a few full rounds of successes add one
 * (additive increase, multiplicative decrease, as in TCP, but slower: a service that counts requests in a window of
 * time answers 429 to all that are under way when the window is full).
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

  /** Waits for capacity; a returning call waits at the head of the queue. Each admitted call must leave again. */
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

  /** The service did what was asked: the limit recovers. */
  speedUp(): void {
    this.#cutsSinceSuccess = 0;
    if (this.#limit < this.#options.concurrency) {
      this.#limit = Math.min(this.#options.concurrency, this.#limit + 1 / (roundsPerStep * this.#limit));
    }
  }

  /** The service asked to slow down. Answers the pause from now on, in milliseconds. Asked for 0, it is our own. */
  slowDown(permit: Permit, retryAfterMs: number | undefined): number {
    const isNews = permit === this.#cuts;
    if (isNews) this.#cut();
    if (isNews || retryAfterMs !== undefined) this.#pauseFor(retryAfterMs || this.#ownPauseMs());
    if (this.#turnsAway()) this.#empty();
    return this.#pauseLeftMs();
  }

  /** Rejects waiting and new calls. */
  close(): void {
    this.#isClosed = true;
    this.#empty();
  }

  #cut(): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#cuts += 1;
    this.#cutsSinceSuccess += 1;
  }

  #pauseFor(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, performance.now() + ms);
  }

  /** Never less than half of it: a pause of nearly nothing would be no pause. */
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
   * The timer keeps the process alive: a waiting call has work left. The pause may have ended meanwhile; then there is
   * room, and no leaving call would admit the queue.
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
