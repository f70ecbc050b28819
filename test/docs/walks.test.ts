import { test } from '@jest/globals';
import { runWalk, walks } from './walks.ts';

test.each(walks.map((walk) => [`${walk.page}: ${walk.block}`, walk] as const))(
  'The commands of %s work as written.',
  (_, walk) => runWalk(walk),
);
