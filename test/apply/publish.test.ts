import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunEvent } from '../../src/apply/events.ts';
import { type AgentPublish, publishAgents } from '../../src/apply/publish.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { json, type Reply } from '../support/independent-server.ts';
import { spoken } from '../support/notices.ts';
import type { ApplyChoices } from '../support/pipeline.ts';
import { strictOperations } from '../support/strict-operations.ts';
import { named, pipeline, secret, server, useApplying } from './applying.ts';

const path = '/api/v2/agent/publish';
let service: ServiceClient;

const { answer } = strictOperations();

useApplying({
  others: (call, request) =>
    call.path === path ? json(200, { success: true, message: 'published' }) : answer(call, request),
  client: { retry: { tries: 1 } },
});
beforeAll(() => {
  service = createServiceClient({ retry: { tries: 1 } });
});
afterAll(() => service.close());
beforeEach(() => {
  server.quirks = { publishedFlag: true };
});

const agent = (name: string, settings: JsonObject = {}, parts: Partial<Desired> = {}) =>
  pipeline.desired(named(name), { settings: { title: 'T', description: 'D', ...settings } }, parts);
const stored = (desired: Desired) => server.agentOf(desired.target.token.reveal());
const onPublish = (reply: Reply | 'reset') => {
  server.before = (call) => (call.path === path ? reply : undefined);
};
/** Answers reads after the publish request. */
const onReadsAfterPublish = (reply: () => Reply | undefined) => {
  let isSent = false;
  server.before = (call) => {
    isSent ||= call.path === path;
    return isSent && call.method === 'GET' ? reply() : undefined;
  };
};
const published = () => server.takeLog().filter((call) => call.path === path);

/** Applies an agent without publishing it. Returns the task that publishes it. */
async function written(name: string): Promise<AgentPublish> {
  const desired = agent(name);
  await pipeline.apply([desired]);
  server.takeLog();
  return { desired, id: stored(desired)?.id ?? '', lastUpdate: stored(desired)?.lastUpdate };
}

interface Given {
  readonly concurrency?: number;
  readonly aborted?: boolean;
  readonly readBackMs?: number;
  readonly connectionOf?: (desired: Desired) => Connection;
}

async function publish(tasks: readonly AgentPublish[], parts: Given = {}) {
  const events: RunEvent[] = [];
  const stopped = new Set<string>();
  const controller = new AbortController();
  if (parts.aborted) controller.abort();
  const entries = await publishAgents(tasks, {
    context: {
      service,
      store: pipeline.store,
      connectionOf: parts.connectionOf ?? (({ target }) => target),
      path,
      readBackMs: parts.readBackMs ?? 0,
      redact: (text) => text.replaceAll(secret, '***'),
      now: () => new Date(0),
    },
    concurrency: parts.concurrency ?? 4,
    stopped,
    signal: controller.signal,
    emit: (event) => events.push(event),
  });
  return { entries, events, stopped };
}

describe('publications', () => {
  test('A publish is one request between two reads, and the record then says published.', async () => {
    const task = await written('a');
    const { entries, events } = await publish([task]);
    const entry = { kind: 'Agent', name: named('a'), id: task.id, outcome: 'published' };
    expect(entries).toStrictEqual([entry]);
    expect(events).toStrictEqual([
      { type: 'phase-started', phase: 'publish', total: 1 },
      { type: 'resource-started', phase: 'publish', kind: 'Agent', name: named('a') },
      { type: 'resource-published', entry },
      { type: 'phase-finished', phase: 'publish' },
    ]);
    expect(server.takeLog().map(({ method, path: at }) => `${method} ${at}`)).toEqual([
      `GET /api/v2/agent/${task.id}`,
      `POST ${path}`,
      `GET /api/v2/agent/${task.id}`,
    ]);
    expect(await pipeline.store.read(task.desired)).toMatchObject({ record: { draft: 'published' } });
  });

  test('A publish repeats the read while it lags behind.', async () => {
    const task = await written('a');
    let left = 1;
    const lag = () => {
      if (left === 0) return undefined;
      left -= 1;
      return json(200, { success: true, campaign: { id: task.id, campaignType: 'chatAgent', published: false } });
    };
    onReadsAfterPublish(lag);
    expect((await publish([task], { readBackMs: 20 })).entries).toMatchObject([{ outcome: 'published' }]);
    left = 2;
    onReadsAfterPublish(lag);
    expect(spoken((await publish([task], { readBackMs: 20 })).entries)).toMatchObject([
      {
        outcome: 'failed',
        message: expect.stringContaining('returned published: false (after waiting 0.1 s). Check that the token'),
      },
    ]);
  });

  test('A publish without agents emits nothing.', async () => {
    expect(await publish([])).toMatchObject({ entries: [], events: [] });
  });

  test('A publish that moves lastUpdate does not count as an edit.', async () => {
    const task = await written('a');
    server.after = (call) => (call.path === path ? void server.edit(task.id, {}) : undefined);
    await publish([task]);
    expect(await pipeline.store.read(task.desired)).toMatchObject({
      record: { lastUpdate: stored(task.desired)?.lastUpdate, draft: 'published' },
    });
    expect(stored(task.desired)?.lastUpdate).not.toBe(task.lastUpdate);
  });

  test('A publish does not hide an earlier edit.', async () => {
    const task = await written('a');
    server.edit(task.id, { title: 'Theirs' });
    await publish([{ ...task, lastUpdate: stored(task.desired)?.lastUpdate }]);
    expect(await pipeline.store.read(task.desired)).toMatchObject({
      record: { lastUpdate: task.lastUpdate, draft: 'published' },
    });
  });

  test('A publish sends nothing if the agent was edited after its last read, for example after its apply.', async () => {
    const task = await written('a');
    server.edit(task.id, { description: 'Theirs' });
    const { entries } = await publish([task]);
    expect(entries).toMatchObject([{ outcome: 'not attempted', refused: true, reasons: [{ code: 'stale' }] }]);
    expect(published()).toEqual([]);
    expect(await pipeline.store.read(task.desired)).toMatchObject({
      record: { lastUpdate: task.lastUpdate, draft: 'written' },
    });
  });

  test('A publish sends nothing if the agent cannot be read before it.', async () => {
    const task = await written('a');
    server.before = (call) => (call.method === 'GET' ? json(404, { success: false, message: 'gone' }) : undefined);
    expect(spoken((await publish([task])).entries)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('gone') },
    ]);
    expect(published()).toEqual([]);
  });

  test('A publish does not add lastUpdate to a record without one.', async () => {
    const task = await written('a');
    const { record, version } = (await pipeline.store.read(task.desired)) ?? {};
    if (record === undefined) throw new Error('it was not recorded');
    const { lastUpdate: _, hmac: __, ...without } = record;
    await pipeline.store.save(without, version);
    await publish([{ ...task, lastUpdate: undefined }]);
    expect((await pipeline.store.read(task.desired))?.record).toEqual({
      ...without,
      draft: 'published',
      publication: { at: new Date(0).toISOString(), lastUpdate: expect.any(Number) },
    });
  });

  test('A publish keeps the recorded lastUpdate if the read shows none.', async () => {
    const task = await written('a');
    server.after = (call, reply) => {
      if (call.method !== 'GET') return undefined;
      const { campaign, ...rest } = JSON.parse(reply.body);
      return { ...reply, body: JSON.stringify({ ...rest, campaign: { ...campaign, lastUpdate: null } }) };
    };
    expect((await publish([task])).entries).toMatchObject([{ outcome: 'published' }]);
    expect(await pipeline.store.read(task.desired)).toMatchObject({ record: { lastUpdate: task.lastUpdate } });
  });

  test('A publish of an agent without a record creates no record.', async () => {
    const desired = agent('a');
    const { id, lastUpdate } = server.seed(desired.target.token.reveal(), { title: 'T' });
    expect((await publish([{ desired, id, lastUpdate }])).entries).toMatchObject([{ outcome: 'published' }]);
    expect(await pipeline.store.read(desired)).toBeUndefined();
  });
});

describe('publications that fail', () => {
  test('A publish fails if the service refuses it, and the record does not change.', async () => {
    const task = await written('a');
    onPublish(json(400, { success: false, message: `no ${secret}` }));
    const { entries, stopped } = await publish([task]);
    expect(spoken(entries)).toMatchObject([{ outcome: 'failed', message: expect.stringContaining('no ***') }]);
    expect(stopped.size).toBe(0);
    expect(await pipeline.store.read(task.desired)).toMatchObject({ record: { draft: 'written' } });
    expect(published()).toHaveLength(1);
  });

  test('A publish with a lost response has an unknown outcome, and can be repeated.', async () => {
    const task = await written('a');
    onPublish('reset');
    expect(spoken((await publish([task])).entries)).toMatchObject([
      { outcome: 'unknown', message: expect.stringMatching(/.+; publish again. Publishing twice is safe$/) },
    ]);
  });

  test('A publish whose read fails reports the message from the service.', async () => {
    const task = await written('a');
    onReadsAfterPublish(() => json(404, { success: false, message: 'gone' }));
    const { entries, stopped } = await publish([task]);
    expect(spoken(entries)).toMatchObject([
      {
        outcome: 'failed',
        message: expect.stringMatching(
          new RegExp(`^the service reported agent ${task.id} as published, but this could not be confirmed: .*gone`),
        ),
      },
    ]);
    expect(stopped.size).toBe(0);
  });

  test.each<[string, boolean | null | undefined]>([
    ['false', false],
    ['null', null],
    ['null', undefined],
  ])(
    'A publish whose read says published: %s may have reached another agent and stops its credentials.',
    async (said, flag) => {
      const first = await written('a');
      const second: AgentPublish = { ...first, desired: agent('b', {}, { target: first.desired.target }) };
      const third = await written('c');
      server.after = (call, reply) => {
        if (call.method !== 'GET' || call.query.token !== first.desired.target.token.reveal()) return undefined;
        const { campaign, ...rest } = JSON.parse(reply.body);
        return { ...reply, body: JSON.stringify({ ...rest, campaign: { ...campaign, published: flag } }) };
      };
      const { entries, events } = await publish([first, second, third], { concurrency: 1 });
      expect(spoken(entries)).toMatchObject([
        {
          outcome: 'failed',
          message: `the service reported success, but a read of agent ${first.id} returned published: ${said}. Check that the token and target.query of Agent/${named('a')} belong to this agent`,
        },
        {
          outcome: 'not attempted',
          message: 'an earlier request with these credentials affected the wrong agent',
        },
        { outcome: 'published' },
      ]);
      expect(events.filter(({ type }) => type === 'resource-started')).toHaveLength(2);
      expect(await pipeline.store.read(first.desired)).toMatchObject({ record: { draft: 'written' } });
    },
  );

  test('A publish that is interrupted before its turn sends nothing.', async () => {
    const task = await written('a');
    const { entries, events } = await publish([task], { aborted: true });
    expect(spoken(entries)).toMatchObject([
      {
        outcome: 'not attempted',
        message: expect.stringMatching(/^the run was interrupted before it reached this resource\. To continue, run/),
      },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['phase-started', 'resource-published', 'phase-finished']);
    expect(published()).toEqual([]);
  });

  test('A bug in a publish makes its outcome unknown, and does not stop the others.', async () => {
    const [first, second] = [await written('a'), await written('b')];
    const connectionOf = ({ name, target }: Desired) => {
      if (name === named('a')) throw new TypeError('x is not a function');
      return target;
    };
    const { entries } = await publish([first, second], { connectionOf });
    expect(spoken(entries)).toMatchObject([
      {
        outcome: 'unknown',
        message: expect.stringMatching(/^this is a bug in agentform; please report it: TypeError: x is not a function/),
      },
      { outcome: 'published' },
    ]);
  });

  test('A bug after the request of a publish also makes its outcome unknown.', async () => {
    const task = await written('a');
    let calls = 0;
    const connectionOf = ({ target }: Desired) => {
      calls += 1;
      if (calls > 1) throw new TypeError('x is not a function');
      return target;
    };
    expect(spoken((await publish([task], { connectionOf })).entries)).toMatchObject([
      { outcome: 'unknown', message: expect.stringMatching(/^this is a bug in agentform/) },
    ]);
  });

  test('Publishing respects the concurrency limit.', async () => {
    const tasks = [await written('a'), await written('b')];
    const { events } = await publish(tasks, { concurrency: 1 });
    const names = events.flatMap((event) => ('entry' in event ? event.entry.name : 'name' in event ? event.name : []));
    expect(names).toEqual(['a', 'a', 'b', 'b'].map(named));
  });
});

describe('an apply that publishes', () => {
  const apply = (desired: readonly Desired[], choices: ApplyChoices = {}) =>
    pipeline.apply(desired, { publish: path, ...choices });

  test('With --publish, an apply publishes the agents it wrote and shows that beside each agent.', async () => {
    const desired = agent('a');
    const { entries, publishing } = await apply([desired]);
    expect(publishing).toStrictEqual([
      { kind: 'Agent', name: named('a'), id: stored(desired)?.id, outcome: 'published' },
    ]);
    expect(entries).toMatchObject([{ outcome: 'applied', published: true }]);
    expect(await pipeline.store.read(desired)).toMatchObject({ record: { draft: 'published' } });
  });

  test('With --publish, an apply publishes an unpublished draft of an earlier apply once.', async () => {
    await pipeline.apply([agent('a')]);
    server.takeLog();
    const first = await apply([agent('a')]);
    expect(first).toMatchObject({ entries: [{ outcome: 'unchanged', published: true }] });
    expect(first.publishing).toMatchObject([{ outcome: 'published' }]);
    const second = await apply([agent('a')]);
    expect(second.publishing).toStrictEqual([
      { kind: 'Agent', name: named('a'), id: stored(agent('a'))?.id, outcome: 'already published' },
    ]);
    expect(second.entries[0]).not.toHaveProperty('published');
    expect(published()).toHaveLength(1);
  });

  test('With --publish, an apply publishes an unchanged agent that was never published.', async () => {
    await apply([agent('a')]);
    server.quirks = { publishedFlag: false };
    server.takeLog();
    expect((await apply([agent('a')])).publishing).toMatchObject([{ outcome: 'failed' }]);
    expect(published()).toHaveLength(1);
  });

  test('With --publish, an apply leaves out failed and refused resources and other kinds.', async () => {
    const failing = agent('b');
    server.before = (call) =>
      call.query.token === failing.target.token.reveal() ? json(400, { success: false, message: 'no' }) : undefined;
    const context = pipeline.desired(named('tea'), { settings: { context: 'C' } }, { kind: 'Context' });
    const { publishing, entries } = await apply([agent('c'), failing, agent('a'), context], { concurrency: 1 });
    expect(publishing?.map(({ name }) => name)).toEqual([named('a'), named('c')]);
    expect(entries.find(({ name }) => name === failing.name)).not.toHaveProperty('published');
    expect(entries.find(({ kind }) => kind === 'Context')).toMatchObject({ outcome: 'applied' });
  });

  test('With --publish, an apply names the agents that it published and those that were already published.', async () => {
    await apply([agent('b')]);
    const { publishing } = await apply([agent('b'), agent('a')]);
    expect(publishing).toMatchObject([
      { name: named('a'), outcome: 'published' },
      { name: named('b'), outcome: 'already published' },
    ]);
  });

  test('With --publish, an apply does not publish an agent whose record it drops.', async () => {
    const desired = agent('a');
    await pipeline.apply([desired]);
    const record = await pipeline.store.read(desired);
    if (record === undefined) throw new Error('it was not recorded');
    const { plan, prepared } = await pipeline.plan([desired]);
    const resources = plan.resources.map((resource) => ({ ...resource, action: 'forget' as const }));
    const removals = new Map([[`Agent/${desired.name}`, record]]);
    const ledger = await pipeline.carryOut({ plan: { ...plan, resources }, prepared }, { removals, publish: path });
    expect(ledger).toMatchObject({ entries: [{ action: 'forget', outcome: 'applied', sent: false }], publishing: [] });
    expect(await pipeline.store.read(desired)).toBeUndefined();
    expect(published()).toEqual([]);
  });

  test('With --publish, an apply relies on the read alone if there is no record.', async () => {
    const { target } = agent('a');
    const { id } = server.seed(target.token.reveal(), { title: 'T' });
    const desired: Desired = { ...agent('a'), sections: {}, target: { ...target, agentId: id } };
    expect((await apply([desired])).publishing).toMatchObject([{ id, outcome: 'already published' }]);
    server.quirks = { publishedFlag: false };
    await apply([desired]);
    expect(published()).toHaveLength(1);
  });

  test('With --publish, an apply does not use credentials that reached another agent.', async () => {
    const first = agent('a');
    const target = { ...first.target, campaignId: 'draft-1' };
    const second = agent('b', {}, { target: first.target });
    await pipeline.apply([second]);
    const { id = '' } = stored(first) ?? {};
    server.takeLog();
    const unchanged = { ...second, target: { ...second.target, agentId: id } };
    const { publishing } = await apply([{ ...first, target }, unchanged], { concurrency: 1 });
    expect(spoken(publishing)).toMatchObject([
      {
        name: named('b'),
        outcome: 'not attempted',
        message: expect.stringContaining('an earlier request with these credentials'),
      },
    ]);
    expect(published()).toEqual([]);
  });

  test('With --publish, an apply removes secrets from the messages of the service.', async () => {
    onPublish(json(400, { success: false, message: `no ${secret}` }));
    const { publishing } = await apply([agent('a')]);
    expect(spoken(publishing)).toMatchObject([{ outcome: 'failed', message: expect.stringContaining('no ') }]);
    expect(JSON.stringify(publishing)).not.toContain(secret);
  });

  test('With --publish, an apply uses the lastUpdate of its write, or that of the plan if it wrote nothing.', async () => {
    const desired = agent('a');
    server.after = (call) => (call.path === path ? void server.edit(stored(desired)?.id ?? '', {}) : undefined);
    await apply([desired]);
    expect(await pipeline.store.read(desired)).toMatchObject({ record: { lastUpdate: stored(desired)?.lastUpdate } });
    await pipeline.apply([agent('a', { title: 'New' })]);
    await apply([agent('a', { title: 'New' })]);
    expect(await pipeline.store.read(desired)).toMatchObject({ record: { lastUpdate: stored(desired)?.lastUpdate } });
  });
});
