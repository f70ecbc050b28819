import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const records = readdirSync(folder).filter((name) => name !== 'README.md');

test('No two decision records have the same number.', () => {
  const numbers = records.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(records)(
  'The index of decisions lists %s with its number, its title and the decision that replaces it.',
  (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const number = Number(name.slice(0, 4));
    const [, title] = text.match(new RegExp(`^# ${number}\\. (.+)`)) ?? [];
    const overruled = text.match(/^\*\*(?:Superseded|Amended) by\*\* (\[\d+\]\([^)]+\))/m)?.[1] ?? '';
    const line = index.split('\n').find((row) => row.startsWith(`| ${number} | [${title}](${name}) |`));
    expect(line).toContain(overruled);
  },
);
