import { expect, test } from '@jest/globals';
import { cacheFolderIn } from '../../src/cli/host.ts';

test.each([
  [{ HOME: '/home/tess' }, '/home/tess/.cache/agentform'],
  [{ HOME: '/home/tess', XDG_CACHE_HOME: '/var/tess' }, '/var/tess/agentform'],
  [{ HOME: '/home/tess', XDG_CACHE_HOME: 'here' }, '/home/tess/.cache/agentform'],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: '/tmp/mine' }, '/tmp/mine'],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: '' }, undefined],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: 'cache' }, undefined],
  [{ HOME: '' }, undefined],
  [{}, undefined],
])('With %j the cache is in %p.', (env, folder) => {
  expect(cacheFolderIn(env)).toBe(folder);
});
