import { describe, expect, test } from '@jest/globals';
import { fieldsAfterReadBack, fieldsAsSent, fieldsWithoutWrite } from '../../../src/apply/records/settled-fields.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import type { Desired } from '../../../src/kinds/desired.ts';
import { parsePath } from '../../../src/kinds/field-path.ts';
import { PathMap } from '../../../src/kinds/path-map.ts';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { type ResourceState, resourceState } from '../../../src/plan/fields/resource-state.ts';
import type { AppliedField } from '../../../src/schemas/record-types.ts';
import { fingerprintKey, fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { agentRecord, campaign, desiredAgent, testKey } from '../../support/observations.ts';

/** Tests which value of the welcome message counts as applied. In some tests, the message is sensitive. */
const path = 'settings.welcomeMessage';
const place = { environment: 'test', kind: 'Agent', name: 'front-desk', path };
const whiteSpace: NonNullable<AppliedField['rules']> = ['white-space'];
const rotatedKey = fingerprintKey(new Uint8Array(32).fill(1));
const printOf = (text: string, key = testKey) => fingerprintOf(key, place, JSON.stringify(text));

interface Parts {
  readonly wanted?: string;
  readonly live?: string;
  readonly applied?: AppliedField;
  readonly sensitive?: boolean;
}

function stateOf({ wanted, live, applied, sensitive }: Parts): ResourceState {
  const settings: JsonObject = wanted === undefined ? {} : { welcomeMessage: wanted };
  const sensitivePaths = new Set(sensitive ? ['/settings/welcomeMessage'] : []);
  const desired: Desired = desiredAgent({ settings }, { sensitive: sensitivePaths });
  const record = { ...agentRecord({}), fields: applied === undefined ? {} : { [path]: applied } };
  const reading = { campaign: campaign(live === undefined ? {} : { welcomeMessage: live }) };
  return resourceState({ desired, record, reading }, secrecyOf([]));
}

describe('live values that equal the wanted ones', () => {
  test('A live value that equals the wanted one keeps the recorded read-back form.', () => {
    const applied = { value: ' Hi', readBack: 'Hi', rules: whiteSpace };
    expect(fieldsWithoutWrite(stateOf({ wanted: ' Hi', live: 'Hi', applied }))).toStrictEqual({ [path]: applied });
  });

  test('A live value that equals the wanted one keeps the recorded fingerprints.', () => {
    const applied = { fingerprint: printOf(' Hi'), readBackFingerprint: printOf('Hi'), rules: whiteSpace };
    const state = stateOf({ wanted: ' Hi', live: 'Hi', applied, sensitive: true });
    expect(fieldsWithoutWrite(state)).toStrictEqual({ [path]: applied });
  });

  test('A live value that equals the wanted one is recorded as a fingerprint once it is sensitive.', () => {
    const state = stateOf({ wanted: 'Hi', live: 'Hi', applied: { value: 'Hi' }, sensitive: true });
    expect(fieldsWithoutWrite(state)).toStrictEqual({ [path]: { fingerprint: printOf('Hi') } });
  });

  test('A live value that equals the wanted one gets new fingerprints after a token rotation.', () => {
    const old = { fingerprint: printOf('Hi', rotatedKey) };
    const state = (applied: AppliedField) => stateOf({ wanted: 'Hi', live: 'Hi', applied, sensitive: true });
    expect(fieldsWithoutWrite(state(old))).toStrictEqual({ [path]: { fingerprint: printOf('Hi') } });
    const inOwnForm = { ...old, readBackFingerprint: printOf('Hi!', rotatedKey), rules: whiteSpace };
    expect(fieldsWithoutWrite(state(inOwnForm))).toStrictEqual({ [path]: { fingerprint: printOf('Hi') } });
  });

  test('A live value that equals the wanted one loses the recorded form if the service no longer shows it.', () => {
    const applied = { value: ' Hi', readBack: 'Hi', rules: whiteSpace };
    expect(fieldsWithoutWrite(stateOf({ wanted: ' Hi', live: ' Hi', applied }))).toStrictEqual({
      [path]: { value: ' Hi' },
    });
    expect(fieldsWithoutWrite(stateOf({ wanted: 'Hi', live: 'Hi', applied }))).toStrictEqual({
      [path]: { value: 'Hi' },
    });
  });

  test('A live value that equals the wanted one keeps the form of the service after an edit was adopted.', () => {
    const applied = { value: 'A & B\nC.', readBack: 'A &amp; B\nC.', rules: ['html-escapes' as const] };
    const state = stateOf({ wanted: 'A & B\nD.', live: 'A &amp; B\nD.', applied });
    expect(fieldsWithoutWrite(state)).toStrictEqual({
      [path]: { value: 'A & B\nD.', readBack: 'A &amp; B\nD.', rules: ['html-escapes'] },
    });
  });
});

describe('sent values count as applied', () => {
  test('Sent values count as applied, sensitive ones as fingerprints, and dropped ones not at all.', () => {
    expect(fieldsAsSent(stateOf({ wanted: 'Hi' }))).toStrictEqual({ [path]: { value: 'Hi' } });
    expect(fieldsAsSent(stateOf({ wanted: 'Hi', sensitive: true }))).toStrictEqual({
      [path]: { fingerprint: printOf('Hi') },
    });
    expect(fieldsAsSent(stateOf({ live: 'Hi', applied: { value: 'Hi' } }))).toStrictEqual({});
  });

  test('An ignored value is recorded with its live value, so the next plan shows it again.', () => {
    const results = new PathMap([[parsePath(path), { path, result: 'ignored' as const }]]);
    expect(
      fieldsAfterReadBack(stateOf({ wanted: 'Hi', live: 'Before', applied: { value: 'Before' } }), results),
    ).toStrictEqual({ [path]: { value: 'Hi', readBack: 'Before' } });
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hi' }), results)).toStrictEqual({});
  });

  test('A sent value is recorded alone once a lagging read shows it.', () => {
    const applied = { value: 'Hi', readBack: 'Before' };
    expect(fieldsWithoutWrite(stateOf({ wanted: 'Hi', live: 'Hi', applied }))).toStrictEqual({
      [path]: { value: 'Hi' },
    });
    expect(fieldsWithoutWrite(stateOf({ wanted: 'Hi', live: 'Before', applied }))).toStrictEqual({ [path]: applied });
  });

  test('A lost value does not count as applied, so the next plan shows it again.', () => {
    const results = new PathMap([[parsePath(path), { path, result: 'lost' as const }]]);
    const before = { value: 'Before' };
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hi', live: 'Hi', applied: before }), results)).toStrictEqual({
      [path]: before,
    });
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hi' }), results)).toStrictEqual({});
  });

  test('An ignored value that the service no longer has does not count as applied.', () => {
    const results = new PathMap([[parsePath(path), { path, result: 'ignored' as const }]]);
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hi', applied: { value: 'Before' } }), results)).toStrictEqual({});
  });

  test('A normalised value counts as applied in both forms.', () => {
    const results = new PathMap([[parsePath(path), { path, result: 'normalised' as const, rules: whiteSpace }]]);
    expect(fieldsAfterReadBack(stateOf({ wanted: ' Hi', live: 'Hi' }), results)).toStrictEqual({
      [path]: { value: ' Hi', readBack: 'Hi', rules: whiteSpace },
    });
    expect(fieldsAfterReadBack(stateOf({ wanted: ' Hi', live: 'Hi', sensitive: true }), results)).toStrictEqual({
      [path]: { fingerprint: printOf(' Hi'), readBackFingerprint: printOf('Hi'), rules: whiteSpace },
    });
  });

  test('A value that the service replaced is recorded in both forms without a rule.', () => {
    const results = new PathMap([[parsePath(path), { path, result: 'another value' as const }]]);
    const earlier = { value: 'Hi', readBack: 'Hi!', rules: whiteSpace };
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hello', live: 'Bye', applied: earlier }), results)).toStrictEqual({
      [path]: { value: 'Hello', readBack: 'Bye' },
    });
    expect(fieldsAfterReadBack(stateOf({ live: 'Bye', applied: earlier }), results)).toStrictEqual({
      [path]: { value: 'Hi', readBack: 'Bye' },
    });
    expect(fieldsAfterReadBack(stateOf({ wanted: 'Hello', live: 'Bye', sensitive: true }), results)).toStrictEqual({
      [path]: { fingerprint: printOf('Hello'), readBackFingerprint: printOf('Bye') },
    });
  });
});
