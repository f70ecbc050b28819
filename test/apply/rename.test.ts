import { expect, test } from '@jest/globals';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { strictOperations } from '../support/strict-operations.ts';
import { agent } from './agent.ts';
import { applied, methods, named, pipeline, recordOf, refused, secret, server, useApplying } from './applying.ts';

/** Tests that the record of a renamed manifest is renamed before the first request. */
useApplying({ others: strictOperations().answer });

async function appliedAs(desired: Desired, formerName: string) {
  const planned = await pipeline.plan([desired], { [desired.name]: formerName });
  server.takeLog();
  return (await pipeline.carryOut(planned)).entries;
}

const renamed = (settings = {}, parts: Partial<Desired> = {}): Desired =>
  agent(settings, { name: named('new'), target: agent().target, ...parts });

test('A rename without other changes sends nothing and keeps the record under the new name.', async () => {
  const old = agent({ welcomeMessage: 'Hi' });
  await applied(old);
  const before = await recordOf(old);
  const desired = renamed({ welcomeMessage: 'Hi' });
  expect(await appliedAs(desired, old.name)).toMatchObject([
    { name: desired.name, renamedFrom: old.name, outcome: 'applied', sent: false },
  ]);
  expect(methods()).toEqual([]);
  expect(await recordOf(old)).toBeUndefined();
  const renames = [{ from: old.name, at: new Date(0).toISOString() }];
  expect(await recordOf(desired)).toEqual({ ...before, name: desired.name, renames, hmac: expect.any(String) });
});

test('A rename with other changes sends them, and gives a secret a fingerprint of the new name.', async () => {
  const sensitive = { sensitive: new Set(['/settings/welcomeMessage']) };
  const old = agent({ welcomeMessage: secret }, sensitive);
  await applied(old);
  const before = (await recordOf(old))?.fields['settings.welcomeMessage']?.fingerprint;
  server.quirks = { ignores: ['welcomeMessage'] };
  const desired = renamed({ welcomeMessage: secret, title: 'New' }, sensitive);
  expect(await appliedAs(desired, old.name)).toMatchObject([
    { outcome: 'applied', sent: true, settings: { changed: 1 } },
  ]);
  expect(await recordOf(old)).toBeUndefined();
  const after = (await recordOf(desired))?.fields['settings.welcomeMessage']?.fingerprint;
  expect(after).not.toBe(before);
  expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'none' }]);
});

test('A renamed record keeps the new name if the service refuses the change.', async () => {
  const old = agent();
  await applied(old);
  server.before = ({ method }) => (method === 'POST' ? refused : undefined);
  const desired = renamed({ title: 'New' });
  expect(await appliedAs(desired, old.name)).toMatchObject([{ outcome: 'failed', sent: false }]);
  expect(await recordOf(old)).toBeUndefined();
  expect((await recordOf(desired))?.fields).toMatchObject({ 'settings.title': { value: 'T' } });
});

test('A renamed context is recorded as begun under the new name, with the values of the old record.', async () => {
  const context = (name: string, text: string) =>
    pipeline.desired(named(name), { settings: { context: text } }, { kind: 'Context', target: agent().target });
  await applied(context('old', 'Likes tea'));
  const during: (ResourceRecord | undefined)[] = [];
  server.before = async () => {
    during.push(await recordOf(context('new', '')), await recordOf(context('old', '')));
    return refused;
  };
  expect(await appliedAs(context('new', 'Likes coffee'), named('old'))).toMatchObject([{ outcome: 'failed' }]);
  expect(during).toMatchObject([{ intent: { operation: 'create' } }, undefined]);
  expect(await recordOf(context('new', ''))).toMatchObject({ fields: { 'settings.context': { value: 'Likes tea' } } });
  expect(await recordOf(context('new', ''))).not.toHaveProperty('intent');
});

test('A copy that an interrupted move left under the old name is removed.', async () => {
  const old = agent();
  await applied(old);
  const desired = renamed();
  const record = await recordOf(old);
  if (record === undefined) throw new Error(`${addressOf(old)} was not recorded`);
  const { hmac: _, ...copy } = record;
  await pipeline.store.save({ ...copy, name: desired.name, commit: 'moved' }, undefined);
  expect(await appliedAs(desired, old.name)).toMatchObject([{ outcome: 'applied', sent: false }]);
  expect(await recordOf(old)).toBeUndefined();
  expect(await recordOf(desired)).toMatchObject({ commit: 'moved' });
});
