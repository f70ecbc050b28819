import { describe, expect, test } from '@jest/globals';
import { FormData, request } from 'undici';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { type Fault, faultKinds, parseFault } from '../../src/emulator/faults.ts';
import { type OperationId, operationIds } from '../../src/emulator/operations/operation.ts';
import { AgentformError } from '../../src/errors.ts';
import { isJsonObject } from '../../src/json/json.ts';
import { get, post, postedId, publish, send, start, stateOf } from './emulated.ts';

const putFaults = (emulator: Emulator, json: unknown) => send(emulator, '/__emulator/faults', { method: 'PUT', json });

/** Statuses of as many reads of an agent. */
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

describe('what a client sees of', () => {
  test('latency: the same answer, later', async () => {
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
  ])('%j: a failure, and nothing is written', async (fault, status, headers) => {
    const emulator = await start({ faults: [fault] });
    const failed = { status, headers, body: { success: false, message: expect.any(String) } };
    expect(await post(emulator)).toMatchObject(failed);
    expect(await stateOf(emulator, 'agents')).toEqual([]);
  });

  test('read-lag: reads show an agent as it was before its last write or publish', async () => {
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

  test('read-lag: nothing but reads of agents', async () => {
    const emulator = await start({ faults: [{ kind: 'read-lag' }] });
    expect((await post(emulator)).status).toBe(200);
    expect(() => parseFault('read-lag:operation=updateAgent')).toThrow(
      'the fault read-lag only applies to the operation getAgent, not to updateAgent',
    );
  });

  test('rate-limit without retryAfter: no such header', async () => {
    const emulator = await start({ faults: [{ kind: 'rate-limit' }] });
    expect((await post(emulator)).headers['retry-after']).toBeUndefined();
  });

  test('html-error: a page of HTML with status 502', async () => {
    const emulator = await start({ faults: [{ kind: 'html-error' }] });
    const { statusCode, headers, body } = await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`);
    expect([statusCode, headers['content-type']]).toEqual([502, 'text/html']);
    expect(await body.text()).toMatch(/^<!DOCTYPE html>/);
  });

  test('reset-before-write: a reset connection, nothing written', async () => {
    const emulator = await start({ faults: [{ kind: 'reset-before-write' }] });
    await expect(post(emulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await stateOf(emulator, 'agents')).toEqual([]);
  });

  test('reset-after-write: a reset connection, the agent written', async () => {
    const emulator = await start({ faults: [{ kind: 'reset-after-write' }] });
    await expect(post(emulator)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ draft: { title: 'Front desk' } }]);
  });

  test('truncated-body: status 200, then the connection ends; the agent is written', async () => {
    const emulator = await start({ faults: [{ kind: 'truncated-body', operation: 'getAgent' }] });
    const id = await postedId(emulator);
    const { statusCode, body } = await request(`${emulator.baseUrl}/api/v2/agent/${id}?token=t1`);
    expect(statusCode).toBe(200);
    await expect(body.text()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await stateOf(emulator, 'agents')).toHaveLength(1);
  });

  test('truncated-json: a whole message with half of the JSON', async () => {
    const emulator = await start({ faults: [{ kind: 'truncated-json' }] });
    const { statusCode, body } = await request(`${emulator.baseUrl}/api/v2/agent/x?token=t1`);
    const text = await body.text();
    expect([statusCode, text.slice(0, 10)]).toEqual([404, '{"success"']);
    expect(() => JSON.parse(text)).toThrow(/JSON/);
  });
});

describe('every operation', () => {
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

  test.each(operationIds)('%s may be struck, before and after it was carried out', async (operation) => {
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

/** All of the state but the accounts, the counts of requests and the faults. */
async function everythingWritten(emulator: Emulator) {
  const { requests, faults, accounts, ...written } = (await send(emulator, '/__emulator/state')).body;
  return written;
}

describe('which requests a fault strikes', () => {
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
  ])('%s', async (_name, faults, seen) => {
    expect(await statuses(await start({ faults }), 6)).toEqual(seen);
  });

  test('latencies add up', async () => {
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

  test('a fault of publishing leaves the others alone', async () => {
    const emulator = await start({ faults: [parseFault('server-error:operation=publishAgent')] });
    expect((await post(emulator)).status).toBe(200);
    expect((await publish(emulator)).status).toBe(500);
  });
});

describe('the control of faults', () => {
  test('The control of faults replaces the list, in either form, shows the counts, and empties it.', async () => {
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

  test('The control of faults refuses what is no list of faults, and keeps the old list.', async () => {
    const emulator = await start({ faults: [{ kind: 'rate-limit' }] });
    for (const wrong of [{ kind: 'latency' }, [{ kind: 'fire' }], [7], [{ kind: 'server-error', times: '1' }]]) {
      const refused = { status: 400, body: { success: false, message: expect.any(String) } };
      expect(await putFaults(emulator, wrong)).toMatchObject(refused);
    }
    expect(await statuses(emulator, 1)).toEqual([429]);
  });
});

describe('a fault as text', () => {
  test.each<[string, Fault]>([
    ['html-error', { kind: 'html-error' }],
    ['latency:ms=50', { kind: 'latency', ms: 50 }],
    [
      'reset-after-write:operation=updateAgent,times=1',
      { kind: 'reset-after-write', operation: 'updateAgent', times: 1 },
    ],
    ['rate-limit: every=4, skip=2, retryAfter=1', { kind: 'rate-limit', every: 4, skip: 2, retryAfter: 1 }],
  ])('%s', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each<[string, string]>([
    ['fire', `"fire" is not a kind of fault; use one of ${Object.keys(faultKinds).join(', ')}`],
    ['toString', '"toString" is not a kind of fault'],
    ['server-error:', 'the fault option "" is not of the form name=value'],
    ['server-error:times', 'the fault option "times" is not of the form name=value'],
    ['server-error:times=0', 'the fault option times is 0; use an integer from 1'],
    ['server-error:every=often', 'the fault option every is "often"; use an integer from 1'],
    ['server-error:after=1', 'a fault has no option "after"; use operation, every, times, skip, ms, retryAfter'],
    ['server-error:operation=delete', '"delete" is not an operation of the emulator; use one of updateAgent, getAgent'],
    ['server-error:ms=5', 'the fault server-error has no ms; add a fault latency'],
    ['latency', 'the fault latency needs ms, as in latency:ms=50'],
    ['html-error:retryAfter=1', 'the fault html-error has no retryAfter; rate-limit and server-error have'],
  ])('%s is refused', (text, sentence) => {
    expect(() => parseFault(text)).toThrow(sentence);
    expect(() => parseFault(text)).toThrow(AgentformError);
  });
});
