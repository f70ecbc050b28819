import { describe, expect, test } from '@jest/globals';
import type { ApplyContext } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { json } from '../support/independent-server.ts';
import { storeWith } from '../support/late-store.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { agent, least } from './agent.ts';
import { applied, isRead, pipeline, recordOf, secret, server, useApplying } from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

describe('what the read-back tells of a write', () => {
  test('a failed one leaves the record without lastUpdate, and the ledger says that it was written', async () => {
    const desired = agent();
    server.before = (call) => (isRead(call) ? json(404, { success: false, message: 'gone' }) : undefined);
    const entry = await applied(desired);
    const { id } = server.agentOf(desired.target.token.reveal()) ?? {};
    expect(entry).toMatchObject({ outcome: 'failed', sent: true, id });
    expect(messageOf(entry)).toMatch(
      new RegExp(`^agent ${id} was written but could not be read back: .*gone.*; plan again$`),
    );
    expect(await recordOf(desired)).toMatchObject({ id, draft: 'written', fields: { 'settings.title': {} } });
    expect(await recordOf(desired)).not.toHaveProperty('lastUpdate');
  });

  test('a setting that was not taken is a failure, and is on record as it was sent and as it is', async () => {
    await applied(agent({ welcomeMessage: 'Hi' }));
    server.quirks = { ignores: ['welcomeMessage'] };
    const desired = agent({ title: 'New', welcomeMessage: 'Hello' });
    expect(spoken(await applied(desired))).toMatchObject({
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
      'settings.welcomeMessage': { value: 'Hello', readBack: 'Hi' },
    });
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([
      { changes: [{ path: 'settings.welcomeMessage', cause: 'manifest' }] },
    ]);
  });

  test('two of them are reported in one sentence', async () => {
    server.quirks = { ignores: ['welcomeMessage', 'timezone'] };
    expect(spoken(await applied(agent({ welcomeMessage: 'Hello', timezone: 'UTC' })))).toMatchObject({
      message: 'the service did not store settings.timezone, settings.welcomeMessage',
    });
  });

  test('a setting in another form is applied, and on record in both forms, so that the next plan is empty', async () => {
    server.quirks = { text: 'trimmed' };
    const desired = agent({ welcomeMessage: '  Hi' });
    expect(await applied(desired)).toMatchObject({
      outcome: 'applied',
      fields: [
        {},
        {},
        { path: 'settings.welcomeMessage', result: 'normalised', readBack: '"Hi"', rules: ['white-space'] },
      ],
    });
    const form = { value: '  Hi', readBack: 'Hi', rules: ['white-space'] };
    expect((await recordOf(desired))?.fields['settings.welcomeMessage']).toEqual(form);
    const { plan } = await pipeline.plan([desired]);
    expect(plan.resources).toMatchObject([{ action: 'none', changes: [] }]);
    await applied(agent({ welcomeMessage: '  Hi', title: 'New' }));
    expect((await recordOf(desired))?.fields['settings.welcomeMessage']).toEqual(form);
  });

  test('a setting that was left out of the request and moved all the same is lost', async () => {
    const desired = agent({ heartbeatEvery: '1h' });
    await applied(desired);
    server.quirks = { losesHeartbeat: true };
    const entry = await applied(agent({ heartbeatEvery: '1h', title: 'New' }));
    expect(spoken(entry)).toMatchObject({
      outcome: 'failed',
      message: 'the service did not store settings.heartbeatEvery',
    });
    expect(entry.fields).toContainEqual({ path: 'settings.heartbeatEvery', result: 'lost', readBack: 'nothing' });
    expect((await recordOf(desired))?.fields['settings.heartbeatEvery']).toEqual({ value: '1h' });
  });

  test('one that was in the request and was not taken is ignored, also if it is sent only when it changes', async () => {
    await applied(agent({ heartbeatEvery: '1h' }));
    server.quirks = { ignores: ['heartbeatEvery'] };
    const { fields } = await applied(agent({ heartbeatEvery: '2h' }));
    expect(fields).toContainEqual({ path: 'settings.heartbeatEvery', result: 'ignored', readBack: '"1h"' });
  });

  test('an empty list is sent, and is not a separate setting', async () => {
    const entry = await applied(agent({}, {}, { skills: [] }));
    expect(entry).toMatchObject({ outcome: 'applied', settings: { sent: 2 } });
    expect(entry.fields.map(({ path }) => path)).toEqual(['settings.description', 'settings.title']);
  });

  test('undeclared settings are only reported after a create', async () => {
    const { target } = agent();
    await applied(agent());
    server.edit(server.agentOf(target.token.reveal())?.id ?? '', { timezone: 'UTC' });
    const { fields } = await applied(agent({ title: 'New' }));
    expect(fields.filter(({ result }) => result === 'took over')).toEqual([]);
  });

  test('a secret is on record as its fingerprint, sent and read back, and shown masked', async () => {
    server.quirks = { text: 'trimmed' };
    const desired = agent({ welcomeMessage: ` ${secret}` }, { sensitive: new Set(['/settings/welcomeMessage']) });
    const entry = await applied(desired);
    expect(entry.fields).toContainEqual({
      path: 'settings.welcomeMessage',
      result: 'normalised',
      readBack: expect.not.stringContaining(secret),
      rules: ['white-space'],
    });
    const record = await recordOf(desired);
    expect(record?.fields['settings.welcomeMessage']).toEqual({
      fingerprint: expect.any(String),
      readBackFingerprint: expect.any(String),
      rules: ['white-space'],
    });
    expect(JSON.stringify(record)).not.toContain(secret);
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'none' }]);
  });

  test('A record that another run has changed in the meantime is not overwritten when it is read back.', async () => {
    const desired = agent();
    server.before = async (call) => {
      if (!isRead(call)) return undefined;
      const stored = await pipeline.store.read(desired);
      if (stored !== undefined) await pipeline.store.save({ ...stored.record, commit: 'theirs' }, stored.version);
      return undefined;
    };
    expect(spoken(await applied(desired))).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('was written but could not be read back'),
    });
    expect(await recordOf(desired)).toMatchObject({ commit: 'theirs' });
  });
});

describe('without a write, the record takes up', () => {
  test('an apply without a write records live values that equal the wanted ones, and no others', async () => {
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

  const saves: ResourceRecord[] = [];
  const watched = (): ApplyContext['store'] => {
    saves.length = 0;
    const save: ApplyContext['store']['save'] = (record, expected) => {
      saves.push(record);
      return pipeline.store.save(record, expected);
    };
    return storeWith<ApplyContext['store']>(pipeline.store, { save });
  };

  test('a record that is already complete is not written again', async () => {
    const desired = agent();
    await applied(desired);
    const store = watched();
    expect(await applied(desired, { context: { applier: { commit: 'later' }, store } })).toMatchObject({
      outcome: 'unchanged',
    });
    expect(saves).toEqual([]);
  });

  test('nothing, where there is none and nothing is declared', async () => {
    const { target } = agent();
    const { id = '' } = server.seed(target.token.reveal(), least);
    const desired = { ...agent(), target: { ...target, agentId: id }, sections: {} };
    expect(await applied(desired, { context: { store: watched() } })).toMatchObject({ outcome: 'unchanged' });
    expect(saves).toEqual([]);
  });
});

test('a bug of ours is not taken for an expected failure', async () => {
  const bug = () => {
    throw new TypeError('x is not a function');
  };
  const entry = await applied(agent(), { context: { connectionOf: bug } });
  expect(entry).toMatchObject({ outcome: 'unknown', sent: true });
  expect(messageOf(entry)).toMatch(
    /^this is a bug in agentform; please report it: TypeError: x is not a function {2,}at /,
  );
  const thrown = () => {
    throw 'a text';
  };
  expect(messageOf(await applied(agent({}, { name: 'thrown' }), { context: { connectionOf: thrown } }))).toBe(
    'this is a bug in agentform; please report it: a text',
  );
  const expected = () => {
    throw new AgentformError('secret-unset', 'B is not set');
  };
  expect(spoken(await applied(agent({}, { name: 'expected' }), { context: { connectionOf: expected } }))).toMatchObject(
    {
      outcome: 'failed',
      sent: false,
      message: 'B is not set',
    },
  );
});
