/** A text that an agent may use in conversations with one person. */
export interface StoredContext {
  readonly account: string;
  readonly context: string;
  /** A phone number or user name; null if none was named. */
  readonly target: string | null;
}

/** Every context that was added, in order; the same one twice is two. */
export class ContextStore {
  readonly #all: StoredContext[];

  constructor(contexts: readonly StoredContext[] = []) {
    this.#all = [...contexts];
  }

  all(): readonly StoredContext[] {
    return this.#all;
  }

  add(context: StoredContext): void {
    this.#all.push(context);
  }
}
