import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Returns the absolute path of a file in `src/` or beside `src/`. */
function fileOf(path: string): string | undefined {
  return [join(root, 'src', path), join(root, path)].find(existsSync);
}

test('Every file that docs/architecture.md names with its folder exists.', () => {
  const paths = [...page.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|mjs|json))`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.filter((path) => fileOf(path) === undefined)).toEqual([]);
});

test('Every name that docs/architecture.md finds in a file is there.', () => {
  const named = [...page.matchAll(/((?:`#?\w+`(?:, | and |,? or )?)+) in\s`([\w.-]+\/[\w./-]+\.(?:ts|json))`/g)];
  const names = named.flatMap(([, list = '', path = '']) =>
    [...list.matchAll(/\w+/g)].filter(([name]) => name !== 'and' && name !== 'or').map(([name]) => ({ name, path })),
  );
  expect(names.length).toBeGreaterThan(60);
  const missing = names.filter(({ name, path }) => {
    const file = fileOf(path);
    return file === undefined || !readFileSync(file, 'utf8').includes(name);
  });
  expect(missing).toEqual([]);
});
