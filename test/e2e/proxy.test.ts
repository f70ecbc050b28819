import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { oneAgentProject, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

// Node only reads NODE_EXTRA_CA_CERTS when it starts, so tests that trust the certificate start separate processes.
shareProcess();

const certificate = resolve(import.meta.dirname, '../fixtures/tls/localhost.crt');
const tls = { cert: readFileSync(certificate), key: readFileSync(certificate.replace('.crt', '.key')) };

let remote: Remote;
let service: Listening;
let proxy: Listening & { readonly asked: string[]; readonly seen: () => string };
let project: TestProject | undefined;

interface Listening {
  readonly port: number;
  close(): void;
}

beforeAll(async () => {
  remote = await startRemote();
  service = await listening(createHttpsServer(tls, (incoming, response) => forward(incoming, response)));
  proxy = await startProxy();
});
afterAll(async () => {
  proxy.close();
  service.close();
  await remote.close();
});
afterEach(async () => {
  proxy.asked.length = 0;
  await project?.remove();
});

/** Makes the emulator available over TLS. */
function forward(incoming: IncomingMessage, response: ServerResponse) {
  const { method, headers, url } = incoming;
  const onward = request(`${remote.baseUrl}${url}`, {
    method,
    headers: { ...headers, host: new URL(remote.baseUrl).host },
  });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(onward);
}

/**
 * Starts a proxy like those in companies. The proxy tunnels connections for users with the password, and logs all data
 * that it forwards.
 */
async function startProxy() {
  const asked: string[] = [];
  const chunks: Buffer[] = [];
  const server = createHttpServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    response.writeHead(403).end();
  });
  server.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push(`CONNECT ${url}`);
    if (headers['proxy-authorization'] !== `Basic ${btoa('user:pa ss')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(service.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { ...(await listening(server)), asked, seen: () => Buffer.concat(chunks).toString('latin1') };
}

async function listening(server: ReturnType<typeof createHttpServer>): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function projectAt(host: string, env: Readonly<Record<string, string>>) {
  project = await oneAgentProject(remote, 'settings: { title: T, description: D }\n', {
    NODE_EXTRA_CA_CERTS: certificate,
    ...env,
  });
  await project.edit('agentform.yaml', remote.baseUrl, `https://${host}`);
  return project;
}

const proxyUrl = (userInfo = 'user:pa%20ss@') => `http://${userInfo}127.0.0.1:${proxy.port}`;

describe('with HTTPS_PROXY', () => {
  test('All requests use the tunnel, and the proxy sees no token.', async () => {
    const { start } = await projectAt('service.test', { HTTPS_PROXY: proxyUrl() });
    expect(await start('apply', '--yes', '--new', 'all').done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 applied'),
    });
    expect(await start('plan', '--exit-code').done).toMatchObject({ code: 0 });
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT service.test:443']));
    for (const text of [token, encodeURIComponent(token), '/api/v2']) expect(proxy.seen()).not.toContain(text);
  });

  test('A host in NO_PROXY is reached without the proxy.', async () => {
    const { start } = await projectAt(`localhost:${service.port}`, {
      https_proxy: proxyUrl(),
      no_proxy: 'a.example, localhost',
    });
    expect(await start('plan').done).toMatchObject({ code: 0 });
    expect(proxy.asked).toEqual([]);
  });

  test('A loopback service over http is reached without the proxy, because the proxy would read the token.', async () => {
    project = await oneAgentProject(remote, 'settings: { title: T, description: D }\n', {
      HTTPS_PROXY: proxyUrl(),
      HTTP_PROXY: proxyUrl(),
    });
    expect(await project.run('plan')).toMatchObject({ code: 0 });
    expect(proxy.asked).toEqual([]);
  });

  test('A refusing proxy means that nothing was sent, and no password is printed.', async () => {
    const { run } = await projectAt('service.test', { HTTPS_PROXY: proxyUrl('user:wr0ng@') });
    const { code, stdout, stderr } = await run('apply', '--yes', '--new', 'all');
    expect(code).toBe(1);
    expect(stdout).toContain('could not connect to service.test (the proxy in HTTPS_PROXY did not connect)');
    expect(stdout).toMatch(/1 failed/);
    expect(stdout + stderr).not.toContain('wr0ng');
    expect(await project?.recordTexts()).toEqual([]);
  });

  test('An invalid proxy URL is reported in one sentence, without the value.', async () => {
    const { run } = await projectAt('service.test', { HTTPS_PROXY: 'user:s3cret@proxy' });
    expect(await run('plan')).toMatchObject({
      code: 1,
      stderr: 'error: HTTPS_PROXY must be the URL of a proxy, such as http://proxy.example.com:3128 (usage)\n',
    });
  });
});

test('An untrusted certificate is reported as such.', async () => {
  const { run } = await projectAt(`localhost:${service.port}`, { NODE_EXTRA_CA_CERTS: '' });
  const { code, stderr } = await run('inbox');
  expect(code).toBe(1);
  expect(stderr).toMatch(/could not connect to localhost:\d+ \(its certificate is self-signed\)/);
});
