import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** Matches a promise such as `- The promise.`, and the next line, which names the test of the promise. */
const promises = [...text('docs/security.md').matchAll(/^- (.+(?:\n {2}(?!Test:).+)*)\n(?: {2}Test: (.+)\n)?/gm)].map(
  ([, promise = '', held = '']) => ({ promise, held }),
);

test('The security page has promises.', () => {
  expect(promises.length).toBeGreaterThan(30);
});

test.each(promises.map(({ promise, held }) => [promise, held]))('A test holds the promise: %s', (_, held) => {
  const [, path = '', title = ''] = /^`(test\/[\w/.-]+\.ts)`, "(.+)"$/.exec(held) ?? [];
  const titles = [
    ...text(path).matchAll(/(?:\btest|\bit)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g),
  ].map(([, , found = '']) => found.replace(/\\(.)/g, '$1'));
  expect({ path, titles }).toEqual({ path, titles: expect.arrayContaining([title]) });
});
