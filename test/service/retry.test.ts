import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';
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

async function start(answer: Answer, options: ServiceClientOptions = {}) {
  server = await serve(answer);
  client = createServiceClient({
    timeoutMs: timeoutFor(answer),
    ...options,
    retry: { backoffMs: 4, ...options.retry },
  });
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

const passing: [string, Answer][] = [
  ['a reset', reset],
  ['silence', silence],
  ['500', text(500, '')],
  ['503', text(503, '')],
  ['408', text(408, '')],
  ['a body that is cut off', cutOff],
  ['a page', text(200, '<html>')],
  ['half of the JSON', text(200, '{"campaign":')],
];

describe('repeated requests', () => {
  test.each(passing)('A read is repeated after %s.', async (_, answer) => {
    const connection = await start(inTurn(answer, answer, agent), { timeoutMs: timeoutFor(answer) });
    expect(await client.getAgent(connection, 'camp_1')).toMatchObject({ id: 'camp_1' });
    expect(server.received).toHaveLength(3);
  });

  test.each(passing)('An update is repeated with the same body after %s.', async (_, answer) => {
    const connection = await start(inTurn(answer, updated), { timeoutMs: timeoutFor(answer) });
    await client.updateAgent(connection, { title: 'a' }, { repeatable: true });
    expect(server.received.map(({ body }) => body)).toEqual(['{"title":"a"}', '{"title":"a"}']);
  });

  test.each<[string, Answer]>([
    ['400', text(400, '')],
    ['401', text(401, '')],
    ['404', text(404, '')],
    ['success false', json(200, { success: false })],
    ['another shape', json(200, { campaign: {} })],
    ['a redirect', text(302, '')],
    ['too large', text(200, 'x'.repeat(2000))],
  ])('A request is not repeated after %s.', async (_, answer) => {
    const connection = await start(answer, { maxAnswerBytes: 1000 });
    await failureOf(client.getAgent(connection, 'camp_1'));
    expect(server.received).toHaveLength(1);
  });

  test('A request is tried six times, and the error counts them.', async () => {
    const connection = await start(json(502, { message: 'down' }));
    const error = await failureOf(client.getAgent(connection, 'camp_1'));
    expect(server.received).toHaveLength(6);
    expect(error.message).toBe(
      'reading the agent failed after 6 tries: the service returned 502 Bad Gateway and said "down"',
    );
    expect(error.facts).toMatchObject({ tries: 6, status: 502 });
  });

  test('A request ends at its time budget.', async () => {
    const connection = await start(silence, { timeoutMs: 300, retry: { budgetMs: 700 } });
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable: true }));
    expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear' });
    // On a busy machine, each attempt takes longer, so there are fewer attempts. Without the time limit, there would be
    // six attempts.
    expect(server.received.length).toBeLessThanOrEqual(3);
    expect(error.message).toMatch(
      /^writing the agent failed.*; the service may or may not have carried out the request$/,
    );
  });

  test('A request cuts its last try at the time budget.', async () => {
    const connection = await start(inTurn(text(500, ''), silence), { timeoutMs: 3_600_000, retry: { budgetMs: 700 } });
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable: true }));
    expect(error.message).toMatch(
      /^writing the agent failed(?: after 2 tries: no response within 0\.\d s|: .*500.*); the service may or may not have carried out the request$/,
    );
  });

  test('A timeout is exact, also in the middle of a body.', async () => {
    const dripping: Answer = (response) => {
      response.writeHead(200).write('{');
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    };
    const connection = await start(dripping, { timeoutMs: 500, retry: { tries: 1 } });
    expect((await failureOf(client.getAgent(connection, 'x'))).message).toContain('not complete within the time limit');
  });

  test('A kept connection that the server closed is replaced.', async () => {
    const connection = await start((response) => {
      agent(response);
      response.on('finish', () => setTimeout(() => response.socket?.destroy(), 0));
    });
    for (let i = 0; i < 20; i++) {
      await client.getAgent(connection, 'camp_1');
      await new Promise((resolve) => setTimeout(resolve, i % 3));
    }
    expect(server.received.length).toBeGreaterThanOrEqual(20);
  });

  test('An update stays unclear if an earlier try may have been done.', async () => {
    const connection = await start(inTurn(reset, json(400, { message: 'no' })));
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable: true }));
    expect(error).toMatchObject({ code: 'service-unclear', outcome: 'unclear', status: 400 });
    expect(error.message).toContain('the service may or may not have carried out the request');
  });

  test('A read stays clear, because it cannot have changed anything.', async () => {
    const connection = await start(inTurn(reset, text(404, '')));
    expect(await failureOf(client.getAgent(connection, 'x'))).toMatchObject({
      code: 'service-refused',
      outcome: 'clear',
    });
  });
});

describe('unreachable servers', () => {
  test.each([true, false])('An unreachable server is reported quickly (repeatable: %j).', async (repeatable) => {
    const connection = await start(agent, { retry: { backoffMs: 100 } });
    await server.close();
    const error = await failureOf(client.updateAgent(connection, {}, { repeatable }));
    expect(error).toMatchObject({ code: 'service-unreachable', outcome: 'clear', facts: { tries: 3 } });
    const host = new URL(connection.baseUrl).host;
    expect(error.message).toBe(
      `writing the agent failed after 3 tries: could not connect to ${host} (connection refused)`,
    );
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('Hundreds of requests share the failure of an unreachable server.', async () => {
    const connection = await start(agent, { concurrency: 4, retry: { backoffMs: 100 } });
    await server.close();
    const errors = await Promise.all(Array.from({ length: 400 }, () => failureOf(client.getAgent(connection, 'x'))));
    // Without the detection, each of the hundred requests would be tried as often as the first few requests.
    expect(errors.filter(({ facts }) => facts?.tries === 3).length).toBeLessThan(20);
  });

  test('An unreachable server is detected by the first few of many requests, even without a refusal.', async () => {
    await start(agent);
    let connections = 0;
    const mute = await listen(() => {
      connections += 1;
    });
    const connection = connectionTo(`https://127.0.0.1:${mute.port}`);
    const patient = createServiceClient({ concurrency: 2, connectTimeoutMs: 100, retry: { backoffMs: 10 } });
    const all = await Promise.all(Array.from({ length: 60 }, () => failureOf(patient.getAgent(connection, 'x'))));
    expect(connections).toBeLessThan(20);
    for (const error of all) expect(error).toMatchObject({ code: 'service-unreachable', outcome: 'clear' });
    await patient.close();
    await mute.close();
  });

  test('An unreachable server is not tried longer than a failed connect needs.', async () => {
    await start(agent);
    const mute = await listen(() => {});
    const connection = connectionTo(`https://127.0.0.1:${mute.port}`);
    const patient = createServiceClient({
      connectTimeoutMs: 100,
      retry: { backoffMs: 1, connectTries: 9, connectBudgetMs: 150 },
    });
    const { facts } = await failureOf(patient.getAgent(connection, 'x'));
    expect(facts?.tries).toBeLessThanOrEqual(2);
    await patient.close();
    await mute.close();
  });

  test('A server is found again when it returns.', async () => {
    const connection = await start(agent, { retry: { backoffMs: 1000, connectTries: 10 } });
    const port = Number(new URL(connection.baseUrl).port);
    await server.close();
    const reading = client.getAgent(connection, 'camp_1');
    await new Promise((resolve) => setTimeout(resolve, 30));
    server = await serve(agent, { port });
    expect(await reading).toMatchObject({ id: 'camp_1' });
  });

  test('An unknown host name is reported.', async () => {
    await start(agent);
    const error = await failureOf(client.getAgent(connectionTo('https://agentform.invalid'), 'x'));
    expect(error).toMatchObject({ code: 'service-unreachable', outcome: 'clear' });
  });

  test('A failed TLS handshake means that nothing was sent, also for a create.', async () => {
    await start(agent);
    const plain = await listen((socket) => socket.destroy());
    const error = await failureOf(
      client.updateAgent(connectionTo(`https://127.0.0.1:${plain.port}`), {}, { repeatable: false }),
    );
    expect(error).toMatchObject({ code: 'service-unreachable', outcome: 'clear' });
    await plain.close();
  });
});
