import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import {
  areOfOneKey,
  asForeign,
  fingerprintKey,
  fingerprintOf,
  isForeign,
  keyOfToken,
} from '../../src/secrets/fingerprint.ts';
import { Secret } from '../../src/secrets/secret.ts';

const place = { environment: 'test', kind: 'Agent', name: 'front-desk', path: 'settings.description' };
const key = await keyOfToken(new Secret('tok-1'));
const rotated = await keyOfToken(new Secret('tok-2'));

describe('a fingerprint', () => {
  test('A fingerprint is equal for the same value, place and token.', async () => {
    expect(fingerprintOf(await keyOfToken(new Secret('tok-1')), place, '4711')).toBe(fingerprintOf(key, place, '4711'));
  });

  test.each([
    ['value', place, '4712'],
    ['environment', { ...place, environment: 'other' }, '4711'],
    ['kind', { ...place, kind: 'Member' }, '4711'],
    ['name', { ...place, name: 'other' }, '4711'],
    ['path', { ...place, path: 'settings.title' }, '4711'],
  ])('A fingerprint differs for another %s.', (_what, at, text) => {
    expect(fingerprintOf(key, at, text)).not.toBe(fingerprintOf(key, place, '4711'));
  });

  test('A fingerprint of another token differs, and is recognised as foreign.', () => {
    const print = fingerprintOf(key, place, '4711');
    expect(fingerprintOf(rotated, place, '4711')).not.toBe(print);
    expect([isForeign(print, key), isForeign(print, rotated)]).toEqual([false, true]);
  });

  test('Fingerprints can be compared only if they have the same key and neither is marked as foreign.', () => {
    const [print, other] = [fingerprintOf(key, place, '4711'), fingerprintOf(key, place, '4712')];
    expect(areOfOneKey(print, other)).toBe(true);
    expect(areOfOneKey(print, fingerprintOf(rotated, place, '4711'))).toBe(false);
    expect(areOfOneKey(asForeign(print), asForeign(other))).toBe(false);
  });

  test.each([
    ['4711', '4712'],
    ['4711', '4711'],
    ['hmac:4711', 'hmac:4712'],
    ['key:4711', 'key:4712'],
  ])('The texts %s and %s are not fingerprints and have no common key.', (one, other) => {
    expect(areOfOneKey(one, other)).toBe(false);
  });

  test('A fingerprint cannot be guessed without the token, even with the keys that the record has.', () => {
    const print = fingerprintOf(key, place, '4711');
    const guesses = [key.id, print.split(':')[1] ?? '', ''].map((text) => fingerprintKey(Buffer.from(text.padEnd(32))));
    expect(guesses.map((guess) => fingerprintOf(guess, place, '4711').split(':')[2])).not.toContain(
      print.split(':')[2],
    );
  });
});

test('A fingerprint key cannot be printed.', () => {
  const shown = fingerprintKey(Buffer.from('k'.repeat(32)));
  expect(`${inspect(shown)} ${JSON.stringify(shown)}`).not.toMatch(/kkk|6b6b/);
});
