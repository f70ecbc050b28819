import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Connection, createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { connectionTo, everythingOf, failureOf, listen, token } from './loopback.ts';

type Call = (service: ServiceClient, connection: Connection) => Promise<unknown>;

/** All operations, by the words with which their failures begin. */
const repeatable: Readonly<Record<string, Call>> = {
  'reading the agent': (service, connection) => service.getAgent(connection, 'camp_1'),
  'listing the conversations': (service, connection) => service.listConversations(connection, { page: '0' }),
  'publishing the agent': (service, connection) => service.publishAgent(connection, '/api/v2/agent/publish'),
  'setting the URL of the agent': (service, connection) => service.setAgentUrl(connection, { slug: 'a' }),
  'updating the member': (service, connection) => service.updateMember(connection, { targetMemberId: 1 }),
  'assigning the phone number': (service, connection) => service.assignPhoneNumber(connection, { number: '+1' }),
};
const reseller = { parameter: 'targetResellerId', id: '7' };
const csv = { csv: new Blob(['type\nping\n']), fileName: 'a.csv', dryRun: false };
const single: Readonly<Record<string, Call>> = {
  'writing the agent': (service, connection) => service.updateAgent(connection, { title: 'T' }, { repeatable: false }),
  'creating the organization': (service, connection) => service.createOrganization(connection, {}, { reseller }),
  'inviting the member': (service, connection) => service.inviteMember(connection, { email: 'a@b.example' }),
  'adding the context': (service, connection) => service.addContext(connection, { context: 'c' }),
  'creating the task': (service, connection) => service.createTask(connection, { type: 'ping' }),
  'uploading the tasks of a.csv': (service, connection) => service.uploadTasks(connection, csv),
};
const operations = Object.entries({ ...repeatable, ...single });

interface Started {
  readonly client: ServiceClient;
  readonly connection: Connection;
  /** The number of requests so far. */
  readonly requests: () => number;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** Starts a server that answers the first bytes of each request on a connection with raw bytes, and a client. */
async function start(answer: (socket: Socket, head: string) => void, timeoutMs = 60_000): Promise<Started> {
  let requests = 0;
  const server = await listen((socket) => {
    socket.on('data', (bytes) => {
      if (!/^(?:GET|POST|PUT) /.test(String(bytes))) return;
      requests += 1;
      answer(socket, String(bytes));
    });
    socket.resume();
  });
  const client = createServiceClient({ timeoutMs, maxAnswerBytes: 100_000, retry: { tries: 2, backoffMs: 1 } });
  ends.push(async () => {
    await client.close();
    await server.close();
  });
  return { client, connection: connectionTo(`http://127.0.0.1:${server.port}`), requests: () => requests };
}

const success = '{"success":true,"campaignId":"camp_1","slug":"a","rooms":[],"campaign":{"id":"camp_1"}}';
const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const withLength = (length: number) => `${ok}Content-Length: ${length}\r\n\r\n${success}`;
const bomb = gzipSync(Buffer.alloc(10_000_000));

const sending = (bytes: string | Buffer) => (socket: Socket) => socket.end(bytes);

const slowly = (bytes: string) => (socket: Socket) => {
  let sent = 0;
  const timer = setInterval(() => socket.write(bytes.slice(sent, ++sent)), 20);
  socket.on('close', () => clearInterval(timer));
};

const endlessly = (begin: string, part: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', more).write(begin);
  more();
};

/** Repeats the query, which contains the token. */
const echo = (socket: Socket, head: string) => {
  const url = head.split(' ')[1];
  const body = JSON.stringify({ detail: `bad ${url}`, errors: { [String(url)]: [url] } });
  socket.end(`HTTP/1.1 400 ${url}\r\nX: ${url}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
};

describe('a hostile server', () => {
  test.each<[string, (socket: Socket, head: string) => void, string]>([
    ['a slow head', slowly(withLength(success.length)), 'no response within 0.'],
    ['a slow body', (socket) => socket.write(`${ok}Content-Length: 9\r\n\r\n{`), 'not complete within the time limit'],
    ['endless headers', endlessly(ok, `X: ${'x'.repeat(999)}\r\n`), '(its headers are too large)'],
    [
      'endless chunks',
      endlessly(chunked, `3e8\r\n${' '.repeat(1_000)}\r\n`.repeat(100)),
      'returned 200 with a body that is too large',
    ],
    ['a length that is too large', sending(withLength(5_000)), 'returned 200 with a body that is cut off'],
    ['a length that is too small', sending(withLength(9)), 'returned 200 with a body that is not JSON, or incomplete'],
    ['an invalid chunk', sending(`${chunked}zz\r\n{}`), 'returned 200 with a body that is cut off'],
    ['an invalid length', sending(withLength(-1)), 'did not send valid HTTP; check the base URL'],
    ['another protocol', sending('SSH-2.0-OpenSSH_9.6\r\n'), 'did not send valid HTTP; check the base URL'],
    ['status 000', sending('HTTP/1.1 000 X\r\n\r\n'), 'did not send valid HTTP; check the base URL'],
    ['another protocol after 101', sending('HTTP/1.1 101 X\r\n\r\n'), 'did not send valid HTTP; check the base URL'],
    ['only 100 Continue', sending('HTTP/1.1 100 Continue\r\n\r\n'), '(connection closed)'],
    ['HTTP/1.0 that is cut off', sending('HTTP/1.0 200 OK\r\n\r\n{"success":'), 'not JSON, or incomplete'],
    ['a gzip bomb', sending(Buffer.concat([Buffer.from(`${ok}Content-Encoding: gzip\r\n\r\n`), bomb])), 'is too large'],
    ['the query in its error', echo, 'the service returned 400 Bad Request and said "'],
    ['an unknown status', sending('HTTP/1.1 999 X\r\n\r\n{"message":["a","b"]}'), 'returned 999 and said "a; b"'],
  ])('Every operation fails clearly if the server sends %s.', async (_, answer, sentence) => {
    // The time limit is short only for silence, because a busy machine may delay any other response.
    const timeoutMs = sentence.includes('within') ? 500 : undefined;
    const failing = operations.map(async ([words, call]) => {
      const { client, connection, requests } = await start(answer, timeoutMs);
      const error = await failureOf(call(client, connection));
      expect(error.message).toContain(sentence);
      expect(error.message).toMatch(new RegExp(`^${words} failed`));
      for (const form of [token, encodeURIComponent(token)]) expect(everythingOf(error)).not.toContain(form);
      if (Object.hasOwn(single, words)) expect(requests()).toBe(1);
    });
    await Promise.all(failing);
  });

  test.each(['end', 'resetAndDestroy'] as const)(
    'A write is unclear and not repeated, wherever the response breaks off: %s',
    async (end) => {
      const whole = withLength(success.length);
      let sent = 0;
      const breaking = (socket: Socket) => socket.write(whole.slice(0, sent), () => socket[end]());
      const { client, connection, requests } = await start(breaking);
      for (; sent < whole.length; sent += 1) {
        const error = await failureOf(client.updateAgent(connection, { title: 'T' }, { repeatable: false }));
        expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear' });
        expect(requests()).toBe(sent + 1);
      }
    },
  );

  test('A response that arrives before the end of a large upload is read.', async () => {
    const body = '{"message":"the file is too large"}';
    const { client, connection } = await start((socket) =>
      socket.pause().end(`HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    const upload = client.uploadTasks(connection, { ...csv, csv: new Blob(['x'.repeat(8_000_000)]) });
    expect(await failureOf(upload)).toMatchObject({
      outcome: 'clear',
      message: expect.stringContaining('413 Payload Too Large and said "the file is too large"'),
    });
  });
});
