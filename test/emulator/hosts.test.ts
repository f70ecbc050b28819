import { describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import { type Emulator, startEmulator } from '../../src/emulator/emulator.ts';
import { minimal, post, postedId, send, start } from './emulated.ts';

const paths = ['/api/v2/agent/x?token=t1', '/api/v2/nothing', '/elsewhere', '/__emulator/state'];

function statusFor(emulator: Emulator, headers: Record<string, string>, path = '/api/v2/agent/x?token=t1') {
  return send(emulator, path, { headers }).then(({ status }) => status);
}

describe('an emulator on loopback', () => {
  test.each([
    'evil.example',
    'evil.example:4010',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example@localhost',
    'foo.localhost',
    '10.0.0.5',
    '0.0.0.0',
    '',
  ])('An emulator on loopback refuses every path for the host %p.', async (host) => {
    const emulator = await start();
    for (const path of paths) expect(await statusFor(emulator, { host }, path)).toBe(403);
  });

  test('An emulator on loopback neither writes nor logs a request for another host.', async () => {
    const emulator = await start();
    const id = await postedId(emulator);
    const headers = { host: 'evil.example' };
    const answer = await send(emulator, '/api/v2/agent?token=t1', { method: 'POST', json: minimal, headers });
    expect(answer).toMatchObject({
      status: 403,
      body: { success: false, message: expect.stringContaining('does not accept the host "evil.example"') },
    });
    const { requests, agents } = (await send(emulator, '/__emulator/state')).body;
    expect({ requests, agents }).toMatchObject({ requests: { updateAgent: 1 }, agents: [{ id }] });
  });

  test.each([
    ['evil.example:4010', '"evil.example:4010"; to accept it, start the emulator with --allow-host evil.example'],
    ['10.0.0.5', '"10.0.0.5"; to accept it, start the emulator with --allow-host 10.0.0.5'],
    ['[fd00::1]:4010', '"[fd00::1]:4010"; to accept it, start the emulator with --allow-host fd00::1'],
    ['evil.example@localhost', '"evil.example@localhost"'],
    ['', '""'],
  ])('The message about the host %p suggests only an option that the emulator accepts.', async (host, end) => {
    const { body } = await send(await start(), '/api/v2/agent/x?token=t1', { headers: { host } });
    expect(body.message).toBe(`the emulator does not accept the host ${end}`);
    const [, name] = /--allow-host (.*)$/.exec(end) ?? [];
    if (name === undefined) return;
    const allowing = await start({ allowedHosts: [name] });
    expect(await statusFor(allowing, { host })).toBe(404);
  });

  test.each(['localhost', 'LOCALHOST', '127.0.0.1:1', '127.9.9.9', '[::1]:8080'])(
    'An emulator on loopback answers the host %p.',
    async (host) => {
      expect(await statusFor(await start(), { host })).toBe(404);
    },
  );

  test.each(['http://evil.example', 'https://127.0.0.1.evil.example', 'null', 'file://', 'http://10.0.0.5:3000'])(
    'An emulator on loopback refuses a page of %p by its Origin.',
    async (origin) => {
      const emulator = await start();
      for (const path of paths) expect(await statusFor(emulator, { origin }, path)).toBe(403);
    },
  );

  test('An emulator on loopback refuses a form from another site, which browsers send without asking.', async () => {
    const emulator = await start();
    const body = new FormData();
    body.append('csv', new Blob(['type\nping\n']), 'tasks.csv');
    const form = { method: 'POST', body } as const;
    const url = `${emulator.baseUrl}/api/v2/tasks/csv?token=t1`;
    expect((await fetch(url, { ...form, headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await fetch(url, form)).status).toBe(200);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'https://[::1]'])(
    'An emulator on loopback answers a page of %p.',
    async (origin) => {
      expect(await statusFor(await start(), { origin })).toBe(404);
    },
  );
});

describe('other host names', () => {
  test('The option allowedHosts allows a name with any port, as host and as origin.', async () => {
    const emulator = await start({ allowedHosts: ['emulator', 'Agents.test'] });
    for (const host of ['emulator:4010', 'agents.test', 'localhost'])
      expect(await statusFor(emulator, { host })).toBe(404);
    expect(await statusFor(emulator, { origin: 'http://emulator' })).toBe(404);
    expect(await statusFor(emulator, { host: 'emulator.evil.example' })).toBe(403);
  });

  test.each(['fd00::1', '[fd00::1]', 'FD00:0:0::1'])(
    'The option allowedHosts allows the IPv6 address %p with any port, as host and as origin.',
    async (address) => {
      const emulator = await start({ allowedHosts: [address] });
      for (const host of ['[fd00::1]:4010', '[fd00::1]', '[FD00::0:1]'])
        expect(await statusFor(emulator, { host })).toBe(404);
      expect(await statusFor(emulator, { origin: 'http://[fd00::1]:3000' })).toBe(404);
      expect(await statusFor(emulator, { host: '[fd00::2]:4010' })).toBe(403);
    },
  );

  test('The option allowedHosts does not open the control.', async () => {
    const emulator = await start({ allowedHosts: ['emulator'] });
    expect(await statusFor(emulator, { host: 'emulator' }, '/__emulator/state')).toBe(403);
  });

  test.each(['http://emulator', 'emulator:4010', '[fd00::1]:4010', '[fd00::g]', 'fe80::1%eth0', 'a/b', '', '*'])(
    'The option allowedHosts refuses %p.',
    async (name) => {
      await expect(startEmulator({ allowedHosts: [name] })).rejects.toThrow(
        'expected a host name without a scheme or port',
      );
    },
  );

  test('Listening on all addresses allows every address and no further name.', async () => {
    const emulator = await start({ host: '0.0.0.0' });
    for (const host of ['10.0.0.5:4010', '[fd00::1]', 'localhost'])
      expect(await statusFor(emulator, { host })).toBe(404);
    expect(await statusFor(emulator, { host: 'evil.example' })).toBe(403);
    expect(await statusFor(emulator, { origin: 'http://evil.example' })).toBe(403);
    expect((await post(emulator)).status).toBe(200);
  });

  test('An emulator accepts the address that it listens on.', async () => {
    const emulator = await start({ host: '127.0.0.2' });
    const { statusCode, body } = await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`);
    await body.dump();
    expect(statusCode).toBe(404);
  });
});
