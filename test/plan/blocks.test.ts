import { describe, expect, test } from '@jest/globals';
import { blockReasons, isReadWorthwhile } from '../../src/plan/blocks.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { knownId, shownTarget } from '../../src/plan/target.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { fingerprint } from '../../src/secrets/fingerprint.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { agentRecord, campaign, desiredAgent, testKey } from '../support/observations.ts';

const settings = { settings: { title: 'T', description: 'D' } };
const { target } = desiredAgent(settings);
const { agentId: _, ...targetWithoutId } = target;
const wanted = desiredAgent(settings);
const wantedWithoutId = desiredAgent(settings, { target: targetWithoutId });
const { id: __, ...recordWithoutId } = agentRecord({});
const intent = { operation: 'create', startedAt: '2026-01-01T00:00:00.000Z' } as const;
const orphan = agentRecord({}, { name: 'old-desk', id: 'camp_9' });

interface Case {
  readonly observation: Observation;
  readonly orphans?: readonly ResourceRecord[];
  /** What the only reason says; none if it is not blocked. */
  readonly reason?: RegExp;
}

const cases: Record<string, Case> = {
  'nothing known': { observation: { desired: wantedWithoutId } },
  'a live agent of the right type': { observation: read({ campaignType: 'chatAgent' }) },
  'a live agent without a type': { observation: read({ campaignType: null }) },
  'a live agent of another type': {
    observation: read({ campaignType: 'outbound' }),
    reason: /type "outbound".*chatAgent only/,
  },
  'a live agent with another id': {
    observation: read({ id: 'camp_2' }),
    reason: /camp_1 answered with agent camp_2/,
  },
  'a live agent with the id of the draft': {
    observation: {
      ...read({ id: 'draft_1' }),
      desired: desiredAgent(settings, { target: { ...target, campaignId: 'draft_1' } }),
    },
  },
  'a read that failed': { observation: { desired: wanted, reading: { failure: 'no' } } },
  'a begun create': {
    observation: { desired: wantedWithoutId, record: { ...recordWithoutId, intent } },
    reason:
      /2026-01-01.*unclear.*`agentform record adopt Agent\/front-desk ID -e test`.*`agentform record forget Agent\/front-desk -e test`/,
  },
  'a begun create, although the manifest has an id by now': {
    observation: { desired: wanted, record: { ...recordWithoutId, intent } },
    reason: /unclear/,
  },
  'a record of the same agent': { observation: { desired: wanted, record: agentRecord({}) } },
  'a record with the id, where the manifest has none': {
    observation: { desired: wantedWithoutId, record: agentRecord({}) },
  },
  'a record of another id': {
    observation: { desired: wanted, record: agentRecord({}, { id: 'camp_2' }) },
    reason:
      /camp_2 and the manifest targets camp_1.*record adopt Agent\/front-desk ID.*record forget Agent\/front-desk/,
  },
  'a record of another host': {
    observation: { desired: wanted, record: agentRecord({}, { host: 'elsewhere' }) },
    reason: /host elsewhere and the target is 127\.0\.0\.1:1/,
  },
  'a record of another query': {
    observation: { desired: wanted, record: agentRecord({}, { query: { targetAccountId: '1' } }) },
    reason: /query is \{"targetAccountId":"1"\} and the target's is \{\}/,
  },
  'a record of another host, before a live agent of another type': {
    observation: { ...read({ campaignType: 'outbound' }), record: agentRecord({}, { host: 'elsewhere' }) },
    reason: /another agent/,
  },
  'an orphan in the way of a create': {
    observation: { desired: wantedWithoutId },
    orphans: [orphan],
    reason: /record rename Agent\/old-desk Agent\/front-desk -e test`.*record forget Agent\/old-desk -e test`/,
  },
  'an orphan in the way of somebody who has an id': { observation: { desired: wanted }, orphans: [orphan] },
  'an orphan on another host': {
    observation: { desired: wantedWithoutId },
    orphans: [{ ...orphan, host: 'elsewhere' }],
  },
  'an orphan with another query': {
    observation: { desired: wantedWithoutId },
    orphans: [{ ...orphan, query: { targetAccountId: '1' } }],
  },
};

describe('what blocks a resource', () => {
  test.each(Object.entries(cases))('%s', (_name, { observation, orphans = [], reason }) => {
    const reasons = blockReasons(
      observation,
      orphans.map((record) => ({ record })),
    );
    expect(reasons).toHaveLength(reason === undefined ? 0 : 1);
    if (reason !== undefined) expect(reasons[0]).toMatch(reason);
  });

  test('the order of query parameters does not matter', () => {
    const desired = desiredAgent(settings, { target: { ...target, query: { a: '1', b: '2' } } });
    expect(blockReasons({ desired, record: agentRecord({}, { query: { b: '2', a: '1' } }) }, [])).toEqual([]);
  });

  test('a query with a secret is compared and told by its fingerprint', () => {
    const secret = { query: { key: 'hush' }, sensitiveQuery: new Set(['key']) };
    const desired = desiredAgent(settings, { target: { ...target, ...secret } });
    const { query } = shownTarget(desired);
    expect(JSON.stringify(query)).not.toContain('hush');
    expect(blockReasons({ desired, record: agentRecord({}, { query }) }, [])).toEqual([]);
    const rotated = desiredAgent(settings, { target: { ...target, ...secret, query: { key: 'other' } } });
    const [reason] = blockReasons({ desired: rotated, record: agentRecord({}, { query }) }, []);
    expect(reason).toMatch(/another agent/);
    expect(reason).not.toMatch(/hush|other"/);
  });

  test('a token of another value alone does not: tokens are rotated', () => {
    const desired = desiredAgent(settings, { target: { ...target, token: new Secret('tok-2') } });
    expect(blockReasons({ desired, record: agentRecord({}) }, [])).toEqual([]);
  });
});

describe('an orphan in the way of a create', () => {
  const member = (email: string) => ({
    ...desiredAgent({ settings: { email } }, { target: targetWithoutId }),
    kind: 'Member' as const,
    name: 'new',
  });
  const orphaned = (fields: Readonly<Record<string, unknown>>, parts: Partial<ResourceRecord> = {}) =>
    agentRecord(fields, { kind: 'Member', name: 'old', ...parts });
  const reasonsFor = (email: string, record: ResourceRecord) => blockReasons({ desired: member(email) }, [{ record }]);

  test.each<[string, ResourceRecord, boolean]>([
    ['has the same identity', orphaned({ 'settings.email': 'a@x.example' }), true],
    ['differs in case only', orphaned({ 'settings.email': 'A@X.example' }), true],
    ['has another', orphaned({ 'settings.email': 'b@x.example' }), false],
    ['is of another kind', orphaned({ 'settings.email': 'a@x.example' }, { kind: 'Context' }), false],
    ['does not say, because it was only begun', orphaned({}, { intent }), true],
  ])('%s', (_name, record, isBlocked) => {
    expect(reasonsFor('a@x.example', record)).toEqual(
      isBlocked ? [expect.stringMatching(/rename Member\/old Member\/new -e test`.*forget Member\/old -e test`/)] : [],
    );
  });

  test('is known by its fingerprint', () => {
    const place = { environment: 'test', kind: 'Member', name: 'old', path: 'settings.email' };
    const print = fingerprint(testKey, place, '"a@x.example"');
    const record = { ...orphaned({}), fields: { 'settings.email': { fingerprint: print } } };
    expect(reasonsFor('a@x.example', record)).toHaveLength(1);
    expect(reasonsFor('b@x.example', record)).toEqual([]);
  });

  test('does not matter where repeating the create does no harm', () => {
    const desired = {
      ...member(''),
      kind: 'AgentUrl' as const,
      sections: { settings: { targetUsername: 'u', slug: 's' } },
    };
    const record = orphaned({ 'settings.targetUsername': 'u' }, { kind: 'AgentUrl' });
    expect(blockReasons({ desired }, [{ record }])).toEqual([]);
  });
});

describe('a read is worth its while', () => {
  test.each<[string, Omit<Observation, 'reading'>, boolean]>([
    ['if the manifest has an id', { desired: wanted }, true],
    ['if the record has one', { desired: wantedWithoutId, record: agentRecord({}) }, true],
    ['not if nobody has one', { desired: wantedWithoutId }, false],
    ['not after a begun create', { desired: wanted, record: { ...agentRecord({}), intent } }, false],
    ['not if the record is of another agent', { desired: wanted, record: agentRecord({}, { host: 'x' }) }, false],
  ])('%s', (_name, observation, expected) => expect(isReadWorthwhile(observation)).toBe(expected));
});

test("the manifest's id wins over the record's", () => {
  expect(knownId(wanted, agentRecord({}, { id: 'camp_2' }))).toBe('camp_1');
  expect(knownId(wantedWithoutId, agentRecord({}, { id: 'camp_2' }))).toBe('camp_2');
  expect(knownId(wantedWithoutId, undefined)).toBeUndefined();
});

function read(parts: Parameters<typeof campaign>[0]): Observation {
  return { desired: wanted, record: agentRecord({}), reading: { campaign: campaign(parts) } };
}
