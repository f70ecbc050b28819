import { afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import {
  type Answer,
  connectionTo,
  failureOf,
  inTurn,
  json,
  type Loopback,
  reset,
  serve,
  text,
  token,
} from './loopback.ts';

let server: Loopback;
let client = createServiceClient();

async function start(answer: Answer) {
  server = await serve(answer);
  client = createServiceClient({ retry: { backoffMs: 1, tries: 3 } });
  return connectionTo(server.baseUrl);
}

afterEach(async () => {
  await client.close();
  await server?.close();
});

describe('received agents', () => {
  const answer = JSON.stringify({ success: true, campaign: { id: 'camp_1', title: 'Desk' } });

  test('A received agent is decoded immediately if the caller needs its value.', async () => {
    const connection = await start(inTurn(text(200, '{"success"'), text(200, answer)));
    const asked: string[] = [];
    const received = await client.receiveAgent(connection, 'camp_1', ({ status, bytes }) => {
      asked.push(`${status} ${Buffer.from(bytes)}`);
      return false;
    });
    expect(received.value()).toEqual({ id: 'camp_1', title: 'Desk' });
    expect(asked).toEqual(['200 {"success"', `200 ${answer}`]);
  });

  test('A received agent is decoded on demand if the caller may not need its value.', async () => {
    const connection = await start(inTurn(text(200, 'garbled'), text(200, answer)));
    const garbled = await client.receiveAgent(connection, 'camp_1', () => true);
    expect(() => garbled.value()).toThrow('the service returned 200 with a body that is not JSON, or incomplete');
    const deferred = await client.receiveAgent(connection, 'camp_1', () => true);
    expect(deferred.value()).toEqual({ id: 'camp_1', title: 'Desk' });
    expect(server.received).toHaveLength(2);
  });

  test('A received agent without success is a failure, whether the caller needs its value or not.', async () => {
    const connection = await start(json(404, { success: false, message: 'no such agent' }));
    const mayDefer = () => {
      throw new Error('the answer of a failure is not asked about');
    };
    expect(await failureOf(client.receiveAgent(connection, 'camp_1', mayDefer))).toMatchObject({ status: 404 });
  });
});

const body: JsonObject = { context: 'Grüße', list: [1, null] };
const done = { success: true, message: 'ok' };

interface Operation {
  readonly call: (client: ServiceClient, connection: Connection) => Promise<unknown>;
  readonly method: string;
  readonly path: string;
  readonly answer: object;
  readonly words: string;
  readonly query?: object;
  readonly body?: JsonObject;
  readonly repeatable: boolean;
}

const operations: Readonly<Record<string, Operation>> = {
  createTask: {
    call: (service, connection) => service.createTask(connection, body),
    method: 'POST',
    path: '/api/v2/tasks',
    answer: done,
    words: 'creating the task',
    body,
    repeatable: false,
  },
  createOrganization: {
    call: (service, connection) =>
      service.createOrganization(connection, body, { reseller: { parameter: 'targetResellerId', id: '4 & 5' } }),
    method: 'POST',
    path: '/api/v2/createOrganization',
    answer: { ...done, organization: { id: 17 } },
    words: 'creating the organization',
    query: { targetResellerId: '4 & 5' },
    body,
    repeatable: false,
  },
  inviteMember: {
    call: (service, connection) => service.inviteMember(connection, body),
    method: 'POST',
    path: '/api/v2/member',
    answer: done,
    words: 'inviting the member',
    body,
    repeatable: false,
  },
  updateMember: {
    call: (service, connection) => service.updateMember(connection, body),
    method: 'PUT',
    path: '/api/v2/member',
    answer: done,
    words: 'updating the member',
    body,
    repeatable: true,
  },
  addContext: {
    call: (service, connection) => service.addContext(connection, body),
    method: 'POST',
    path: '/api/v2/context',
    answer: done,
    words: 'adding the context',
    body,
    repeatable: false,
  },
  setAgentUrl: {
    call: (service, connection) => service.setAgentUrl(connection, body),
    method: 'POST',
    path: '/api/v2/agentUrl',
    answer: { success: true, slug: 'clinic' },
    words: 'setting the URL of the agent',
    body,
    repeatable: true,
  },
  assignPhoneNumber: {
    call: (service, connection) => service.assignPhoneNumber(connection, body),
    method: 'POST',
    path: '/api/v2/phoneNumber/byo/assign',
    answer: done,
    words: 'assigning the phone number',
    body,
    repeatable: true,
  },
  listConversations: {
    call: (service, connection) => service.listConversations(connection, { pagination: 'true', page: '0' }),
    method: 'GET',
    path: '/api/v2/conversations',
    answer: { pageSize: 20, pageNumber: 0, totalRooms: 1, rooms: [{ roomId: 'r1', lastMessage: 'Hello' }] },
    words: 'listing the conversations',
    query: { pagination: 'true', page: '0' },
    repeatable: true,
  },
  publishAgent: {
    call: (service, connection) => service.publishAgent(connection, '/api/v2/agent/publish'),
    method: 'POST',
    path: '/api/v2/agent/publish',
    answer: done,
    words: 'publishing the agent',
    repeatable: true,
  },
};

const all = Object.entries(operations);
const once = all.filter(([, { repeatable }]) => !repeatable);
const often = all.filter(([, { repeatable }]) => repeatable);

describe('requests of each operation', () => {
  test.each(all)(
    'The operation %s sends its specified request.',
    async (_name, { call, method, path, answer, query, body: sent }) => {
      const connection = await start(json(method === 'GET' ? 200 : 201, answer));
      expect(await call(client, { ...connection, query: { targetAccountId: '17' } })).toEqual(answer);
      const [request] = server.received;
      expect(request).toMatchObject({ method, path, body: sent === undefined ? '' : JSON.stringify(sent) });
      expect(Object.fromEntries(request?.query ?? [])).toEqual({ targetAccountId: '17', ...query, token });
      if (sent !== undefined) expect(request?.headers['content-type']).toBe('application/json');
    },
  );
});

describe('the query of an operation', () => {
  test.each(['page', 'token'])('A call is refused if its connection also sets the parameter %s.', async (name) => {
    const connection = await start(json(200, { rooms: [] }));
    const read = client.listConversations({ ...connection, query: { [name]: '7' } }, { page: '1' });
    expect((await failureOf(read)).message).toBe(
      `listing the conversations failed: its query parameter ${name} is also in the query of the target or environment; nothing was sent`,
    );
    expect(server.received).toHaveLength(0);
  });

  test('The token overrides a parameter of the operation that is also named token.', async () => {
    const connection = await start(json(200, { rooms: [] }));
    await client.listConversations({ ...connection, query: { other: 'x' } }, { page: '1', token: 'mine' });
    expect(Object.fromEntries(server.received[0]?.query ?? [])).toEqual({ page: '1', other: 'x', token });
  });
});

describe('failures of each operation', () => {
  test.each(all)('The operation %s reports a refusal.', async (operation, { call, words }) => {
    const connection = await start(json(403, { success: false, message: 'Not allowed.' }));
    const error = await failureOf(call(client, connection));
    expect(error).toMatchObject({ code: 'service-refused', operation, outcome: 'clear', status: 403 });
    expect(error.message).toBe(`${words} failed: the service returned 403 Forbidden and said "Not allowed"`);
    expect(server.received).toHaveLength(1);
  });

  test.each(all)('The operation %s fails on a 2xx with success false.', async (_name, { call }) => {
    const connection = await start(json(200, { success: false, message: 'no', rooms: [], slug: 'a' }));
    const error = await failureOf(call(client, connection));
    expect(error).toMatchObject({ code: 'service-refused', outcome: 'clear', status: 200 });
  });

  const shaped = all.filter(([name]) => name !== 'createTask');
  test.each(shaped)('The operation %s fails on an answer that is not JSON.', async (_name, { call }) => {
    const connection = await start(text(200, 'OK'));
    expect(await failureOf(call(client, connection))).toMatchObject({ outcome: 'unclear', status: 200 });
  });

  test.each<[string, object, string]>([
    ['setAgentUrl', done, 'slug is missing'],
    ['listConversations', done, 'rooms is missing'],
    ['listConversations', { rooms: [{ name: 'x' }] }, 'rooms[0].roomId is missing'],
    ['createOrganization', { ...done, organization: 'x' }, 'organization is a string: expected an object or null'],
    ['createOrganization', { organization: { id: 1 } }, 'success is missing'],
    ['inviteMember', {}, 'success is missing'],
    ['publishAgent', { message: 'ok' }, 'success is missing'],
    ['addContext', { error: 'Unauthorized' }, 'an error instead of a result and said "Unauthorized"'],
    ['createTask', { errors: [{ code: 7 }] }, 'an error instead of a result and said "{"code":7}"'],
    ['createTask', { errors: ['a', { message: 'b' }], error: true }, 'of a result and said "true; a; b"'],
    [
      'listConversations',
      { success: true, rooms: [], errors: ['no index'] },
      'a result with errors and said "no index"',
    ],
    ['createTask', { error: { message: 'no such number' } }, 'instead of a result and said "no such number"'],
  ])('The operation %s fails on an answer of another shape: %j', async (name, answer, problem) => {
    const connection = await start(json(200, answer));
    const error = await failureOf(operations[name]?.call(client, connection) ?? Promise.resolve());
    expect(error).toMatchObject({ outcome: 'unclear', status: 200 });
    expect(error.message).toContain(problem);
  });
});

test.each([[], {}, '', null, false])('An answer whose errors are %j is not an error.', async (errors) => {
  const connection = await start(json(200, { rooms: [], error: errors, errors }));
  expect(await operations.listConversations?.call(client, connection)).toMatchObject({ rooms: [] });
});

describe('errors in a successful response', () => {
  const writes = all.filter(([name]) => name !== 'listConversations' && name !== 'createTask');
  test.each(writes)(
    'The operation %s succeeds despite errors in its response, and its message contains the errors.',
    async (_name, { call, answer }) => {
      const errors = ['the voice is not in your plan', { field: 'title' }];
      const connection = await start(json(200, { ...answer, success: true, message: 'ok', errors }));
      const message = 'ok; errors: the voice is not in your plan; {"field":"title"}';
      expect(await call(client, connection)).toMatchObject({ success: true, message });
    },
  );

  test.each([
    [{ code: 7 }, '{"code":7}'],
    [['queued', 'soon'], 'queued; soon'],
    [false, null],
  ])('A task is queued if the response with its success has the message %j.', async (message, said) => {
    const connection = await start(json(201, { success: true, message }));
    expect(await operations.createTask?.call(client, connection)).toEqual({ success: true, message: said });
  });

  test('A read of an agent fails if its response contains errors, because settings may be missing.', async () => {
    const connection = await start(json(200, { success: true, errors: 'no skills', campaign: { id: 'camp_1' } }));
    expect((await failureOf(client.getAgent(connection, 'camp_1'))).message).toBe(
      'reading the agent failed: the service returned 200 with a body that is a result with errors and said "no skills"',
    );
  });
});

test.each<[object, string]>([
  [{ error: 'Unauthorized' }, 'Unauthorized'],
  [{ message: 'invalid', errors: [{ message: 'title is too long' }, 'invalid'] }, 'invalid; title is too long'],
  [{ message: ['title is too long', 'no voice'], statusCode: 400 }, 'title is too long; no voice'],
  [{ type: 'about:blank', detail: 'no such voice' }, 'no such voice'],
  [{ errors: { title: ['too long'] } }, '{"title":["too long"]}'],
])('A refusal reports the words of its body: %j.', async (answer, said) => {
  const connection = await start(json(400, answer));
  const error = await failureOf(client.getAgent(connection, 'camp_1'));
  expect(error.message).toBe(`reading the agent failed: the service returned 400 Bad Request and said "${said}"`);
});

test('A read of an agent fails if the response has none of the expected ids.', async () => {
  const connection = await start(json(200, { campaign: { id: 'camp_1' } }));
  expect(await client.getAgent(connection, 'camp_2')).toEqual({ id: 'camp_1' });
  expect(await client.getAgent(connection, 'camp_2', ['camp_2', 'camp_1'])).toEqual({ id: 'camp_1' });
  expect((await failureOf(client.getAgent(connection, 'camp_2', ['camp_2', undefined]))).message).toBe(
    'reading the agent failed: the service returned 200 with a body that is not as specified: campaign.id is the id of another agent',
  );
});

describe('numbers that JavaScript cannot represent', () => {
  const digits = '9007199254740993';

  test.each([
    ['an id', `{"rooms":[{"roomId":"r\\"1 ${digits}","id":${digits},"name":"-${digits}"}]}`, digits],
    ['a negative id', `{"rooms":[{"roomId":"r\\"1 ${digits}","name":"-${digits}","id": -${digits} }]}`, `-${digits}`],
  ])('The digits of %s are kept.', async (_, answer, id) => {
    const connection = await start(text(200, answer));
    const { rooms } = await client.listConversations(connection, {});
    expect(rooms).toEqual([{ roomId: `r"1 ${digits}`, name: `-${digits}`, id }]);
  });

  test('The largest exact integer remains a number.', async () => {
    const connection = await start(text(200, '{"rooms":[{"roomId":"r","id":9007199254740991}]}'));
    expect((await client.listConversations(connection, {})).rooms[0]?.id).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('A call fails if a member other than an id has an integer above 2^53.', async () => {
    const connection = await start(text(200, `{"rooms":[],"totalRooms":${digits}}`));
    expect((await failureOf(client.listConversations(connection, {}))).message).toContain(
      'not as specified: totalRooms is a string: expected an integer or null (integers above 2^53 count as strings)',
    );
  });
});

describe('lost answers of each operation', () => {
  const unclear: readonly (readonly [string, Answer])[] = [
    ['a reset', reset],
    ['500', text(500, '')],
    ['half of the JSON', text(200, '{"success":tr')],
    ['a page', text(200, '<html></html>')],
  ];

  test.each(once)('The operation %s is not repeated after a lost answer.', async (operation, { call }) => {
    for (const [, answer] of unclear) {
      const connection = await start(answer);
      const error = await failureOf(call(client, connection));
      expect(error).toMatchObject({ code: 'service-unclear', operation, outcome: 'unclear', facts: { tries: 1 } });
      expect(error.message).toContain('the service may or may not have carried out the request');
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(server.received).toHaveLength(1);
      await client.close();
      await server.close();
    }
  });

  test.each(once)(
    'The operation %s is repeated after 429, because nothing was done.',
    async (_name, { call, answer }) => {
      const connection = await start(inTurn(text(429, '', { 'retry-after': '0' }), json(201, answer)));
      await client.close();
      client = createServiceClient({ retry: { throttledPauseMs: 1 } });
      expect(await call(client, connection)).toEqual(answer);
      expect(server.received).toHaveLength(2);
    },
  );

  test.each(often)('The operation %s is repeated after a lost answer.', async (_name, { call, answer }) => {
    const connection = await start(inTurn(reset, text(500, ''), json(200, answer)));
    expect(await call(client, connection)).toEqual(answer);
    expect(server.received).toHaveLength(3);
    expect(new Set(server.received.map(({ body: sent }) => sent)).size).toBe(1);
  });
});

describe('the path of publishing', () => {
  test.each([
    '',
    'agent/publish',
    '/',
    '/a//b',
    '/a/../b',
    '/publish?now=1',
    '/publish#x',
    '/a b',
    '/ä',
    '\\evil',
    '/a\\b',
  ])('The path of publishing is refused as %j before any request.', async (path) => {
    const connection = await start(json(200, done));
    const error = await failureOf(client.publishAgent(connection, path));
    expect(error).toMatchObject({
      code: 'service-unreachable',
      outcome: 'clear',
      operation: 'publishAgent',
      call: { reason: 'invalid' },
    });
    expect(error.message).toMatch(/^publishing the agent failed: .*; nothing was sent$/);
    expect(server.received).toHaveLength(0);
  });
});
