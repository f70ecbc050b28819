import { describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import type { StoredRecord } from '../../src/record/store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { json } from '../support/independent-server.ts';
import { spoken } from '../support/notices.ts';
import { agent } from './agent.ts';
import { applied, isRead, isWrite, methods, pipeline, recordOf, refused, server, useApplying } from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

describe('updates', () => {
  /** Applies an agent, then changes its manifest. */
  async function changed(settings: JsonObject, before: JsonObject = {}): Promise<Desired> {
    await applied(agent(before));
    server.takeLog();
    return agent(settings);
  }

  test('An update reads the agent, writes all declared settings, and reads the agent back.', async () => {
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

  test('A run that is killed during an update leaves a record that blames the apply, not the dashboard.', async () => {
    const desired = await changed({ title: 'New' });
    const before = await recordOf(desired);
    let during: ResourceRecord | undefined;
    server.before = async (call) => {
      if (isWrite(call)) during = await recordOf(desired);
      return undefined;
    };
    await applied(desired, { context: { applier: { commit: 'head' } } });
    server.before = undefined;
    expect(before).toHaveProperty('lastUpdate');
    expect(during).not.toHaveProperty('lastUpdate');
    expect(during).toMatchObject({
      fields: before?.fields,
      draft: 'written',
      failure: { code: 'interrupted', facts: {}, commit: 'head' },
    });
    expect(await recordOf(desired)).not.toHaveProperty('failure');
    const stored = await pipeline.store.read(desired);
    if (during === undefined || stored === undefined) throw new Error('there is no record');
    await pipeline.store.save(during, stored.version);
    // The next plan applies a third value.
    const [again] = (await pipeline.plan([agent({ title: 'Newer' })])).plan.resources;
    expect(again).toMatchObject({
      lastApply: { failure: { code: 'interrupted' } },
      changes: [
        { path: 'settings.title', from: 'New', to: 'Newer', cause: 'conflict' },
        { path: 'settings.description', cause: 'unverified' },
      ],
    });
    await pipeline.apply([agent({ title: 'Newer' })], { overwrite: [addressOf(desired)] });
    expect(await recordOf(desired)).toMatchObject({
      overwrote: [{ path: 'settings.title', cause: 'conflict', unclear: true, value: 'New' }],
    });
  });

  test('A run that is killed after it recorded an update leaves a record with the sent values and a failure.', async () => {
    const desired = await changed({ title: 'New' });
    let during: ResourceRecord | undefined;
    let hasWritten = false;
    server.before = async (call) => {
      if (isRead(call) && hasWritten) during = await recordOf(desired);
      hasWritten ||= isWrite(call);
      return undefined;
    };
    await applied(desired);
    expect(during).not.toHaveProperty('lastUpdate');
    expect(during).toMatchObject({
      fields: { 'settings.title': { value: 'New' } },
      failure: { code: 'not-read-back', facts: { cause: 'interrupted' } },
    });
    expect(await recordOf(desired)).not.toHaveProperty('failure');
  });

  test('A run that is killed during the first update of an agent leaves its id, and the next update adopts it.', async () => {
    const { target, ...rest } = agent({ title: 'New' });
    const { id } = server.seed(target.token.reveal(), { title: 'T' });
    const desired = { ...rest, target: { ...target, agentId: id } };
    let during: ResourceRecord | undefined;
    server.before = async (call) => {
      if (isWrite(call)) during = await recordOf(desired);
      return undefined;
    };
    await applied(desired);
    server.before = undefined;
    expect(during).toMatchObject({ id, fields: {}, failure: { code: 'interrupted' } });
    const stored = await pipeline.store.read(desired);
    if (during === undefined || stored === undefined) throw new Error('there is no record');
    await pipeline.store.save(during, stored.version);
    await applied(desired);
    expect(await recordOf(desired)).toMatchObject({
      id,
      event: 'adopt',
      fields: { 'settings.title': { value: 'New' } },
    });
  });

  test('A read of another agent does not confirm an update.', async () => {
    const desired = await changed({ title: 'New' });
    let hasWritten = false;
    server.after = (call, reply) => {
      hasWritten ||= isWrite(call);
      if (!isRead(call) || !hasWritten) return undefined;
      const answer = JSON.parse(reply.body);
      return json(200, { ...answer, campaign: { ...answer.campaign, id: 'camp_other' } });
    };
    const entry = await applied(desired);
    expect(entry).toMatchObject({ outcome: 'failed', sent: true, reasons: [{ code: 'not-read-back' }] });
    expect(JSON.stringify(entry)).toContain('campaign.id is the id of another agent');
    const record = await recordOf(desired);
    expect(record).toMatchObject({ failure: { code: 'not-read-back' } });
    expect(record).not.toHaveProperty('lastUpdate');
  });

  test('An update whose response is lost is not confirmed by a read of another agent.', async () => {
    const desired = await changed({ title: 'New' });
    let hasWritten = false;
    server.after = (call, reply) => {
      if (isWrite(call)) {
        hasWritten = true;
        return json(500, {});
      }
      const answer = JSON.parse(reply.body);
      return hasWritten ? json(200, { ...answer, campaign: { ...answer.campaign, id: 'camp_other' } }) : undefined;
    };
    expect(await applied(desired)).toMatchObject({ outcome: 'unknown', sent: true });
  });

  test('A refused update leaves the record as it was, apart from the failure.', async () => {
    const desired = await changed({ title: 'New' });
    const before = await recordOf(desired);
    server.before = (call) => (isWrite(call) ? refused : undefined);
    expect(await applied(desired)).toMatchObject({ outcome: 'failed', sent: false });
    const { failure, hmac: _, ...after } = (await recordOf(desired)) ?? {};
    const { hmac: __, ...earlier } = before ?? {};
    expect(failure).toMatchObject({ code: 'service-refused' });
    expect(after).toEqual(earlier);
  });

  test('An update is refused as stale before any write if the agent has changed since the plan.', async () => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.edit(server.agentOf(desired.target.token.reveal())?.id ?? '', { title: 'Theirs' });
    server.takeLog();
    expect(spoken((await pipeline.carryOut(planned)).entries)).toMatchObject([
      {
        outcome: 'not attempted',
        refused: true,
        sent: false,
        message: 'it was edited in the dashboard after the plan was made; make a new plan',
      },
    ]);
    expect(methods()).toEqual(['GET']);
  });

  test.each<[string, string, () => Promise<string | undefined>]>([
    ['another run', 'another run applied it at the same moment', async () => '2026-11-30T10:00:00.000Z'],
    [
      'an edit, if the shared records cannot be read,',
      'it was edited in the dashboard after the plan was made; make a new plan',
      () => Promise.reject(new AgentformError('record-unreachable', 'the remote cannot be reached')),
    ],
  ])('A stale update names %s as the cause.', async (_cause, message, appliedAt) => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.edit(server.agentOf(desired.target.token.reveal())?.id ?? '', { title: 'Theirs' });
    const sharedRecords = async () => {
      const stored = await pipeline.store.read(desired);
      if (stored === undefined) throw new Error('there is no record');
      const record = { ...stored.record, appliedAt: await appliedAt() };
      return new Map([[addressOf(desired), { ...stored, record }]]) as ReadonlyMap<string, StoredRecord>;
    };
    const { entries } = await pipeline.carryOut(planned, { context: { sharedRecords } });
    expect(spoken(entries)).toMatchObject([
      { outcome: 'not attempted', refused: true, message: expect.stringContaining(message) },
    ]);
  });

  test('An update names the edits that it undid and their values, but not those that the service kept.', async () => {
    const desired = await changed({ title: 'T', timezone: 'UTC', agentVoice: 'new' }, { timezone: 'UTC', title: 'T' });
    const { id = '' } = server.agentOf(desired.target.token.reveal()) ?? {};
    server.edit(id, { title: 'Theirs', timezone: 'Mars/Phobos' });
    const planned = await pipeline.plan([desired]);
    server.after = (call) => {
      if (isWrite(call)) server.edit(id, { timezone: 'Mars/Phobos' });
    };
    const { entries } = await pipeline.carryOut(planned);
    expect(entries).toMatchObject([{ outcome: 'failed', settings: { changed: 3 } }]);
    expect(entries[0]?.undone).toEqual([{ path: 'settings.title', lost: 'Theirs', now: 'T' }]);
  });

  test('An update sends nothing if the read before it fails.', async () => {
    const desired = await changed({ title: 'New' });
    const planned = await pipeline.plan([desired]);
    server.before = (call) => (isRead(call) ? json(403, { success: false, message: 'not yours' }) : undefined);
    server.takeLog();
    expect(spoken((await pipeline.carryOut(planned)).entries)).toMatchObject([
      { outcome: 'failed', sent: false, message: expect.stringContaining('not yours') },
    ]);
    expect(methods()).toEqual(['GET']);
  });

  test('An update that the service refuses leaves the record unchanged, except for the failure.', async () => {
    const desired = await changed({ title: 'New' });
    const record = await recordOf(desired);
    server.before = (call) => (isWrite(call) ? refused : undefined);
    expect(spoken(await applied(desired))).toMatchObject({
      outcome: 'failed',
      sent: false,
      message: expect.stringContaining('no such voice'),
    });
    const failure = {
      code: 'service-refused',
      facts: { operation: 'updateAgent', status: 400 },
      at: new Date(0).toISOString(),
    };
    expect(await recordOf(desired)).toEqual({ ...record, hmac: expect.any(String), failure });
  });

  test('An update that reached another agent leaves the record as it was, apart from the failure.', async () => {
    const desired = await changed({ title: 'New' });
    const before = await recordOf(desired);
    server.after = (call) => (isWrite(call) ? json(200, { success: true, campaignId: 'camp_other' }) : undefined);
    expect(await applied(desired)).toMatchObject({ outcome: 'failed', sent: true });
    const { failure, hmac: _, ...after } = (await recordOf(desired)) ?? {};
    const { hmac: __, ...earlier } = before ?? {};
    expect(failure).toMatchObject({ code: 'other-agent-written' });
    expect(after).toEqual(earlier);
  });

  test('An update that reached another agent is detected by its response, and its credentials are no longer used.', async () => {
    const first = await changed({ title: 'New' });
    const second = { ...agent({ title: 'Also new' }), name: 'next', target: { ...first.target, query: { a: '1' } } };
    const third = agent({}, { name: 'other', target: { ...first.target, token: new Secret('tok-other') } });
    const planned = await pipeline.plan([first, second, third]);
    server.quirks = { answeredId: () => 'camp-9' };
    server.takeLog();
    const { entries } = await pipeline.carryOut(planned, { concurrency: 1 });
    const { id } = server.agentOf(first.target.token.reveal()) ?? {};
    expect(spoken(entries)).toMatchObject([
      {
        name: first.name,
        outcome: 'failed',
        sent: true,
        message: `the write overwrote the settings of agent camp-9 instead of agent ${id}; nothing more is sent with these credentials. Check the token and target.query, or set target.campaignId`,
      },
      {
        name: 'next',
        outcome: 'not attempted',
        sent: false,
        message: 'an earlier write with these credentials affected the wrong agent',
      },
      { name: 'other', sent: true },
    ]);
    expect(entries[0]).not.toHaveProperty('hitWrongAgent');
  });

  test('An update whose response has target.campaignId is confirmed by reading target.agentId.', async () => {
    const { target } = await changed({ title: 'New' });
    const { id = '' } = server.agentOf(target.token.reveal()) ?? {};
    server.quirks = { answeredId: () => 'draft-1' };
    const desired = agent({ title: 'New' }, { target: { ...target, agentId: id, campaignId: 'draft-1' } });
    expect(await applied(desired)).toMatchObject({ outcome: 'applied', id });
  });

  test('An update that only drops a setting without a default sends nothing and removes it from the record.', async () => {
    const desired = await changed({}, { welcomeMessage: 'Hi' });
    expect(await applied(desired)).toMatchObject({ outcome: 'applied', sent: false, fields: [], warnings: [] });
    expect(methods()).toEqual(['GET']);
    expect(Object.keys((await recordOf(desired))?.fields ?? {})).toEqual(['settings.description', 'settings.title']);
    expect(await recordOf(desired)).toMatchObject({ lastUpdate: expect.any(Number), draft: 'written' });
  });

  test('An update that also drops a setting without a default is sent.', async () => {
    const desired = await changed({ title: 'New' }, { welcomeMessage: 'Hi' });
    expect(await applied(desired)).toMatchObject({ outcome: 'applied', sent: true, settings: { changed: 1, sent: 2 } });
    expect(server.agentOf(desired.target.token.reveal())?.settings).toMatchObject({
      title: 'New',
      welcomeMessage: 'Hi',
    });
    expect(Object.keys((await recordOf(desired))?.fields ?? {})).toEqual(['settings.description', 'settings.title']);
  });

  test('An update sends the default of a dropped setting.', async () => {
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

  test('An update sends the default of a dropped member together with its object, and no other default.', async () => {
    const url = 'https://a.example/b.mp3';
    await applied(agent({}, {}, { backgroundAudio: { url, gain: 3 } }));
    const [create] = server.takeLog().filter(isWrite);
    expect(create?.body?.backgroundAudio).toEqual({ url, gain: 3 });
    await applied(agent({}, {}, { backgroundAudio: { url } }));
    const [write] = server.takeLog().filter(isWrite);
    expect(write?.body?.backgroundAudio).toEqual({ url, gain: 0 });
  });

  describe('a lost response to an update', () => {
    const lose = () => {
      server.after = (call) => (isWrite(call) ? 'reset' : undefined);
    };

    test('An update with a lost response is applied if a read shows the sent values.', async () => {
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
    ])(
      'An update with a lost response stays unknown if %s, and its unreadable settings are in doubt.',
      async (_name, settings, disturb) => {
        const desired = await changed(settings);
        const record = await recordOf(desired);
        lose();
        disturb();
        const entry = await applied(desired);
        expect(spoken(entry)).toMatchObject({ outcome: 'unknown', sent: true, message: expect.stringMatching(/.+/) });
        const { lastUpdate, ...others } = record ?? {};
        expect(lastUpdate).toEqual(expect.any(Number));
        expect(await recordOf(desired)).toMatchObject({
          ...others,
          draft: 'written',
          hmac: expect.any(String),
          failure: { code: 'service-unclear' },
        });
        expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
      },
    );

    test('An update with a lost response stays unknown if the agent cannot be read afterwards.', async () => {
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

    test('An update with a lost response is unknown and reported as a bug if the check hits a bug.', async () => {
      const desired = await changed({ title: 'New' });
      lose();
      let wasWritten = false;
      const connectionOf = ({ target }: Desired) => {
        if (wasWritten) throw new TypeError('x is not a function');
        return target;
      };
      server.before = (call) => {
        wasWritten ||= isWrite(call);
        return undefined;
      };
      expect(spoken(await applied(desired, { context: { connectionOf } }))).toMatchObject({
        outcome: 'unknown',
        sent: true,
        message: expect.stringContaining('this is a bug in agentform'),
      });
    });

    test('An update with a lost response counts the fields of an added element.', async () => {
      const skills = [{ slug: 'a', instructions: 'A' }];
      await applied(agent());
      lose();
      expect(await applied(agent({}, {}, { skills }))).toMatchObject({ outcome: 'applied' });
    });
  });
});
