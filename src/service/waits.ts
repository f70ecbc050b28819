/** Waits that end early when the client is closed. */
export class Waits {
  readonly #pending = new Map<NodeJS.Timeout, (completed: boolean) => void>();
  #isClosed = false;

  /** Whether the time has passed: false, at once, when closed. The timer keeps the process alive meanwhile. */
  wait(ms: number): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pending.delete(timer);
        resolve(true);
      }, ms);
      this.#pending.set(timer, resolve);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const [timer, resolve] of this.#pending) {
      clearTimeout(timer);
      resolve(false);
    }
    this.#pending.clear();
  }
}
