import { describe, expect, test } from '@jest/globals';
import { isLoopbackAddress, isLoopbackHost } from '../../src/emulator/request.ts';
import { campaign, get, minimal, postedId, publish, send, start } from './emulated.ts';

describe('the request log', () => {
  test('The request log has operation, method, path, account, body and status, in order.', async () => {
    const faults = [{ kind: 'reset-before-write', operation: 'publishAgent' }] as const;
    const emulator = await start({ accounts: [{ id: 'clinic', token: 't1' }], faults });
    const id = await postedId(emulator);
    await get(emulator, id, 'token=wrong');
    await publish(emulator).catch(() => undefined);
    await send(emulator, '/api/v2/unheard?token=t1');
    const path = `/api/v2/agent/${id}`;
    const none = { account: null, body: null };
    expect((await send(emulator, '/__emulator/requests')).body).toEqual({
      requests: [
        {
          operation: 'updateAgent',
          method: 'POST',
          path: '/api/v2/agent',
          account: 'clinic',
          body: minimal,
          status: 200,
        },
        { operation: 'getAgent', method: 'GET', path, ...none, status: 401 },
        { operation: 'publishAgent', method: 'POST', path: '/api/v2/agent/publish', ...none, status: null },
        { operation: null, method: 'GET', path: '/api/v2/unheard', ...none, status: 404 },
      ],
    });
  });

  test('The request log can be emptied without resetting the counts in the state.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    await get(emulator, id);
    expect((await send(emulator, '/__emulator/requests', { method: 'DELETE' })).body).toEqual({ requests: [] });
    await get(emulator, id);
    expect((await send(emulator, '/__emulator/requests')).body).toMatchObject({
      requests: [{ operation: 'getAgent' }],
    });
    expect((await send(emulator, '/__emulator/state')).body).toMatchObject({
      requests: { updateAgent: 1, getAgent: 2 },
    });
  });
});

describe('dashboard edits in the emulator', () => {
  test('A dashboard edit merges settings, even ones that the API would refuse, and moves lastUpdate.', async () => {
    const emulator = await start();
    const id = await postedId(emulator, { speakingTimeout: 900 });
    const { lastUpdate } = await campaign(emulator, id);
    const json = { type: 'voiceAgent', speakingTimeout: 1000, enabled: false };
    const edited = await send(emulator, `/__emulator/agents/${id}`, { method: 'PATCH', json });
    expect(edited).toMatchObject({
      status: 200,
      body: { agent: { id, draft: { ...minimal, speakingTimeout: 1000, type: 'voiceAgent' } } },
    });
    const shown = await campaign(emulator, id);
    expect(shown).toMatchObject({ campaignType: 'voiceAgent', title: 'Front desk', enabled: false });
    expect(Number(shown.lastUpdate)).toBeGreaterThan(Number(lastUpdate));
  });

  test('A dashboard edit of an unknown agent answers 404, and of anything but settings 400.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    const patch = (agent: string, json: unknown) =>
      send(emulator, `/__emulator/agents/${agent}`, { method: 'PATCH', json });
    expect((await patch('camp_none', {})).status).toBe(404);
    expect((await patch(id, [])).status).toBe(400);
    expect((await patch(id, { enabled: 'yes' })).status).toBe(400);
  });
});

describe('hosts of the control', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '10.0.0.5', ''])(
    'The control refuses the host %p.',
    async (host) => {
      const emulator = await start();
      const refused = await send(emulator, '/__emulator/state', { headers: { host } });
      expect(refused).toMatchObject({ status: 403, body: { success: false } });
    },
  );

  test.each(['localhost', '127.0.0.1:1', '[::1]:8080'])('The control answers the host %p.', async (host) => {
    const emulator = await start();
    expect((await send(emulator, '/__emulator/state', { headers: { host } })).status).toBe(200);
  });

  test('Loopback addresses and names are distinguished from others.', () => {
    for (const own of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) expect(isLoopbackAddress(own)).toBe(true);
    for (const other of ['10.0.0.1', '::ffff:10.0.0.1', '::2', undefined]) expect(isLoopbackAddress(other)).toBe(false);
    for (const other of [undefined, 'a b', 'localhost.evil.example']) expect(isLoopbackHost(other)).toBe(false);
  });
});
