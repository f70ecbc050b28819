import { createConnection } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { type Emulator, startEmulator } from '../../src/emulator/emulator.ts';
import { get, post, postedId, start } from './emulated.ts';

async function postRaw({ baseUrl }: Emulator, contentType: string, body: string) {
  const headers = { 'content-type': contentType };
  const answer = await request(`${baseUrl}/api/v2/agent?token=t1`, { method: 'POST', headers, body });
  return { status: answer.statusCode, body: await answer.body.json() };
}

describe('requests that reach no operation', () => {
  test.each<[string, string, string, number, string]>([
    ['text that is not JSON', 'application/json', '{"title":', 400, 'not valid JSON'],
    ['a deep body', 'application/json', `{"x":${'['.repeat(100_000)}`, 400, 'nested more than 80 levels deep'],
    ['no body', 'application/json', '', 400, 'must be a JSON object'],
    ['a list', 'application/json', '[]', 400, 'must be a JSON object'],
    ['another content type', 'text/plain', '{}', 415, 'must be application/json'],
    ['too large a body', 'application/json', JSON.stringify('x'.repeat(4 * 1024 * 1024)), 413, 'larger than'],
  ])('A request is refused: %s', async (_name, contentType, body, status, sentence) => {
    const emulator = await start();
    const answer = { status, body: { success: false, message: expect.stringContaining(sentence) } };
    expect(await postRaw(emulator, contentType, body)).toEqual(answer);
  });

  test.each([
    '/api/v2/nothing?token=t1',
    '/elsewhere?token=t1',
    '/api/v2/agent?token=t1',
    '/api/v2/agent/%zz?token=t1',
  ])('A GET of %s fails in the form of the service, without the query.', async (path) => {
    const { baseUrl } = await start();
    const { statusCode, body } = await request(baseUrl + path);
    const text = await body.text();
    expect(statusCode).toBe(path.includes('%zz') ? 400 : 404);
    expect(JSON.parse(text)).toEqual({ success: false, message: expect.any(String) });
    expect(text).not.toContain('token=t1');
  });
});

describe('the start and end of an emulator', () => {
  test('A taken port is reported in one sentence.', async () => {
    const { port } = await start();
    await expect(startEmulator({ port })).rejects.toThrow(
      `the emulator cannot listen on 127.0.0.1 port ${port}: another program uses this port`,
    );
  });

  test('An emulator on all addresses reports an address that clients can connect to.', async () => {
    const emulator = await start({ host: '0.0.0.0' });
    expect(emulator.baseUrl).toBe(`http://127.0.0.1:${emulator.port}`);
    expect((await post(emulator)).status).toBe(200);
  });

  test('Closing ends idle and waiting connections immediately, and may be called twice.', async () => {
    const emulator = await startEmulator({ faults: [{ kind: 'latency', ms: 600_000, skip: 1 }] });
    const dispatcher = new Agent({ keepAliveTimeout: 60_000 });
    const idle = createConnection(emulator.port, '127.0.0.1');
    await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`, { dispatcher }).then(({ body }) => body.text());
    const waiting = request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`, { dispatcher }).catch(() => 'ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([emulator.close(), emulator.close()]);
    expect(await waiting).toBe('ended');
    idle.destroy();
    await dispatcher.close();
  });

  test('The callback onRequest gets method, path and status, never the query.', async () => {
    const lines: string[] = [];
    const faults = [{ kind: 'reset-after-write', operation: 'getAgent', skip: 1 }] as const;
    const emulator = await start({ onRequest: (line) => lines.push(line), faults });
    const id = await postedId(emulator);
    await get(emulator, id);
    await get(emulator, id).catch(() => undefined);
    await get(emulator, id, '').catch(() => undefined);
    const read = `GET /api/v2/agent/${id}`;
    expect(lines).toEqual(['POST /api/v2/agent 200', `${read} 200`, `${read} reset`, `${read} reset`]);
  });
});
