import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorRules } from '../../../src/manifest/check/error-rules.ts';
import { lintRules } from '../../../src/manifest/check/lint-rules.ts';

const folder = resolve(import.meta.dirname, '../../../src/manifest');
const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('error-rules.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** The rules that the code names where it makes a problem. */
const named = new Set(
  [
    ...text.matchAll(/\brule: '([a-z0-9-]+)'/g),
    ...text.matchAll(/errorAt\([^`;]*?,\s*'([a-z0-9-]+)',/g),
    ...text.matchAll(/#complain\(\s*node,\s*piece,\s*'([a-z0-9-]+)',/g),
  ].map(([, rule = '']) => rule),
);

test('every rule that a problem may have is explained, either as lint or as an error', () => {
  const explained = new Set([...lintRules, ...errorRules].map(({ name }) => name));
  expect([...named].filter((rule) => !explained.has(rule))).toEqual([]);
  expect(named.size).toBeGreaterThan(50);
});

test('no rule is explained that no problem has, and none is both', () => {
  expect(errorRules.map(({ name }) => name).filter((rule) => !named.has(rule))).toEqual([]);
  const lint = new Set(lintRules.map(({ name }) => name));
  expect(errorRules.filter(({ name }) => lint.has(name))).toEqual([]);
});
