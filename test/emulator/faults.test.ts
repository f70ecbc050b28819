import { describe, expect, test } from '@jest/globals';
import { FormData, request } from 'undici';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { type Fault, faultKinds, parseFault } from '../../src/emulator/faults.ts';
import { type OperationId, operationIds } from '../../src/emulator/operations/operation.ts';
import { AgentformError } from '../../src/errors.ts';
import { isJsonObject } from '../../src/json/json.ts';
import { get, post, postedId, publish, send, start, stateOf } from './emulated.ts';

const putFaults = (emulator: Emulator, json: unknown) => send(emulator, '/__emulator/faults', { method: 'PUT', json });

/** Reads an agent the given number of times, and returns the statuses. */
async function statuses(emulator: Emulator, count: number): Promise<(number | string)[]> {
  const seen: (number | string)[] = [];
  for (let read = 0; read < count; read += 1) {
    seen.push(
      await get(emulator, 'camp_x').then(
        ({ status }) => status,
        () => 'reset',
      ),
    );
  }
  return seen;
}

describe('faults that a client sees', () => {
  test('The fault latency delays an unchanged answer.', async () => {
    const emulator = await start({ faults: [{ kind: 'latency', ms: 120 }] });
    const before = performance.now();
    expect((await post(emulator)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  test.each<[Fault, number, object]>([
    [{ kind: 'rate-limit', retryAfter: 2 }, 429, { 'retry-after': '2' }],
    [{ kind: 'server-error' }, 500, {}],
    [{ kind: 'server-error', retryAfter: 1 }, 500, { 'retry-after': '1' }],
    [{ kind: 'success-false' }, 200, {}],
  ])('The fault %j is a failure, and nothing is written.', async (fault, status, headers) => {
    const emulator = await start({ faults: [fault] });
    const failed = { status, headers, body: { success: false, message: expect.any(String) } };
    expect(await post(emulator)).toMatchObject(failed);
    expect(await stateOf(emulator, 'agents')).toEqual([]);
  });

  test('The fault read-lag shows an agent as it was before its last write or publish.', async () => {
    const emulator = await start();
    const titles = async () => {
      await putFaults(emulator, ['read-lag:times=2']);
      const read = async () => {
        const { status, body } = await get(emulator, id);
        return isJsonObject(body.campaign) ? [body.campaign.title, body.campaign.published] : status;
      };
      return [await read(), await read(), await read()];
    };
    const id = await postedId(emulator, { title: 'One' });
    expect(await titles()).toEqual([404, 404, ['One', false]]);
    await post(emulator, { title: 'Two' });
    expect(await titles()).toEqual([
      ['One', false],
      ['One', false],
      ['Two', false],
    ]);
    await publish(emulator);
    expect(await titles()).toEqual([
      ['Two', false],
      ['Two', false],
      ['Two', true],
    ]);
  });

  test('The fault read-lag only affects reads of agents.', async () => {
    const emulator = await start({ faults: [{ kind: 'read-lag' }] });
    expect((await post(emulator)).status).toBe(200);
    expect(() => parseFault('read-lag:operation=updateAgent')).toThrow(
      'the fault read-lag works only with the operation getAgent, not with updateAgent',
    );
  });

  test('The fault rate-limit without retryAfter has no Retry-After header.', async () => {
    const emulator = await start({ faults: [{ kind: 'rate-limit' }] });
    expect((await post(emulator)).headers['retry-after']).toBeUndefined();
  });

  test('The fault html-error answers a page of HTML with status 502.', async () => {
    const emulator = await start({ faults: [{ kind: 'html-error' }] });
    const { statusCode, headers, body } = await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`);
    expect([statusCode, headers['content-type']]).toEqual([502, 'text/html']);
    expect(await body.text()).toMatch(/^<!DOCTYPE html>/);
  });

  test('The fault reset-before-write resets the connection without a write.', async () => {
    const emulator = await start({ faults: [{ kind: 'reset-before-write' }] });
    await expect(post(emulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await stateOf(emulator, 'agents')).toEqual([]);
  });

  test('The fault reset-after-write resets the connection after the write.', async () => {
    const emulator = await start({ faults: [{ kind: 'reset-after-write' }] });
    await expect(post(emulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ draft: { title: 'Front desk' } }]);
  });

  test('The fault truncated-body ends the connection after status 200.', async () => {
    const emulator = await start({ faults: [{ kind: 'truncated-body', operation: 'getAgent' }] });
    const id = await postedId(emulator);
    const { statusCode, body } = await request(`${emulator.baseUrl}/api/v2/agent/${id}?token=t1`);
    expect(statusCode).toBe(200);
    await expect(body.text()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await stateOf(emulator, 'agents')).toHaveLength(1);
  });

  test('The fault truncated-json sends half of the JSON as a whole message.', async () => {
    const emulator = await start({ faults: [{ kind: 'truncated-json' }] });
    const { statusCode, body } = await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`);
    const text = await body.text();
    expect([statusCode, text.slice(0, 10)]).toEqual([404, '{"success"']);
    expect(() => JSON.parse(text)).toThrow(/JSON/);
  });
});

describe('faults of every operation', () => {
  const form = new FormData();
  form.append('csv', new Blob(['type\nping']), 'tasks.csv');
  const requests: Record<OperationId, [method: 'GET' | 'POST' | 'PUT', path: string, body?: object]> = {
    updateAgent: ['POST', 'agent?', { type: 'chatAgent', title: 'a', description: 'b' }],
    getAgent: ['GET', 'agent/camp_x?'],
    publishAgent: ['POST', 'agent/publish?'],
    createTask: ['POST', 'tasks?', { type: 'ping' }],
    uploadTasks: ['POST', 'tasks/csv?', form],
    createOrganization: ['POST', 'createOrganization?targetResellerId=r&', { orgName: 'a' }],
    inviteMember: ['POST', 'member?', { email: 'a@b.example' }],
    updateMember: ['PUT', 'member?', { targetMemberId: 1 }],
    addContext: ['POST', 'context?', { context: 'a' }],
    setAgentUrl: ['POST', 'agentUrl?', { targetUsername: 'a', slug: 'b' }],
    assignPhoneNumber: ['POST', 'phoneNumber/byo/assign?', { number: '+14155550100' }],
    listConversations: ['GET', 'conversations?pagination=true&'],
  };

  test.each(operationIds)('The operation %s can fail before and after it is carried out.', async (operation) => {
    const emulator = await start({
      faults: [
        { kind: 'server-error', operation, times: 1 },
        { kind: 'reset-after-write', operation, times: 1 },
      ],
    });
    const [method, path, body] = requests[operation];
    const sent = () =>
      request(`${emulator.baseUrl}/api/v2/${path}token=t1`, {
        method,
        ...(body instanceof FormData && { body }),
        ...(body !== undefined &&
          !(body instanceof FormData) && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
      });
    const before = await everythingWritten(emulator);
    expect((await sent()).statusCode).toBe(500);
    expect(await everythingWritten(emulator)).toEqual(before);
    await expect(sent()).rejects.toMatchObject({ code: 'ECONNRESET' });
    const creates = ['updateAgent', 'createTask', 'uploadTasks', 'createOrganization', 'inviteMember', 'addContext'];
    if (creates.includes(operation)) expect(await everythingWritten(emulator)).not.toEqual(before);
    const { statusCode } = await sent();
    expect([200, 201, 404]).toContain(statusCode);
    expect((await send(emulator, '/__emulator/state')).body.requests).toEqual({ [operation]: 3 });
  });
});

/** Returns the emulator's state without accounts, request counts and faults. */
async function everythingWritten(emulator: Emulator) {
  const { requests, faults, accounts, ...written } = (await send(emulator, '/__emulator/state')).body;
  return written;
}

describe('requests that a fault affects', () => {
  test.each<[string, Fault[], (number | string)[]]>([
    ['all', [{ kind: 'server-error' }], [500, 500, 500, 500, 500, 500]],
    ['the first', [{ kind: 'server-error', times: 2 }], [500, 500, 404, 404, 404, 404]],
    ['every n-th', [{ kind: 'server-error', every: 3 }], [404, 404, 500, 404, 404, 500]],
    ['after some', [{ kind: 'server-error', skip: 2, times: 1 }], [404, 404, 500, 404, 404, 404]],
    ['together', [{ kind: 'server-error', skip: 1, every: 2, times: 1 }], [404, 404, 500, 404, 404, 404]],
    ['of an operation', [{ kind: 'server-error', operation: 'updateAgent' }], [404, 404, 404, 404, 404, 404]],
    [
      'two faults, the first of which goes first',
      [
        { kind: 'server-error', every: 2 },
        { kind: 'rate-limit', times: 2 },
      ],
      [429, 500, 429, 500, 404, 500],
    ],
    [
      'two faults, one a latency',
      [
        { kind: 'latency', ms: 1 },
        { kind: 'reset-before-write', every: 2 },
      ],
      [404, 'reset', 404, 'reset', 404, 'reset'],
    ],
  ])('A fault affects the configured requests: %s', async (_name, faults, seen) => {
    expect(await statuses(await start({ faults }), 6)).toEqual(seen);
  });

  test('Several latencies add up.', async () => {
    const emulator = await start({
      faults: [
        { kind: 'latency', ms: 60 },
        { kind: 'latency', ms: 60 },
      ],
    });
    const before = performance.now();
    await get(emulator, 'camp_x');
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  test('A fault of publishing does not affect other operations.', async () => {
    const emulator = await start({ faults: [parseFault('server-error:operation=publishAgent')] });
    expect((await post(emulator)).status).toBe(200);
    expect((await publish(emulator)).status).toBe(500);
  });
});

describe('the control of faults', () => {
  test('The control of faults accepts the list in either form, shows the counts, and empties it.', async () => {
    const emulator = await start({ faults: [{ kind: 'rate-limit' }] });
    const put = await putFaults(emulator, ['server-error:times=1', { kind: 'latency', ms: 1, every: 2 }]);
    expect(put.status).toBe(200);
    expect(await statuses(emulator, 2)).toEqual([500, 404]);
    expect((await send(emulator, '/__emulator/faults')).body).toEqual({
      faults: [
        { kind: 'server-error', times: 1, matched: 2, struck: 1 },
        { kind: 'latency', ms: 1, every: 2, matched: 2, struck: 1 },
      ],
    });
    expect((await send(emulator, '/__emulator/faults', { method: 'DELETE' })).body).toEqual({ faults: [] });
    expect(await statuses(emulator, 1)).toEqual([404]);
  });

  test('The control of faults refuses an invalid list, and keeps the old one.', async () => {
    const emulator = await start({ faults: [{ kind: 'rate-limit' }] });
    for (const wrong of [{ kind: 'latency' }, [{ kind: 'fire' }], [7], [{ kind: 'server-error', times: '1' }]]) {
      const refused = { status: 400, body: { success: false, message: expect.any(String) } };
      expect(await putFaults(emulator, wrong)).toMatchObject(refused);
    }
    expect(await statuses(emulator, 1)).toEqual([429]);
  });
});

describe('faults as text', () => {
  test.each<[string, Fault]>([
    ['html-error', { kind: 'html-error' }],
    ['latency:ms=50', { kind: 'latency', ms: 50 }],
    [
      'reset-after-write:operation=updateAgent,times=1',
      { kind: 'reset-after-write', operation: 'updateAgent', times: 1 },
    ],
    ['rate-limit: every=4, skip=2, retryAfter=1', { kind: 'rate-limit', every: 4, skip: 2, retryAfter: 1 }],
  ])('The fault %s is parsed and formatted without loss.', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each<[string, string]>([
    ['fire', `"fire" is not a kind of fault; use one of ${Object.keys(faultKinds).join(', ')}`],
    ['toString', '"toString" is not a kind of fault'],
    ['server-error:', 'the fault option "" must have the form name=value'],
    ['server-error:times', 'the fault option "times" must have the form name=value'],
    ['server-error:times=0', 'the fault option times is 0; use an integer of at least 1'],
    ['server-error:every=often', 'the fault option every is "often"; use an integer of at least 1'],
    ['server-error:after=1', 'a fault has no option "after"; use operation, every, times, skip, ms, retryAfter'],
    ['server-error:operation=delete', '"delete" is not an operation; use one of updateAgent, getAgent'],
    ['server-error:ms=5', 'the fault server-error does not accept ms; add a latency fault'],
    ['latency', 'the fault latency needs ms, as in latency:ms=50'],
    ['html-error:retryAfter=1', 'the fault html-error does not accept retryAfter; only rate-limit and server-error do'],
  ])('The fault text %s is refused.', (text, sentence) => {
    expect(() => parseFault(text)).toThrow(sentence);
    expect(() => parseFault(text)).toThrow(AgentformError);
  });
});
