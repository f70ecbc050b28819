import { afterEach, describe, expect, test } from '@jest/globals';
import { mask, Secret } from '../../src/secrets/secret.ts';
import { createServiceClient } from '../../src/service/client.ts';
import {
  type Answer,
  connectionTo,
  cutOff,
  everythingOf,
  failureOf,
  json,
  type Loopback,
  reset,
  serve,
  silence,
  text,
  token,
} from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

afterEach(async () => {
  await client.close();
  await server?.close();
});

async function start(answer: Answer) {
  server = await serve(answer);
  const retry = { backoffMs: 1, throttledPauseMs: 1, maxThrottledPauseMs: 1, throttledTries: 2 };
  client = createServiceClient({ timeoutMs: answer === silence ? 20 : 60_000, maxAnswerBytes: 1000, retry });
  const query = { key: querySecret, plain: '17' };
  return connectionTo(server.baseUrl, { query, sensitiveQuery: new Set(['key']) });
}

async function errorsOf(connection: Awaited<ReturnType<typeof start>>) {
  return [
    await failureOf(client.getAgent(connection, 'camp_1')),
    await failureOf(client.updateAgent(connection, {}, { repeatable: true })),
    await failureOf(client.updateAgent(connection, {}, { repeatable: false })),
    await failureOf(client.createTask(connection, {})),
    await failureOf(client.uploadTasks(connection, { csv: new Blob(['type']), fileName: 'a.csv', dryRun: true })),
    await failureOf(client.createOrganization(connection, {}, { reseller: { parameter: 'reseller', id: '7' } })),
    await failureOf(client.listConversations(connection, { pagination: 'true' })),
    await failureOf(client.publishAgent(connection, '/api/v2/agent/publish')),
  ];
}

const querySecret = 'käy&=value';

/** Returns all forms in which agentform's code writes a secret. */
function formsOf(secret: string): string[] {
  const form = new URLSearchParams({ x: secret }).toString().slice(2);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, encodeURIComponent(secret), encodeURI(secret), form, form.replaceAll('+', '%20'), escaped];
  return [...forms, ...forms.map((one) => one.toLowerCase())];
}

function expectNoSecret(error: Error): void {
  const shown = everythingOf(error);
  for (const form of [...formsOf(token), ...formsOf(querySecret)]) expect(shown).not.toContain(form);
  expect(shown).not.toMatch(/[?&](token|key|plain)=/);
}

/** A service that repeats the request's URL in many forms. */
function echo(status: number): Answer {
  return (response, { path, query }) => {
    const seen = query.get('token') ?? '';
    const ways = [seen, encodeURIComponent(seen), JSON.stringify(seen), `${path}?${query}`, query.get('key')];
    json(status, { success: false, message: ways.join(' | ') })(response);
  };
}

describe('secrets in errors of the client', () => {
  test.each<[string, Answer]>([
    ['echoed with 400', echo(400)],
    ['echoed with 200', echo(200)],
    ['echoed with 429', echo(429)],
    ['echoed with 500', echo(500)],
    ['echoed as text', (response, { query }) => text(403, `token ${query.get('token')} at /?${query}`)(response)],
    ['in a redirect', (response, { query }) => text(302, `/?${query}`, { location: `/x?${query}` })(response)],
    [
      'in the shape',
      (response, { query }) => json(200, { success: 1, campaign: { id: 1, [`${query.get('token')}`]: 1 } })(response),
    ],
    ['in JSON that is cut', (response, { query }) => text(200, `{"message":"${query}`)(response)],
    ['a reset', reset],
    ['silence', silence],
    ['a body that is cut off', cutOff],
    ['no HTTP', (response) => response.socket?.end('ha\r\n\r\n')],
    ['too large', text(200, 'x'.repeat(2000))],
  ])('No secret is in an error if it is %s.', async (_, answer) => {
    for (const error of await errorsOf(await start(answer))) expectNoSecret(error);
  });

  test('No error and no message about a write contains a long part of a token.', async () => {
    const random = 'ak7f_9Q2m4Lx81ZpT0';
    const message = 'the token ak7f_9Q2m4...Lx81ZpT0 expires';
    const connection = { ...(await start(json(401, { success: false, message }))), token: new Secret(random) };
    for (const error of await errorsOf(connection)) expect(everythingOf(error)).not.toMatch(/ak7f|ZpT0/);
    await server.close();
    const answered = await start(json(200, { success: true, message, campaignId: 'camp_1' }));
    expect(
      await client.updateAgent({ ...answered, token: new Secret(random) }, {}, { repeatable: true }),
    ).toMatchObject({ message: 'the token (sensitive)...(sensitive) expires' });
  });

  test('No secret is in an error if no server answers.', async () => {
    const connection = await start(reset);
    await server.close();
    for (const error of await errorsOf(connection)) expectNoSecret(error);
  });

  test('No secret is in an error if sending the token is refused.', async () => {
    const connection = await start(reset);
    for (const error of await errorsOf({ ...connection, baseUrl: 'http://192.0.2.1' })) expectNoSecret(error);
  });

  test('No secret is in an error or in a report to the debug hook.', async () => {
    const connection = await start(echo(500));
    const lines: unknown[] = [];
    const told = createServiceClient({ retry: { tries: 1 }, onRequest: (line) => lines.push(line) });
    await failureOf(told.getAgent(connection, token));
    await told.close();
    expect(lines).toHaveLength(1);
    for (const form of formsOf(token)) expect(JSON.stringify(lines)).not.toContain(form);
  });
});

describe('the credentials of an organization', () => {
  const body = {
    orgName: 'Acme',
    numberingProviders: [{ providerId: 'p', config: { sid: 'provider-sid', deep: [{ key: 'provider "key"' }] } }],
    integrations: [{ appId: 'a', appVersion: 'v1', appData: { pin: 31415926, flag: true } }],
  };
  const credentials = ['provider-sid', 'provider "key"', 'provider \\"key\\"', '31415926'];
  const create = (connection: Awaited<ReturnType<typeof start>>) =>
    failureOf(client.createOrganization(connection, body, { reseller: { parameter: 'reseller', id: '7' } }));

  test.each([400, 200, 500])(
    'The credentials of an organization are in no error, even if the service repeats them with %s.',
    async (status) => {
      const connection = await start((response, received) =>
        json(status, { success: false, message: `bad: ${received.body}, ${credentials}` })(response),
      );
      const shown = everythingOf(await create(connection));
      for (const credential of credentials) expect(shown).not.toContain(credential);
      expect(shown).toContain('Acme');
    },
  );

  test('A reseller id is masked if its parameter is secret.', async () => {
    const connection = await start(json(403, { message: 'reseller reseller-id-7 is not yours' }));
    const sensitiveQuery = new Set(['reseller']);
    const reseller = { parameter: 'reseller', id: 'reseller-id-7' };
    const error = await failureOf(client.createOrganization({ ...connection, sensitiveQuery }, {}, { reseller }));
    expect(error.message).toContain(`reseller ${mask} is not yours`);
  });
});

describe('messages of the service', () => {
  const secretIs = (value: string) => connectionTo(server.baseUrl, { token: new Secret(value) });

  test('A message of the service contains no part of a secret where it is cut off.', async () => {
    await start((response, { query }) => json(400, { message: `${'a'.repeat(290)} ${query.get('token')}` })(response));
    const error = await failureOf(client.getAgent(secretIs('secret-0123456789-0123456789'), 'x'));
    expect(error.message).not.toContain('secret-');
  });

  test('A message of the service hides a secret with control characters.', async () => {
    await start(json(400, { message: 'is sec\u0000ret-01 known' }));
    const error = await failureOf(client.getAgent(secretIs('secret-01'), 'x'));
    expect(error.message).toContain(`is ${mask} known`);
  });

  test('A message of the service contains no part of a secret mixed with control characters.', async () => {
    await start(json(400, { message: `${'a'.repeat(285)} secret\u0000-0123456789-0123456789` }));
    const error = await failureOf(client.getAgent(secretIs('secret-0123456789-0123456789'), 'x'));
    expect(error.message).not.toContain('secret-');
  });

  test('A message of the service loses a query, even if its secret is written in an unknown way.', async () => {
    await start(
      json(400, { message: String.raw`no GET /api/v2/agent/x?token=s\145cret-01&a=1 here, token=s\145cret-01` }),
    );
    const error = await failureOf(client.getAgent(secretIs('secret-01'), 'x'));
    expect(error.message).toContain(`no GET /api/v2/agent/x?… here, token=${mask}`);
  });

  test.each(['base64', 'base64url', 'hex'] as const)(
    'A message of the service loses a request that it repeats as %s.',
    async (encoding) => {
      const echo = Buffer.from('GET /api/v2/agent/x?token=secret-01&a=1').toString(encoding);
      await start(json(400, { message: `cannot handle ${echo} here` }));
      const error = await failureOf(client.getAgent(secretIs('secret-01'), 'x'));
      expect(error.message).toContain(`said "cannot handle ${mask} here"`);
    },
  );

  test('A message of the service keeps a value of the query that is not secret.', async () => {
    const connection = await start(json(403, { message: 'account 17 is not yours' }));
    expect((await failureOf(client.getAgent(connection, 'x'))).message).toContain('account 17 is not yours');
  });
});
