import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { AgentformError } from '../../src/errors.ts';
import { Secret } from '../../src/secrets/secret.ts';
import type { Connection } from '../../src/service/client.ts';
import { freePort } from '../support/free-port.ts';

/** A request as it reached the server. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  /** The time of arrival, in milliseconds. */
  readonly at: number;
  /** The number of the request, counted from 1. */
  readonly number: number;
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** A response that does not depend on the request. */
export type PlainAnswer = (response: ServerResponse) => void;

export interface Loopback {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** The number of TCP connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/**
 * A server on loopback that answers each complete request as specified. After the server is closed, no other server
 * uses its port during the same test.
 */
export async function serve(answer: Answer, { port }: { readonly port?: number } = {}): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const number = received.length + 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', headers } = request;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const one = {
      method,
      path,
      query: url.searchParams,
      body: `${Buffer.concat(chunks)}`,
      headers,
      at: performance.now(),
      number,
    };
    received.push(one);
    answer(response, one);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const bound = port ?? (await freePort());
  await once(server.listen(bound, '127.0.0.1'), 'listening');
  return {
    baseUrl: `http://127.0.0.1:${bound}`,
    received,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server on loopback that accepts connections but reads nothing. */
export async function listen(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket.on('error', () => {}).unref());
    onConnection(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A test that fails before it closes the server must not hang.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, close };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): PlainAnswer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function text(status: number, body: string, headers: Record<string, string> = {}): PlainAnswer {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Ends the connection instead of answering. */
export const reset: Answer = (response) => response.socket?.resetAndDestroy();

/** Never answers. */
export const silence: Answer = () => {};

/**
 * The timeout in milliseconds. The timeout is short only for silence, because a busy machine may delay any other
 * response.
 */
export const timeoutFor = (answer: Answer): number => (answer === silence ? 500 : 60_000);

/** Announces more bytes than it sends. */
export const cutOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"success":true,');
  setTimeout(() => response.socket?.resetAndDestroy(), 5);
};

/** Gives each request the next answer. All later requests get the last answer. */
export function inTurn(...answers: readonly Answer[]): Answer {
  return (response, received) => answers[Math.min(received.number, answers.length) - 1]?.(response, received);
}

export const agent = json(200, { success: true, message: 'ok', campaign: { id: 'camp_1', title: 'Front desk' } });
export const updated = json(200, { success: true, message: 'ok', campaignId: 'camp_1' });

export const token = 'tök/n+1 "&=%\\x';

export function connectionTo(baseUrl: string, rest: Partial<Connection> = {}): Connection {
  return { baseUrl, token: new Secret(token), query: {}, ...rest };
}

/** Returns the expected error with which a promise is rejected. Any other error fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<AgentformError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof AgentformError) return outcome.error;
  throw new Error(`expected an AgentformError, got ${inspect(outcome)}`);
}

/** Returns all texts that an error may show. */
export function everythingOf(error: Error): string {
  const shown = [
    error.message,
    error.stack,
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    `${error.cause}`,
  ];
  return JSON.stringify(shown) + shown.join('\n');
}
