import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../../src/secrets/secret.ts';
import { createServiceClient, type RequestLine } from '../../src/service/client.ts';
import { destinationOf } from '../../src/service/destination.ts';
import { codePoint } from '../support/code-point.ts';
import { fuzzing } from '../support/fuzz.ts';
import {
  agent,
  connectionTo,
  failureOf,
  inTurn,
  json,
  type Loopback,
  type PlainAnswer,
  serve,
  text,
  token,
  updated,
} from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

async function start(...args: Parameters<typeof serve>) {
  server = await serve(...args);
  client = createServiceClient({ retry: { backoffMs: 1 } });
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

describe('requests of the client', () => {
  test('A read sends the token and the extra parameters in the query.', async () => {
    const connection = await start(agent);
    const campaign = await client.getAgent({ ...connection, query: { targetAccountId: '17', 'a b': 'c&d' } }, 'camp_1');
    expect(campaign).toEqual({ id: 'camp_1', title: 'Front desk' });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'GET', path: '/api/v2/agent/camp_1' });
    expect(Object.fromEntries(request?.query ?? [])).toEqual({ targetAccountId: '17', 'a b': 'c&d', token });
  });

  test('A write sends the agent as JSON.', async () => {
    const connection = await start(updated);
    const body = { type: 'chatAgent', title: 'Empfang ä', skills: [] };
    expect(await client.updateAgent(connection, body, { repeatable: true })).toMatchObject({ campaignId: 'camp_1' });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', path: '/api/v2/agent', body: JSON.stringify(body) });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.query.get('token')).toBe(token);
  });

  test('A request keeps the path of the base URL and drops its last slash.', async () => {
    const connection = await start(agent);
    await client.getAgent({ ...connection, baseUrl: `${server.baseUrl}/behind/` }, 'camp_1');
    expect(server.received[0]?.path).toBe('/behind/api/v2/agent/camp_1');
  });

  test('A request encodes any agent id.', async () => {
    const connection = await start(agent);
    await client.getAgent(connection, '../a/b?c#d e%2F');
    expect(server.received[0]?.path).toBe('/api/v2/agent/..%2Fa%2Fb%3Fc%23d%20e%252F');
  });

  test.each(['', '.', '..'])('A request is not sent for the agent id %j.', async (id) => {
    const connection = await start(agent);
    expect(await failureOf(client.getAgent(connection, id))).toMatchObject({
      code: 'service-unreachable',
      outcome: 'clear',
      call: { doing: 'reading the agent', reason: 'invalid', tries: 0 },
    });
    expect(server.received).toHaveLength(0);
  });

  test('A request accepts another id in the answer, because the plan judges it.', async () => {
    const connection = await start(json(200, { campaign: { id: 'camp_2' } }));
    expect(await client.getAgent(connection, 'camp_1')).toEqual({ id: 'camp_2' });
  });

  test('A request reuses connections if it is repeatable, and each create opens one.', async () => {
    const connection = await start((response, received) => (received.method === 'GET' ? agent : updated)(response));
    for (let i = 0; i < 5; i++) await client.getAgent(connection, 'camp_1');
    const kept = server.connections();
    expect(kept).toBeLessThanOrEqual(2);
    for (let i = 0; i < 3; i++) await client.updateAgent(connection, {}, { repeatable: false });
    expect(server.connections()).toBe(kept + 3);
  });

  test('The debug hook gets a request without the query.', async () => {
    const connection = await start(inTurn(text(500, ''), agent));
    const lines: RequestLine[] = [];
    const told = createServiceClient({ onRequest: (line) => lines.push(line), retry: { backoffMs: 1 } });
    await told.getAgent(connection, 'camp_1');
    await told.close();
    const common = { operation: 'getAgent', method: 'GET', path: '/api/v2/agent/camp_1', ms: expect.any(Number) };
    expect(lines).toEqual([
      { ...common, try: 1, status: 500, failed: 'unavailable' },
      { ...common, try: 2, status: 200 },
    ]);
  });

  test('A hundred concurrent requests are all answered.', async () => {
    const connection = await start(agent);
    const all = await Promise.all(Array.from({ length: 100 }, () => client.getAgent(connection, 'camp_1')));
    expect(all).toHaveLength(100);
    expect(server.connections()).toBe(16);
  });
});

describe('a token', () => {
  test.each([
    'http://192.0.2.1:9',
    'http://example.invalid',
    'http://127.evil.invalid',
    'http://localhost.evil.invalid',
    'http://[2001:db8::1]',
  ])('A token is not sent over %s.', async (baseUrl) => {
    await start(agent);
    const error = await failureOf(client.getAgent(connectionTo(baseUrl), 'camp_1'));
    expect(error.code).toBe('token-exposed');
    expect(error.message).toContain(new URL(baseUrl).host);
  });

  test('A token is sent over http to this machine, however it is written.', async () => {
    const connection = await start(agent);
    for (const host of ['127.0.0.1', '127.1', 'localhost']) {
      const baseUrl = server.baseUrl.replace('127.0.0.1', host);
      expect(await client.getAgent({ ...connection, baseUrl }, 'camp_1')).toMatchObject({ id: 'camp_1' });
    }
  });

  test('A token is refused for another machine, even if it can be reached.', async () => {
    // On Linux, 0.0.0.0 reaches this machine, but it is not a loopback address.
    const connection = await start(agent);
    const error = await failureOf(
      client.getAgent({ ...connection, baseUrl: server.baseUrl.replace('127.0.0.1', '0.0.0.0') }, 'x'),
    );
    expect(error.code).toBe('token-exposed');
    expect(server.connections()).toBe(0);
  });

  test.each(['ftp://127.0.0.1', 'not a url', ''])('A token is not sent to the base URL %j.', async (baseUrl) => {
    await start(agent);
    const error = await failureOf(client.getAgent(connectionTo(baseUrl), 'camp_1'));
    expect(error).toMatchObject({
      code: 'service-unreachable',
      outcome: 'clear',
      call: {
        operation: 'getAgent',
        reason: 'invalid',
        what: 'the base URL of the environment is not an http or https URL',
      },
    });
  });
});

describe('compressed answers', () => {
  const packed =
    (coding: string, bytes: Uint8Array): PlainAnswer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
      response.end(bytes);
    };
  const whole = JSON.stringify({ success: true, campaign: { id: 'camp_1', title: 'Empfang ä' } });

  test('A compressed answer is not requested.', async () => {
    const connection = await start(agent);
    await client.getAgent(connection, 'camp_1');
    expect(server.received[0]?.headers['accept-encoding']).toBe('identity');
  });

  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync(whole)],
    ['X-GZIP', gzipSync(whole)],
    ['deflate', deflateSync(whole)],
    ['deflate', deflateRawSync(whole)],
    ['br', brotliCompressSync(whole)],
    ['gzip, br', brotliCompressSync(gzipSync(whole))],
    ['identity', Buffer.from(whole)],
  ])('A compressed answer is still read: %s', async (coding, bytes) => {
    const connection = await start(packed(coding, bytes));
    expect(await client.getAgent(connection, 'camp_1')).toEqual({ id: 'camp_1', title: 'Empfang ä' });
  });

  test.each<[string, Uint8Array, string, number]>([
    ['gzip', gzipSync(Buffer.alloc(9 * 2 ** 20, ' ')), 'too large', 1],
    ['br', brotliCompressSync(Buffer.alloc(9 * 2 ** 20, ' ')), 'too large', 1],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(9 * 2 ** 20, ' '))), 'too large', 1],
    ['zstd', Buffer.from(whole), 'compressed in an unknown way', 1],
    ['gzip, gzip, gzip, gzip', gzipSync(whole), 'compressed in an unknown way', 1],
    ['gzip', gzipSync(whole).subarray(0, 30), 'cut off', 6],
    ['gzip', Buffer.from(whole), 'not what its content-encoding says', 6],
  ])('A compressed answer of %s is an error: %#', async (coding, bytes, problem, tries) => {
    const connection = await start(packed(coding, bytes));
    const error = await failureOf(client.getAgent(connection, 'camp_1'));
    expect(error.message).toMatch(new RegExp(`returned 200 with a body that is ${problem}$`));
    expect(server.received).toHaveLength(tries);
  });
});

test.each([
  ['JSON with a number that is too large', '{"success":true,"campaign":{"id":"camp_1","lastUpdate":1e999}}'],
  ['nested more than 100 levels deep', `${'['.repeat(101)}${']'.repeat(101)}`],
  ['of more than 50,000 values', `[${'1,'.repeat(50_000)}1]`],
])('An answer whose JSON exceeds a limit is an error: a body that is %s.', async (problem, body) => {
  const connection = await start(text(200, body));
  const error = await failureOf(client.getAgent(connection, 'camp_1'));
  expect(error).toMatchObject({ code: 'service-undecodable' });
  expect(error.message).toMatch(new RegExp(`a body that is ${problem}$`));
});

test('Messages of the service about a write are prepared for display.', async () => {
  const message = `The voice is\n not in your \u001b[31mplan: ${token} ${'x'.repeat(400)}`;
  const connection = await start(json(200, { success: true, campaignId: 'camp_1', message }));
  const { message: shown } = await client.updateAgent(connection, {}, { repeatable: true });
  expect(shown).toMatch(/^The voice is not in your \[31mplan: \S+ x+…$/);
  expect(shown).not.toContain(token);
  expect(shown).toHaveLength(300);
});

test('A query is encoded like a form, except for spaces.', () => {
  const any = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.string({ unit: fc.constantFrom(...`!'()*~-_.+ &=%\ud800\udc00ä€`.split('')) }),
  );
  fc.assert(
    fc.property(fc.dictionary(any, any), any, (query, secret) => {
      const found = destinationOf(
        {
          operation: 'o',
          words: 'w',
          method: 'GET',
          path: '/a',
          repeatable: true,
          check: (value) => ({ fits: true, value }),
        },
        { baseUrl: 'https://service.example.com', token: new Secret(secret), query },
        undefined,
      );
      const form = new URLSearchParams({ ...query, token: secret }).toString().replaceAll('+', '%20');
      expect(found).toMatchObject({ ok: true, value: { path: `/a?${form}` } });
    }),
    fuzzing(300),
  );
});
