import { test } from '@jest/globals';
import { everyday, runRecipe, situations, useSampleProject } from '../docs/recipes.ts';

useSampleProject();

test.each(Object.keys(situations).filter((title) => !everyday.includes(title)))(
  'The recipe "%s" works as written and leaves nothing to do.',
  (title) => runRecipe(title),
);
