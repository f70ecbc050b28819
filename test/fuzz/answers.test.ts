import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AgentformError, ServiceError } from '../../src/errors.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { everythingOf } from '../service/loopback.ts';
import { codePoint } from '../support/code-point.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { processorMs } from '../support/processor.ts';

const token = 'tok-4f1d2c+"x/y';
const credential = 'pw-90ab&77';

/** Every operation of the client, each with the fields that its response may have. */
const operations: Readonly<Record<string, (client: ServiceClient, connection: Connection) => Promise<unknown>>> = {
  getAgent: (client, to) => client.getAgent(to, 'camp_1'),
  updateAgent: (client, to) => client.updateAgent(to, { title: 'a' }, { repeatable: true }),
  publishAgent: (client, to) => client.publishAgent(to, '/api/v2/agent/publish'),
  setAgentUrl: (client, to) => client.setAgentUrl(to, { userName: 'a' }),
  createTask: (client, to) => client.createTask(to, { type: 'ping' }),
  uploadTasks: (client, to) =>
    client.uploadTasks(to, { csv: new Blob(['type\nping\n']), fileName: 'a.csv', dryRun: false }),
  createOrganization: (client, to) =>
    client.createOrganization(
      to,
      { numberingProviders: [{ config: { key: credential } }] },
      { reseller: { parameter: 'resellerId', id: '1' } },
    ),
  inviteMember: (client, to) => client.inviteMember(to, { email: 'a@b.example' }),
  updateMember: (client, to) => client.updateMember(to, { memberId: '1' }),
  addContext: (client, to) => client.addContext(to, { context: 'a' }),
  assignPhoneNumber: (client, to) => client.assignPhoneNumber(to, { phoneNumber: '+14155550100' }),
  listConversations: (client, to) => client.listConversations(to, { page: '1' }),
};

/** The bytes that a server sends for one request, and whether the server then closes the connection. */
interface Written {
  readonly head: string;
  readonly body: Uint8Array;
  readonly ending: 'end' | 'reset' | 'wait';
}

const said = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('?', '.', '?a=', 'token=', '\u001b[2J', '\u202e', ' ', '\\', '"').map((text) => text.repeat(50_000)),
  fc.constantFrom(token, encodeURIComponent(token), JSON.stringify(token), new URLSearchParams({ token }).toString()),
  fc.constant(`${credential} `.repeat(2_000)),
);
const known = fc.constantFrom(
  'success',
  'message',
  'campaign',
  'campaignId',
  'id',
  'rooms',
  'roomId',
  'totalRooms',
  'x',
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1, 1e308, 'camp_1', '', [], {}),
    said,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(known, fc.constantFrom('__proto__', 'constructor', 'a b')), tie('any'), { maxKeys: 5 }),
  ),
})).any;
const good = {
  success: true,
  message: 'ok',
  campaignId: 'camp_1',
  campaign: { id: 'camp_1' },
  rooms: [],
  totalRooms: 0,
};
const json = fc.oneof(
  value,
  fc.dictionary(known, value, { maxKeys: 4 }).map((members) => ({ ...good, ...members })),
  said.map((message) => ({ success: false, message })),
);
const text = fc.oneof(
  json.map((parsed) => JSON.stringify(parsed)),
  fc.tuple(json, fc.nat()).map(([parsed, at]) => JSON.stringify(parsed).slice(0, at % 200)),
  said,
  said.map((words) => `<!doctype html><p>${words}`),
  fc.constantFrom('[', '{"a":', '[{"campaign":').map((opening) => opening.repeat(100_000)),
  fc
    .constantFrom(['[', ']'], ['{"a":', '}'])
    .map(([open = '', close]) => `${open.repeat(100_000)}1${close?.repeat(100_000)}`),
  fc
    .constantFrom('{}', '[]', '1', '{"roomId":1}')
    .map((one) => `{"success":true,"rooms":[${one}${`,${one}`.repeat(300_000)}]}`),
);
const body = fc.oneof(
  { weight: 5, arbitrary: text.map((written) => Buffer.from(written)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  { weight: 1, arbitrary: text.map((written) => gzipSync(written)) },
  {
    weight: 1,
    arbitrary: fc.constant(
      Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
    ),
  },
);
const header = fc.constantFrom(
  'content-type: application/json',
  'content-type: text/html; charset=utf-16',
  'content-type: application/json\r\ncontent-type: image/png',
  'content-encoding: gzip',
  'content-encoding: br, gzip, x',
  `location: http://127.0.0.1:1/?token=${encodeURIComponent(token)}`,
  'retry-after: 0.001',
  'retry-after: -1',
  'retry-after: 99999999999999999999999999',
  'retry-after: Fri, 31 Dec 9999 23:59:59 GMT',
  'retry-after: soon\r\nretry-after: 1e9',
  'date: yesterday',
  'connection: upgrade\r\nupgrade: websocket',
  'transfer-encoding: gzip, chunked',
  'content-length: 5',
  'content-length: -1',
  `x-long: ${'x'.repeat(20_000)}`,
  'no header at all',
  'set-cookie: a=b',
);
const statusLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(200, 200, 200, 201, 204, 301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 503)
      .map((code) => `HTTP/1.1 ${code} x`),
  },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 999 }).map((code) => `HTTP/1.1 ${code} x`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.0 200',
      'HTTP/1.1 99 x',
      'HTTP/9.9 200 OK',
      'SSH-2.0-x',
      '',
      `HTTP/1.1 200 ${token}`,
    ),
  },
);
const answer: fc.Arbitrary<Written> = fc
  .record({
    statusLine,
    headers: fc.array(header, { maxLength: 3 }),
    body,
    framing: fc.constantFrom(
      'length',
      'length',
      'length',
      'chunked',
      'too long',
      'too short',
      'broken chunks',
      'close',
    ),
    ending: fc.constantFrom('end', 'end', 'end', 'reset', 'wait'),
  })
  .map(({ statusLine: first, headers, body: bytes, framing, ending }) => {
    const framed = framedBody(framing, bytes);
    return { head: [first, ...headers, ...framed.headers, '', ''].join('\r\n'), body: framed.bytes, ending };
  });

function framedBody(
  framing: string,
  bytes: Uint8Array,
): { readonly headers: readonly string[]; readonly bytes: Uint8Array } {
  if (framing === 'close') return { headers: ['connection: close'], bytes };
  if (framing.startsWith('too'))
    return { headers: [`content-length: ${bytes.length + (framing === 'too long' ? 7 : -1)}`], bytes };
  if (framing === 'length') return { headers: [`content-length: ${bytes.length}`], bytes };
  const half = Math.floor(bytes.length / 2);
  const pieces = [bytes.subarray(0, half), bytes.subarray(half)].filter((piece) => piece.length > 0);
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)};x=y\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  const last = Buffer.from(framing === 'chunked' ? '0\r\n\r\n' : 'zz\r\n');
  return { headers: ['transfer-encoding: chunked'], bytes: Buffer.concat([...chunks, last]) };
}

let next: Written = { head: '', body: Buffer.from(''), ending: 'end' };
let baseUrl = '';
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.write(next.head, 'latin1');
    socket.write(next.body, () => {
      if (next.ending === 'reset') socket.resetAndDestroy();
      else if (next.ending === 'end') socket.end();
    });
    socket.resume();
  });
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
const sockets = new Set<{ destroy: () => unknown }>();

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test(
  'Any answer of the service gives a typed result or an agentform error, in time and without the token.',
  async () => {
    const operation = fc.constantFrom(...Object.keys(operations));
    await fc.assert(
      fc.asyncProperty(operation, answer, async (name, written) => {
        next = written;
        await expectSoundEnd(name);
      }),
      fuzzing(120),
    );
  },
  fuzzTimeout,
);

test('An answer of the maximum size is processed in little time.', async () => {
  const size = 3.5 * 1024 * 1024;
  const fillings = ['[', '{"a":', '[],', '{"roomId":1},', '\\"', '?', '.', `${credential} `, 'token='];
  for (const filling of fillings) {
    const long = filling.repeat(size / Buffer.byteLength(filling));
    next = withBody('HTTP/1.1 200 x', long);
    await expectSoundEnd('listConversations');
    next = withBody('HTTP/1.1 200 x', `{"success":true,"rooms":[${long}`);
    await expectSoundEnd('listConversations');
    next = withBody('HTTP/1.1 400 x', JSON.stringify({ success: false, message: long }));
    await expectSoundEnd('createOrganization');
  }
});

function withBody(statusLine: string, text: string): Written {
  const bytes = Buffer.from(text);
  return { head: `${statusLine}\r\ncontent-length: ${bytes.length}\r\n\r\n`, body: bytes, ending: 'end' };
}

async function expectSoundEnd(name: string): Promise<void> {
  const retry = {
    tries: 1,
    connectTries: 1,
    throttledTries: 1,
    throttledBudgetMs: 0,
    throttledPauseMs: 1,
    backoffMs: 1,
  };
  const client = createServiceClient({ timeoutMs: 1_000, retry });
  const started = processorMs();
  try {
    const connection = { baseUrl, token: new Secret(token), query: { a: 'b' } };
    const end = await operations[name]?.(client, connection).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    if (end !== undefined && 'error' in end) expectSoundError(end.error, name);
    else expect(typeof end?.result).toBe('object');
  } finally {
    await client.close();
  }
  expect(processorMs() - started).toBeLessThan(10_000);
}

function expectSoundError(error: unknown, operation: string): void {
  if (!(error instanceof ServiceError)) throw error;
  expect(error instanceof AgentformError).toBe(true);
  expect(error).toMatchObject({ operation, outcome: expect.stringMatching(/^(clear|unclear)$/) });
  expect(error.message.length).toBeLessThan(1_000);
  expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]|Infinity|NaN|undefined/u);
  const everything = everythingOf(error);
  const secrets = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)];
  for (const secret of [...secrets, ...(operation === 'createOrganization' ? [credential] : [])]) {
    expect(everything).not.toContain(secret);
  }
}
