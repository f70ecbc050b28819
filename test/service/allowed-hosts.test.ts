import { afterEach, expect, test } from '@jest/globals';
import { createServiceClient } from '../../src/service/client.ts';
import type { AllowedHosts } from '../../src/service/destination.ts';
import { agent, connectionTo, type Loopback, serve, token } from './loopback.ts';

let server: Loopback;

afterEach(() => server.close());

async function read(allowedHosts: AllowedHosts): Promise<unknown> {
  server = await serve(agent);
  const client = createServiceClient({ allowedHosts });
  const answer = await client.getAgent(connectionTo(server.baseUrl), 'camp_1').catch((error: unknown) => error);
  await client.close();
  return answer;
}

test('A client sends nothing to a host that is not allowed.', async () => {
  const error = await read({ hosts: new Set(['service.example.com', '127.0.0.1']), from: 'the input allows' });
  expect(error).toMatchObject({ code: 'host-not-allowed' });
  expect(String(error)).toMatch(
    /a token must not be sent to 127\.0\.0\.1:\d+: the input allows service\.example\.com, 127\.0\.0\.1; nothing was sent$/,
  );
  expect(String(error)).not.toContain(token);
  expect(server.connections()).toBe(0);
});

test('A client that allows no host says so.', async () => {
  expect(String(await read({ hosts: new Set(), from: 'the base names' }))).toContain('the base names no host;');
});
