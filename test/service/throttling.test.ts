import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';
import { type Answer, agent, connectionTo, failureOf, inTurn, json, type Loopback, serve, text } from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

async function start(answer: Answer, options: ServiceClientOptions = {}) {
  server = await serve(answer);
  client = createServiceClient(options);
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

/** A service that accepts a limited number of requests in each period of time. */
function allowing(limit: number, windowMs: number, headers: Record<string, string> = {}): Answer {
  let windowStart = 0;
  let used = 0;
  return (response, received) => {
    if (received.at - windowStart >= windowMs) [windowStart, used] = [received.at, 0];
    used += 1;
    (used <= limit ? agent : text(429, 'slow down', headers))(response);
  };
}

describe('throttled requests', () => {
  test('After 429, a request waits as long as Retry-After says, and counts no try.', async () => {
    const connection = await start(inTurn(text(429, '', { 'retry-after': '0.3' }), agent), { retry: { tries: 1 } });
    await client.getAgent(connection, 'x');
    const [first, second] = server.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(299);
  });

  test('A pause is reported once for all requests, unless it is short or no request waits.', async () => {
    const told: number[] = [];
    const options = { concurrency: 3, onPause: (waitMs: number) => void told.push(waitMs) };
    const long = text(429, '', { 'retry-after': '1.2' });
    const connection = await start(inTurn(long, long, long, text(429, '', { 'retry-after': '0.1' }), agent), options);
    await Promise.all(['a', 'b', 'c'].map((id) => client.getAgent(connection, id)));
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(0);
    expect(told[0]).toBeLessThanOrEqual(1200);
    await client.close();
    await server.close();
    const away = await start(text(429, '', { 'retry-after': '999' }), options);
    await expect(client.getAgent(away, 'x')).rejects.toMatchObject({ status: 429 });
    expect(told).toHaveLength(1);
  });

  test('A pause after a request that is not sent again is reported once another request waits for its end.', async () => {
    const told: number[] = [];
    const answers = inTurn(text(503, '', { 'retry-after': '1.2' }), agent);
    const connection = await start(answers, { onPause: (waitMs) => void told.push(waitMs) });
    await failureOf(client.updateAgent(connection, {}, { repeatable: false }));
    expect(told).toEqual([]);
    await client.getAgent(connection, 'x');
    expect(told).toHaveLength(1);
  });

  test('A request that does not wait for the end of a long pause names the status that caused it.', async () => {
    const connection = await start(text(503, '', { 'retry-after': '3600' }));
    await failureOf(client.updateAgent(connection, {}, { repeatable: false }));
    expect(await failureOf(client.getAgent(connection, 'x'))).toMatchObject({
      status: 503,
      message: expect.stringContaining('the service returned 503 for another request, asking to wait 3600 s'),
    });
  });

  test('After 429, Retry-After may be a date, by the clock of the service.', async () => {
    const date = new Date('2020-01-01T00:00:00Z');
    const headers = { date: date.toUTCString(), 'retry-after': new Date(date.getTime() + 1000).toUTCString() };
    const connection = await start(inTurn(text(429, '', headers), agent));
    await client.getAgent(connection, 'x');
    const gap = (server.received[1]?.at ?? 0) - (server.received[0]?.at ?? 0);
    expect(gap).toBeGreaterThanOrEqual(999);
  });

  test('After 429, every request waits.', async () => {
    const connection = await start(inTurn(text(429, '', { 'retry-after': '0.3' }), agent), { concurrency: 1 });
    await Promise.all([
      client.getAgent(connection, 'a'),
      client.getAgent(connection, 'b'),
      client.getAgent(connection, 'c'),
    ]);
    const [first, ...others] = server.received;
    for (const other of others) expect(other.at - (first?.at ?? 0)).toBeGreaterThanOrEqual(299);
  });

  test('After 503 with Retry-After, every request waits.', async () => {
    const connection = await start(inTurn(text(503, '', { 'retry-after': '0.3' }), agent), {
      concurrency: 1,
      retry: { backoffMs: 1 },
    });
    await Promise.all([client.getAgent(connection, 'a'), client.getAgent(connection, 'b')]);
    const [first, ...others] = server.received;
    for (const other of others) expect(other.at - (first?.at ?? 0)).toBeGreaterThanOrEqual(299);
  });

  test('A hundred requests pass a throttled service without overloading it.', async () => {
    const connection = await start(allowing(20, 200, { 'retry-after': '0.2' }));
    await Promise.all(Array.from({ length: 100 }, () => client.getAgent(connection, 'x')));
    expect(server.received.length).toBeLessThan(150);
  });

  test('A hundred requests pass a throttled service without Retry-After.', async () => {
    const connection = await start(allowing(20, 200), { retry: { throttledPauseMs: 200 } });
    await Promise.all(Array.from({ length: 100 }, () => client.getAgent(connection, 'x')));
    expect(server.received.length).toBeLessThan(160);
  });

  test('After several 429 answers, a request gives up and says so.', async () => {
    const connection = await start(json(429, { message: 'too many' }), {
      retry: { throttledTries: 4, throttledPauseMs: 2 },
    });
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable: false }));
    expect(server.received).toHaveLength(4);
    expect(error).toMatchObject({ code: 'service-refused', outcome: 'clear', status: 429 });
    expect(error.message).toBe(
      'writing the agent failed after 4 tries: the service returned 429 Too Many Requests and said "too many"',
    );
  });

  test('After 429 with too long a wait, all requests fail immediately, and no other is sent.', async () => {
    const connection = await start(text(429, '', { 'retry-after': '3600' }), { concurrency: 1 });
    const all = await Promise.all(Array.from({ length: 20 }, () => failureOf(client.getAgent(connection, 'x'))));
    expect(server.received).toHaveLength(1);
    expect(all[0]?.message).toContain('429 Too Many Requests, asking to wait 3600 s');
    expect(all[19]).toMatchObject({ code: 'service-refused', outcome: 'clear', status: 429 });
    expect(all[19]?.message).toContain('asking to wait 3600 s');
  });
});
