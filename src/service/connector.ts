import { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';

/**
 * Opens connections and remembers which errors came from doing so. Only that tells "nothing was sent" for sure: the
 * codes do not, since a reset may end a TLS handshake as well as a request.
 */
export class Connector {
  readonly #timeoutMs: number;
  readonly #open = buildConnector({ timeout: 0 });
  readonly #opening = new Map<NodeJS.Timeout, unknown>();
  readonly #failures = new WeakSet<Error>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The timeout is ours, because undici's ticks in about a second, and because it does not heed the signal of a request
   * that still waits for its connection.
   */
  readonly connect: buildConnector.connector = (options, callback) => {
    const timer = setTimeout(() => giveUp(this.#opening.get(timer)), this.#timeoutMs);
    const socket: unknown = this.#open(options, (...result) => {
      clearTimeout(timer);
      this.#opening.delete(timer);
      if (result[0] !== null) this.#failures.add(result[0]);
      callback(...result);
    });
    this.#opening.set(timer, socket);
  };

  /** Ends what is being opened; undici leaves that to its timeout, and the process would stay for it. */
  close(): void {
    for (const socket of this.#opening.values()) giveUp(socket);
  }

  /** Whether the error came from connecting. */
  failedWith(error: unknown): boolean {
    return error instanceof Error && this.#failures.has(error);
  }

  /** The same, for a dispatcher with one connection, telling whether it was ever made. */
  watched(): { readonly connect: buildConnector.connector; readonly hasConnected: () => boolean } {
    let connected = false;
    const connect: buildConnector.connector = (options, callback) => {
      this.connect(options, (...result) => {
        if (result[0] === null) connected = true;
        callback(...result);
      });
    };
    return { connect, hasConnected: () => connected };
  }
}

/** undici's connector answers the socket, though its type does not say so. Its error ends in the callback. */
function giveUp(socket: unknown): void {
  if (socket instanceof Socket) socket.destroy(new errors.ConnectTimeoutError());
}
