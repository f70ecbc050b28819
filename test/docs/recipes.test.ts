import { expect, test } from '@jest/globals';
import { blocksOf } from '../support/shell.ts';
import { everyday, recipes, runRecipe, situations, useSampleProject } from './recipes.ts';

useSampleProject();

test('Every recipe is run.', () => {
  const withCommands = [...recipes].filter(([, text]) => blocksOf(text, 'sh').length > 0).map(([title]) => title);
  expect(withCommands.sort()).toEqual(Object.keys(situations).sort());
  expect(Object.keys(situations)).toEqual(expect.arrayContaining(everyday));
});

test.each(everyday)('The recipe "%s" works as written and leaves nothing to do.', runRecipe);
