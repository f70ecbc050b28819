import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../src/json/json.ts';
import { leavesOf, sectionsOf } from '../../src/kinds/leaves.ts';

const word = fc.constantFrom('a', 'b', 'c.d', 'e"]', '__proto__', 'constructor', 'toString', 'é 1');
const text = fc.oneof(fc.string(), fc.constant(null), fc.integer());
const element = (key: string) =>
  fc.tuple(word, fc.dictionary(fc.constantFrom('instructions', 'version'), text)).map(([name, members]) => ({
    [key]: name,
    ...members,
  }));
const keyed = (key: string) => fc.uniqueArray(element(key), { selector: (one) => one[key], maxLength: 4 });
const agent: fc.Arbitrary<JsonObject> = fc.record(
  {
    settings: fc.dictionary(fc.constantFrom('title', 'agentLang', 'links', 'unknown'), text),
    skills: keyed('slug'),
    apps: keyed('appId'),
    backgroundAudio: fc.oneof(
      fc.constant(null),
      fc.constant('https://a.example'),
      fc.record({ url: text, gain: text }),
    ),
    extraSettings: fc.dictionary(word, fc.oneof(text, fc.constant({ deep: { er: [1] } }))),
  },
  { requiredKeys: [] },
);

test('The law holds that sections made of leaves have the same leaves in order.', () => {
  fc.assert(
    fc.property(agent, (sections) => {
      const leaves = leavesOf('Agent', sections);
      const again = sectionsOf('Agent', leaves);
      expect(leavesOf('Agent', again.sections)).toEqual(leaves);
    }),
  );
});

test('Sensitive values are marked at their pointers, in list elements too.', () => {
  const leaves = [
    [['skills', 'a/b', 'instructions'], { value: 'x', sensitive: false }],
    [['skills', 'c', 'instructions'], { value: 'y', sensitive: true }],
    [['settings', 'title'], { value: 'z', sensitive: true }],
    [['backgroundAudio', 'url'], { value: null, sensitive: true }],
  ] as const;
  expect(sectionsOf('Agent', leaves)).toEqual({
    sections: {
      skills: [
        { slug: 'a/b', instructions: 'x' },
        { slug: 'c', instructions: 'y' },
      ],
      settings: { title: 'z' },
      backgroundAudio: { url: null },
    },
    sensitive: new Set(['/skills/1/instructions', '/settings/title', '/backgroundAudio/url']),
  });
});

test('A list of many elements takes the same time for each element as a short one.', () => {
  const leaves = Array.from(
    { length: 100_000 },
    (_, index) => [['skills', `s${index}`, 'instructions'], { value: 'x', sensitive: false }] as const,
  );
  const { sections } = sectionsOf('Agent', leaves);
  expect(sections.skills).toHaveLength(100_000);
});
