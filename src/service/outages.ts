import type { Failure } from './failure.ts';

/** How long a failed connect speaks for other requests, in milliseconds. */
const outageMs = 1_000;

/**
 * Servers that could not be reached just now. When one request has given up connecting, the hundreds behind it need not
 * each find out again: they get its answer for a second, and nothing is sent for them.
 */
export class Outages {
  readonly #known = new Map<string, { readonly failure: Failure; readonly until: number }>();

  note(origin: string, failure: Failure): void {
    this.#known.set(origin, { failure, until: performance.now() + outageMs });
  }

  /** Why the origin cannot be reached, if that was found just now. */
  current(origin: string): Failure | undefined {
    const known = this.#known.get(origin);
    return known !== undefined && performance.now() < known.until ? known.failure : undefined;
  }

  forget(origin: string): void {
    this.#known.delete(origin);
  }
}
