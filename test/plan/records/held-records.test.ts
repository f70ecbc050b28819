import { describe, expect, test } from '@jest/globals';
import type { Desired } from '../../../src/kinds/desired.ts';
import { HeldRecords } from '../../../src/plan/records/held-records.ts';
import { recordedTarget } from '../../../src/plan/records/record-of.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { fingerprintKey } from '../../../src/secrets/fingerprint.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { agentRecord, desiredAgent } from '../../support/observations.ts';

const now = new Date('2026-11-23T02:00:00Z');
const freeze = { by: 'Erika', since: '2026-11-22T23:00:00.000Z', reason: 'demo' };
const { agentId: _, ...target } = desiredAgent({}).target;
const own = { ...target, tokenName: 'AGENT_TOKEN' };
const otherKey = fingerprintKey(new Uint8Array(32).fill(7));

/** The record of `front-desk` on hold, with the target of its manifest in this environment. */
function held(parts: Partial<ResourceRecord> = {}, environment = 'test'): ResourceRecord {
  const manifest = desiredAgent({}, { target: own, environment });
  return agentRecord({}, { ...recordedTarget(manifest), environment, holds: { freeze }, ...parts });
}

function over(desired: Partial<Desired>, record: ResourceRecord, ownRecord?: ResourceRecord): string | undefined {
  const manifest = desiredAgent({}, { name: 'desk', target: own, ...desired });
  return new HeldRecords([record], now).findHold(manifest, ownRecord, () => manifest)?.name;
}

describe('held records under another manifest', () => {
  test.each<[string, Partial<Desired['target']>, ResourceRecord]>([
    ['by the id', { agentId: 'camp_1', token: new Secret('tok-2'), key: otherKey, tokenName: 'OTHER' }, held()],
    ['by the token', { tokenName: 'OTHER' }, held()],
    ['by the secret of the token, which was rotated', { token: new Secret('tok-2'), key: otherKey }, held()],
    ['if the record has no token', { tokenName: 'OTHER' }, held({ credentials: {} })],
    ['by the id, under another name of this machine', { host: 'localhost:1', agentId: 'camp_1' }, held()],
    ['by the token, under another name of this machine', { host: '[::1]:1', tokenName: 'OTHER' }, held()],
  ])('A held record is found under another manifest %s.', (_what, at, record) => {
    expect(over({ target: { ...own, ...at } }, record)).toBe('front-desk');
  });

  test('A held record is found under another manifest by a query with a secret.', () => {
    const secretQuery = { ...own, query: { account: '17' }, sensitiveQuery: new Set(['account']) };
    const record = held(recordedTarget(desiredAgent({}, { target: secretQuery })));
    expect(over({ target: secretQuery }, record)).toBe('front-desk');
    expect(over({ target: { ...secretQuery, query: { account: '18' } } }, record)).toBeUndefined();
  });

  test.each<[string, Partial<Desired['target']>]>([
    ['another token and secret', { token: new Secret('tok-2'), key: otherKey, tokenName: 'OTHER' }],
    ['another query', { query: { account: '17' } }],
    ['another host', { host: 'elsewhere', agentId: 'camp_1' }],
  ])('A held record is not found under another manifest with %s.', (_what, at) => {
    expect(over({ target: { ...own, ...at } }, held())).toBeUndefined();
  });

  test("A held record in another environment is found by the id and the token, but not by a secret's name.", () => {
    const record = held({}, 'live');
    expect(over({ target: { ...own, agentId: 'camp_1' } }, record)).toBe('front-desk');
    expect(over({ target: { ...own, tokenName: 'OTHER' } }, record)).toBe('front-desk');
    expect(over({ target: { ...own, token: new Secret('tok-2'), key: otherKey } }, record)).toBeUndefined();
  });
});

test("The resource's own record, a record with an ended hold and one without a hold are not found.", () => {
  const record = held();
  expect(over({ name: 'front-desk' }, record, record)).toBeUndefined();
  expect(over({}, held({ holds: { freeze: { ...freeze, until: '2026-11-23T01:00:00Z' } } }))).toBeUndefined();
  expect(over({}, held({ holds: { released: { by: 'E', at: freeze.since } } }))).toBeUndefined();
});

test('Ten thousand held agents are distinguished without comparing all pairs.', () => {
  const records = Array.from({ length: 10_000 }, (__, index) => {
    const token = new Secret(`tok-${index}`);
    const manifest = desiredAgent({}, { target: { ...own, token, tokenName: `T${index}` } });
    return held({ ...recordedTarget(manifest), name: `a${index}`, id: `camp_${index}` });
  });
  const found = new HeldRecords(records, now);
  const own5 = records[5];
  for (let index = 0; index < 10_000; index += 1) {
    const desired = desiredAgent({}, { name: 'a5', target: { ...own, token: new Secret('tok-5'), tokenName: 'T5' } });
    if (found.findHold(desired, own5, () => desired) !== undefined) throw new Error('a hold was found');
  }
});
