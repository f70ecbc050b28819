import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planMarkdown, planPages } from '../../../src/report/markdown/plan.ts';
import { hostileText } from '../hostile-text.ts';
import { change, plan, resource } from '../plan/plan-builders.ts';

const prompt = (characters: number) => `${'word '.repeat(19)}word\n`.repeat(characters / 100);
const long = (name: string, characters = 3_000) =>
  resource({
    name,
    changes: [change({ path: 'settings.agentInstructions', from: '', to: `${name}\n${prompt(characters)}` })],
  });
const options = { limit: 10_000, most: 10 };

/** The resources that end on each page. */
function shownOn(pages: ReturnType<typeof planPages>['pages']): string[][] {
  const ended =
    /<summary><b>update<\/b> <code>Agent\/([^<]*)<\/code>: [^<]*<i>[^<]*<\/i>(?:, part (\d+) of (\d+))?<\/summary>/g;
  return pages.map(({ text }) =>
    [...text.matchAll(ended)].flatMap(([, name = '', part, parts]) => (part === parts ? [name] : [])),
  );
}

describe('a plan over pages', () => {
  test('A plan over pages fills one after the other, in order, and says which part each is.', () => {
    const made = plan(['a', 'b', 'c', 'd', 'e'].map((name) => long(name)));
    const { pages, shortened } = planPages(made, { ...options, limit: 8_000 });
    expect({ shortened, shown: shownOn(pages) }).toEqual({ shortened: false, shown: [['a', 'b'], ['c', 'd'], ['e']] });
    expect(pages[0]?.text).toContain('**Applying this will change 5 agents.**');
    expect(pages[2]?.text).toMatch(/^### agentform plan for `production` \(part 3 of 3\)\n/);
  });

  test('A plan over pages leaves room on the first for what is not of the plan.', () => {
    const made = plan(['a', 'b', 'c', 'd', 'e'].map((name) => long(name)));
    expect(shownOn(planPages(made, { ...options, taken: 6_000 }).pages)).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  test('A plan over pages breaks a resource that is longer than a page between its changes.', () => {
    const paths = ['settings.a', 'settings.b', 'settings.c', 'settings.d'];
    const changes = paths.map((path) => change({ path, from: '', to: prompt(4_000) }));
    const { pages, shortened } = planPages(plan([resource({ name: 'long', changes })]), options);
    expect({ shortened, shown: shownOn(pages) }).toEqual({ shortened: false, shown: [[], ['long']] });
    for (const path of paths) expect(pages.map(({ text }) => text).join('\n')).toContain(path);
    for (const { text } of pages)
      expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  test('A plan over pages leaves out, the largest first, only what is too much for all of them.', () => {
    const names = Array.from({ length: 30 }, (_, index) => `a${index}`);
    const { pages, shortened } = planPages(plan([...names.map((name) => long(name)), long('huge', 9_000)]), options);
    expect({ shortened, count: pages.length }).toEqual({ shortened: true, count: 10 });
    expect(pages.at(-1)?.text).toContain('**Left out for length:** `Agent/huge`');
    expect(shownOn(pages).flat().length).toBeGreaterThan(15);
  });

  test('A plan over pages is never longer than its limit, and shows each resource once or names it as left out.', () => {
    const resources = fc.array(fc.tuple(hostileText, fc.nat(60)), { maxLength: 12 });
    fc.assert(
      fc.property(
        resources,
        fc.integer({ min: 1_500, max: 6_000 }),
        fc.integer({ min: 1, max: 5 }),
        (given, limit, most) => {
          const made = plan(
            given.map(([text, times], index) =>
              resource({ name: `r${index}`, changes: [change({ path: text, to: `${index}${text.repeat(times)}` })] }),
            ),
          );
          const { pages, shortened } = planPages(made, { limit, most });
          expect(pages.length).toBeLessThanOrEqual(most);
          for (const { text } of pages) expect(text.length).toBeLessThanOrEqual(limit);
          const shown = shownOn(pages).flat();
          expect(new Set(shown).size).toBe(shown.length);
          if (!shortened) expect(shown).toHaveLength(given.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the section of a resource', () => {
  const open = /<details open>/;

  test('The section of a resource is open where it is the only one and small.', () => {
    expect(planMarkdown(plan([resource({ changes: [change()] })])).text).toMatch(open);
    expect(planMarkdown(plan([long('a')])).text).not.toMatch(open);
    const two = plan([resource({ changes: [change()] }), resource({ name: 'b', changes: [change({ to: 'Newer' })] })]);
    expect(planMarkdown(two).text).not.toMatch(open);
  });

  test('The section of a resource does not say at every line what the head of the plan says once.', () => {
    const blind = change({ path: 'settings.description', knowledge: 'blind', from: undefined });
    const { text } = planMarkdown(plan([resource({ changes: [blind, { ...blind, path: 'settings.agentModel' }] })]));
    expect(text.match(/cannot be read back: /g)).toHaveLength(1);
    expect(text).not.toContain('(cannot be read back)');
    expect(text).not.toContain('none of these');
  });
});
