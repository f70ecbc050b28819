import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorRules, lintRules } from '../../src/yaml/rules.ts';

const folder = resolve(import.meta.dirname, '../../src');
const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'yaml/rules.ts')
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** The rules that code uses for problems. The compiler checks that each of them is in the table. */
const named = new Set(
  [
    ...text.matchAll(/\brule: '([a-z0-9-]+)'/g),
    ...text.matchAll(/errorAt\([^`;]*?,\s*'([a-z0-9-]+)',/g),
    ...text.matchAll(/#report\(\s*node,\s*piece,\s*'([a-z0-9-]+)',/g),
    ...text.matchAll(/\b(?:complain|errorOf|taskProblems)\([\w.]+, '([a-z0-9-]+)',/g),
    ...text.matchAll(/\blevelOf\('([a-z0-9-]+)'/g),
    ...text.matchAll(/^\s+name: '([a-z0-9-]+)',/gm),
  ].map(([, rule = '']) => rule),
);

test('Every problem rule has exactly one explanation.', () => {
  expect([...lintRules, ...errorRules].map(({ name }) => name).filter((rule) => !named.has(rule))).toEqual([]);
  const lint = new Set<string>(lintRules.map(({ name }) => name));
  expect(errorRules.filter(({ name }) => lint.has(name))).toEqual([]);
});
