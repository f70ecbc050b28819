import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parserOf, readOutline } from '../../src/prompts/outline.ts';
import { SourceLines } from '../../src/prompts/source-lines.ts';

const parts = [
  '# ',
  '- ',
  '* ',
  '1. ',
  '```',
  '`',
  '|',
  '--',
  '===',
  '> ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r',
  ' ',
  'word',
  '+',
  '~~~',
  ':',
];

test('A text can have more code spans than a function call can have arguments.', async () => {
  const text = '`a` '.repeat(200_000);
  const outline = readOutline(new SourceLines(text, text), await parserOf(text));
  expect(outline.code).toHaveLength(200_000);
});

test('An unparsed text has the outline that the parser would find.', async () => {
  const parse = await parserOf('# a heading');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), async (chosen) => {
      const text = new SourceLines(chosen.join(''), chosen.join(''));
      expect(readOutline(text, await parserOf(text.masked))).toEqual(readOutline(text, parse));
    }),
    { numRuns: 400 },
  );
});
