import { expect, test } from '@jest/globals';
import { lockedNoun, scopeName, scopeOf } from '../../src/record/lock-file.ts';

test.each([
  ['production.lock', undefined, 'the environment production'],
  ['production.1-of-3.lock', { number: 1, of: 3 }, 'shard 1/3 of the environment production'],
  ['production.1000-of-9999.lock', { number: 1000, of: 9999 }, 'shard 1000/9999 of the environment production'],
])('the file %s is found by its name', (name, shard, noun) => {
  expect(`${scopeName('production', shard)}.lock`).toBe(name);
  expect(scopeOf(name, 'production', '.lock')).toEqual(shard === undefined ? {} : { shard });
  expect(lockedNoun('production', shard)).toBe(noun);
});

test.each([
  'production.journal',
  'production-eu.lock',
  'eu-production.lock',
  'lock.production',
  '.lock',
  'production.0-of-3.lock',
  'production.1-of-0.lock',
  'production.1-of-3',
  'production.1-of-3x.lock',
  'production.x1-of-3.lock',
  'production.x.1-of-3.lock',
  'production.12345-of-3.lock',
  'production.1-of-12345.lock',
  'production.1xx-of-3.lock',
  'production.1-of-3xx.lock',
])('%s belongs to something else', (name) => {
  expect(scopeOf(name, 'production', '.lock')).toBeUndefined();
});
