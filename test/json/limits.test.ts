import { expect, test } from '@jest/globals';
import { excessOf } from '../../src/json/limits.ts';

test.each([
  [`${'['.repeat(100)}${']'.repeat(100)}`, undefined],
  [`${'['.repeat(101)}${']'.repeat(101)}`, 'nested more than 100 levels deep'],
  [`[${'[],'.repeat(1000)}[]]`, undefined],
  [JSON.stringify({ text: '[{"\\'.repeat(300_000) }), undefined],
  [JSON.stringify({ text: ','.repeat(300_000) }), undefined],
  [`[${'1,'.repeat(49_990)}1]`, undefined],
  [`[${'1,'.repeat(50_000)}1]`, 'of more than 50,000 values'],
  [`"${'\\'.repeat(9)}`, undefined],
  ['', undefined],
])('what is too much about %.20j', (json, excess) => {
  expect(excessOf(json)).toBe(excess);
});
