import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashesOf } from '../../../src/manifest/prompts/rule-hashes.ts';
import { hashesOfTokens, tokensIn } from '../../../src/manifest/prompts/sentences.ts';
import { lowerCase } from '../../../src/manifest/prompts/written-lines.ts';
import { problemsIn } from './example-agent.ts';

const words = [
  'Call',
  'the',
  'office',
  'a',
  'am',
  'p',
  'm',
  "don't",
  'isn’t',
  'co-op',
  'ñandú',
  'Привет',
  'İzmir',
  'to-do',
];
const numbers = ['9', '9 am', '9 a.m.', '10:30', '1,200', '20 %', '5%', 'two', 'Forty-five', 'ninety'];
const signs = ['$', '€', '“', '—', '...', '(', '😀', '415-555-0100', 'https://a.example/9', '٣'];
const separator = fc.constantFrom(' ', '  ', ', ', ' – ', '\n', ' "');

/** Pieces with something between them. */
function written(pieces: readonly string[], separators: readonly string[]): string {
  return lowerCase(pieces.map((piece, index) => piece + (separators[index] ?? ' ')).join(''));
}

const tokensOf = (text: string) => tokensIn(text, () => '');
const separators = fc.array(separator, { minLength: 12, maxLength: 12 });

test('rules of the same words have the same hashes, however they are written', () => {
  const pieces = fc.array(fc.constantFrom(...words, ...numbers, ...signs), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, separators, separators, (some, first, second) => {
      const [one, other] = [written(some, first), written(some, second)];
      fc.pre(tokensOf(one).join(' ') === tokensOf(other).join(' '));
      const { mostTokens: _, ...hashes } = hashesOf(one);
      expect(hashesOf(other)).toMatchObject(hashes);
      expect(hashesOfTokens(tokensOf(one))).toMatchObject(hashes);
      expect(hashesOf(one).mostTokens).toBeGreaterThanOrEqual(tokensOf(one).length);
    }),
    { numRuns: 2000 },
  );
});

test('rules that are the same but for a number have the same hash without numbers', () => {
  const slot = fc.constantFrom(undefined, ...words, '$');
  const number = fc.constantFrom(...numbers);
  fc.assert(
    fc.property(fc.array(slot, { minLength: 1, maxLength: 12 }), fc.nat(), number, number, (slots, at, one, other) => {
      const withNumber = (text: string) =>
        slots.map((word, index) => (index === at % slots.length ? text : (word ?? 'it')));
      const [first, second] = [one, other].map((text) => hashesOf(written(withNumber(text), [])).withoutNumbers);
      expect(first).toBeDefined();
      expect(second).toBe(first);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, string, readonly string[]]>([
  [
    'times written in two ways',
    'The desk is open from 9 a.m. on.\n\nThe desk is open from 9am on!',
    ['prompt-duplicate'],
  ],
  [
    'a number in words',
    'A visit takes 30 minutes at least.\n\nA visit takes forty minutes at least.',
    ['prompt-contradiction'],
  ],
  ['a denial that comes first', 'Never tell a caller the price.\n\nTell a caller the price.', ['prompt-contradiction']],
  ['a denial in one word', 'You can’t move a paid visit.\n\nYou can move a paid visit.', ['prompt-contradiction']],
  ['another word', 'You can’t move a paid visit.\n\nYou can cancel a paid visit.', []],
  [
    'letters of another script',
    'Никогда не называйте цену по телефону.\n\nНикогда не называйте цену по телефону!',
    ['prompt-duplicate'],
  ],
])('%s', async (_name, text, rules) => {
  expect((await problemsIn(text, { lang: 'multi' })).map(({ rule }) => rule)).toEqual(rules);
});
