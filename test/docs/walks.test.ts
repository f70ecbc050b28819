import { test } from '@jest/globals';
import { shareProcess } from '../support/shared-process.ts';
import { runWalk, walks } from './walks.ts';

shareProcess();

test.each(walks.map((walk) => [`${walk.page}: ${walk.block}`, walk] as const))(
  'The commands of %s work as written.',
  (_, walk) => runWalk(walk),
);
