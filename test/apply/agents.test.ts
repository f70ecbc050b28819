import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { LedgerEntry } from '../../src/apply/events.ts';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import {
  type IndependentServer,
  json,
  type LoggedCall,
  startIndependentServer,
} from '../support/independent-server.ts';
import { type ApplyChoices, createPipeline, type Pipeline } from '../support/pipeline.ts';

const secret = 'hunter2-hunter2';

let server: IndependentServer;
let pipeline: Pipeline;
let count = 0;

beforeAll(async () => {
  server = await startIndependentServer();
  pipeline = await createPipeline(server.baseUrl, [new Secret(secret)], { retry: { tries: 1 } });
});
afterAll(async () => {
  await pipeline.close();
  await server.close();
});
beforeEach(() => {
  count += 1;
});
afterEach(() => {
  server.quirks = {};
  server.before = undefined;
  server.after = undefined;
});

const least = { title: 'T', description: 'D' };
const isWrite = ({ method }: LoggedCall) => method === 'POST';
const isRead = ({ method }: LoggedCall) => method === 'GET';
const refused = json(400, { success: false, message: 'no such voice' });

/** The agent of a test: each has a token, and with it an account, of its own. */
function agent(settings: JsonObject = {}, parts: Partial<Desired> = {}, sections: JsonObject = {}): Desired {
  return pipeline.desired(`agent-${count}`, { settings: { ...least, ...settings }, ...sections }, parts);
}

async function applied(desired: Desired, choices: ApplyChoices = {}): Promise<LedgerEntry> {
  const { entries } = await pipeline.apply([desired], choices);
  const [entry] = entries;
  if (entry === undefined) throw new Error('the ledger is empty');
  return entry;
}

async function recordOf({ kind, name, environment }: Desired): Promise<ResourceRecord | undefined> {
  return (await pipeline.store.read({ kind, name, environment }))?.record;
}

function methods(): string[] {
  return server.takeLog().map(({ method }) => method);
}

describe('a create', () => {
  test('ends with the ledger, the body and the record of what was written', async () => {
    server.takeLog();
    const desired = agent({ welcomeMessage: 'Hi' });
    expect(await applied(desired, { means: { commit: 'c0ffee' } })).toEqual({
      kind: 'Agent',
      name: desired.name,
      action: 'create',
      outcome: 'applied',
      id: expect.stringMatching(/^agent-/),
      sent: true,
      settings: { changed: 3, sent: 3 },
      fields: [
        { path: 'settings.description', result: 'unverifiable' },
        { path: 'settings.title', result: 'stored' },
        { path: 'settings.welcomeMessage', result: 'stored' },
      ],
      warnings: [],
      published: false,
    });
    const [write, read] = server.takeLog();
    expect(write?.body).toEqual({ type: 'chatAgent', ...least, welcomeMessage: 'Hi' });
    const stored = server.agentOf(desired.target.token.reveal());
    expect(read?.path).toBe(`/api/v2/agent/${stored?.id}`);
    expect(await recordOf(desired)).toEqual({
      formatVersion: expect.any(Number),
      environment: 'test',
      kind: 'Agent',
      name: desired.name,
      host: desired.target.host,
      query: {},
      credentials: { fingerprint: expect.stringMatching(/^hmac:/) },
      id: stored?.id,
      lastUpdate: stored?.lastUpdate,
      draft: 'written',
      appliedAt: '1970-01-01T00:00:00.000Z',
      commit: 'c0ffee',
      fields: {
        'settings.description': { value: 'D' },
        'settings.title': { value: 'T' },
        'settings.welcomeMessage': { value: 'Hi' },
      },
    });
  });

  test('is on record as begun before it is sent, and as written without lastUpdate before it is read back', async () => {
    const desired = agent();
    const records: (ResourceRecord | undefined)[] = [];
    server.before = async () => void records.push(await recordOf(desired));
    await applied(desired);
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({
      intent: { operation: 'create', startedAt: '1970-01-01T00:00:00.000Z' },
      fields: {},
    });
    expect(records[1]).toMatchObject({ id: expect.any(String), draft: 'written', fields: { 'settings.title': {} } });
    expect(records[1]).not.toHaveProperty('intent');
    expect(records[1]).not.toHaveProperty('lastUpdate');
  });

  test('that the service refuses leaves no record and says why', async () => {
    server.before = (call) => (isWrite(call) ? refused : undefined);
    const desired = agent();
    expect(await applied(desired)).toMatchObject({
      outcome: 'failed',
      sent: false,
      message: expect.stringContaining('no such voice'),
    });
    expect(await recordOf(desired)).toBeUndefined();
  });

  test('whose answer is lost is sent once, and blocks until somebody has looked', async () => {
    server.after = (call) => (isWrite(call) ? 'reset' : undefined);
    const desired = agent();
    server.takeLog();
    expect(await applied(desired)).toMatchObject({
      outcome: 'unknown',
      sent: true,
      message: expect.stringMatching(
        new RegExp(
          `; look for the agent on the service; if it exists, run \`agentform record adopt Agent/${desired.name} ID -e test\`; otherwise, run \`agentform record forget Agent/${desired.name} -e test\`$`,
        ),
      ),
    });
    expect(methods()).toEqual(['POST']);
    expect(await recordOf(desired)).toMatchObject({ intent: { operation: 'create' } });
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'blocked' }]);
  });

  test('that answers with another id than target.campaignId hit another agent, and the record stays as begun', async () => {
    const desired = agent();
    const target = { ...desired.target, campaignId: 'draft-1' };
    server.quirks = { answeredId: () => 'draft-2' };
    expect(await applied({ ...desired, target })).toMatchObject({
      outcome: 'failed',
      sent: true,
      id: 'draft-2',
      message: expect.stringMatching(
        /agent draft-2 instead of draft-1 \(target\.campaignId\), so its settings were overwritten; nothing more is sent with these credentials; look for the agent on the service/,
      ),
    });
    expect(await recordOf(desired)).toMatchObject({ intent: { operation: 'create' } });
  });

  test('that answers with target.campaignId is confirmed', async () => {
    const desired = agent();
    server.quirks = { answeredId: () => 'draft-1' };
    server.before = (call) =>
      isRead(call) ? json(200, { success: true, message: '', campaign: { id: 'draft-1', title: 'T' } }) : undefined;
    const entry = await applied({ ...desired, target: { ...desired.target, campaignId: 'draft-1' } });
    expect(entry).toMatchObject({ outcome: 'applied', id: 'draft-1' });
  });

  test("that hits another manifest's agent says whose settings were overwritten, and leaves no record", async () => {
    const desired = agent();
    server.quirks = { answeredId: () => 'camp-9' };
    const owners = new Map([[`${desired.target.host} camp-9`, 'Agent/sales']]);
    const entry = await applied(desired, { means: { owners } });
    expect(entry).toMatchObject({ outcome: 'failed', sent: true });
    expect(entry).not.toHaveProperty('id');
    expect(entry.message).toBe(
      'the write reached agent camp-9, which belongs to Agent/sales: its settings were overwritten; nothing more is sent ' +
        `with these credentials; give Agent/${desired.name} its own \`target\`, then apply Agent/sales again`,
    );
    expect(await recordOf(desired)).toBeUndefined();
  });

  test('is the owner of its agent from then on, on this host', async () => {
    const desired = agent();
    const owners = new Map([['other.example.com agent', 'Agent/sales']]);
    const { id } = await applied(desired, { means: { owners } });
    expect(owners.get(`${desired.target.host} ${id}`)).toBe(`Agent/${desired.name}`);
  });

  test('of an agent that the owners know as its own already is confirmed', async () => {
    const desired = agent();
    server.quirks = { answeredId: (id) => id };
    const { id } = server.seed(desired.target.token.reveal(), {});
    const owners = new Map([[`${desired.target.host} ${id}`, `Agent/${desired.name}`]]);
    expect(await applied(desired, { means: { owners } })).toMatchObject({ outcome: 'applied', id });
  });

  test('that answers with an id that quotes a secret is unknown, and the id is nowhere', async () => {
    const desired = agent();
    server.quirks = { answeredId: () => `camp-${secret}` };
    const entry = await applied(desired);
    expect(entry).toMatchObject({
      outcome: 'unknown',
      sent: true,
      message: expect.stringMatching(
        /^the service returned an id that contains a secret, so the id is not recorded; look for the agent/,
      ),
    });
    expect(JSON.stringify([entry, await recordOf(desired)])).not.toContain(secret);
  });

  test('names the settings that it found there and nobody declared, each once', async () => {
    const desired = agent();
    server.seed(desired.target.token.reveal(), {
      agentLang: 'es-MX',
      timezone: '',
      welcomeMessage: 'Theirs',
      skills: [
        { slug: 'a', instructions: 'A' },
        { slug: 'b', instructions: 'B' },
      ],
    });
    const { fields } = await applied(desired);
    expect(fields.filter(({ result }) => result === 'took over')).toEqual([
      { path: 'settings.welcomeMessage', result: 'took over' },
      { path: 'settings.agentLang', result: 'took over' },
      { path: 'skills', result: 'took over' },
    ]);
  });

  test('warns of the declared skills that are not usable', async () => {
    server.after = (call, reply) => {
      if (!isRead(call)) return undefined;
      const { campaign, ...rest } = JSON.parse(reply.body);
      const skills = [{ slug: 'a', instructions: 'A', usable: false, reason: `needs ${secret}` }];
      return { ...reply, body: JSON.stringify({ ...rest, campaign: { ...campaign, skills } }) };
    };
    const { warnings } = await applied(agent({}, {}, { skills: [{ slug: 'a', instructions: 'A' }] }));
    expect(warnings).toEqual([expect.stringMatching(/^the skill a is not usable: needs /)]);
    expect(warnings.join()).not.toContain(secret);
  });
});

describe('an update', () => {
  /** An agent that was applied, and what its manifest says next. */
  async function changed(settings: JsonObject, before: JsonObject = {}): Promise<Desired> {
    await applied(agent(before));
    server.takeLog();
    return agent(settings);
  }

  test('reads, writes everything that is declared, and reads back', async () => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.takeLog();
    const { entries } = await pipeline.carryOut(planned);
    expect(entries).toMatchObject([
      { action: 'update', outcome: 'applied', sent: true, settings: { changed: 1, sent: 2 }, published: false },
    ]);
    const calls = server.takeLog();
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(calls[1]?.body).toEqual({ type: 'chatAgent', title: 'New', description: 'D' });
    expect(await recordOf(desired)).toMatchObject({
      lastUpdate: server.agentOf(desired.target.token.reveal())?.lastUpdate,
      draft: 'written',
      fields: { 'settings.title': { value: 'New' } },
    });
  });

  test('is refused as stale if the agent moved since the plan; nothing is sent', async () => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.edit(server.agentOf(desired.target.token.reveal())?.id ?? '', { title: 'Theirs' });
    server.takeLog();
    expect((await pipeline.carryOut(planned)).entries).toMatchObject([
      {
        outcome: 'not attempted',
        refused: true,
        sent: false,
        message: `stale: Agent/${desired.name} changed on the service after it was planned; plan again`,
      },
    ]);
    expect(methods()).toEqual(['GET']);
  });

  test('whose read before the write fails sends nothing', async () => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.before = (call) => (isRead(call) ? json(403, { success: false, message: 'not yours' }) : undefined);
    server.takeLog();
    expect((await pipeline.carryOut(planned)).entries).toMatchObject([
      { outcome: 'failed', sent: false, message: expect.stringContaining('not yours') },
    ]);
    expect(methods()).toEqual(['GET']);
  });

  test('that the service refuses leaves the record as it was', async () => {
    const desired = await changed({ title: 'New' });
    const record = await recordOf(desired);
    server.before = (call) => (isWrite(call) ? refused : undefined);
    expect(await applied(desired)).toMatchObject({
      outcome: 'failed',
      sent: false,
      message: expect.stringContaining('no such voice'),
    });
    expect(await recordOf(desired)).toEqual(record);
  });

  test('that hits another agent is told by the answer, and nothing else goes out with these credentials', async () => {
    const first = await changed({ title: 'New' });
    const second = { ...agent({ title: 'Also new' }), name: 'next', target: { ...first.target, query: { a: '1' } } };
    const third = agent({}, { name: 'other', target: { ...first.target, token: new Secret('tok-other') } });
    const planned = await pipeline.plan([first, second, third]);
    server.quirks = { answeredId: () => 'camp-9' };
    server.takeLog();
    const { entries } = await pipeline.carryOut(planned, { concurrency: 1 });
    const { id } = server.agentOf(first.target.token.reveal()) ?? {};
    expect(entries).toMatchObject([
      {
        name: first.name,
        outcome: 'failed',
        sent: true,
        message: `the write reached agent camp-9 instead of ${id}, so the settings of camp-9 were overwritten; nothing more is sent with these credentials; check the token and target.query, or set target.campaignId`,
      },
      {
        name: 'next',
        outcome: 'not attempted',
        sent: false,
        message: 'an earlier write with these credentials reached the wrong agent',
      },
      { name: 'other', sent: true },
    ]);
    expect(entries[0]).not.toHaveProperty('hitWrongAgent');
  });

  test('that answers with target.campaignId is confirmed by reading target.agentId', async () => {
    const { target } = await changed({ title: 'New' });
    const { id = '' } = server.agentOf(target.token.reveal()) ?? {};
    server.quirks = { answeredId: () => 'draft-1' };
    const desired = agent({ title: 'New' }, { target: { ...target, agentId: id, campaignId: 'draft-1' } });
    expect(await applied(desired)).toMatchObject({ outcome: 'applied', id });
  });

  test('that only gives up what the service keeps sends nothing, and drops it from the record', async () => {
    const desired = await changed({}, { welcomeMessage: 'Hi' });
    expect(await applied(desired)).toMatchObject({ outcome: 'applied', sent: false, fields: [], warnings: [] });
    expect(methods()).toEqual(['GET']);
    expect(Object.keys((await recordOf(desired))?.fields ?? {})).toEqual(['settings.description', 'settings.title']);
    expect(await recordOf(desired)).toMatchObject({ lastUpdate: expect.any(Number), draft: 'written' });
  });

  test('sends the default for what is given up and has one', async () => {
    const desired = await changed({}, { agentLang: 'es-MX', agentThinking: 'low' });
    expect(await applied(desired)).toMatchObject({
      outcome: 'applied',
      settings: { changed: 2, sent: 4 },
      fields: [
        { path: 'settings.description', result: 'unverifiable' },
        { path: 'settings.title', result: 'stored' },
      ],
    });
    expect(server.agentOf(desired.target.token.reveal())?.settings).toMatchObject({
      agentLang: 'en-US',
      agentThinking: null,
    });
    expect(Object.keys((await recordOf(desired))?.fields ?? {})).toEqual(['settings.description', 'settings.title']);
  });

  describe('whose answer is lost', () => {
    const lose = () => {
      server.after = (call) => (isWrite(call) ? 'reset' : undefined);
    };

    test('is done after all if a read shows what was sent', async () => {
      const desired = await changed({ title: 'New', description: 'Also new' });
      lose();
      expect(await applied(desired)).toMatchObject({ outcome: 'applied', sent: true, settings: { changed: 2 } });
      expect(await recordOf(desired)).toMatchObject({
        lastUpdate: expect.any(Number),
        fields: { 'settings.title': { value: 'New' }, 'settings.description': { value: 'Also new' } },
      });
    });

    test.each<[string, JsonObject, () => void]>([
      [
        'the read shows another value',
        { title: 'New' },
        () => {
          server.before = (call) => (isWrite(call) ? 'reset' : undefined);
        },
      ],
      [
        'the read shows only a part of it',
        { title: 'New', welcomeMessage: 'Hi' },
        () => {
          server.quirks = { ignores: ['welcomeMessage'] };
        },
      ],
      ['nothing that was sent can be read', { description: 'New' }, () => undefined],
    ])('stays unknown if %s, and leaves in doubt what cannot be read', async (_name, settings, disturb) => {
      const desired = await changed(settings);
      const record = await recordOf(desired);
      lose();
      disturb();
      const entry = await applied(desired);
      expect(entry).toMatchObject({ outcome: 'unknown', sent: true, message: expect.stringMatching(/.+/) });
      const { lastUpdate, ...others } = record ?? {};
      expect(lastUpdate).toEqual(expect.any(Number));
      expect(await recordOf(desired)).toEqual({ ...others, draft: 'written' });
    });

    test('stays unknown if the agent cannot be read afterwards', async () => {
      const desired = await changed({ title: 'New' });
      const planned = await pipeline.plan([desired]);
      let wasWritten = false;
      server.after = (call) => {
        if (isWrite(call)) wasWritten = true;
        return wasWritten ? 'reset' : undefined;
      };
      expect((await pipeline.carryOut(planned)).entries).toMatchObject([{ outcome: 'unknown', sent: true }]);
      expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
    });

    test('counts the fields of an element that was added', async () => {
      const skills = [{ slug: 'a', instructions: 'A' }];
      await applied(agent());
      lose();
      expect(await applied(agent({}, {}, { skills }))).toMatchObject({ outcome: 'applied' });
    });
  });
});

describe('what the read-back tells of a write', () => {
  test('a failed one leaves the record without lastUpdate, and the ledger says that it was written', async () => {
    const desired = agent();
    server.before = (call) => (isRead(call) ? json(404, { success: false, message: 'gone' }) : undefined);
    const entry = await applied(desired);
    const { id } = server.agentOf(desired.target.token.reveal()) ?? {};
    expect(entry).toMatchObject({ outcome: 'failed', sent: true, id });
    expect(entry.message).toMatch(
      new RegExp(`^agent ${id} was written but could not be read back: .*gone.*; plan again$`),
    );
    expect(await recordOf(desired)).toMatchObject({ id, draft: 'written', fields: { 'settings.title': {} } });
    expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
  });

  test('a setting that was not taken is a failure, and stays as it was on record', async () => {
    await applied(agent({ welcomeMessage: 'Hi' }));
    server.quirks = { ignores: ['welcomeMessage'] };
    const desired = agent({ title: 'New', welcomeMessage: 'Hello' });
    expect(await applied(desired)).toMatchObject({
      outcome: 'failed',
      sent: true,
      message: 'the service did not store settings.welcomeMessage',
      fields: [
        { path: 'settings.description', result: 'unverifiable' },
        { path: 'settings.title', result: 'stored' },
        { path: 'settings.welcomeMessage', result: 'ignored', readBack: '"Hi"' },
      ],
    });
    expect((await recordOf(desired))?.fields).toMatchObject({
      'settings.title': { value: 'New' },
      'settings.welcomeMessage': { value: 'Hi' },
    });
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([
      { changes: [{ path: 'settings.welcomeMessage', cause: 'manifest' }] },
    ]);
  });

  test('two of them are told in one sentence', async () => {
    server.quirks = { ignores: ['welcomeMessage', 'timezone'] };
    expect(await applied(agent({ welcomeMessage: 'Hello', timezone: 'UTC' }))).toMatchObject({
      message: 'the service did not store settings.timezone, settings.welcomeMessage',
    });
  });

  test('a setting in another form is applied, and on record in both forms, so that the next plan is empty', async () => {
    server.quirks = { text: 'trimmed' };
    const desired = agent({ welcomeMessage: '  Hi' });
    expect(await applied(desired)).toMatchObject({
      outcome: 'applied',
      fields: [{}, {}, { path: 'settings.welcomeMessage', result: 'normalised', readBack: '"Hi"' }],
    });
    expect((await recordOf(desired))?.fields['settings.welcomeMessage']).toEqual({ value: '  Hi', readBack: 'Hi' });
    const { plan } = await pipeline.plan([desired]);
    expect(plan.resources).toMatchObject([{ action: 'none', changes: [] }]);
    await applied(agent({ welcomeMessage: '  Hi', title: 'New' }));
    expect((await recordOf(desired))?.fields['settings.welcomeMessage']).toEqual({ value: '  Hi', readBack: 'Hi' });
  });

  test('a setting that was left out of the request and moved all the same is lost', async () => {
    const desired = agent({ heartbeatEvery: '1h' });
    await applied(desired);
    server.quirks = { losesHeartbeat: true };
    const entry = await applied(agent({ heartbeatEvery: '1h', title: 'New' }));
    expect(entry).toMatchObject({ outcome: 'failed', message: 'the service did not store settings.heartbeatEvery' });
    expect(entry.fields).toContainEqual({ path: 'settings.heartbeatEvery', result: 'lost', readBack: 'nothing' });
    expect((await recordOf(desired))?.fields['settings.heartbeatEvery']).toEqual({ value: '1h' });
  });

  test('a secret is on record as its fingerprint, sent and read back, and shown masked', async () => {
    server.quirks = { text: 'trimmed' };
    const desired = agent({ welcomeMessage: ` ${secret}` }, { sensitive: new Set(['/settings/welcomeMessage']) });
    const entry = await applied(desired);
    expect(entry.fields).toContainEqual({
      path: 'settings.welcomeMessage',
      result: 'normalised',
      readBack: expect.not.stringContaining(secret),
    });
    const record = await recordOf(desired);
    expect(record?.fields['settings.welcomeMessage']).toEqual({
      fingerprint: expect.any(String),
      readBackFingerprint: expect.any(String),
    });
    expect(JSON.stringify(record)).not.toContain(secret);
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'none' }]);
  });

  test('a record that somebody else changed meanwhile is not overwritten', async () => {
    const desired = agent();
    server.before = async (call) => {
      if (!isRead(call)) return undefined;
      const stored = await pipeline.store.read(desired);
      if (stored !== undefined) await pipeline.store.save({ ...stored.record, commit: 'theirs' }, stored.version);
      return undefined;
    };
    expect(await applied(desired)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('was written but could not be read back'),
    });
    expect(await recordOf(desired)).toMatchObject({ commit: 'theirs' });
  });
});

describe('without a write, the record takes up', () => {
  test('what live shows as wanted, and nothing that only the manifest says', async () => {
    const { target } = agent();
    const { id } = server.seed(target.token.reveal(), least);
    const desired = { ...agent(), target: { ...target, agentId: id }, sections: { settings: { title: 'T' } } };
    expect(await applied(desired)).toEqual({
      kind: 'Agent',
      name: desired.name,
      action: 'none',
      outcome: 'unchanged',
      sent: false,
      fields: [],
      warnings: [],
    });
    expect(await recordOf(desired)).toMatchObject({
      id,
      appliedAt: '1970-01-01T00:00:00.000Z',
      fields: { 'settings.title': { value: 'T' } },
    });
    expect(await recordOf(desired)).not.toHaveProperty('draft');
  });

  test('nothing, where it says all that already: it is not even written', async () => {
    const desired = agent();
    await applied(desired);
    const { version } = (await pipeline.store.read(desired)) ?? {};
    expect(await applied(desired, { means: { commit: 'later' } })).toMatchObject({ outcome: 'unchanged' });
    expect((await pipeline.store.read(desired))?.version).toBe(version);
  });
});

test('a bug of ours is not taken for an expected failure', async () => {
  const bug = () => {
    throw new TypeError('x is not a function');
  };
  const entry = await applied(agent(), { means: { connectionOf: bug } });
  expect(entry).toMatchObject({ outcome: 'unknown', sent: true });
  expect(entry.message).toMatch(
    /^this is a bug in agentform; please report it: TypeError: x is not a function\n {4}at /,
  );
  const thrown = () => {
    throw 'a text';
  };
  expect((await applied(agent({}, { name: 'thrown' }), { means: { connectionOf: thrown } })).message).toBe(
    'this is a bug in agentform; please report it: a text',
  );
  const expected = () => {
    throw new AgentformError('secret-unset', 'B is not set');
  };
  expect(await applied(agent({}, { name: 'expected' }), { means: { connectionOf: expected } })).toMatchObject({
    outcome: 'failed',
    sent: false,
    message: 'B is not set',
  });
});
