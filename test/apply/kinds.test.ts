import { afterEach, describe, expect, test } from '@jest/globals';
import type { ApplyContext } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { json } from '../support/independent-server.ts';
import { storeWith } from '../support/late-store.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { strictOperations } from '../support/strict-operations.ts';
import { applied, named, pipeline, recordOf, secret, server, useApplying } from './applying.ts';

/** Tests how an apply writes and records each kind that cannot be read. */
useApplying({ others: strictOperations().answer, client: { retry: { tries: 1 } } });

function resource(kind: Desired['kind'], settings: JsonObject, parts: Partial<Desired> = {}): Desired {
  return pipeline.desired(named('res'), { settings }, { kind, ...parts });
}

const kinds: [Desired['kind'], JsonObject, Partial<Desired>, string, JsonObject][] = [
  ['Organization', { orgName: 'Acme' }, { resellerId: 'r-1' }, 'POST /api/v2/createOrganization', { orgName: 'Acme' }],
  ['Member', { email: 'a@x.example' }, {}, 'POST /api/v2/member', { email: 'a@x.example' }],
  [
    'Member',
    { email: 'a@x.example' },
    { memberId: 5 },
    'PUT /api/v2/member',
    { targetMemberId: 5, email: 'a@x.example' },
  ],
  [
    'AgentUrl',
    { targetUsername: 'acme', slug: 'front' },
    {},
    'POST /api/v2/agentUrl',
    { targetUsername: 'acme', slug: 'front' },
  ],
  ['PhoneNumber', { number: '+13125550142' }, {}, 'POST /api/v2/phoneNumber/byo/assign', { number: '+13125550142' }],
  ['Context', { context: 'Likes tea' }, {}, 'POST /api/v2/context', { context: 'Likes tea' }],
];

describe('a resource of kind', () => {
  test.each(kinds)('%s with %j is written by one request and recorded, and the next plan is empty.', async (...row) => {
    const [kind, settings, parts, operation, body] = row;
    const desired = resource(kind, settings, parts);
    const entry = await applied(desired, { context: { applier: { commit: 'c0ffee' } } });
    const results = Object.keys(settings).sort();
    expect(entry).toMatchObject({
      kind,
      outcome: 'applied',
      sent: true,
      settings: { changed: results.length, sent: results.length },
      fields: results.map((name) => ({ path: `settings.${name}`, result: 'unverifiable' })),
      warnings: [],
    });
    const calls = server.takeLog();
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([operation]);
    expect(calls[0]?.body).toEqual(body);
    const record = await recordOf(desired);
    expect(record).toMatchObject({
      appliedAt: '1970-01-01T00:00:00.000Z',
      commit: 'c0ffee',
      fields: Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, { value }])),
    });
    expect(record).not.toHaveProperty('intent');
    expect((await pipeline.plan([desired])).plan.resources).toMatchObject([{ action: 'none' }]);
  });

  test.each(kinds)('%s with %j leaves no record if the service refuses it.', async (kind, settings, parts) => {
    server.before = () => json(400, { success: false, message: `no, ${secret}` });
    const desired = resource(kind, settings, parts);
    const entry = await applied(desired);
    expect(spoken(entry)).toMatchObject({ outcome: 'failed', sent: false, message: expect.stringContaining('no, ') });
    expect(messageOf(entry)).not.toContain(secret);
    expect(await recordOf(desired)).toBeUndefined();
  });

  test.each(kinds)(
    '%s with %j has an unknown outcome if its response is lost, and the message names the remedy.',
    async (kind, settings, parts) => {
      server.after = () => 'reset';
      const desired = resource(kind, settings, parts);
      const entry = await applied(desired);
      expect(entry).toMatchObject({ outcome: 'unknown', sent: true });
      expect(server.takeLog()).toHaveLength(1);
      const record = await recordOf(desired);
      if (parts.memberId !== undefined) return;
      if (kind === 'AgentUrl' || kind === 'PhoneNumber') {
        expect(messageOf(entry)).toMatch(/; apply again$/);
        expect(record).toBeUndefined();
      } else {
        expect(messageOf(entry)).toMatch(
          /\. Look for the \w+ on the service\. If it exists, run `agentform record adopt/,
        );
        expect(record).toMatchObject({ intent: { operation: 'create' } });
      }
    },
  );
});

describe('organizations', () => {
  const answering = (answer: unknown) => {
    server.others = () => json(201, { success: true, message: 'created', ...(answer as object) });
  };
  afterEach(() => {
    server.others = strictOperations().answer;
  });
  const organization = () => resource('Organization', { orgName: 'Acme' }, { resellerId: 'r-1' });

  test('An organization is created under its reseller.', async () => {
    const desired = organization();
    await applied(desired);
    expect(server.takeLog()[0]?.query).toMatchObject({ targetResellerId: 'r-1' });
    expect(await recordOf(desired)).toMatchObject({ resellerId: 'r-1' });
  });

  test.each<[string, object, string]>([
    ['a number in the organization', { organization: { id: 77 } }, '77'],
    ['a number above 2^53', { organization: { id: 2 ** 60 } }, '1152921504606847000'],
    ['a text in the organization', { organization: { id: 'o-77' } }, 'o-77'],
    ...['orgId', 'organizationId', 'accountId', 'orgAccountId', '_id'].map((name): [string, object, string] => [
      `under the name ${name}`,
      { organization: { [name]: 'o-1' } },
      'o-1',
    ]),
    ['beside the organization', { organization: null, organizationId: 78 }, '78'],
    ['in the organization before one beside it', { id: 'outer', organization: { accountId: 'inner' } }, 'inner'],
    ['the first name before another', { organization: { _id: 'last', id: 'first' } }, 'first'],
    ['where another is empty', { organization: { id: '', orgId: 'o-2' } }, 'o-2'],
    ['where another is no id', { organization: { id: 1.5, _id: ' ', orgId: 'o-4' } }, 'o-4'],
    ['where another is no text', { organization: { id: { deep: 1 }, orgId: 'o-3' } }, 'o-3'],
  ])('The id of an organization comes from the answer: %s.', async (_name, answer, id) => {
    answering(answer);
    const organizations = new Map<string, string>();
    const desired = organization();
    expect(await applied(desired, { context: { organizations } })).toMatchObject({
      outcome: 'applied',
      id,
      warnings: [],
    });
    expect(await recordOf(desired)).toMatchObject({ id });
    expect(organizations.get(`Organization/${desired.name}`)).toBe(id);
  });

  test.each<[string, object]>([
    ['without an id', { organization: { name: 'Acme' } }],
    ['with an empty one', { organization: { id: '' } }],
    ['with a blank one', { organization: { id: '  ' } }],
    ['with one that cannot be in a path', { organization: { id: 'a/../b' } }],
    ['with one of 10,000 characters', { organization: { id: 'x'.repeat(10_000) } }],
    ['with a number that lost digits', { organization: { id: 1e300 } }],
    ['with one that quotes a secret', { organization: { id: `org-${secret}` } }],
  ])('An organization whose answer is %s is applied, with the command that supplies the id.', async (_name, answer) => {
    answering(answer);
    const organizations = new Map<string, string>();
    const desired = organization();
    const entry = await applied(desired, { context: { organizations } });
    expect(entry).toMatchObject({ outcome: 'applied' });
    expect(entry).not.toHaveProperty('id');
    expect(spoken(entry.warnings)).toEqual([
      `the response has no usable id for the organization, so nothing can be created in its account. Look up the id on the service, then run \`agentform record adopt Organization/${desired.name} ID -e test\``,
    ]);
    expect(organizations.size).toBe(0);
    expect(await recordOf(desired)).not.toHaveProperty('id');
  });

  test('An organization keeps the id in its record.', async () => {
    answering({ organization: { id: 77 } });
    await applied(organization());
    const { sections } = resource('Organization', { orgName: 'Acme' });
    expect(await applied({ ...organization(), sections })).toMatchObject({ outcome: 'unchanged' });
    expect(await recordOf(organization())).toMatchObject({ id: '77' });
  });
});

describe('agent URLs', () => {
  const url = (slug: string) => resource('AgentUrl', { targetUsername: 'acme', slug });

  test('An agent URL fails if the response has another slug, and the record keeps the earlier slug.', async () => {
    await applied(url('front'));
    server.after = () => json(200, { success: true, message: '', slug: `other-${secret}` });
    const entry = await applied(url('desk'));
    expect(spoken(entry)).toMatchObject({
      outcome: 'failed',
      sent: true,
      message: 'the service stored another value for settings.slug',
      fields: [
        { path: 'settings.slug', result: 'another value', readBack: expect.stringMatching(/^"other-.*"$/) },
        { path: 'settings.targetUsername', result: 'unverifiable' },
      ],
    });
    expect(JSON.stringify(entry)).not.toContain(secret);
    expect((await recordOf(url('desk')))?.fields).toEqual({
      'settings.slug': { value: 'front' },
      'settings.targetUsername': { value: 'acme' },
    });
  });

  test('If the response has the earlier slug of an agent URL, the new slug counts as ignored.', async () => {
    await applied(url('front'));
    server.after = () => json(200, { success: true, message: '', slug: 'front' });
    expect(spoken(await applied(url('desk')))).toMatchObject({
      message: 'the service did not store settings.slug',
      fields: [{ path: 'settings.slug', result: 'ignored', readBack: '"front"' }, {}],
    });
  });

  test('An agent URL has no recorded slug if its first response has another slug.', async () => {
    server.after = () => json(200, { success: true, message: '', slug: 'other' });
    await applied(url('desk'));
    expect((await recordOf(url('desk')))?.fields).toEqual({ 'settings.targetUsername': { value: 'acme' } });
  });

  test('A changed agent URL is sent again without an intent, because it is replaced.', async () => {
    await applied(url('front'));
    const records: (ResourceRecord | undefined)[] = [];
    server.before = async () => void records.push(await recordOf(url('desk')));
    expect(await applied(url('desk'))).toMatchObject({ action: 'update', outcome: 'applied' });
    expect(records).toMatchObject([{ failure: { code: 'interrupted' } }]);
    expect(records[0]).not.toHaveProperty('intent');
    expect(await recordOf(url('desk'))).not.toHaveProperty('failure');
  });

  test('After an update with an unknown outcome, all settings are sent again, even if the manifest was reverted.', async () => {
    await applied(url('front'));
    server.after = () => 'reset';
    expect(await applied(url('desk'))).toMatchObject({ outcome: 'unknown' });
    server.after = undefined;
    const [planned] = (await pipeline.plan([url('front')])).plan.resources;
    expect(planned).toMatchObject({
      action: 'update',
      changes: [
        { path: 'settings.targetUsername', cause: 'unverified' },
        { path: 'settings.slug', cause: 'unverified' },
      ],
      lastApply: { edited: 'unknown', failure: { code: 'service-unclear' } },
    });
    server.takeLog();
    expect(await applied(url('front'))).toMatchObject({ outcome: 'applied', sent: true });
    expect(server.takeLog()[0]?.body).toEqual({ targetUsername: 'acme', slug: 'front' });
    expect((await pipeline.plan([url('front')])).plan.resources).toMatchObject([{ action: 'none' }]);
  });

  test('After an update that the service refused, a reverted manifest sends nothing.', async () => {
    await applied(url('front'));
    server.before = () => json(400, { success: false, message: 'no' });
    expect(await applied(url('desk'))).toMatchObject({ outcome: 'failed', sent: false });
    server.before = undefined;
    expect((await pipeline.plan([url('front')])).plan.resources).toMatchObject([{ action: 'none' }]);
  });
});

describe('contexts', () => {
  const context = (text: string) => resource('Context', { context: text });

  test('A changed context is written like a create: its intent is recorded, and it is never sent twice.', async () => {
    await applied(context('Likes tea'));
    const intents: ResourceRecord['intent'][] = [];
    server.before = async () => void intents.push((await recordOf(context('')))?.intent);
    expect(await applied(context('Likes coffee'))).toMatchObject({ action: 'update', outcome: 'applied' });
    expect(intents).toMatchObject([{ operation: 'create' }]);
    expect((await recordOf(context('')))?.fields).toEqual({ 'settings.context': { value: 'Likes coffee' } });
  });

  test('A context keeps its record if the service refuses the change.', async () => {
    await applied(context('Likes tea'));
    server.before = () => json(400, { success: false, message: 'no' });
    expect(await applied(context('Likes coffee'))).toMatchObject({ outcome: 'failed', sent: false });
    expect((await recordOf(context('')))?.fields).toEqual({ 'settings.context': { value: 'Likes tea' } });
    expect(await recordOf(context(''))).not.toHaveProperty('intent');
  });

  test('A context that only drops a setting sends nothing.', async () => {
    await applied(resource('Context', { context: 'Likes tea', target: 'bob' }));
    server.takeLog();
    expect(await applied(context('Likes tea'))).toMatchObject({ outcome: 'applied', sent: false });
    expect(server.takeLog()).toEqual([]);
    expect((await recordOf(context('')))?.fields).toEqual({ 'settings.context': { value: 'Likes tea' } });
  });

  test('A context is judged by the declared settings, not by those dropped in the same write.', async () => {
    await applied(resource('Context', { context: 'Likes tea', target: 'bob' }));
    expect(await applied(context('Likes coffee'))).toMatchObject({
      settings: { changed: 1, sent: 1 },
      fields: [{ path: 'settings.context', result: 'unverifiable' }],
    });
  });
});

test('The record of a member omits settings that only concern the invitation.', async () => {
  const desired = resource('Member', { email: 'a@x.example', sendWelcomeEmail: false });
  expect(await applied(desired)).toMatchObject({ settings: { sent: 2 } });
  expect(server.takeLog()[0]?.body).toEqual({ email: 'a@x.example', sendWelcomeEmail: false });
  expect((await recordOf(desired))?.fields).toEqual({ 'settings.email': { value: 'a@x.example' } });
});

describe('a write that cannot be recorded', () => {
  const failing = () =>
    storeWith<ApplyContext['store']>(pipeline.store, {
      save: (record, expected) =>
        record.intent === undefined
          ? Promise.reject(new AgentformError('file-unwritable', 'the disk is full'))
          : pipeline.store.save(record, expected),
    });

  test('A write that cannot be recorded is reported as written, without an id if it has none.', async () => {
    const desired = resource('AgentUrl', { targetUsername: 'acme', slug: 'front' });
    const entry = await applied(desired, { context: { store: failing() } });
    expect(spoken(entry)).toMatchObject({
      outcome: 'failed',
      sent: true,
      message: `AgentUrl/${desired.name} was written but could not be recorded: the disk is full; plan again`,
    });
    expect(entry).not.toHaveProperty('id');
  });

  test('A write that cannot be recorded is reported with the id in the response.', async () => {
    const desired = resource('Organization', { orgName: 'Acme' }, { resellerId: 'r-1' });
    server.others = () => json(201, { success: true, message: 'created', organization: { id: 77 } });
    const entry = await applied(desired, { context: { store: failing() } });
    server.others = strictOperations().answer;
    expect(entry).toMatchObject({ outcome: 'failed', sent: true, id: '77' });
  });

  test('A create that cannot be recorded names the command that records its id.', async () => {
    const desired = resource('Agent', { title: 'T', description: 'D' });
    const entry = await applied(desired, { context: { store: failing() } });
    expect(spoken(entry)).toMatchObject({
      outcome: 'failed',
      sent: true,
      message:
        `Agent/${desired.name} was written but could not be recorded: the disk is full. ` +
        `Once it can be recorded, run \`agentform record adopt Agent/${desired.name} ${entry.id} -e test\``,
    });
  });
});
