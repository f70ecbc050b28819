import { expect, test } from '@jest/globals';
import { KnownTexts } from '../../src/prompts/prompt-checks.ts';

test('The analyses of texts are forgotten, the oldest first, once they have too many facts.', () => {
  const analysis = (links: number) => ({
    ...{ findings: [], contacts: [], things: [], foreign: new Map() },
    links: Array.from({ length: links }, () => ({ path: 'a.md', start: 0, end: 4 })),
  });
  const known = new KnownTexts();
  for (const [name, links] of Object.entries({ a: 40_000, b: 40_000, c: 40_000 })) known.add(name, analysis(links));
  expect(['a', 'b', 'c'].filter((name) => known.get(name) !== undefined)).toEqual(['b', 'c']);
  known.add('d', analysis(200_000));
  expect(['b', 'c', 'd'].filter((name) => known.get(name) !== undefined)).toEqual(['d']);
});
