import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';
import {
  type Answer,
  connectionTo,
  failureOf,
  inTurn,
  type Loopback,
  listen,
  serve,
  silence,
  text,
} from './loopback.ts';

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

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');

describe('closing a client', () => {
  test('Closing ends requests that wait for a retry, a pause or an answer.', async () => {
    const connection = await start(inTurn(text(500, ''), text(429, '', { 'retry-after': '60' })), {
      retry: { backoffMs: 1_000_000, budgetMs: 1e9 },
    });
    const calls = [client.getAgent(connection, 'a'), client.getAgent(connection, 'b')].map(failureOf);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const late = failureOf(client.getAgent(connection, 'c'));
    await client.close();
    await Promise.all([...calls, late]);
    expect(await failureOf(client.getAgent(connection, 'd'))).toMatchObject({
      code: 'service-unreachable',
      outcome: 'clear',
    });
  });

  test('Closing leaves no timer or connection that keeps the process alive.', async () => {
    const before = timers().length;
    const connection = await start(silence);
    let connections = 0;
    const mute = await listen(() => {
      connections += 1;
    });
    const calls = [
      client.getAgent(connection, 'a'),
      client.updateAgent(connection, {}, { repeatable: false }),
      client.getAgent(connectionTo(`https://127.0.0.1:${mute.port}`), 'c'),
      client.updateAgent(connectionTo(`https://127.0.0.1:${mute.port}`), {}, { repeatable: false }),
    ].map(failureOf);
    while (server.received.length < 2 || connections < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await client.close();
    // Wait before the servers end, because ending the servers would close the connections and clear the timers.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(timers().length).toBeLessThanOrEqual(before);
    await mute.close();
    const errors = await Promise.all(calls);
    // If no connection was made, nothing was sent.
    const [unclear, unreachable] = ['service-unclear', 'service-unreachable'];
    expect(errors.map(({ code }) => code)).toEqual([unclear, unclear, unreachable, unreachable]);
  });
});
