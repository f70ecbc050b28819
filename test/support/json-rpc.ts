import type { Readable, Writable } from 'node:stream';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

export class RequestError extends Error {}

/**
 * One end of a JSON-RPC connection over two streams. As in language servers, each message is preceded by its length.
 */
export class JsonRpc {
  readonly #input: Writable;
  readonly #answers = new Map<number, (message: Message) => void>();
  #unread = Buffer.alloc(0);
  #requests = 0;

  /**
   * `called` is called with each notification and request from the other end. Its return value is the result of a
   * request.
   */
  constructor(
    { input, output }: { readonly input: Writable; readonly output: Readable },
    called: (method: string, message: Message) => unknown,
  ) {
    this.#input = input;
    // The other end may exit before it reads a response. Its exit code then shows what happened.
    input.on('error', () => {});
    output.on('data', (chunk: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, chunk]);
      for (let message = this.#next(); message !== undefined; message = this.#next()) {
        const { id, method } = message;
        if (method === undefined) this.#answers.get(id ?? 0)?.(message);
        else {
          const result = called(method, message) ?? null;
          if (id !== undefined) this.#send({ id, result });
        }
      }
    });
  }

  /** Sends a request and returns its result. Throws a RequestError if the response is an error. */
  async request(method: string, params: unknown): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    const answer = new Promise<Message>((settle) => this.#answers.set(id, settle));
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error !== undefined) throw new RequestError(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Sends a text in a frame, even if it is not a valid message. */
  frame(text: string): void {
    this.#input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #send(message: Message): void {
    this.frame(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Takes the next complete message from the received bytes. */
  #next(): Message | undefined {
    const head = this.#unread.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.toString('latin1', 0, Math.max(head, 0)))?.[1]);
    const start = head + 4;
    if (head < 0 || this.#unread.length < start + length) return undefined;
    const message: Message = JSON.parse(this.#unread.toString('utf8', start, start + length));
    this.#unread = this.#unread.subarray(start + length);
    return message;
  }
}
