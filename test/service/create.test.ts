import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient } from '../../src/service/client.ts';
import {
  type Answer,
  agent,
  connectionTo,
  cutOff,
  failureOf,
  inTurn,
  json,
  type Loopback,
  listen,
  reset,
  serve,
  silence,
  text,
  timeoutFor,
  updated,
} from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

async function start(answer: Answer) {
  server = await serve(answer);
  client = createServiceClient({ timeoutMs: timeoutFor(answer), retry: { backoffMs: 1, throttledPauseMs: 10 } });
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

/** Waits long enough for an unwanted second request to arrive. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('a create with an unclear outcome', () => {
  test.each<[string, Answer]>([
    ['a reset after reading', reset],
    ['a connection closed after reading', (response) => response.socket?.end()],
    ['silence', silence],
    ['500', text(500, '')],
    ['500 that says success false', json(500, { success: false })],
    ['503 with Retry-After', text(503, '', { 'retry-after': '0' })],
    ['half of the JSON', text(200, '{"success":true,')],
    ['a body that is cut off', cutOff],
    ['a page', text(200, '<html></html>')],
    ['no body', text(204, '')],
    ['another shape', json(200, { success: true })],
    ['an id that cannot be in a path', json(200, { success: true, campaignId: '../x' })],
    ['an error', json(200, { error: 'Unauthorized', campaignId: 'camp_1' })],
    ['a redirect', text(303, '', { location: '/done' })],
    ['something that is not HTTP', (response) => response.socket?.end('ha\r\n\r\n')],
  ])('A create with an unclear outcome is sent once after %s.', async (_, answer) => {
    const connection = await start(answer);
    const error = await failureOf(client.updateAgent(connection, { title: 'a' }, { repeatable: false }));
    expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear', facts: { tries: 1 } });
    expect(error.message).toMatch(
      /^writing the agent failed: .*; the service may or may not have carried out the request$/,
    );
    await aWhile();
    expect(server.received).toHaveLength(1);
  });

  test('A create with an unclear outcome is sent once after a reset before any byte was read.', async () => {
    await start(agent);
    const sockets: Socket[] = [];
    const rude = await listen((socket) => {
      sockets.push(socket);
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    const baseUrl = `http://127.0.0.1:${rude.port}`;
    const error = await failureOf(client.updateAgent(connectionTo(baseUrl), {}, { repeatable: false }));
    expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear' });
    await aWhile();
    expect(sockets).toHaveLength(1);
    await rude.close();
  });

  test('A create with an unclear outcome is sent once if the client is closed meanwhile.', async () => {
    const connection = await start(silence);
    const creating = failureOf(client.updateAgent(connection, {}, { repeatable: false }));
    while (server.received.length === 0) await aWhile();
    await client.close();
    expect(await creating).toMatchObject({ code: 'service-unclear', outcome: 'unclear' });
    expect(server.received).toHaveLength(1);
  });
});

describe('a create with a clear outcome', () => {
  test.each<[string, Answer, number]>([
    ['400', json(400, { message: 'no' }), 400],
    ['408', text(408, ''), 408],
    ['success false', json(200, { success: false, message: 'no' }), 200],
  ])('A create with a clear outcome is not repeated after %s.', async (_, answer, status) => {
    const connection = await start(answer);
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable: false }));
    expect(error).toMatchObject({ code: 'service-refused', outcome: 'clear', status });
    expect(error.message).not.toContain('not known');
    await aWhile();
    expect(server.received).toHaveLength(1);
  });

  test('A create is repeated after 429.', async () => {
    const connection = await start(inTurn(text(429, ''), text(429, ''), updated));
    expect(await client.updateAgent(connection, {}, { repeatable: false })).toMatchObject({ campaignId: 'camp_1' });
    expect(server.received).toHaveLength(3);
  });

  test('A create is repeated until there is a connection.', async () => {
    const connection = await start(updated);
    const port = Number(new URL(connection.baseUrl).port);
    await server.close();
    await client.close();
    client = createServiceClient({ retry: { backoffMs: 1000, connectTries: 10 } });
    const creating = client.updateAgent(connection, {}, { repeatable: false });
    await new Promise((resolve) => setTimeout(resolve, 30));
    server = await serve(updated, { port });
    expect(await creating).toMatchObject({ campaignId: 'camp_1' });
    expect(server.received).toHaveLength(1);
  });

  test('A create is not affected by connections that the server has closed.', async () => {
    const connection = await start((response, received) => {
      (received.method === 'GET' ? agent : updated)(response);
      response.on('finish', () => setTimeout(() => response.socket?.resetAndDestroy(), 0));
    });
    for (let i = 0; i < 20; i++) {
      await client.getAgent(connection, 'camp_1');
      await client.updateAgent(connection, {}, { repeatable: false });
    }
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(20);
  });
});
