import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { starterGlobs } from '../../src/commands/init/starter-texts.ts';
import { Glob } from '../../src/manifest/project/glob.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);

/** The files that pages show together with their paths, if the files declare a kind and a name. */
const shown = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^ *```yaml\n *# ([\w./-]+\.ya?ml)\n([\s\S]*?)^ *```/gm)];
  return blocks.flatMap(([, path = '', body = '']) => (/^ *name: /m.test(body) ? [[page, path] as const] : []));
});

test.each(shown)('A new project finds the place from %s in %s.', (_, path) => {
  expect(starterGlobs.some((pattern) => new Glob(pattern).matches(path))).toBe(true);
});

test('The pages show agents, fleets and Tests at their places.', () => {
  expect(shown.map(([, path]) => path)).toEqual(
    expect.arrayContaining(['agents/front-desk.yaml', 'fleets/dental.yaml', 'tests/callers.yaml']),
  );
});
