import { test } from '@jest/globals';
import { largeWalks, runWalk } from '../docs/walks.ts';

test.each(largeWalks.map((walk) => [`${walk.page}: ${walk.block}`, walk] as const))(
  'The commands of %s work as written.',
  (_, walk) => runWalk(walk),
);
