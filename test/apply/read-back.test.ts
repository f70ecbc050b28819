import { describe, expect, test } from '@jest/globals';
import type { ApplyContext } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { json } from '../support/independent-server.ts';
import { storeWith } from '../support/late-store.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { agent, min } from './agent.ts';
import { applied, isRead, pipeline, recordOf, secret, server, useApplying } from './applying.ts';

useApplying({ client: { retry: { tries: 1 } } });

describe('results of a read-back', () => {
  test('A failed read-back leaves the record without lastUpdate, and the ledger reports the write.', async () => {
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

  test('A setting that was not stored is a failure, and the record keeps its sent and live values.', async () => {
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

  test('Two settings that were not stored are reported in one sentence.', async () => {
    server.quirks = { ignores: ['welcomeMessage', 'timezone'] };
    expect(spoken(await applied(agent({ welcomeMessage: 'Hello', timezone: 'UTC' })))).toMatchObject({
      message: 'the service did not store settings.timezone, settings.welcomeMessage',
    });
  });

  test('A setting in another form is applied and recorded in both forms, so the next plan is empty.', async () => {
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

  test('A setting that was not sent but changed anyway is lost.', async () => {
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

  test('A sent setting that was not stored is ignored, even if it is only sent on change.', async () => {
    await applied(agent({ heartbeatEvery: '1h' }));
    server.quirks = { ignores: ['heartbeatEvery'] };
    const { fields } = await applied(agent({ heartbeatEvery: '2h' }));
    expect(fields).toContainEqual({ path: 'settings.heartbeatEvery', result: 'ignored', readBack: '"1h"' });
  });

  test('An empty list is sent, and does not count as a separate setting.', async () => {
    const entry = await applied(agent({}, {}, { skills: [] }));
    expect(entry).toMatchObject({ outcome: 'applied', settings: { sent: 2 } });
    expect(entry.fields.map(({ path }) => path)).toEqual(['settings.description', 'settings.title']);
  });

  test('Undeclared settings are only reported after a create.', async () => {
    const { target } = agent();
    await applied(agent());
    server.edit(server.agentOf(target.token.reveal())?.id ?? '', { timezone: 'UTC' });
    const { fields } = await applied(agent({ title: 'New' }));
    expect(fields.filter(({ result }) => result === 'took over')).toEqual([]);
  });

  test('A secret is recorded as fingerprints of its sent and read-back values, and shown masked.', async () => {
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

  test('A record that another run changed is not overwritten after the read-back.', async () => {
    const desired = agent();
    server.before = async (call) => {
      if (!isRead(call)) return undefined;
      const stored = await pipeline.store.read(desired);
      if (stored !== undefined) await pipeline.store.save({ ...stored.record, commit: 'theirs' }, stored.version);
      return undefined;
    };
    expect(spoken(await applied(desired))).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^Agent\/.* was written but could not be recorded: .*; plan again$/),
    });
    expect(await recordOf(desired)).toMatchObject({ commit: 'theirs' });
  });
});

describe('an apply without a write', () => {
  test('An apply without a write records only live values that equal the wanted ones.', async () => {
    const { target } = agent();
    const { id } = server.seed(target.token.reveal(), min);
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

  test('An apply without a write does not rewrite a complete record.', async () => {
    const desired = agent();
    await applied(desired);
    const store = watched();
    expect(await applied(desired, { context: { applier: { commit: 'later' }, store } })).toMatchObject({
      outcome: 'unchanged',
    });
    expect(saves).toEqual([]);
  });

  test('An apply without a write saves no record if nothing is declared.', async () => {
    const { target } = agent();
    const { id = '' } = server.seed(target.token.reveal(), min);
    const desired = { ...agent(), target: { ...target, agentId: id }, sections: {} };
    expect(await applied(desired, { context: { store: watched() } })).toMatchObject({ outcome: 'unchanged' });
    expect(saves).toEqual([]);
  });
});

test('A bug in agentform is not reported as an expected failure.', async () => {
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
