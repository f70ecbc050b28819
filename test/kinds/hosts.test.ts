import { expect, test } from '@jest/globals';
import { hostKey } from '../../src/kinds/desired.ts';
import { parseBaseUrl } from '../../src/manifest/project/project-checks.ts';

function keyOf(baseUrl: string): string {
  const base = parseBaseUrl(baseUrl);
  if ('problem' in base) throw new Error(base.problem);
  return hostKey(base.host);
}

test.each([
  ['https://service.example.com', 'https://SERVICE.example.com:443/'],
  ['http://localhost:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080', 'http://[::1]:8080/clinic'],
  ['http://localhost:8080', 'http://127.1:8080'],
  ['http://127.0.0.1', 'http://LOCALHOST:80'],
  ['emulator', 'emulator'],
])('The addresses %s and %s have the same host.', (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other));
});

test.each([
  ['http://localhost:8080', 'http://localhost:8081'],
  ['https://service.example.com', 'https://service.example.com:8443'],
  ['https://localhost.example.com', 'https://localhost'],
  ['https://127.0.0.1.example.com', 'https://127.0.0.1'],
])('The addresses %s and %s have different hosts.', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});
