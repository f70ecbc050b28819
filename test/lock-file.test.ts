import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

test('The lock file has the address of each package, so that npm ci does not ask the registry about each.', () => {
  const { packages } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8'));
  const { '': own, ...installed } = packages;
  expect(own.name).toBe('agentform');
  expect(Object.keys(installed).filter((path) => installed[path].resolved === undefined)).toEqual([]);
});
