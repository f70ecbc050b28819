import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import type { Identity } from '../../src/kinds/shared-targets.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { hasPendingChanges, makePlan, type PlanInput } from '../../src/plan/plan.ts';
import { saying } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent, plannedOf } from '../support/observations.ts';

const { agentId: _, ...targetWithoutId } = desiredAgent({}).target;
const settings = { title: 'T', welcomeMessage: 'Hi', description: 'D', recordingNotificationPhrase: 'P' };
const recorded = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]));
const live = { title: 'T', welcomeMessage: 'Hi' };

function agent(name: string, parts: Partial<Observation> = {}, wanted: JsonObject = { settings }): Observation {
  return {
    desired: desiredAgent(wanted, { name }),
    record: agentRecord(recorded, { name }),
    reading: { campaign: campaign(live) },
    ...parts,
  };
}

const created = (name: string): Observation => ({
  desired: desiredAgent({ settings }, { name, target: targetWithoutId }),
});
const drifted = (name: string) => agent(name, { reading: { campaign: campaign({ ...live, title: 'Theirs' }) } });
const conflicting = (name: string) =>
  agent(
    name,
    { reading: { campaign: campaign({ ...live, title: 'Theirs' }) } },
    { settings: { ...settings, title: 'N' } },
  );

function plan(observations: readonly Observation[], parts: Partial<PlanInput> = {}) {
  return makePlan({
    environment: 'test',
    selected: observations.map((observation) => plannedOf(observation)),
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
    ...parts,
  });
}

describe('a plan', () => {
  test('An empty plan has no contents.', () => {
    expect(plan([])).toStrictEqual({
      formatVersion: 1,
      environment: 'test',
      digest: expect.stringMatching(/^sha256:/),
      summary: {
        create: 0,
        update: 0,
        unchanged: 0,
        blocked: 0,
        failed: 0,
        orphans: 0,
        forget: 0,
        waiting: 0,
        drift: 0,
        conflicts: 0,
        blind: 0,
        compared: 0,
        assumed: 0,
      },
      refusals: [],
      questions: [],
      resources: [],
    });
  });

  test('A plan counts resources by action, changes by cause, and fields by knowledge.', () => {
    const observations = [
      created('a'),
      created('b'),
      drifted('c'),
      conflicting('d'),
      conflicting('e'),
      agent('f'),
      agent('g', { reading: { failure: saying('no') } }),
      agent('h', { reading: { campaign: campaign({ campaignType: 'outbound' }) } }),
      agent('i', { reading: { campaign: campaign({ campaignType: 'outbound' }) } }),
    ];
    const orphans = [{ record: agentRecord({}, { name: 'j' }) }];
    expect(plan(observations, { orphans }).summary).toStrictEqual({
      create: 2,
      update: 3,
      unchanged: 1,
      blocked: 2,
      failed: 1,
      orphans: 1,
      forget: 0,
      waiting: 0,
      drift: 1,
      conflicts: 2,
      blind: 8,
      compared: 8,
      assumed: 8,
    });
  });

  test('A plan is sorted by kind and name, whatever the order of the manifests.', () => {
    const context: Observation = {
      desired: desiredAgent({ settings: { context: 'C' } }, { kind: 'Context', name: 'a', target: targetWithoutId }),
    };
    const orphans = [{ record: agentRecord({}, { name: 'b' }) }];
    const sorted = ['Agent/a', 'Agent/b', 'Agent/c', 'Context/a'];
    const names = (observations: Observation[]) =>
      plan(observations, { orphans }).resources.map(({ kind, name }) => `${kind}/${name}`);
    expect(names([context, agent('c'), agent('a')])).toEqual(sorted);
    expect(names([agent('a'), agent('c'), context])).toEqual(sorted);
  });

  test('A plan lists the given records without a manifest.', () => {
    const orphans = [{ record: agentRecord({}, { name: 'old' }) }];
    expect(plan([], { orphans }).resources).toMatchObject([{ action: 'orphan', name: 'old' }]);
    expect(plan([], { orphans: [] }).resources).toEqual([]);
  });

  test('A plan is refused by each guard, and still shows all its changes.', () => {
    const identity = (name: string, kind = 'Agent'): Identity => ({
      kind,
      name,
      baseUrl: 'http://a',
      tokenReference: '${secret.A}',
      query: {},
    });
    const commit = '0'.repeat(40);
    const refused = plan([created('a'), drifted('b')], {
      identities: [identity('a'), identity('b'), identity('c', 'Context')],
      limits: { creates: 0 },
      sources: new Map([['Agent/b', { commit, relation: 'descendant' }]]),
    });
    expect(refused.refusals.map(({ code }) => code)).toEqual(['shared-target', 'limit-creates', 'older-commit']);
    expect(refused.resources).toHaveLength(2);
  });
});

test.each<[string, Observation[], boolean]>([
  ['a create', [created('a')], true],
  ['an update', [agent('b'), drifted('a')], true],
  ['a blocked resource', [agent('a', { reading: { campaign: campaign({ campaignType: 'outbound' }) } })], true],
  ['resources as they should be', [agent('a')], false],
  ['nothing', [], false],
])('Only a create, an update or a blocked resource is a pending change: %s', (_name, observations, expected) => {
  expect(hasPendingChanges(plan(observations))).toBe(expected);
});

test('A plan blocks changes that depend on a blocked or failed resource, because apply refuses them.', () => {
  const number = (name: string, of: string): Observation => ({
    desired: desiredAgent({ settings: { number: '+13125550142' } }, { kind: 'PhoneNumber', name, agent: of }),
  });
  const inside = (name: string, parts: Partial<Observation>): Observation => {
    const { desired, ...rest } = agent(name, parts);
    return { ...rest, desired: { ...desired, organization: 'acme' } };
  };
  const organization: Observation = {
    desired: desiredAgent({ settings: { orgName: 'New' } }, { kind: 'Organization', name: 'acme' }),
    record: agentRecord({ 'settings.orgName': 'Old' }, { kind: 'Organization', name: 'acme' }),
  };
  const { resources, summary } = plan([
    number('of-changed', 'changed'),
    number('of-same', 'same'),
    number('of-failed', 'failed'),
    inside('changed', { reading: { campaign: campaign({ ...live, title: 'Theirs' }) } }),
    inside('same', {}),
    agent('failed', { reading: { failure: saying('no answer') } }),
    organization,
  ]);
  const outcomes = resources.map(({ name, action, reasons }) => [name, action, ...reasons.map(({ facts }) => facts)]);
  expect(outcomes).toEqual([
    ['changed', 'blocked', { address: 'Organization/acme', action: 'blocked' }],
    ['failed', 'failed', expect.anything()],
    ['same', 'none'],
    ['acme', 'blocked', expect.objectContaining({ obstacle: 'no-operation' })],
    ['of-changed', 'blocked', { address: 'Agent/changed', action: 'blocked' }],
    ['of-failed', 'blocked', { address: 'Agent/failed', action: 'failed' }],
    ['of-same', 'create'],
  ]);
  expect(summary).toMatchObject({ create: 1, update: 0, unchanged: 1, blocked: 4, failed: 1 });
});

test('A change that depends on a resource on hold is on hold for the same reason.', () => {
  const freeze = { by: 'mona', since: '2026-11-20T10:00:00.000Z', reason: 'demo' };
  const { record, ...held } = agent('held', { reading: { campaign: campaign({ ...live, title: 'Theirs' }) } });
  const number = desiredAgent({ settings: { number: '+13125550142' } }, { kind: 'PhoneNumber', agent: 'held' });
  const { resources } = plan([
    { ...held, record: { ...agentRecord({}, { name: 'held' }), ...record, holds: { freeze } } },
    { desired: { ...number, name: 'of-held' } },
  ]);
  expect(resources).toMatchObject([
    { name: 'held', action: 'blocked', held: freeze },
    {
      name: 'of-held',
      action: 'blocked',
      held: freeze,
      reasons: [{ code: 'dependency-stopped', remedies: [['unhold', 'Agent/held', '-e', expect.any(String)]] }],
    },
  ]);
});

test('A plan with only an orphan and a failed read has no pending changes.', () => {
  const orphans = [{ record: agentRecord({}, { name: 'old' }) }];
  expect(hasPendingChanges(plan([agent('a', { reading: { failure: saying('no') } })], { orphans }))).toBe(false);
});

test('Equal assumed settings are listed once for all of their resources, without skipped ones.', () => {
  const paths = ['settings.description', 'settings.recordingNotificationPhrase'];
  const { recordingNotificationPhrase: __, ...fewer } = settings;
  const { assumed, summary } = plan([
    agent('b'),
    agent('a'),
    agent('c', {}, { settings: { ...fewer, description: 'New' } }),
    agent('d', { reading: { failure: saying('no answer') } }),
    agent('e', {}, { settings: { ...settings, description: 'New' } }),
  ]);
  expect(assumed).toEqual([
    { kind: 'Agent', names: ['a', 'b'], paths },
    { kind: 'Agent', names: ['e'], paths: paths.slice(1) },
  ]);
  expect(summary.assumed).toBe(5);
  expect(plan([])).not.toHaveProperty('assumed');
});
