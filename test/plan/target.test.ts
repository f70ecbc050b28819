import { describe, expect, test } from '@jest/globals';
import {
  createTarget,
  isOtherReseller,
  isRecordedQuery,
  retargeted,
  shownTarget,
  tokenFingerprint,
} from '../../src/plan/target.ts';
import { fingerprintOf } from '../../src/secrets/fingerprint.ts';
import { agentRecord, desiredAgent, testKey } from '../support/observations.ts';

const { target } = desiredAgent({});
const query = { key: 'hush', region: 'eu' };
const desired = desiredAgent({}, { target: { ...target, query, sensitiveQuery: new Set(['key']) } });

/** Where agentform 0.2 says that it is: the records that it wrote hold fingerprints of these places. */
const printAt = (path: string, text: string) =>
  fingerprintOf(testKey, { environment: 'test', kind: '', name: '', path }, text);
const shown = { key: printAt('target.query.key', 'hush'), region: 'eu' };

test('a target is shown with its host and query, of which secrets are fingerprints', () => {
  expect(shownTarget(desired)).toEqual({ host: '127.0.0.1:1', query: shown });
});

test('The target of a create also has the token, whatever the resource is called.', () => {
  expect(createTarget({ ...desired, name: 'other' })).toEqual({
    host: '127.0.0.1:1',
    query: shown,
    credentials: printAt('target.token', 'tok-1'),
  });
});

describe('the query of a record is that of the manifest', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['with the same values', shown, true],
    ['whatever the order', { region: 'eu', key: shown.key }, true],
    ['with a secret under another token, of which nothing is known', { ...shown, key: 'hmac:other:x' }, true],
    ['not with another secret', { ...shown, key: printAt('target.query.key', 'other') }, false],
    ['not with the secret of another parameter', { ...shown, key: printAt('target.query.other', 'hush') }, false],
    ['not with another value', { ...shown, region: 'us' }, false],
    ['not with a parameter less', { region: 'eu' }, false],
    ['not with one more', { ...shown, more: '1' }, false],
    ['not with another in the place of one', { region: 'eu', other: shown.key }, false],
  ])('%s', (_name, recorded, expected) => expect(isRecordedQuery(desired, { query: recorded })).toBe(expected));
});

describe('the target of a record from an environment that has another name now', () => {
  const former = { ...desired, environment: 'former' };
  const recorded = (parts: Parameters<typeof agentRecord>[1] = {}) =>
    agentRecord({}, { environment: 'former', query: shownTarget(former).query, ...parts });

  test('The target of a record from an environment that has another name now has the same parameters, with the fingerprints of the new name.', () => {
    expect(retargeted(desired, recorded())).toStrictEqual({ query: shown, credentials: {} });
  });

  test('The target of a record from an environment that has another name now keeps what cannot be made again: another secret, and a parameter that is none or gone.', () => {
    const { target: elsewhere } = former;
    const other = { ...former, target: { ...elsewhere, query: { key: 'other', region: 'us', gone: '1' } } };
    const { query: kept } = shownTarget(other);
    expect(retargeted(desired, recorded({ query: kept }))).toStrictEqual({ query: kept, credentials: {} });
  });

  test('The target of a record from an environment that has another name now is known by its token as before, unless that is another one.', () => {
    const credentials = { secret: 'TOKEN', fingerprint: tokenFingerprint(former) };
    expect(retargeted(desired, recorded({ credentials })).credentials).toEqual({
      secret: 'TOKEN',
      fingerprint: tokenFingerprint(desired),
    });
    const rotated = { ...credentials, fingerprint: 'hmac:other:x' };
    expect(retargeted(desired, recorded({ credentials: rotated })).credentials).toEqual(rotated);
  });
});

test('the record of an organization is of another reseller if that differs', () => {
  const [wanted, record] = [{ ...desired, resellerId: 'r-1' }, agentRecord({}, { resellerId: 'r-2' })];
  expect(isOtherReseller(wanted, record)).toBe(true);
  expect(isOtherReseller(wanted, agentRecord({}, { resellerId: 'r-1' }))).toBe(false);
  expect(isOtherReseller(desired, agentRecord({}))).toBe(false);
});
