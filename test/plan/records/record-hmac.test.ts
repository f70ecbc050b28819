import { describe, expect, test } from '@jest/globals';
import { hmacState, keepingHmac, withHmac } from '../../../src/plan/records/record-of.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { fingerprintKey, fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { agentRecord, testKey } from '../../support/observations.ts';

const record = agentRecord(
  { 'settings.title': 'T' },
  { commit: 'c0ffee', holds: { released: { by: 'E', at: 'now' } } },
);
const made = withHmac(record, testKey);

describe('the HMAC of a record', () => {
  test('The HMAC of a record holds for the record as it was saved, in any order of members.', () => {
    expect(hmacState(made, testKey)).toBe('holds');
    const turned = Object.fromEntries(Object.entries(made).reverse()) as unknown as ResourceRecord;
    expect(hmacState(turned, testKey)).toBe('holds');
    expect(hmacState(JSON.parse(JSON.stringify(made)), testKey)).toBe('holds');
  });

  test.each<[string, Partial<ResourceRecord>]>([
    ['a value', { fields: { 'settings.title': { value: 'U' } } }],
    ['a field more', { fields: { ...record.fields, 'settings.description': { value: 'D' } } }],
    ['the id', { id: 'camp_2' }],
    ['the name', { name: 'other' }],
    ['the environment', { environment: 'other' }],
    ['the commit', { commit: 'badcab' }],
    ['the holds', { holds: {} }],
    ['a member more', { overlay: 'x' }],
    ['who applied', { appliedBy: 'Eve' }],
    ['the pull request', { pullRequest: 7 }],
    ['the run', { run: 'https://ci.example/1' }],
    ['since when', { declared: { digest: 'd', since: 'earlier' } }],
    ['the revision', { revision: 'r' }],
    ['a failure', { failure: { code: 'not-stored', facts: {}, at: 'now' } }],
    ['what was overwritten', { overwrote: [{ path: 'settings.title', cause: 'drift', value: 'X' }] }],
    ['what was overruled', { overruled: [] }],
  ])('The HMAC of a record does not hold after a change of %s.', (_what, change) => {
    expect(hmacState({ ...made, ...change }, testKey)).toBe('altered');
  });

  test('The HMAC of a record is foreign under another key, and absent if there is none.', () => {
    expect(hmacState(made, fingerprintKey(new Uint8Array(32).fill(7)))).toBe('foreign');
    expect(hmacState(record, testKey)).toBe('none');
  });

  test('The HMAC of a record cannot be replaced by the fingerprint of a value.', () => {
    const place = { environment: 'test', kind: 'Agent', name: 'front-desk', path: 'settings.title' };
    expect(hmacState({ ...record, hmac: fingerprintOf(testKey, place, JSON.stringify(record)) }, testKey)).toBe(
      'altered',
    );
    expect(hmacState({ ...record, hmac: 'scrypt:AAAA' }, testKey)).toBe('altered');
    expect(hmacState({ ...record, hmac: 'hello' }, testKey)).toBe('altered');
  });
});

describe('changes of a record beside applied values', () => {
  const changed = { ...made, name: 'reception' };

  test('A change beside applied values keeps a valid HMAC if the token is known.', () => {
    expect(hmacState(keepingHmac(changed, { before: made, key: testKey }), testKey)).toBe('holds');
  });

  test.each<[string, Parameters<typeof keepingHmac>[1]]>([
    ['without the token', { before: made, key: undefined }],
    ['of a record that was altered', { before: { ...made, id: 'camp_2' }, key: testKey }],
    ['of a record without one', { before: record, key: testKey }],
    ['under another token', { before: made, key: fingerprintKey(new Uint8Array(32).fill(7)) }],
  ])('A change beside applied values drops the HMAC %s.', (_what, at) => {
    expect(keepingHmac(changed, at)).not.toHaveProperty('hmac');
  });
});
