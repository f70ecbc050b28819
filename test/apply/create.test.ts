import { describe, expect, test } from '@jest/globals';
import { idKey } from '../../src/kinds/desired.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { json } from '../support/independent-server.ts';
import { messageOf, spoken, told } from '../support/notices.ts';
import { agent, min } from './agent.ts';
import {
  applied,
  isRead,
  isWrite,
  methods,
  pipeline,
  recordOf,
  refused,
  secret,
  server,
  useApplying,
} from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

describe('creates', () => {
  test('A create ends with a ledger of the sent and read-back settings.', async () => {
    const desired = agent({ welcomeMessage: 'Hi' });
    expect(await applied(desired)).toEqual({
      kind: 'Agent',
      name: desired.name,
      title: 'T',
      action: 'create',
      outcome: 'applied',
      mayReplace: true,
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
    expect(write?.body).toEqual({ type: 'chatAgent', ...min, welcomeMessage: 'Hi' });
    const stored = server.agentOf(desired.target.token.reveal());
    expect(read?.path).toBe(`/api/v2/agent/${stored?.id}`);
  });

  test('A create ends with a record of the written settings.', async () => {
    const desired = agent({ welcomeMessage: 'Hi' });
    await applied(desired, { context: { applier: { commit: 'c0ffee' } } });
    const stored = server.agentOf(desired.target.token.reveal());
    expect(await recordOf(desired)).toEqual({
      formatVersion: expect.any(Number),
      event: 'create',
      hmac: expect.any(String),
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

  test('The record of a create says begun before the request, and written before the read-back.', async () => {
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

  test('A create that the service refuses leaves no record and reports the reason.', async () => {
    server.before = (call) => (isWrite(call) ? refused : undefined);
    const desired = agent();
    expect(spoken(await applied(desired))).toMatchObject({
      outcome: 'failed',
      sent: false,
      message: expect.stringContaining('no such voice'),
    });
    expect(await recordOf(desired)).toBeUndefined();
  });

  test('A create whose response is lost is sent once, and its resource is blocked until a person checks it.', async () => {
    server.after = (call) => (isWrite(call) ? 'reset' : undefined);
    const desired = agent();
    server.takeLog();
    expect(spoken(await applied(desired))).toMatchObject({
      outcome: 'unknown',
      sent: true,
      message: expect.stringMatching(
        new RegExp(
          `\\. Look for the agent on the service\\. If it exists, run \`agentform record adopt Agent/${desired.name} ID -e test\`\\. Otherwise, run \`agentform record forget --unclear Agent/${desired.name} -e test\`$`,
        ),
      ),
    });
    expect(methods()).toEqual(['POST']);
    expect(await recordOf(desired)).toMatchObject({ intent: { operation: 'create' } });
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'blocked' }]);
  });

  test('A create fails and its record keeps the intent if the id in the response is not target.campaignId.', async () => {
    const desired = agent();
    const target = { ...desired.target, campaignId: 'draft-1' };
    server.quirks = { answeredId: () => 'draft-2' };
    expect(spoken(await applied({ ...desired, target }))).toMatchObject({
      outcome: 'failed',
      sent: true,
      id: 'draft-2',
      message: expect.stringMatching(
        /the settings of agent draft-2 instead of agent draft-1 \(target\.campaignId\); nothing more is sent with these credentials\. Look for the agent on the service/,
      ),
    });
    expect(await recordOf(desired)).toMatchObject({ intent: { operation: 'create' } });
  });

  test('A create is confirmed if the id in the response is target.campaignId.', async () => {
    const desired = agent();
    server.quirks = { answeredId: () => 'draft-1' };
    server.before = (call) =>
      isRead(call) ? json(200, { success: true, message: '', campaign: { id: 'draft-1', title: 'T' } }) : undefined;
    const entry = await applied({ ...desired, target: { ...desired.target, campaignId: 'draft-1' } });
    expect(entry).toMatchObject({ outcome: 'applied', id: 'draft-1' });
    // The read does not show whether callers have this draft.
    expect(entry).not.toHaveProperty('published');
  });

  test("A create that reached another manifest's agent names the overwritten resource and leaves no record.", async () => {
    const desired = agent();
    server.quirks = { answeredId: () => 'camp-9' };
    const owners = new Map([[idKey(desired.target, 'camp-9'), 'Agent/sales']]);
    const entry = await applied(desired, { context: { owners } });
    expect(entry).toMatchObject({ outcome: 'failed', sent: true });
    expect(entry).not.toHaveProperty('id');
    expect(messageOf(entry)).toBe(
      'the write overwrote the settings of agent camp-9, which belongs to Agent/sales; nothing more is sent ' +
        `with these credentials. Give Agent/${desired.name} a separate \`target\`, then apply Agent/sales again`,
    );
    expect(await recordOf(desired)).toBeUndefined();
  });

  test("A create that reached another manifest's agent ends all requests with its credentials.", async () => {
    const first = agent();
    const second = { ...first, name: `${first.name}-next`, target: { ...first.target, query: { page: '2' } } };
    server.quirks = { answeredId: () => 'camp-9' };
    const owners = new Map([[idKey(first.target, 'camp-9'), 'Agent/sales']]);
    const { entries } = await pipeline.apply([first, second], { concurrency: 1, context: { owners } });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['failed', 'not attempted']);
    expect(methods()).toEqual(['POST']);
  });

  test('A create makes its resource the owner of the agent on this host.', async () => {
    const desired = agent();
    const owners = new Map([['other.example.com agent', 'Agent/sales']]);
    const { id } = await applied(desired, { context: { owners } });
    expect(owners.get(idKey(desired.target, id))).toBe(`Agent/${desired.name}`);
  });

  test('A create is confirmed if the resource already owns the agent in the response.', async () => {
    const desired = agent();
    server.quirks = { answeredId: (id) => id };
    const { id } = server.seed(desired.target.token.reveal(), {});
    const owners = new Map([[idKey(desired.target, id), `Agent/${desired.name}`]]);
    expect(await applied(desired, { context: { owners } })).toMatchObject({ outcome: 'applied', id });
  });

  test('A create has an unknown outcome if the id in the response contains a secret, and the id appears nowhere.', async () => {
    const desired = agent();
    server.quirks = { answeredId: () => `camp-${secret}` };
    const entry = await applied(desired);
    expect(spoken(entry)).toMatchObject({
      outcome: 'unknown',
      sent: true,
      message: expect.stringMatching(
        /^the service returned an id that contains a secret, so the id is not recorded\. Look for the agent/,
      ),
    });
    expect(JSON.stringify([entry, await recordOf(desired)])).not.toContain(secret);
  });

  test('A create names each undeclared setting that it found on the agent once.', async () => {
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

  test('A create warns of declared skills that are not usable.', async () => {
    server.after = (call, reply) => {
      if (!isRead(call)) return undefined;
      const { campaign, ...rest } = JSON.parse(reply.body);
      const skills = [{ slug: 'a', instructions: 'A', usable: false, reason: `needs ${secret}` }];
      return { ...reply, body: JSON.stringify({ ...rest, campaign: { ...campaign, skills } }) };
    };
    const { warnings } = told(await applied(agent({}, {}, { skills: [{ slug: 'a', instructions: 'A' }] })));
    expect(warnings).toEqual([expect.stringMatching(/^the skill a is not usable: needs /)]);
    expect(warnings.join()).not.toContain(secret);
  });
});
