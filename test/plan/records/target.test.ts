import { describe, expect, test } from '@jest/globals';
import {
  createTarget,
  isRecordedQuery,
  retargeted,
  shownTarget,
  targetMismatch,
  tokenFingerprint,
} from '../../../src/plan/records/target.ts';
import { fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { agentRecord, desiredAgent, testKey } from '../../support/observations.ts';

const { target } = desiredAgent({});
const query = { key: 'hush', region: 'eu' };
const desired = desiredAgent({}, { target: { ...target, query, sensitiveQuery: new Set(['key']) } });

/**
 * Returns the fingerprint of a text at a path of the target. The context of such fingerprints has no kind and no name.
 */
const printAt = (path: string, text: string) =>
  fingerprintOf(testKey, { environment: 'test', kind: '', name: '', path }, text);
const shown = { key: printAt('target.query.key', 'hush'), region: 'eu' };

test('A target is shown with its host and query, and secrets as fingerprints.', () => {
  expect(shownTarget(desired)).toEqual({ host: '127.0.0.1:1', query: shown });
});

test('The target of a create also has the token, whatever the resource is called.', () => {
  expect(createTarget({ ...desired, name: 'other' })).toEqual({
    host: '127.0.0.1:1',
    query: shown,
    credentials: printAt('target.token', 'tok-1'),
  });
});

describe('matching queries of a record', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['with the same values', shown, true],
    ['in any order', { region: 'eu', key: shown.key }, true],
    ['with a secret under another token', { ...shown, key: 'hmac:other:x' }, true],
    ['except with another secret', { ...shown, key: printAt('target.query.key', 'other') }, false],
    ['except with the secret of another parameter', { ...shown, key: printAt('target.query.other', 'hush') }, false],
    ['except with another value', { ...shown, region: 'us' }, false],
    ['except with a missing parameter', { region: 'eu' }, false],
    ['except with an additional parameter', { ...shown, more: '1' }, false],
    ['except with a different parameter', { region: 'eu', other: shown.key }, false],
  ])('The query of a record matches the manifest %s.', (_name, recorded, expected) =>
    expect(isRecordedQuery(desired, { query: recorded })).toBe(expected),
  );
});

describe('the target of a record from a renamed environment', () => {
  const former = { ...desired, environment: 'former' };
  const recorded = (parts: Parameters<typeof agentRecord>[1] = {}) =>
    agentRecord({}, { environment: 'former', query: shownTarget(former).query, ...parts });

  test('The target of a renamed environment has the same parameters, with new fingerprints.', () => {
    expect(retargeted(desired, recorded())).toStrictEqual({ query: shown, credentials: {} });
  });

  test('The target of a renamed environment keeps the fingerprint of another secret or a removed parameter.', () => {
    const { target: elsewhere } = former;
    const other = { ...former, target: { ...elsewhere, query: { key: 'other', region: 'us', gone: '1' } } };
    const { query: kept } = shownTarget(other);
    expect(retargeted(desired, recorded({ query: kept }))).toStrictEqual({ query: kept, credentials: {} });
  });

  test('The target of a renamed environment keeps its token fingerprint, unless the token is another one.', () => {
    const credentials = { secret: 'TOKEN', fingerprint: tokenFingerprint(former) };
    expect(retargeted(desired, recorded({ credentials })).credentials).toEqual({
      secret: 'TOKEN',
      fingerprint: tokenFingerprint(desired),
    });
    const rotated = { ...credentials, fingerprint: 'hmac:other:x' };
    expect(retargeted(desired, recorded({ credentials: rotated })).credentials).toEqual(rotated);
  });
});

test('The record of an organization belongs to another reseller if that differs.', () => {
  const [wanted, record] = [{ ...desired, resellerId: 'r-1' }, agentRecord({}, { resellerId: 'r-2' })];
  const differenceOf = (...pair: Parameters<typeof targetMismatch>) => targetMismatch(...pair)?.difference;
  expect(targetMismatch(wanted, record)).toEqual({ difference: 'resellerId', recorded: 'r-2', wanted: 'r-1' });
  expect(differenceOf(wanted, agentRecord({}, { resellerId: 'r-1' }))).not.toBe('resellerId');
  expect(differenceOf(desired, agentRecord({}))).not.toBe('resellerId');
});
