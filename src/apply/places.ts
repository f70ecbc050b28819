/** Limits how much is under way at once. What waits for something other than this machine lends its place to the next. */
export class Places {
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Does the work as soon as there is a place, in the order of the calls. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter('last');
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** For work that has a place: lends it while it waits, and goes on before what has not begun. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait();
    } finally {
      await this.#enter('first');
    }
  }

  #enter(turn: 'first' | 'last'): Promise<void> | void {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    return new Promise((resolve) => {
      if (turn === 'first') this.#queue.unshift(resolve);
      else this.#queue.push(resolve);
    });
  }

  /** The place goes straight to the next in the queue, so that nobody else takes it in between. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
