import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorCodes } from '../../src/errors.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/troubleshooting.md'), 'utf8');

test('The troubleshooting page covers every error code and no other.', () => {
  const rows = [...page.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', '),
  );
  expect(rows.map((code) => code.slice(1, -1)).sort()).toEqual(Object.keys(errorCodes).sort());
});
