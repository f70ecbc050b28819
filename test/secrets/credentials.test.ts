import { expect, test } from '@jest/globals';
import { credentialsIn, mayHoldKey } from '../../src/secrets/credentials.ts';

const random = 'a1B2c3D4e5F6g7H8';

test.each([
  ['a prefix of secret keys', `Book with sk-live-${random}.`, `sk-live-${random}`],
  ['the name of a credential before it', `the API key is ${random}, thanks`, random],
  ['the name of its member', { settings: [{ apiKey: random }] }, random],
  ['the name beside its value', { headers: [{ name: 'X-Api-Key', value: random }] }, random],
  ['a URL with a password', ['see', 'https://admin:hunter2@db.acme.io/x'], 'https://admin:hunter2@db.acme.io'],
  ['the form of a service, as a name', { [`ghp_${'x1'.repeat(18)}`]: [true] }, `ghp_${'x1'.repeat(18)}`],
])('A credential is found by %s.', async (_, value, credential) => {
  expect(await credentialsIn(value)).toEqual([credential]);
});

test.each([
  ['an id without a name', { voice: '21m00Tcm4TlvDq8ikWAM' }],
  ['a public login', 'https://user:password@host.example/'],
  ['words with a prefix of keys', 'see sk-installation-guide-for-windows'],
  ['values that are not texts', [null, 1, true, {}]],
])('No credential is found in %s.', async (_, value) => {
  expect(await credentialsIn(value)).toEqual([]);
});

test.each([
  [false, 'https://www.example.com/opening-hours/1'],
  [false, 'https://www.example.com/2026/11/26/how-to-reach-us'],
  [false, '../prompts/agent-0001.md'],
  [false, 'ext:100, +1 415 555 0100'],
  [true, `https://www.example.com/?token=${random}`],
  [true, 'AKIAIOSFODNN7EXAMPLE'],
  [true, `xoxb-${'1'.repeat(12)}-secret`],
])('A text is examined only if a long word mixes letters and digits, or has a long number: %s for %s.', (may, text) => {
  expect(mayHoldKey(text)).toBe(may);
});
